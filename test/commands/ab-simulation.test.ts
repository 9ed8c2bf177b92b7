import { expect, test } from 'vitest';
import { countAlarms, usualRule } from '../../bench/ab/simulation.ts';

/** 14 of 300: `bench/ab-false-alarms.ts` has thousands. The seed is fixed, so that any change of the decision shows. */
test.each([
  ['normal', 6, 74, 120],
  ['heavy tails', 5, 26, 169],
  ['drift', 3, 84, 113],
] as const)(
  'of 100 simulated campaigns of identical sides some call a difference: %s noise',
  (world, alarms, equivalent, open) => {
    const counts = countAlarms(world, 100, 7, { ...usualRule, margin: 0 });
    expect(counts).toMatchObject({ alarms, equivalent, open });
    expect(counts.slower + counts.faster + equivalent + open).toBe(200);
  },
);
