import { expect, test } from 'vitest';
import { signTest } from '../../src/stats/sign-test.ts';

const signs = (positive: number, negative: number) => [
  ...Array<number>(positive).fill(1),
  ...Array<number>(negative).fill(-1),
];

test('nine of ten give 22/1024, 24 of 24 give 2/2^24', () => {
  expect(signTest(signs(9, 1))).toEqual({
    n: 10,
    positive: 9,
    negative: 1,
    zeros: 0,
    pValue: 0.021484375,
  });
  expect(signTest(signs(24, 0)).pValue).toBe(2 ** -23);
  expect(signTest(signs(0, 24)).pValue).toBe(2 ** -23);
});

test('zeros are dropped and counted', () => {
  expect(signTest([0, 1, 1, 2, -1])).toEqual({
    n: 4,
    positive: 3,
    negative: 1,
    zeros: 1,
    pValue: 0.625,
  });
});

test('an even split, or nothing, is no evidence', () => {
  expect(signTest(signs(5, 5)).pValue).toBe(1);
  expect(signTest([]).pValue).toBe(1);
  expect(signTest([0, 0])).toMatchObject({ n: 0, zeros: 2, pValue: 1 });
});

test('37 of 100 are counted exactly, without an approximation', () => {
  expect(signTest(signs(37, 63)).pValue).toBe(0.012032975725363477);
});
