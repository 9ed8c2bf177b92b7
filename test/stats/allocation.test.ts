import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocateRepetitions, planSamePrecision } from '../../src/stats/allocation.ts';

const processes = [
  [10, 10.2, 9.8],
  [11, 11.1, 10.9],
  [10.5, 10.4, 10.6],
  [9.9, 10, 10.1],
];
const costs = { repetition: 1, process: 30 };
const allocation = allocateRepetitions(processes, costs)!;

test('the worked processes have their variances and 1.53 repetitions as the optimum', () => {
  expect(allocation.withinVariance).toBeCloseTo(0.0175, 12);
  expect(allocation.betweenVariance).toBeCloseTo(0.6875 / 3, 12); // .22916667
  expect(allocation.betweenComponent).toBeCloseTo(0.67 / 3, 12); // .22333333
  expect(allocation.optimalRepetitions).toBeCloseTo(1.53321435835, 9);
});

test('processes that differ no more than their repetitions explain have no optimum', () => {
  const alike = allocateRepetitions(
    [
      [9, 10, 11],
      [11, 9, 10],
    ],
    costs,
  )!;
  expect(alike.betweenComponent).toBeCloseTo(-1 / 3, 12);
  expect(alike.optimalRepetitions).toBeNull();
  expect(planSamePrecision(alike, costs, { processes: 2, repetitions: 3 })).toBeNull();
});

test('constant data have no optimum either', () => {
  const constant = allocateRepetitions(
    [
      [5, 5],
      [5, 5],
    ],
    costs,
  )!;
  expect(constant).toEqual({
    withinVariance: 0,
    betweenVariance: 0,
    betweenComponent: 0,
    optimalRepetitions: null,
  });
});

test('one process, one repetition or unequal numbers of them are no design', () => {
  expect(allocateRepetitions([], costs)).toBeNull();
  expect(allocateRepetitions([[1, 2, 3]], costs)).toBeNull();
  expect(allocateRepetitions([[1], [2]], costs)).toBeNull();
  expect(
    allocateRepetitions(
      [
        [1, 2],
        [1, 2, 3],
      ],
      costs,
    ),
  ).toBeNull();
});

test('100 processes of 25 become 104 of 2 for the same precision and 60.5 % of the time', () => {
  // 100 (.22333 + .0175 / 2) / (.22333 + .0175 / 25) = 103.59; 104 (30 + 2) / (100 (30 + 25)).
  expect(planSamePrecision(allocation, costs, { processes: 100, repetitions: 25 })).toEqual({
    repetitions: 2,
    processes: 104,
    costShare: expect.closeTo(3328 / 5500, 12),
  });
});

test('where whole numbers make the optimum dearer, the present counts are kept', () => {
  // 4 of 3 would become 5 of 2: 160 against 132.
  expect(planSamePrecision(allocation, costs, { processes: 4, repetitions: 3 })).toEqual({
    processes: 4,
    repetitions: 3,
    costShare: 1,
  });
});

test('what is already the optimum needs no process more', () => {
  expect(planSamePrecision(allocation, costs, { processes: 7, repetitions: 2 })).toEqual({
    processes: 7,
    repetitions: 2,
    costShare: 1,
  });
});

test('repetitions that do not vary need one a process', () => {
  const steady = allocateRepetitions(
    [
      [10, 10],
      [12, 12],
      [11, 11],
    ],
    costs,
  )!;
  expect(steady.optimalRepetitions).toBe(0);
  expect(planSamePrecision(steady, costs, { processes: 3, repetitions: 2 })).toEqual({
    repetitions: 1,
    processes: 3,
    costShare: 93 / 96,
  });
});

test('a plan is never less precise than the present one and never costs more', () => {
  const positive = fc.double({ min: 0.001, max: 1000, noNaN: true });
  const count = fc.integer({ min: 1, max: 500 });
  fc.assert(
    fc.property(positive, positive, positive, count, count, (within, between, process, n, r) => {
      const priced = { repetition: 1, process };
      const optimalRepetitions = Math.sqrt((process * within) / between);
      const design = {
        withinVariance: within,
        betweenVariance: between + within / r,
        betweenComponent: between,
        optimalRepetitions,
      };
      const plan = planSamePrecision(design, priced, { processes: n, repetitions: r })!;
      const varianceOf = (counts: { processes: number; repetitions: number }) =>
        (between + within / counts.repetitions) / counts.processes;
      expect(varianceOf(plan)).toBeLessThanOrEqual(
        varianceOf({ processes: n, repetitions: r }) * (1 + 1e-9),
      );
      expect(plan.costShare).toBeLessThanOrEqual(1);
    }),
  );
});
