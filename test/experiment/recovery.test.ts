import { expect, test } from 'vitest';
import { arm, smallExperiment } from '../support/experiment-plan.ts';
import { reportOf, resultOf } from './build-result.ts';

const activities = ['sleep', 'integer-work', 'decode'] as const;
const experiment = smallExperiment({
  arms: activities.map((kind) =>
    arm(kind, { treatment: { activity: { kind, milliseconds: 50 } } }),
  ),
  blocks: 6,
});

/** The seed's Q8: after a sleep 18.181 ms, integer work 14.881 ms, decode 14.823 ms. */
const seeds = { sleep: 18_181_000, 'integer-work': 14_881_000, decode: 14_823_000 };

const measure = (times: Record<string, number>, swing = 0) =>
  resultOf(
    experiment,
    (name, block) => {
      const wallNs =
        times[name]! +
        1000 * block * (name === 'sleep' ? 1 : 0) +
        (block % 2 === 0 ? swing : -swing);
      const activity = { elapsedNs: 50_000_000, steps: 5, sliceNs: [1], sliceOperations: [1] };
      return [
        { wallNs, activity },
        { wallNs, activity },
      ];
    },
    { report: reportOf([]) },
  ).recovery;

test('the part of a decode’s recovery that integer work brings is that of the seed', () => {
  const [recovery, ...others] = measure(seeds);
  expect(others).toEqual([]);
  // sleep has a median of 18.1835 ms: (18.1835 - 14.881) / (18.1835 - 14.823)
  expect(recovery!.fraction).toBeCloseTo(0.9827407, 6);
  expect(recovery!.interval!.lower).toBeCloseTo(0.982728, 5);
  expect(recovery!.sentence).toContain('the fraction 0.983 (0.983 to 0.983 over the blocks)');
  expect(recovery!.sentence).toContain('What that work costs lies before the timer.');
});

test('where a decode brings nothing back there is nothing of which to have a part', () => {
  const [recovery] = measure({ ...seeds, decode: seeds.sleep });
  expect(recovery).toMatchObject({ fraction: null, interval: null });
  expect(recovery!.sentence).toMatch(/withheld/);
});

test('arms of other places of the main thread are no part of it', () => {
  const place = { prepareOn: 0, timeOn: 0 };
  const other = smallExperiment({
    arms: activities.map((kind) => {
      const mainThread = kind === 'decode' ? place : null;
      return arm(kind, { treatment: { mainThread, activity: { kind, milliseconds: 50 } } });
    }),
    blocks: 6,
  });
  const { recovery } = resultOf(other, () => [{ wallNs: 1000 }, { wallNs: 1000 }], {
    report: reportOf([]),
  });
  expect(recovery).toEqual([]);
});

test('a recovery that chance may have made is withheld, however large its fraction would be', () => {
  // decode is faster in 5 of 6 blocks: p = 2 (1 + 6) / 2^6
  const [recovery] = resultOf(
    experiment,
    (name, block) => {
      const base = name === 'sleep' ? 16_000_000 : 15_000_000;
      const wallNs = base + (name === 'decode' && block === 0 ? 2_000_000 : 0);
      const activity = { elapsedNs: 50_000_000 };
      return [
        { wallNs, activity },
        { wallNs, activity },
      ];
    },
    { report: reportOf([]) },
  ).recovery;
  expect(recovery).toMatchObject({ fraction: null });
});

test.each([
  ['starts its process after a pause', { launch: { idleMilliseconds: 1000 } }],
  ['restores its cache', { cachePreparation: 'restore' as const }],
  ['computes on one thread', { execution: { threads: 1 } }],
])('an arm that %s besides is no part of it', (_, parts) => {
  const other = smallExperiment({
    arms: activities.map((kind) =>
      arm(kind, {
        treatment: { activity: { kind, milliseconds: 50 } },
        ...(kind === 'decode' ? parts : {}),
      }),
    ),
    blocks: 6,
  });
  const told = resultOf(other, () => [{ wallNs: 1000 }, { wallNs: 1000 }], {
    report: reportOf([]),
  });
  expect(told.recovery).toEqual([]);
});

test('activities of different lengths are no set: longer work may bring back more', () => {
  const other = smallExperiment({
    arms: activities.map((kind) => {
      const milliseconds = kind === 'integer-work' ? 500 : 50;
      return arm(kind, { treatment: { activity: { kind, milliseconds } } });
    }),
    blocks: 6,
  });
  const told = resultOf(other, () => [{ wallNs: 1000 }, { wallNs: 1000 }], {
    report: reportOf([]),
  });
  expect(told.recovery).toEqual([]);
});

/** After a sleep 2 ms more from the fifth block on; the last lacks its integer work, and its sleep is of no use. */
const failing = (times: Record<string, number>, isComplete: boolean) =>
  resultOf(
    smallExperiment({ ...experiment, blocks: 8 }),
    (name, block) => {
      if (!isComplete && block === 7) return null;
      if (name === 'integer-work' && block === 7) return { failed: 'no memory' };
      const later = [0, 0, 0, 0, 2_000_000, 2_000_000, 2_000_000, 70_000_000][block]!;
      const wallNs = times[name]! + (name === 'sleep' ? later : 0);
      return [{ wallNs }, { wallNs }];
    },
    { report: reportOf([]), isComplete },
  ).recovery[0]!;
const even = { sleep: 20_000_000, 'integer-work': 16_000_000, decode: 15_000_000 };

test('the fraction is of the blocks in which all three were measured', () => {
  expect(failing(even, true)).toMatchObject({
    fraction: 0.8, // (20 - 16) / (20 - 15), 20 being the fourth of seven
    interval: { lower: 0.8, upper: 6 / 7, coverage: 0.984375 }, // the whole range of 7
  });
});

test('before the last declared block no fraction is given', () => {
  const { fraction, sentence } = failing(even, false);
  expect(fraction).toBeNull();
  expect(sentence).toBe(
    'Recovery after sleep, integer-work, decode: withheld. 7 of 8 declared blocks are measured, and nothing is tested before the last one.',
  );
});
