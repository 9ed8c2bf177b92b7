import fc from 'fast-check';
import { expect, test } from 'vitest';
import { separateSessions } from '../../src/stats/session-variance.ts';

test('unequal sessions give the components of the analysis of variance', () => {
  const sessions = [
    [10, 10.1, 9.9, 10.05],
    [11, 11.2],
    [9.5, 9.6, 9.55],
  ];
  const result = separateSessions(sessions)!;
  expect(result).toMatchObject({ sessions: 3, trials: 9, isSessionNegative: false });
  expect(result.withinComponent / 7.267989297666711e-5).toBeCloseTo(1, 10);
  expect(result.sessionComponent / 0.004734903990756528).toBeCloseTo(1, 10);
  expect(result.sessionShare).toBeCloseTo(0.9848822413223854, 10);
});

test('a negative component is 0 and said to be negative', () => {
  // Logs 0, 2 and 0, 2: nothing between, 2 within.
  const e2 = Math.E ** 2;
  const result = separateSessions([
    [1, e2],
    [e2, 1],
  ])!;
  expect(result.withinComponent).toBeCloseTo(2, 12);
  expect(result).toMatchObject({ sessionComponent: 0, isSessionNegative: true, sessionShare: 0 });
});

test('sessions without any variance inside take all of it', () => {
  const result = separateSessions([
    [2, 2],
    [3, 3, 3],
  ])!;
  expect(result.withinComponent).toBeCloseTo(0, 25);
  expect(result.sessionShare).toBeCloseTo(1, 12);
});

test('a session with one trial counts for the variance between only, an empty one for nothing', () => {
  const e = Math.E;
  // Logs 0, 2 | 3, 5 | 4: MSW 2, mean 2.8, MSB (2 1.8^2 + 2 1.2^2 + 1.2^2) / 2 = 5.4, n0 = 1.6.
  const result = separateSessions([[1, e ** 2], [], [e ** 3, e ** 5], [e ** 4]])!;
  expect(result).toMatchObject({ sessions: 3, trials: 5 });
  expect(result.withinComponent).toBeCloseTo(2, 12);
  expect(result.sessionComponent).toBeCloseTo(2.125, 12);
});

test('fewer than two sessions with two trials, or equal times, have no components', () => {
  expect(separateSessions([])).toBeNull();
  expect(separateSessions([[1, 2, 3]])).toBeNull();
  expect(separateSessions([[1, 2, 3], [4]])).toBeNull();
  expect(
    separateSessions([
      [7, 7],
      [7, 7],
    ]),
  ).toBeNull();
});

test('another unit of time changes nothing', () => {
  const session = fc.array(fc.integer({ min: 1000, max: 1100 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(session, { minLength: 2, maxLength: 5 }), (sessions) => {
      const inMs = separateSessions(sessions);
      const inNs = separateSessions(sessions.map((times) => times.map((ms) => ms * 1e6)));
      if (inMs === null) {
        expect(inNs).toBeNull();
        return;
      }
      expect(inNs!.withinComponent).toBeCloseTo(inMs.withinComponent, 10);
      expect(inNs!.sessionComponent).toBeCloseTo(inMs.sessionComponent, 10);
      expect(inMs.sessionShare).toBeGreaterThanOrEqual(0);
      expect(inMs.sessionShare).toBeLessThanOrEqual(1);
    }),
  );
});
