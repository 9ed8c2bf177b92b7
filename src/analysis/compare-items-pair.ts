import { itemOf } from '../formats/architecture.ts';
import type { ComparedArm, ComparedPair, Decision } from '../formats/comparison.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { type EndedInterval, liesAbove, liesBelow } from '../stats/beside-limit.ts';
import { formatFraction, toNumber } from '../stats/fraction.ts';
import { mannWhitneyTest, shiftEstimate, shiftInterval } from '../stats/mann-whitney.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { pairedInterval } from '../stats/paired-interval.ts';
import { randomisationInterval, randomisationTest } from '../stats/randomisation-test.ts';
import { estimateRoundEffects, fewestArmsForRoundEffects } from '../stats/round-effects.ts';
import { signTest } from '../stats/sign-test.ts';
import { judgeRatio } from '../stats/verdict.ts';
import { formatCount } from '../units.ts';

/** Fewest pairs for a decision at 0.05: of 5 the smallest p is 2/2^5. */
export const fewestPairs = 6;

/** One item's valid trials by round. */
export type ArmRounds = ReadonlyMap<number, { ns: number; position: number }>;

/** One side of a pair. */
export interface PairArm {
  item: ItemAnalysis;
  rounds: ArmRounds;
  /** Rounds in which the campaign's own rule did without it. */
  leftOut: ReadonlySet<number>;
}

export interface PairInput {
  a: PairArm;
  b: PairArm;
  /** All other items of the campaign. */
  others: readonly ArmRounds[];
  /** Rounds that were begun. */
  rounds: readonly number[];
  /** What the campaign's own stopping rule says of the two. */
  declared: ComparedPair['declared'];
  /** Why nothing may be decided of them, whatever the interval; null: it may. */
  withheld: string | null;
}

export interface PairRules {
  margin: number;
  equivalence: number | null;
  /** What each interval is to cover at least, and the fewest pairs that can. */
  intervalLevel: number;
  pairsNeeded: number;
  familySize: number;
  /** Why the decisions of the campaign's own rule are not known; null: they are, or it has none. */
  undeclared: string | null;
}

interface PairedTimes {
  logA: number[];
  logB: number[];
  /** Log of B minus log of A. */
  differences: number[];
  /** B over A. */
  ratios: number[];
  /** The arm that was measured later in the round over the other. */
  laterOverEarlier: number[];
}

/** What two arms of one campaign say, before the p-value is adjusted for its family. */
export function comparePair(input: PairInput, rules: PairRules): ComparedPair {
  const { a, b, rounds } = input;
  const paired = rounds.filter((round) => a.rounds.has(round) && b.rounds.has(round));
  const times = pairTimes(input, paired);
  const { differences, logA, logB } = times;
  const pairs = paired.length;
  const due = rounds.filter((round) => !a.leftOut.has(round) && !b.leftOut.has(round));
  const leftOut = rounds.length - due.length;
  const decision = pairs < fewestPairs ? null : decide(input, paired, times, rules);
  const order = pairedInterval(differences, rules.intervalLevel);
  const arms = { a: describeArm(a.item), b: describeArm(b.item) };
  const [representativeA, representativeB] = [arms.a.representativeNs, arms.b.representativeNs];
  const result = {
    ...arms,
    pairs,
    rounds: rounds.length,
    lackingA: due.filter((round) => !a.rounds.has(round)).length,
    lackingB: due.filter((round) => !b.rounds.has(round)).length,
    ...(leftOut === 0 ? {} : { leftOut }),
    medianPairedRatio: medianOfNumbers(times.ratios),
    ratioOfMedians:
      representativeA === null || representativeB === null
        ? null
        : representativeB / representativeA,
    verdict: judgeRatio(input.withheld === null ? (decision?.interval ?? null) : null, rules),
    declared: input.declared,
    decision,
    pairedInterval: order && {
      ...toRatios(order),
      coverage: toNumber(order.coverage),
      coverageFraction: formatFraction(order.coverage),
      ranks: order.ranks,
    },
    unpaired: compareUnpaired(logA, logB, rules.intervalLevel),
    signTest: pairs === 0 ? null : countSigns(differences),
    orderEffect: describeOrder(times.laterOverEarlier),
  };
  return {
    ...result,
    methodsAgree: agree([
      result.decision?.interval,
      result.pairedInterval,
      result.unpaired?.interval,
    ]),
    missing: listMissing(result, input.withheld, rules),
  };
}

function describeArm(item: ItemAnalysis): ComparedArm {
  const { n, failed, representativeNs, interval } = item;
  return { ...itemOf(item), n, failed, representativeNs, interval };
}

function pairTimes({ a, b }: PairInput, paired: readonly number[]): PairedTimes {
  const times: PairedTimes = {
    logA: [],
    logB: [],
    differences: [],
    ratios: [],
    laterOverEarlier: [],
  };
  for (const round of paired) {
    const [first, second] = [a.rounds.get(round)!, b.rounds.get(round)!];
    const [logA, logB] = [Math.log(first.ns), Math.log(second.ns)];
    times.logA.push(logA);
    times.logB.push(logB);
    times.differences.push(logB - logA);
    times.ratios.push(second.ns / first.ns);
    const isBLater = second.position > first.position;
    times.laterOverEarlier.push(isBLater ? second.ns / first.ns : first.ns / second.ns);
  }
  return times;
}

