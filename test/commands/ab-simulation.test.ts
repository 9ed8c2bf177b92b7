import { expect, test } from 'vitest';
import { countAlarms, countPlants, usualRule } from '../../bench/ab/simulation.ts';

/** 14 of 300: `bench/ab-false-alarms.ts` has thousands. The seed is fixed, so that any change of the decision shows. */
test.each([
  ['normal', 6, 74, 120],
  ['heavy tails', 5, 27, 168],
  ['drift', 3, 87, 110],
] as const)(
  'of 100 simulated campaigns of identical sides some call a difference: %s noise',
  (world, alarms, equivalent, open) => {
    const counts = countAlarms(world, 100, 7, { ...usualRule, margin: 0 });
    expect(counts).toMatchObject({ alarms, equivalent, open });
    expect(counts.slower + counts.faster + equivalent + open).toBe(200);
  },
);

test('where processes scatter by 1 %, 5 % more is decided in fewer processes than ten of each', () => {
  const counts = countPlants(0.01, 20, 7);
  expect(counts).toMatchObject({ decided: 1, decidedByTen: 1 });
  expect(counts.processes).toBeLessThan(1);
  expect(counts.processes).toBeGreaterThanOrEqual(0.7); // 7 rounds: nothing is decided before
  const scattered = countPlants(0.05, 20, 7);
  expect(scattered.decided).toBeGreaterThan(scattered.decidedByTen);
  expect(scattered.processes).toBeGreaterThan(1);
});
