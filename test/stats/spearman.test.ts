import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/random.ts';
import { rankCorrelation } from '../../src/stats/spearman.ts';

const random = createRandom('spearman');
const places = (n: number) => Array.from({ length: n }, (_, at) => at);

test('ten pairs have the exact share of 10! pairings', () => {
  const result = rankCorrelation(places(10), [2, 1, 4, 3, 7, 5, 6, 10, 9, 8], random)!;
  expect(result.method).toBe('exact');
  expect(result.rho).toBeCloseTo(147 / 165, 14); // 1 - 6 18 / 990
  expect(result.pValue).toBe(4168 / 3628800);
});

test('ties keep their midranks and their own exact share', () => {
  expect(rankCorrelation(places(10), [2, 2, 4, 3, 7, 5, 6, 10, 9, 8], random)).toEqual({
    rho: expect.closeTo(0.8997002046464956, 14),
    pValue: 3180 / 3628800,
    method: 'exact',
    smallestP: 4 / 3628800, // the two that tie may change places
  });
  expect(rankCorrelation(places(6), [3, 1, 4, 1, 5, 9], random)?.pValue).toBe(116 / 720);
  expect(rankCorrelation([1, 2, 2, 3, 5], [2, 2, 1, 5, 5], random)?.pValue).toBe(20 / 120);
});

test('four pairs in order happen by chance twice in 24', () => {
  expect(rankCorrelation([1, 2, 3, 4], [5, 6, 7, 8], random)).toEqual({
    rho: 1,
    pValue: 2 / 24,
    method: 'exact',
    smallestP: 2 / 24,
  });
  expect(rankCorrelation([1, 2, 3, 4], [8, 7, 6, 5], random)?.rho).toBe(-1);
});

test('eleven to sixty pairs are compared with 10,000 random pairings', () => {
  const wave = (n: number) => places(n).map((at) => ((at * 7) % 10) + at / 10);
  expect(rankCorrelation(places(11), wave(11), createRandom('a'))?.method).toBe('permutation');
  expect(rankCorrelation(places(60), wave(60), createRandom('a'))?.method).toBe('permutation');
  expect(rankCorrelation(places(61), wave(61), createRandom('a'))?.method).toBe('approximate');
});

test('the share of random pairings comes within four standard errors of the exact one', () => {
  const y = [4, 1, 8, 2, 6, 11, 3, 5, 10, 7, 9];
  const { pValue } = rankCorrelation(places(11), y, createRandom('b'))!;
  // 4,004,090 of 11! pairings: 0.1003; the standard error of 10,000 is 0.003.
  expect(Math.abs(pValue - 4004090 / 39916800)).toBeLessThan(0.012);
});

test('the smallest share of random pairings counts the one that was seen', () => {
  const almost = places(30).with(0, 1).with(1, 0);
  expect(rankCorrelation(places(30), almost, random)).toMatchObject({
    pValue: 1 / 10_001,
    method: 'permutation',
    smallestP: 1 / 10_001,
  });
});

test('a perfect order of eleven to sixty needs no drawing: 2 of n! are as far', () => {
  expect(rankCorrelation(places(11), places(11), random)).toMatchObject({
    rho: 1,
    pValue: 2 / 39_916_800,
    method: 'exact',
  });
  const back = rankCorrelation(places(60), places(60).reverse(), random)!;
  expect(back).toMatchObject({ rho: -1, method: 'exact' });
  expect(back.pValue / 2.4035e-82).toBeCloseTo(1, 3); // 2 / 60!
});

test('one seed gives one answer, whatever was judged with it before', () => {
  const y = places(20).map((at) => (at * 7) % 20);
  const first = createRandom('c');
  const once = rankCorrelation(places(20), y, first);
  expect(rankCorrelation(places(20), y, first)).toEqual(once);
  expect(rankCorrelation(places(20), y, createRandom('c'))).toEqual(once);
});

test('more than sixty pairs have the tail of the t distribution', () => {
  const eighty = rankCorrelation(
    places(80),
    places(80).map((at) => ((at * 7) % 10) + Math.floor(at / 10)),
    random,
  )!;
  expect(eighty.rho).toBeCloseTo(0.6268659658268001, 12);
  expect(eighty.pValue / 4.951654132290128e-10).toBeCloseTo(1, 9);
  const seventy = rankCorrelation(
    places(70),
    places(70).map((at) => (at * 37) % 71),
    random,
  )!;
  expect(seventy.rho).toBeCloseTo(0.16458752515090544, 12);
  expect(seventy.pValue).toBeCloseTo(0.17334019363031436, 12);
});

test('three pairs, a constant side and sides of unequal length have no correlation', () => {
  expect(rankCorrelation([1, 2, 3], [1, 2, 3], random)).toBeNull();
  expect(rankCorrelation([1, 2, 3, 4], [5, 5, 5, 5], random)).toBeNull();
  expect(rankCorrelation([5, 5, 5, 5], [1, 2, 3, 4], random)).toBeNull();
  expect(() => rankCorrelation([1, 2, 3, 4], [1, 2, 3], random)).toThrow(RangeError);
});

test('turning one side round turns the sign and leaves the probability', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
    minLength: 4,
    maxLength: 8,
  });
  fc.assert(
    fc.property(pairs, (drawn) => {
      const x = drawn.map(([value]) => value);
      const y = drawn.map(([, value]) => value);
      const result = rankCorrelation(x, y, random);
      const turned = rankCorrelation(
        x,
        y.map((value) => -value),
        random,
      );
      if (result === null) {
        expect(turned).toBeNull();
        return;
      }
      expect(turned!.rho).toBeCloseTo(-result.rho, 14);
      expect(turned!.pValue).toBe(result.pValue);
      expect(rankCorrelation(y, x, random)!.pValue).toBe(result.pValue);
    }),
  );
});
