import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countDiscoveries,
  eValue,
  followSequence,
  sequentialError,
  sequentialRanks,
  spentAlpha,
} from '../../src/stats/sequential.ts';
import { logRatios } from './worked-times.ts';

const ranksS1 = [
  0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8,
  8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 15, 15, 15, 16, 16, 16, 17,
  17, 18,
];
const ranksS2 = [
  0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7, 8, 8,
];

test.each([
  [1, 1, 1],
  [2, 2, 5 / 3],
  [5, 5, 221 / 21],
  [6, 6, 221 / 11],
  [7, 7, 425 / 11],
  [9, 10, 145 / 19],
  [10, 11, 5365 / 399],
  [11, 12, 219965 / 9177],
  [24, 24, 7498713957 / 2021],
  [12, 24, 18697025 / 191649409],
  [0, 0, 1],
])('%i of %i positive rounds have the e-value %f', (positive, rounds, expected) => {
  expect(eValue(positive, rounds) / expected).toBeCloseTo(1, 14);
  expect(eValue(rounds - positive, rounds)).toBe(eValue(positive, rounds));
});

test('an e-value stays finite', () => {
  expect(eValue(2000, 2000)).toBe(Number.MAX_VALUE);
  expect(eValue(700, 1400)).toBeGreaterThan(0);
});

test('S1 has the tabled ranks up to 60 and its exact errors', () => {
  expect(sequentialRanks('S1', 0.05, 60)).toEqual(ranksS1);
  expect(sequentialError(ranksS1.slice(0, 30))).toBeCloseTo(0.03850289, 8);
  expect(sequentialError(ranksS1)).toBeCloseTo(0.04082874, 8);
});

test('S1 ranks are the largest whose e-value suffices, for 4,000 rounds too', () => {
  const ranks = sequentialRanks('S1', 0.05, 4000);
  for (const t of [61, 99, 250, 1000, 3999, 4000]) {
    const rank = ranks[t - 1]!;
    expect(eValue(rank - 1, t)).toBeGreaterThanOrEqual(20);
    expect(eValue(rank, t)).toBeLessThan(20);
  }
});

test('S1 takes an e-value that equals 1/alpha', () => {
  // E(2/2) = 5/3 = 1/0.6.
  expect(sequentialRanks('S1', 0.6, 2)).toEqual([0, 1]);
  expect(sequentialRanks('S1', 0.5999, 2)).toEqual([0, 0]);
});

test('S2 has the tabled ranks for 30 rounds and its exact error', () => {
  expect(sequentialRanks('S2', 0.05, 30)).toEqual(ranksS2);
  expect(sequentialError(ranksS2)).toBe(12988547 / 268435456);
  expect(sequentialError(ranksS2)).toBe(0.0483861081302166);
});

test('24 comparisons need eleven straight agreements in S1, ten in S2', () => {
  const s1 = sequentialRanks('S1', 0.05 / 24, 30);
  const s2 = sequentialRanks('S2', 0.05 / 24, 30);
  expect(s1).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5,
  ]);
  expect(s2).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5,
  ]);
  expect(sequentialError(s2)).toBe(69471 / 33554432);
});

test('S2 follows its rule at other levels and maxima', () => {
  expect(sequentialRanks('S2', 0.1, 12)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3]);
  expect(sequentialError(sequentialRanks('S2', 0.1, 12))).toBe(99 / 1024);
  expect(sequentialRanks('S2', 0.01, 30)).toEqual([
    0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6,
  ]);
  expect(sequentialError(sequentialRanks('S2', 0.01, 30))).toBe(646537 / 67108864);
});

