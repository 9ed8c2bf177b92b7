import { logNameOf } from '../../src/campaign/log-file.io.ts';
import type { CampaignPorts } from '../../src/campaign/run-campaign.ts';
import type { ObservedEntry } from '../../src/formats/ledger.ts';
import { sha256Hex } from '../../src/hash.ts';
import { createFakeRunner } from './fake-runner.ts';

const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;

/** The log of a trial that said nothing. */
export function emptyLog(trial: number, attempt: number): ObservedEntry['log'] {
  return { file: logNameOf(trial, attempt), bytes: 0, sha256: sha256Hex('') };
}

/** A world in which nothing takes time, nothing is seen, and every trial succeeds unless `changes` say otherwise. */
export function fakePorts(changes: Partial<CampaignPorts> = {}): CampaignPorts {
  return {
    runner: createFakeRunner(),
    device: { name: 'CPU', type: 'cpu' },
    readDeviceState: async () => quiet,
    waitForIdle: async () => 0,
    openModel: async (sha256) => `/models/${sha256}`,
    logPath: (trial, attempt) => `/logs/${trial}-${attempt}`,
    describeLog: async (trial, attempt) => emptyLog(trial, attempt),
    nowNs: () => 0n,
    stop: new AbortController().signal,
    ...changes,
  };
}
