import { expect, test } from 'vitest';
import { judgeAgain, judgeCandidate, judgeGate } from '../../src/analysis/gate.ts';

const between = (lower: number, upper: number) => ({ lower, upper });

test.each([
  ['all of it below', between(0.8, 0.9), 'pass'],
  ['it holds 1 and ends at the limit', between(0.99, 1.25), 'pass'],
  ['it holds the limit', between(1.1, 1.26), 'inconclusive'],
  ['it begins at the limit', between(1.25, 1.5), 'inconclusive'],
  ['all of it is above the limit', between(1.26, 1.5), 'regression'],
  ['there is none', null, 'inconclusive'],
] as const)('a candidate that may be 25 % slower: %s', (_what, interval, verdict) => {
  expect(judgeCandidate(interval, 0.25)).toBe(verdict);
});

test.each([
  ['it ends at both limits', between(0.75, 1.25), 'fit'],
  ['it lies beside 1 and within the limits', between(1.01, 1.2), 'fit'],
  ['it is too wide to the slow side', between(0.9, 1.26), 'not-shown'],
  ['it is too wide to the fast side', between(0.74, 1.1), 'not-shown'],
  ['all of it is above', between(1.26, 1.3), 'differs'],
  ['all of it is below', between(0.5, 0.74), 'differs'],
  ['there is none', null, 'not-shown'],
] as const)('base against itself, where 25 %% are allowed: %s', (_what, interval, fitness) => {
  expect(judgeAgain(interval, 0.25)).toBe(fitness);
});

const passed = { verdict: 'pass', fitness: 'fit' } as const;

test.each([
  ['all pass', [passed, passed], 'pass'],
  ['one is not known', [passed, { verdict: 'inconclusive', fitness: 'fit' }], 'inconclusive'],
  [
    'one is slower and one not known',
    [
      { verdict: 'inconclusive', fitness: 'fit' },
      { verdict: 'regression', fitness: 'fit' },
    ],
    'regression',
  ],
  [
    'one is slower, and base differs from itself in another',
    [
      { verdict: 'regression', fitness: 'fit' },
      { verdict: 'pass', fitness: 'differs' },
    ],
    'unfit',
  ],
  [
    'all pass, and base is not shown to be itself',
    [{ verdict: 'pass', fitness: 'not-shown' }],
    'unfit',
  ],
] as const)('over all tests: %s', (_what, tests, verdict) => {
  expect(judgeGate(tests)).toBe(verdict);
});
