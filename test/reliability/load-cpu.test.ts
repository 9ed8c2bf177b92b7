import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeviceStateReader } from '../../src/device/device-state.io.ts';
import { parseOwnTicks } from '../../src/device/other-use.ts';
import {
  createSlowRunner,
  type MeasuredCampaign,
  measureCampaign,
} from '../support/fast-runner-campaign.ts';
import { smallPlan } from '../support/small-plan.ts';

const ticksOf = (pid: number | undefined) =>
  parseOwnTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? 0;

describe.skipIf(process.platform !== 'linux')(
  'a campaign beside a process that burns a CPU',
  () => {
    const planned = 12;
    let burner: ChildProcess;
    let burntTicks: number;
    let campaign: MeasuredCampaign;

    beforeAll(async () => {
      burner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
      const cpu = { name: 'CPU', description: 'CPU', memoryBytes: 0, type: 'cpu' } as const;
      const reader = await createDeviceStateReader(cpu);
      const before = ticksOf(burner.pid);
      campaign = await measureCampaign(smallPlan(), {
        runner: createSlowRunner(0.3),
        readDeviceState: () => reader.read(),
      });
      burntTicks = ticksOf(burner.pid) - before;
    }, 120_000);
    afterAll(() => {
      burner.kill('SIGKILL');
      campaign.remove();
    });

    test('the ledger tells of it at every trial’s end, and of its CPU time', () => {
      const observed = campaign.entries.filter((entry) => entry.type === 'observed');
      expect(observed.map(({ deviceAfter }) => deviceAfter.otherUse)).toEqual(
        Array(planned).fill('seen'),
      );
      const states = observed.flatMap(({ deviceBefore, deviceAfter }) => [
        deviceBefore,
        deviceAfter,
      ]);
      const ticksOfOthers = states.map(({ readings }) =>
        Number(/^(\d+) of \d+$/.exec(readings.cpuTicksOfOthers ?? '')?.[1]),
      );
      // the kernel counts the machine's ticks by samples: some of the burnt ones are missed
      const others = ticksOfOthers.reduce((sum, ticks) => sum + ticks, 0);
      expect(others).toBeGreaterThan(burntTicks / 2);
    });

    test('analyze and report say so, and every trial counts', async () => {
      const analyzed = await campaign.rooflaw('analyze', 'small', '--json');
      const analysis = JSON.parse(analyzed.stdout);
      expect(analysis.otherUse).toEqual({ seen: planned, notSeen: 0, notVisible: 0 });
      expect(analysis.items.map(({ n }: { n: number }) => n)).toEqual([3, 3, 3, 3]);
      const sentence = `others were seen at work on the device in ${planned} of ${planned} trials`;
      const { stdout } = await campaign.rooflaw('analyze', 'small');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
      expect((await campaign.rooflaw('report', 'small', '--out', 'report.html')).status).toBe(0);
      expect(readFileSync(`${campaign.root}/report.html`, 'utf8')).toContain(sentence);
    });
  },
);
