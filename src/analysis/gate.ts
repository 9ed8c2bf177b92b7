import type { GateFitness, GateTest, GateTestVerdict, GateVerdict } from '../formats/ab.ts';

/** Of a ratio; null: none could be given. */
type RatioInterval = { lower: number; upper: number } | null;

/**
 * What an interval of candidate / base says: `pass` when its upper end is at most 1 + maxSlowdown,
 * `regression` when its lower end is above that, else `inconclusive`, as without an interval.
 * @param maxSlowdown a fraction of 1
 */
export function judgeCandidate(interval: RatioInterval, maxSlowdown: number): GateTestVerdict {
  if (interval === null) return 'inconclusive';
  if (interval.upper <= 1 + maxSlowdown) return 'pass';
  return interval.lower > 1 + maxSlowdown ? 'regression' : 'inconclusive';
}

/**
 * What an interval of base / base says about the machine: `fit` when it lies within 1 -+ maxSlowdown,
 * `differs` when it is clear of that, else `not-shown`, as without an interval.
 */
export function judgeAgain(interval: RatioInterval, maxSlowdown: number): GateFitness {
  if (interval === null) return 'not-shown';
  const { lower, upper } = interval;
  if (lower >= 1 - maxSlowdown && upper <= 1 + maxSlowdown) return 'fit';
  return lower > 1 + maxSlowdown || upper < 1 - maxSlowdown ? 'differs' : 'not-shown';
}

/**
 * The verdict over all tests. A machine on which base is not shown to be as fast as itself gives
 * `unfit` instead; otherwise the worst counts: regression, inconclusive, pass.
 *
 * With the intervals of method S2 at alpha over 2 intervals a test, all of them cover their median
 * ratios at once, whenever one stops, with a probability of at least 1 - alpha. So the probability of
 * `regression` while no test is slower than allowed, or of `pass` while any is, is at most alpha; the
 * fitness of the machine is judged by the same intervals and adds nothing to it. Assumes rounds that
 * are independent with one median ratio. `unfit` and `inconclusive` have no such bound: they claim nothing.
 * @param tests at least one
 */
export function judgeGate(
  tests: readonly Pick<GateTest, 'verdict' | 'fitness'>[],
): Exclude<GateVerdict, 'broken'> {
  if (tests.some(({ fitness }) => fitness !== 'fit')) return 'unfit';
  const worst = (['regression', 'inconclusive'] as const).find((verdict) =>
    tests.some((test) => test.verdict === verdict),
  );
  return worst ?? 'pass';
}
