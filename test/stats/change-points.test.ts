import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/random.ts';
import { findSegments, findSteadyStart } from '../../src/stats/change-points.ts';

/** As many values in [-1, 1] as asked for, always the same. */
function noise(n: number, seed: string): number[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, () => random.nextBelow(2001) / 1000 - 1);
}

const startsOf = (series: readonly number[]) => findSegments(series).map(({ start }) => start);

test('a step is found where it is, with the means on both sides', () => {
  const series = [5, 6, 5, 6, 5, 6, 9, 10, 9, 10, 9, 10, 9, 10];
  expect(findSegments(series)).toEqual([
    { start: 0, end: 6, mean: 5.5 },
    { start: 6, end: 14, mean: 9.5 },
  ]);
});

test('two steps between noisy levels are found', () => {
  const random = noise(60, 'levels');
  const levelOf = (at: number) => (at < 20 ? 0 : at < 35 ? 6 : 2);
  expect(startsOf(random.map((value, at) => levelOf(at) + value))).toEqual([0, 20, 35]);
});

test('a lone value between two others is no level, at an end it is', () => {
  const flat = noise(24, 'flat').map((value) => 100 + value);
  expect(startsOf(flat)).toEqual([0]);
  expect(startsOf([...flat.slice(0, 12), 150, ...flat.slice(12)])).toEqual([0]);
  expect(startsOf([150, ...flat])).toEqual([0, 1]);
});

test('steps without noise are found and a constant series has none', () => {
  expect(startsOf([1, 1, 1, 1, 1, 1, 2, 2, 2, 2])).toEqual([0, 6]);
  expect(startsOf(new Array(25).fill(0.1))).toEqual([0]);
  expect(startsOf(new Array(25).fill(0))).toEqual([0]);
});

test('nothing has no segment, one value has its own', () => {
  expect(findSegments([])).toEqual([]);
  expect(findSegments([7])).toEqual([{ start: 0, end: 1, mean: 7 }]);
});

test('20,000 values are cut to the block of ten', () => {
  const series = noise(20_000, 'long').map((value, at) => value + (at < 7_014 ? 0 : 1));
  expect(startsOf(series)).toEqual([0, 7_010]);
  expect(findSegments(series).at(-1)?.end).toBe(20_000);
  const odd = series.slice(0, 19_995);
  expect(findSegments(odd).at(-1)?.end).toBe(19_995);
});

test('the cut is the best of all: no other partition costs less', () => {
  const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 9 });
  fc.assert(
    fc.property(values, (series) => {
      const n = series.length;
      const middle = (three: number[]) => three.sort((a, b) => a - b)[1]!;
      const smooth = series.map((value, at) =>
        at === 0 || at === n - 1 ? value : middle(series.slice(at - 1, at + 2)),
      );
      const steps = series.slice(1).map((value, at) => Math.abs(value - series[at]!));
      steps.sort((a, b) => a - b);
      const half = (n - 1) / 2;
      const step = (steps[Math.floor(half - 0.5)]! + steps[Math.ceil(half - 0.5)]!) / 2;
      fc.pre(step > 0);
      const penalty = 5 * ((1.482602218505602 * step) / Math.SQRT2) ** 2 * Math.log(n);
      const costOf = (ends: number[]) => {
        let cost = penalty * (ends.length - 1);
        ends.forEach((end, at) => {
          const part = smooth.slice(at === 0 ? 0 : ends[at - 1], end);
          const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
          cost += part.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        });
        return cost;
      };
      let least = Number.POSITIVE_INFINITY;
      for (let mask = 0; mask < 1 << (n - 1); mask++) {
        const ends = Array.from({ length: n - 1 }, (_, at) => at + 1).filter(
          (end) => mask & (1 << (end - 1)),
        );
        least = Math.min(least, costOf([...ends, n]));
      }
      expect(costOf(findSegments(series).map(({ end }) => end))).toBeCloseTo(least, 6);
    }),
  );
});

/** Ten trials of 25 repetitions whose noise is 0.2 % at most; one slow repetition in one of them. */
function trialsOf(levelOf: (repetition: number) => number): number[][] {
  const trials = Array.from({ length: 10 }, (_, trial) =>
    noise(25, `trial ${trial}`).map((value, at) => levelOf(at) * (1 + 0.002 * value)),
  );
  trials[3]![9]! *= 1.6;
  return trials;
}

test('a first repetition of nine times the others is warm-up, the second is steady', () => {
  expect(findSteadyStart(trialsOf((at) => (at === 0 ? 9 : 1)))).toBe(1);
});

test('a decay over five repetitions ends at the sixth', () => {
  const decay = [1.5, 1.3, 1.2, 1.1, 1.05];
  expect(findSteadyStart(trialsOf((at) => decay[at] ?? 1))).toBe(5);
});

test('without a transient the first repetition is steady, also without any noise', () => {
  expect(findSteadyStart(trialsOf(() => 1))).toBe(0);
  expect(findSteadyStart([new Array(25).fill(1)])).toBe(0);
});

test('levels 0.4 % apart count as one and 1 % apart as two', () => {
  expect(findSteadyStart(trialsOf((at) => (at < 12 ? 1.004 : 1)))).toBe(0);
  expect(findSteadyStart(trialsOf((at) => (at < 12 ? 1.01 : 1)))).toBe(12);
  expect(findSteadyStart(trialsOf((at) => (at === 0 ? 9 : at < 12 ? 1.004 : 1)))).toBe(1);
});

test('a slow drift in small steps is not one level with its beginning', () => {
  const steps = trialsOf((at) => 1.012 - 0.004 * Math.floor(at / 7));
  // Levels 1.012, 1.008, 1.004, 1: only the neighbour of the last one lies within 0.5 % of it.
  expect(findSteadyStart(steps)).toBe(14);
});

test('a step that leaves four repetitions has not settled, one that leaves five has', () => {
  expect(findSteadyStart(trialsOf((at) => (at < 21 ? 1 : 1.03)))).toBeNull();
  expect(findSteadyStart(trialsOf((at) => (at < 20 ? 1 : 1.03)))).toBe(20);
});

test('without trials or with four repetitions nothing can be said', () => {
  expect(findSteadyStart([])).toBeNull();
  expect(findSteadyStart([[1, 1, 1, 1]])).toBeNull();
});
