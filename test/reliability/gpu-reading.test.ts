import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDeviceStateReader } from '../../src/device/device-state.io.ts';
import { type Behaviour, fakeGpu, installNvidiaSmi } from '../support/fake-nvidia-smi.ts';
import { createSlowRunner, measureCampaign } from '../support/fast-runner-campaign.ts';
import { smallPlan } from '../support/small-plan.ts';

const nvidiaSmiLimitMs = 2000;

/** A campaign on a GPU; in each trial nvidia-smi behaves as it is told, before and after. */
async function measureWith(behaviourOf: (trial: number) => Behaviour) {
  const smi = installNvidiaSmi();
  const reader = await createDeviceStateReader(fakeGpu, { nvidiaSmiLimitMs });
  let readings = 0;
  const campaign = await measureCampaign(smallPlan(), {
    runner: createSlowRunner(0),
    device: fakeGpu,
    readDeviceState() {
      smi.behave(behaviourOf(Math.floor(readings++ / 2)));
      return reader.read();
    },
  });
  onTestFinished(() => campaign.remove());
  const observed = campaign.entries.filter((entry) => entry.type === 'observed');
  const { stdout } = await campaign.rooflaw('analyze', 'small', '--json');
  return { campaign, observed, analysis: JSON.parse(stdout) };
}

describe.skipIf(process.platform === 'win32')('a campaign on a GPU (a shell’s nvidia-smi)', () => {
  test('that another process uses from the fifth trial on: each is told of, and all count', async () => {
    const { campaign, observed, analysis } = await measureWith((trial) =>
      trial < 4 ? 'idle' : 'used by another process',
    );
    expect(observed).toHaveLength(12);
    for (const { trial, deviceBefore, deviceAfter } of observed) {
      const otherUse = trial < 4 ? 'not-seen' : 'seen';
      const state = {
        source: 'nvidia-smi',
        otherUse,
        readings: { memoryUsedMiB: trial < 4 ? '4' : '20531' },
      };
      expect(deviceBefore).toMatchObject(state);
      expect(deviceAfter).toMatchObject(state);
    }
    expect(analysis.otherUse).toEqual({ seen: 8, notSeen: 4, notVisible: 0 });
    expect(analysis.items.map(({ n }: { n: number }) => n)).toEqual([3, 3, 3, 3]);
    const sentence =
      'others were seen at work on the device in 8 of 12 trials; nothing was removed';
    const { stdout } = await campaign.rooflaw('analyze', 'small');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
    await campaign.rooflaw('report', 'small', '--out', 'report.html');
    expect(readFileSync(join(campaign.root, 'report.html'), 'utf8')).toContain(sentence);
  });

  test('goes on when nvidia-smi does not answer: not measured, and why', async () => {
    const noState = 'what it printed is no state of a GPU';
    const course: [behaviour: Behaviour, why: string | null][] = [
      ['idle', null],
      ['warning beside', null],
      ['prints garbage', noState],
      ['prints long values', noState],
      ['floods', 'more than 1048576 bytes'],
      ['fails', 'exit status 1'],
      ['is gone', 'it could not be started: ENOENT'],
      ['hangs', 'no answer within 2 s'],
      ['idle', null],
      ['prints slowly', 'no answer within 2 s'],
    ];
    const { observed, analysis } = await measureWith((trial) => course[trial]?.[0] ?? 'idle');
    expect(observed).toHaveLength(12);
    for (const { trial, deviceBefore, deviceAfter } of observed) {
      const [behaviour, why] = course[trial] ?? ['idle', null];
      for (const { source, readings, otherUse } of [deviceBefore, deviceAfter]) {
        if (why === null) {
          expect({ source, otherUse }).toEqual({ source: 'nvidia-smi', otherUse: 'not-seen' });
          expect(readings.persistenceMode).toBe('Enabled');
        } else {
          const absent = { source: 'none', readings: { absent: 'nvidia-smi did not answer', why } };
          expect({ source, readings, otherUse }, behaviour).toEqual({
            ...absent,
            otherUse: 'not-visible',
          });
        }
      }
    }
    expect(analysis.otherUse).toEqual({ seen: 0, notSeen: 5, notVisible: 7 });
    expect(analysis.items.map(({ n }: { n: number }) => n)).toEqual([3, 3, 3, 3]);
  });

  test('whose nvidia-smi hangs again and again is asked only now and then', async () => {
    const smi = installNvidiaSmi();
    smi.behaveAlways('hangs');
    const reader = await createDeviceStateReader(fakeGpu, { nvidiaSmiLimitMs: 300 }); // asks once
    const whyNow = async () => (await reader.read()).readings.why;
    expect([await whyNow(), await whyNow()]).toEqual(Array(2).fill('no answer within 0.3 s'));
    smi.behave('idle');
    const notAsked = 'not asked again yet: 3 times in a row there was no answer';
    for (let time = 0; time < 20; time++) expect(await whyNow()).toBe(notAsked);
    await expect
      .poll(async () => (await reader.read()).source, { timeout: 30_000 })
      .toBe('nvidia-smi');
  });

  test.each(['fails', 'hangs'] as const)(
    'whose nvidia-smi %s at the start finds its GPU as soon as it answers',
    async (behaviour) => {
      const smi = installNvidiaSmi();
      smi.behaveAlways(behaviour);
      const reader = await createDeviceStateReader(fakeGpu, { nvidiaSmiLimitMs });
      expect(await reader.read()).toMatchObject({
        source: 'none',
        readings: {
          absent: 'no GPU of nvidia-smi could be matched',
          why: behaviour === 'fails' ? 'exit status 1' : 'no answer within 2 s',
        },
      });
      smi.behave('used by another process');
      expect(await reader.read()).toMatchObject({ source: 'nvidia-smi', otherUse: 'seen' });
    },
  );
});
