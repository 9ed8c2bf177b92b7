import { expect, test } from 'vitest';
import {
  adviseWarmup,
  expectProcessNs,
  findPilotSteadyStart,
  summarisePilot,
} from '../../src/protocol/budget-pilot.ts';
import { allocateRepetitions } from '../../src/stats/allocation.ts';
import { separateProcesses } from '../../src/stats/pooled-variance.ts';

test('equal numbers of repetitions give the components of Kalibera and Jones', () => {
  const processes = [
    [10, 10.2, 9.8],
    [11, 11.1, 10.9],
    [10.5, 10.4, 10.6],
    [9.9, 10, 10.1],
  ];
  const variance = separateProcesses(processes);
  expect(variance.withinVariance).toBeCloseTo(0.0175, 12);
  expect(variance.meansVariance).toBeCloseTo(0.22916666666666666, 12);
  expect(variance.betweenComponent).toBeCloseTo(0.22333333333333333, 12);
  expect(variance.meanRepetitions).toBe(3);
  expect(variance.betweenComponent).toBeCloseTo(
    allocateRepetitions(processes, { repetition: 1, process: 1 })!.betweenComponent,
    12,
  );
});

test('unequal numbers: 1, 3 in one process and 8 alone in another', () => {
  // N = 3, n0 = (3 - 5/3) / 1 = 4/3; MSW = 2; centre 4, MSB = 2 (2 - 4)^2 + (8 - 4)^2 = 24.
  const variance = separateProcesses([[1, 3], [8]]);
  expect(variance.meanRepetitions).toBeCloseTo(4 / 3, 12);
  expect(variance.withinVariance).toBeCloseTo(2, 12);
  expect(variance.meansVariance).toBeCloseTo(18, 12);
  expect(variance.betweenComponent).toBeCloseTo(16.5, 12);
});

test('a negative component is 0, and what cannot be known is null', () => {
  expect(
    separateProcesses([
      [1, 3],
      [1, 3],
    ]).betweenComponent,
  ).toBe(0);
  expect(separateProcesses([[1, 3]])).toEqual({
    processes: 1,
    meanRepetitions: 2,
    withinVariance: 2,
    withinDegrees: 1,
    meansVariance: null,
    betweenComponent: null,
  });
  const single = separateProcesses([[1], [3]]);
  expect(single).toMatchObject({ withinVariance: null, meansVariance: 2, betweenComponent: null });
});

test('steady from: change points where there are enough, else the leading ones that are off', () => {
  const settled = [900, 200, 101, 100, 101, 100, 101, 100, 101, 100];
  expect(findPilotSteadyStart([settled, settled])).toEqual({ from: 2, source: 'change-points' });
  expect(findPilotSteadyStart([[9_000, 90]])).toEqual({ from: 1, source: 'leading-run' });
  expect(findPilotSteadyStart([[9_000, 120, 101, 100]])).toEqual({
    from: 2,
    source: 'leading-run',
  });
  expect(findPilotSteadyStart([[104, 100]])).toEqual({ from: 0, source: 'leading-run' });
  expect(findPilotSteadyStart([[106, 100]])).toEqual({ from: 1, source: 'leading-run' });
  expect(findPilotSteadyStart([[90, 100]])).toEqual({ from: 1, source: 'leading-run' });
  expect(findPilotSteadyStart([[100]])).toEqual({ from: 0, source: 'unknown' });
});

test('later repetitions that lie apart widen what counts as steady', () => {
  expect(findPilotSteadyStart([[140, 100, 150, 90]])).toEqual({ from: 0, source: 'leading-run' });
  expect(findPilotSteadyStart([[900, 300, 100, 200]])).toEqual({ from: 2, source: 'leading-run' });
});

test('one odd process of three makes no warm-up, and a short one does not shorten the series', () => {
  const flat = [100, 101, 100, 101, 100, 101, 100, 101];
  expect(findPilotSteadyStart([flat, [900, ...flat.slice(1)], flat]).from).toBe(0);
  expect(findPilotSteadyStart([flat, [100], flat])).toEqual({ from: 0, source: 'change-points' });
});

test('warm-up is the steady start and half as many more, at least 1', () => {
  const advise = (wallNs: number[]) =>
    adviseWarmup(
      summarisePilot({ processes: [{ overheadNs: 0, wallNs, prepareNs: wallNs.map(() => 0) }] }),
    );
  expect(advise([100])).toBe(1);
  expect(advise([100, 101, 100, 101, 100, 101])).toBe(1);
  expect(advise([900, 100])).toBe(2);
  expect(advise([900, 300, 101, 100])).toBe(3);
  const settles = (slow: number) => [...Array(slow).fill(300), ...Array(8).fill(100)];
  expect(advise(settles(4))).toBe(6);
  expect(advise(settles(9))).toBe(14);
});

test('a process costs its start, what it takes to become steady, and steady repetitions', () => {
  const pilot = summarisePilot({
    processes: [
      { overheadNs: 5_000, wallNs: [900, 100], prepareNs: [50, 10] },
      { overheadNs: 7_000, wallNs: [1_100, 104], prepareNs: [70, 12] },
    ],
  });
  // Start 6,000; first 950 and 1,170: 1,060; steady 110 and 116: 113.
  expect([0, 1, 2, 4].map((count) => expectProcessNs(pilot, count))).toEqual([
    6_000, 7_060, 7_173, 7_399,
  ]);
  expect(pilot.representativeNs).toBe(102);
  // Whole processes: 6,060 and 8,286, mean 7,173.
  expect(pilot.processRange).toEqual([6_060 / 7_173, 8_286 / 7_173]);
});