function decide(
  { others }: PairInput,
  paired: readonly number[],
  { logA, logB }: PairedTimes,
  { intervalLevel }: PairRules,
): Decision {
  const present = others.filter((arm) => paired.some((round) => arm.has(round)));
  const effects = estimateRoundEffects(
    present.map((arm) => paired.map((round) => logOf(arm.get(round)?.ns))),
  );
  const [a, b] = [logA, logB].map((logs) => logs.map((log, at) => log - (effects?.[at] ?? 0)));
  const { statistic, pValue, method } = randomisationTest(a!, b!);
  const interval = randomisationInterval(a!, b!, intervalLevel);
  return {
    statistic,
    pValue,
    adjustedPValue: pValue,
    bonferroniPValue: pValue,
    method,
    interval: interval && { ...interval, ...toRatios(interval) },
    roundEffects:
      effects === null
        ? { state: 'raw', reason: explainRaw(present.length) }
        : { state: 'removed', otherArms: present.length },
  };
}

function logOf(ns: number | undefined): number | null {
  return ns === undefined ? null : Math.log(ns);
}

function explainRaw(others: number): string {
  const needed = fewestArmsForRoundEffects - 2;
  return others < needed
    ? `the campaign has ${formatCount(others, 'other item')}; ${needed} are needed to tell the effect of a round`
    : `in some round fewer than ${needed} other items have a valid trial`;
}

function compareUnpaired(logA: readonly number[], logB: readonly number[], level: number) {
  const estimate = shiftEstimate(logA, logB);
  if (estimate === null) return null;
  const { u, pValue, method } = mannWhitneyTest(logA, logB);
  const shift = shiftInterval(logA, logB, level);
  return {
    u,
    pValue,
    method,
    hodgesLehmann: Math.exp(estimate),
    interval: shift && {
      ...toRatios(shift),
      coverage: shift.coverage,
      k: shift.k,
      differences: shift.differences,
    },
  };
}

function countSigns(differences: readonly number[]): ComparedPair['signTest'] {
  const { positive, negative, zeros, pValue } = signTest(differences);
  return { slower: positive, faster: negative, ties: zeros, pValue };
}

function describeOrder(laterOverEarlier: readonly number[]): ComparedPair['orderEffect'] {
  const medianRatio = medianOfNumbers(laterOverEarlier);
  if (medianRatio === null) return null;
  const changes = laterOverEarlier.map((ratio) => ratio - 1);
  const { positive, negative, zeros, pValue } = signTest(changes);
  return {
    rounds: laterOverEarlier.length,
    laterSlower: positive,
    laterFaster: negative,
    ties: zeros,
    pValue,
    medianRatio,
  };
}

function toRatios({ lower, upper }: { lower: number; upper: number }) {
  return { lower: Math.exp(lower), upper: Math.exp(upper) };
}

function agree(intervals: readonly (EndedInterval | null | undefined)[]): boolean | null {
  const sides = intervals.map((interval) => {
    if (!interval) return null;
    return liesAbove(interval, 1) ? 'above' : liesBelow(interval, 1) ? 'below' : 'around';
  });
  return sides.includes(null) ? null : new Set(sides).size === 1;
}

function listMissing(
  pair: Omit<ComparedPair, 'methodsAgree' | 'missing'>,
  withheld: string | null,
  { familySize, pairsNeeded, undeclared }: PairRules,
): ComparedPair['missing'] {
  const missing: ComparedPair['missing'] = [];
  const n = formatCount(pair.pairs, 'pair');
  const say = (field: string, value: unknown, reason: string) => {
    if (value === null) missing.push({ field, reason });
  };
  const ofFamily = familySize === 1 ? '' : ` in a family of ${familySize} comparisons`;
  const tooFew = `${n}: an interval${ofFamily} needs ${pairsNeeded} rounds in which both have a valid trial`;
  for (const side of ['a', 'b'] as const) {
    const name = side.toUpperCase();
    say(`${side}.representativeNs`, pair[side].representativeNs, `${name} has no valid trial`);
    const few = `${name} has ${formatCount(pair[side].n, 'valid trial')}; an interval needs ${fewestPairs}`;
    say(`${side}.interval`, pair[side].interval, few);
  }
  const none = 'there is no round in which both have a valid trial';
  say('medianPairedRatio', pair.medianPairedRatio, none);
  say('ratioOfMedians', pair.ratioOfMedians, 'one of the two has no valid trial');
  say(
    'decision',
    pair.decision,
    pair.pairs === 0
      ? none
      : `${n}: whatever they show, p is at least ${2 ** (1 - pair.pairs)}; ${fewestPairs} pairs are needed for one below 0.05`,
  );
  if (pair.decision !== null) say('decision.interval', pair.decision.interval, tooFew);
  if (withheld !== null) missing.push({ field: 'verdict', reason: withheld });
  if (undeclared !== null) say('declared', pair.declared, undeclared);
  say('pairedInterval', pair.pairedInterval, tooFew);
  say('unpaired', pair.unpaired, none);
  if (pair.unpaired !== null) say('unpaired.interval', pair.unpaired.interval, tooFew);
  say('signTest', pair.signTest, none);
  say('orderEffect', pair.orderEffect, none);
  return missing;
}
