import type { CampaignPorts } from '../../src/campaign/run-campaign.ts';
import { createFakeRunner } from './fake-runner.ts';

const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;

/** A world in which nothing takes time, nothing is seen, and every trial succeeds unless `changes` say otherwise. */
export function fakePorts(changes: Partial<CampaignPorts> = {}): CampaignPorts {
  return {
    runner: createFakeRunner(),
    device: { name: 'CPU', type: 'cpu' },
    readDeviceState: async () => quiet,
    waitForIdle: async () => 0,
    openModel: async (sha256) => `/models/${sha256}`,
    logPath: (trial, attempt) => `/logs/${trial}-${attempt}`,
    describeLog: async () => null,
    nowNs: () => 0n,
    stop: new AbortController().signal,
    ...changes,
  };
}