test('with a maximum below six rounds S2 never decides at 0.05', () => {
  expect(sequentialRanks('S2', 0.05, 5)).toEqual([0, 0, 0, 0, 0]);
  expect(sequentialRanks('S2', 0.05, 6)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(sequentialError([0, 0, 0, 0, 0])).toBe(0);
});

test('S2 spends nothing before round 6, 1/32 in it and all of alpha by the last', () => {
  expect(spentAlpha(5, 0.05, 30)).toBe(0);
  expect(spentAlpha(6, 0.05, 30)).toBe(0.03125);
  expect(spentAlpha(18, 0.05, 30)).toBe(0.040625);
  expect(spentAlpha(30, 0.05, 30)).toBe(0.05);
  expect(spentAlpha(31, 0.05, 30)).toBe(0.05);
  expect(spentAlpha(6, 0.05, 6)).toBe(0.03125);
  // 1/32 is reached exactly: round 6 is the first.
  expect(spentAlpha(6, 0.03125, 10)).toBe(0.03125);
  expect(spentAlpha(5, 0.03125, 10)).toBe(0);
});

test('neither spends more than alpha, whatever alpha and the maximum', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('S1' as const, 'S2' as const),
      fc.constantFrom(0.2, 0.1, 0.05, 0.05 / 7, 0.001),
      fc.integer({ min: 1, max: 50 }),
      (method, alpha, maximum) => {
        const ranks = sequentialRanks(method, alpha, maximum);
        expect(sequentialError(ranks)).toBeLessThanOrEqual(alpha);
        ranks.forEach((rank, index) => {
          expect(rank).toBeGreaterThanOrEqual(ranks[index - 1] ?? 0);
          if (method === 'S2') {
            const spent = sequentialError(ranks.slice(0, index + 1));
            expect(spent).toBeLessThanOrEqual(spentAlpha(index + 1, alpha, maximum));
          }
        });
      },
    ),
  );
});

test('e-BH rejects the five largest of 24, or none', () => {
  const rest = Array<number>(19).fill(1);
  expect(countDiscoveries([130, 500, 200, 100, 250, ...rest], 0.05)).toBe(5);
  expect(countDiscoveries([346, 50, 21, 18, 3, ...rest], 0.05)).toBe(0);
  expect(countDiscoveries([], 0.05)).toBe(0);
});

test('e-BH takes a value that meets its threshold exactly', () => {
  expect(countDiscoveries([20], 0.05)).toBe(1);
  expect(countDiscoveries([19.999], 0.05)).toBe(0);
  // The second meets 2/(0.05 x 2), and so both are rejected although neither is 40.
  expect(countDiscoveries([20, 20], 0.05)).toBe(2);
});

test('on the worked ratios S1 declares at round 6 and the running interval stays', () => {
  const evidence = followSequence(logRatios, ranksS1);
  expect(evidence.map(({ ranks }) => ranks)).toEqual([
    ...Array(5).fill(null),
    ...[6, 7, 8, 9, 10].map((pairs) => [1, pairs]),
  ]);
  expect(evidence[4]).toEqual({ pairs: 5, ranks: null, current: null, running: null });
  expect(Math.exp(evidence[5]!.current!.lower)).toBeCloseTo(1.0956228956228957, 12);
  expect(Math.exp(evidence[5]!.current!.upper)).toBeCloseTo(1.1041244083840431, 12);
  // The slow ninth trial widens the current interval alone.
  expect(Math.exp(evidence[9]!.current!.lower)).toBeCloseTo(16.28 / 16.94, 12);
  expect(Math.exp(evidence[9]!.running!.lower)).toBeCloseTo(1.0956228956228957, 12);
});

test('a running intersection that is empty is null beside the current interval', () => {
  const evidence = followSequence([1, 2, 30, 40], [0, 1, 0, 2]);
  expect(evidence.map(({ current }) => current)).toEqual([
    null,
    { lower: 1, upper: 2 },
    null,
    { lower: 2, upper: 30 },
  ]);
  expect(evidence.map(({ running }) => running)).toEqual([
    null,
    { lower: 1, upper: 2 },
    { lower: 1, upper: 2 },
    { lower: 2, upper: 2 },
  ]);
  expect(followSequence([1, 2, 30, 40, 50, 60], [0, 1, 0, 0, 0, 3]).at(-1)).toEqual({
    pairs: 6,
    ranks: [3, 4],
    current: { lower: 30, upper: 40 },
    running: null,
  });
});

test('pairs beyond the planned ones add no evidence', () => {
  const evidence = followSequence([3, 1, 2], [0, 1]);
  expect(evidence[2]).toEqual({
    pairs: 3,
    ranks: null,
    current: null,
    running: { lower: 1, upper: 3 },
  });
});
