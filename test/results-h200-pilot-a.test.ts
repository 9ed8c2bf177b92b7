import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSamples } from '../src/commands/load-analysis.ts';

const folder = fileURLToPath(new URL('../results/h200-pilot-a', import.meta.url));
const find = async (architecture: string, quantization: string, S: number, phase: string) =>
  (await loadSamples(folder)).items.find(
    (item) =>
      item.architecture === architecture &&
      item.quantization === quantization &&
      item.sequenceLength === S &&
      item.phase === phase,
  );

test('the earlier H200 tables give the values that were worked out apart, in fractions', async () => {
  expect(await find('mid', 'F16', 512, 'prefill')).toMatchObject({
    n: 9,
    failed: 0,
    representativeNs: 23272148,
    interval: {
      lowerNs: 16396075.4,
      upperNs: 23606113.8,
      coverage: 0.9609375,
      coverageFraction: '123/128',
      ranks: [2, 8],
    },
    endpointDistance: expect.closeTo(0.295463598804889, 14),
    cv: { value: expect.closeTo(0.16794712159202502, 14), ddof: 1 },
    inTrialCvMax: expect.closeTo(0.12219553778801, 12),
    relativeRange: expect.closeTo(0.3341542259012791, 14),
    stable: false,
    tail: { maxOverMedian: expect.closeTo(1.032168014744492, 14), slowCount: 0 },
    twoSpeed: { isTwoSpeed: true },
  });
  expect(await find('mid', 'Q8_0', 1024, 'decode')).toMatchObject({
    n: 9,
    representativeNs: 56125283.8,
    interval: { lowerNs: 55674633.4, upperNs: 57690599, ranks: [2, 8] },
    cv: { value: expect.closeTo(0.015606317244179966, 14) },
    inTrialCvMax: expect.closeTo(0.04022392272440476, 14),
    relativeRange: expect.closeTo(0.044507833740343596, 14),
    stable: true,
  });
});

test('what the earlier tables cannot say is null, with its reason', async () => {
  const analysis = await loadSamples(folder);
  expect(analysis).toMatchObject({
    evidence: 'trial-table',
    protocolName: 'v1-like',
    device: 'NVIDIA H200',
    declaration: null,
    rules: { source: 'v1-defaults' },
    progress: { observed: 209, failed: 0 },
  });
  expect(new Set(analysis.items.map(({ n }) => n))).toEqual(new Set([8, 9]));
  for (const phase of analysis.drift) {
    expect(phase).toMatchObject({ state: 'not-evaluable' });
  }
  for (const item of analysis.items) {
    expect(item.simultaneousInterval).toBeNull();
    expect(item.missing.map(({ field }) => field)).toContain('simultaneousInterval');
    if (item.phase === 'decode') expect(item.tokensPerSecond).toBeNull();
  }
  expect(analysis.roundSubsets).toMatchObject({ state: 'evaluated', rounds: 8 });
});

test('they hold eight full rounds and part of a ninth, with 25 repetitions of each trial', () => {
  const rows = readFileSync(`${folder}/trials.csv`, 'utf8').trimEnd().split('\n').slice(1);
  const rounds = rows.map((row) => Number(row.split(',')[7]));
  expect(
    Array.from({ length: 9 }, (_, at) => rounds.filter((round) => round === at).length),
  ).toEqual([24, 24, 24, 24, 24, 24, 24, 24, 17]);
  const repetitions = readFileSync(`${folder}/repetitions.csv`, 'utf8').trimEnd().split('\n');
  expect(repetitions).toHaveLength(1 + 209 * 25);
});
