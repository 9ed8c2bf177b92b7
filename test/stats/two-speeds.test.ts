import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTwoSpeeds } from '../../src/stats/two-speeds.ts';
import { timesA, timesB } from './worked-times.ts';

const twoSpeeds = [16.2, 16.3, 16.25, 24.0, 23.9, 16.3, 23.8, 16.2, 24.1, 16.3];

test('six fast and four slow trials are two speeds with a gap of 46 %', () => {
  expect(findTwoSpeeds(twoSpeeds)).toEqual({
    isTwoSpeed: true,
    fastCount: 6,
    slowCount: 4,
    fastMedian: expect.closeTo(16.275, 12),
    slowMedian: expect.closeTo(23.95, 12),
    relativeGap: expect.closeTo(7.5 / 16.3, 12),
    // In logarithms: .378520 apart; the slow group's deviations have the median .0041667.
    gapOverSpread: expect.closeTo(61.2737, 4),
  });
});

test('one slow trial is a tail and a steady item has one speed', () => {
  expect(findTwoSpeeds(timesA.map(Number))?.isTwoSpeed).toBe(false);
  expect(findTwoSpeeds(timesB.map(Number))?.isTwoSpeed).toBe(false);
});

test('a second slow trial beside it makes two speeds', () => {
  expect(findTwoSpeeds([...timesA.map(Number), 1699])).toMatchObject({
    isTwoSpeed: true,
    fastCount: 9,
    slowCount: 2,
  });
});

test('a slow group that spreads as much as it is slow hides no second speed', () => {
  const tenfold = [284, 378, 433, 19.9, 17.5, 18.7, 17.7, 17.6, 18.0, 18.8];
  expect(findTwoSpeeds(tenfold)).toMatchObject({ isTwoSpeed: true, fastCount: 7, slowCount: 3 });
  const wide = [213, 386, 460, 232, 97, 308, 17.5, 17.7, 18.1, 17.9];
  expect(findTwoSpeeds(wide)).toMatchObject({ isTwoSpeed: true, fastCount: 4, slowCount: 6 });
});

test('an outlier beyond the slow group hides nothing', () => {
  expect(findTwoSpeeds([...twoSpeeds, 60])?.isTwoSpeed).toBe(true);
});

test('two speeds that are 1.9 % apart are not worth the name, 2 % are', () => {
  const apart = (gap: number) => [1000, 1000, 1000, 1000, 1000 + gap, 1000 + gap, 1000 + gap];
  expect(findTwoSpeeds(apart(19))?.isTwoSpeed).toBe(false);
  expect(findTwoSpeeds(apart(20))).toMatchObject({ isTwoSpeed: true, relativeGap: 0.02 });
});

test('equal values inside the groups divide nothing', () => {
  expect(findTwoSpeeds([10, 10, 10, 20, 20, 20])?.gapOverSpread).toBeCloseTo(
    Math.log(2) / 0.001,
    9,
  );
});

test('fewer values need a wider gap: 36/n spreads, and 3 from 12 on', () => {
  // Each group's deviations are 0 and 1: their median is 1, the spread 1.4826.
  const groups = (size: number, gap: number) => {
    const group = Array.from({ length: size }, (_, at) => (at % 3) - 1);
    const logs = [...group, ...group.map((value) => 2 + gap + value)];
    return logs.map((log) => Math.exp(log / 100));
  };
  const flag = (size: number, spreads: number) =>
    findTwoSpeeds(groups(size, spreads * 1.4826))?.isTwoSpeed;
  expect([flag(3, 5.9), flag(3, 6.1)]).toEqual([false, true]);
  expect([flag(5, 3.59), flag(5, 3.61)]).toEqual([false, true]);
  expect([flag(9, 2.99), flag(9, 3.01)]).toEqual([false, true]);
});

test('five values or equal ones cannot be judged', () => {
  expect(findTwoSpeeds([1, 1, 1, 2, 2])).toBeNull();
  expect(findTwoSpeeds([3, 3, 3, 3, 3, 3])).toBeNull();
});

test('order and unit do not matter, and every value belongs to a group of two or more', () => {
  const values = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 6, maxLength: 30 });
  fc.assert(
    fc.property(values, (times) => {
      const found = findTwoSpeeds(times);
      if (found === null) return;
      const same = findTwoSpeeds([...times].reverse().map((time) => time * 1024))!;
      expect(same).toEqual({
        ...found,
        fastMedian: found.fastMedian * 1024,
        slowMedian: found.slowMedian * 1024,
      });
      expect(found.fastCount + found.slowCount).toBe(times.length);
      expect(Math.min(found.fastCount, found.slowCount)).toBeGreaterThanOrEqual(2);
      expect(Number.isFinite(found.gapOverSpread)).toBe(true);
    }),
  );
});
