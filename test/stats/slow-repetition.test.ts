import { expect, test } from 'vitest';
import {
  classifySlowRepetition,
  recoveryFraction,
  timeOffCpu,
} from '../../src/stats/slow-repetition.ts';

const baseline = { elapsed: 19.05, cpu: 19.03 };
const tolerance = 0.01;
const classify = (elapsed: number, cpu: number | null) =>
  classifySlowRepetition(baseline, { elapsed, cpu }, tolerance);

test('the worked repetitions are told apart by the share of CPU time in what they took longer', () => {
  expect(classify(21.6405, 19.0399)).toEqual({
    kind: 'time-off-cpu-grew',
    share: expect.closeTo(0.0099 / 2.5905, 9), // .00382
  });
  expect(classify(22.39, 22.36)).toEqual({
    kind: 'cpu-time-grew',
    share: expect.closeTo(3.33 / 3.34, 9), // .99701
  });
  expect(classify(20.7, 19.9)).toEqual({
    kind: 'mixed',
    share: expect.closeTo(0.87 / 1.65, 9), // .52727
  });
});

test('shares of exactly .7 and .3 are of one kind, what lies between is mixed', () => {
  const whole = { elapsed: 1000, cpu: 1000 };
  const kindOf = (cpu: number) =>
    classifySlowRepetition(whole, { elapsed: 1100, cpu }, tolerance).kind;
  expect([1100, 1070, 1069, 1031, 1030, 1000, 990].map(kindOf)).toEqual([
    'cpu-time-grew',
    'cpu-time-grew',
    'mixed',
    'mixed',
    'time-off-cpu-grew',
    'time-off-cpu-grew',
    'time-off-cpu-grew',
  ]);
});

test('a repetition is slow strictly above 1.05 times the baseline', () => {
  const kindOf = (elapsed: number) =>
    classifySlowRepetition({ elapsed: 20_000, cpu: 20_000 }, { elapsed, cpu: elapsed }, 0);
  expect(kindOf(21_000)).toEqual({ kind: 'not-slow', share: null });
  expect(kindOf(21_001)).toEqual({ kind: 'cpu-time-grew', share: 1 });
  expect(kindOf(19_000).kind).toBe('not-slow');
});

test('more CPU time than elapsed time is invalid beyond the tolerance, slow or not', () => {
  expect(classify(22, 22.02)).toEqual({ kind: 'invalid', share: null });
  expect(classify(19, 19.02).kind).toBe('invalid');
  expect(classify(22, 22.005).kind).toBe('cpu-time-grew');
  const impossible = { elapsed: 19, cpu: 20 };
  expect(classifySlowRepetition(impossible, { elapsed: 22, cpu: 22 }, tolerance).kind).toBe(
    'invalid',
  );
});

test('without CPU time a slow repetition is not measured, and one that is not slow is that', () => {
  expect(classify(22, null)).toEqual({ kind: 'not-measured', share: null });
  expect(classify(19, null)).toEqual({ kind: 'not-slow', share: null });
  const unmeasured = { elapsed: 19.05, cpu: null };
  expect(classifySlowRepetition(unmeasured, { elapsed: 22, cpu: 22 }, tolerance).kind).toBe(
    'not-measured',
  );
});

test('21.6405 ms with 19.0399 ms on the CPU leave 2.6006 ms, not 2.6016', () => {
  expect(timeOffCpu({ elapsed: 21.6405, cpu: 19.0399 })).toBeCloseTo(2.6006, 10);
  expect(timeOffCpu({ elapsed: 21.6405, cpu: null })).toBeNull();
});

test('activity of the CPU alone brings most of the worked recovery', () => {
  expect(recoveryFraction(18.181, 14.881, 14.823)).toBeCloseTo(0.982728, 6);
  expect(recoveryFraction(21.876, 19.447, 19.44)).toBeCloseTo(0.997126, 6);
});

test('an activity can bring nothing, and without recovery there is no part of it', () => {
  expect(recoveryFraction(20, 20, 15)).toBe(0);
  expect(recoveryFraction(20, 21, 15)).toBe(-0.2);
  expect(recoveryFraction(20, 15, 20)).toBeNull();
});
