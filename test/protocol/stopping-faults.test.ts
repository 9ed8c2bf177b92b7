import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundsToDecide } from '../../src/protocol/stopping.ts';
import { findFirstRound, findStoppingFaults } from '../../src/protocol/stopping-faults.ts';

test('the rounds that a rule needs, worked out apart', () => {
  // S2: 2^(1-t) <= alpha: 1/32 <= 0.05, 1/512 < 0.0025
  expect(findFirstRound('S2', 0.05)).toBe(6);
  expect(findFirstRound('S2', 0.0025)).toBe(10);
  expect(findFirstRound('S2', 0.5)).toBe(2);
  // S1: 1 x 5 x 9 x 13 x 17 x 21 / (1 x 3 x 5 x 7 x 9 x 11) = 221/11 = 20.09, and 10.5 a round before
  expect(findFirstRound('S1', 0.05)).toBe(6);
});

test('they are those of the ranks themselves', () => {
  const methods = fc.constantFrom('S1' as const, 'S2' as const);
  const alphas = fc.double({ min: 0.001, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(methods, alphas, (method, alpha) => {
      const needed = findFirstRound(method, alpha);
      const rule = { method, alpha, correction: 'none' as const };
      expect(roundsToDecide(rule, 1, needed)).toBe(needed);
      expect(roundsToDecide(rule, 1, needed - 1)).toBeNull();
    }),
    { numRuns: 50 },
  );
});

test('an alpha next to nothing is a fault, found at once', () => {
  for (const method of ['S1', 'S2'] as const) {
    const stopping = { method, alpha: 1e-300, margin: 0, equivalence: null } as const;
    const family = { correction: 'bonferroni', comparisons: 'all-against-reference' } as const;
    const [fault] = findStoppingFaults({ ...stopping, ...family }, 20, 3);
    expect(fault?.what).toContain('can decide nothing by then');
  }
  expect(findFirstRound('S2', 1e-300)).toBe(998);
});
