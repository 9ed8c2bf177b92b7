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
