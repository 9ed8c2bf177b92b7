import type { Closure } from '../formats/closure.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from '../stats/fraction.ts';
import { formatWhole } from '../units.ts';
import { listLimitsOfClosure } from './closure-limits.ts';
import { describeClosure } from './closure-sentences.ts';
import { formatBeside, formatLimit } from './format-limit.ts';
import type { IntervalFamily, ItemIntervals } from './item-intervals.ts';
import type { ItemSample } from './item-sample.ts';
import { checkReopening, type ReopeningEvidence } from './reopening.ts';
import type { Target } from './target.ts';
import { mostTrials, projectTrialsNeeded } from './trials-needed.ts';

type ClosureItem = Closure['items'][number];
type Family = Closure['family'];

/**
 * Whether a difference of the target's size can be explored with these trials, item by item and for
 * the whole family: an item can when the farther end of its median's interval lies within the
 * declared share of the target. Compared exactly. It is no test of a difference.
 */
export function assessClosure(
  samples: readonly ItemSample[],
  family: IntervalFamily,
  items: readonly ItemAnalysis[],
  target: Target,
  evidence: ReopeningEvidence,
): Closure {
  const limit = multiply(
    fractionOfDecimal(target.maxShareOfTarget),
    fractionOfDecimal(target.difference),
  );
  const judged = samples.map((sample, index) =>
    judgeItem(sample, family.intervals[index]!, items[index]!, target, limit),
  );
  const described = {
    targetDifference: target.difference,
    rule: 'largest-endpoint-distance' as const,
    maxShareOfTarget: target.maxShareOfTarget,
    limit: toNumber(limit),
    targetSource: target.source,
    items: judged,
    family: judgeFamily(judged, items, family),
  };
  return {
    ...described,
    sentences: describeClosure(described, items, target.declaredDifference),
    doesNotShow: listLimitsOfClosure(described, items),
    reopening: checkReopening(described, evidence),
  };
}

function judgeItem(
  sample: ItemSample,
  { endpointDistance, upperOverLower }: ItemIntervals,
  { injection, missing }: ItemAnalysis,
  target: Target,
  limit: Fraction,
): ClosureItem {
  const { index } = sample;
  const rateOf = (change: number) =>
    injection?.find((injected) => injected.change === change)?.rate ?? null;
  const seen = {
    simultaneousSeparates: upperOverLower && compareFractions(upperOverLower, onePlus(target)) <= 0,
    injectionRate: rateOf(target.difference),
    injectionRateAtZero: rateOf(0),
  };
  if (endpointDistance === null) {
    return {
      item: index,
      state: 'not-evaluable',
      endpointDistance: null,
      smallestTarget: null,
      ...seen,
      trialsNeeded: null,
      reason: missing.find(({ field }) => field === 'endpointDistance')!.reason,
    };
  }
  const isExplorable = compareFractions(endpointDistance, limit) <= 0;
  const trialsNeeded = countTrialsNeeded(sample, toNumber(limit), isExplorable);
  const distance = toNumber(endpointDistance);
  const reaches = `its interval reaches ${formatBeside(distance, toNumber(limit))} from its median`;
  const beyond =
    trialsNeeded === null
      ? `; more than ${formatWhole(mostTrials)} trials spread like these are needed`
      : '';
  return {
    item: index,
    state: isExplorable ? 'explorable' : 'not-explorable',
    endpointDistance: distance,
    smallestTarget: toNumber(divide(endpointDistance, fractionOfDecimal(target.maxShareOfTarget))),
    ...seen,
    trialsNeeded,
    reason: `${reaches}; at most ${formatLimit(toNumber(limit))} is allowed${beyond}`,
  };
}

/** More than there are for an item that is not explorable yet, at most as many for one that is. */
function countTrialsNeeded(
  { sorted, median }: ItemSample,
  limit: number,
  isExplorable: boolean,
): number | null {
  const n = sorted.length;
  const needed = projectTrialsNeeded(
    sorted.map(Number),
    toNumber(median!),
    limit,
    isExplorable ? 0 : n,
  );
  return isExplorable ? Math.min(needed ?? n, n) : needed;
}

function judgeFamily(
  judged: readonly ClosureItem[],
  items: readonly ItemAnalysis[],
  { joint }: IntervalFamily,
): Family {
  const explorable = judged.filter(({ state }) => state === 'explorable').length;
  const limitedBy = judged
    .filter(({ state }) => state !== 'explorable')
    .sort((a, b) => farness(b) - farness(a))
    .map(({ item }) => item);
  return {
    state: stateOf(judged),
    items: judged.length,
    explorable,
    largestCv: largest(items.map(({ cv }) => cv?.value ?? null)),
    largestEndpointDistance: largest(judged.map(({ endpointDistance }) => endpointDistance)),
    smallestTarget: largestOfAll(judged.map(({ smallestTarget }) => smallestTarget)),
    trialsNeeded: largestOfAll(judged.map(({ trialsNeeded }) => trialsNeeded)),
    largestUpperOverLower: largest(
      items.map(({ simultaneousInterval }) => simultaneousInterval?.upperOverLower ?? null),
    ),
    cannotSeparate: judged.filter(({ simultaneousSeparates }) => simultaneousSeparates === false)
      .length,
    jointCoverage: joint?.coverage ?? null,
    lowestInjectionRate: lowest(judged.map(({ injectionRate }) => injectionRate)),
    limitedBy,
  };
}

/** One item that is not explorable decides; one that cannot be judged leaves the rest open. */
function stateOf(judged: readonly ClosureItem[]): Family['state'] {
  const has = (state: ClosureItem['state']) => judged.some((item) => item.state === state);
  if (has('not-explorable')) return 'not-explorable';
  return has('not-evaluable') || judged.length === 0 ? 'not-evaluable' : 'explorable';
}

/** Of an item without an interval nothing is known: it stands before all others. */
function farness({ endpointDistance }: ClosureItem): number {
  return endpointDistance ?? Number.MAX_VALUE;
}

function largest(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (most, value) => (value === null ? most : Math.max(most ?? value, value)),
    null,
  );
}

function lowest(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (least, value) => (value === null ? least : Math.min(least ?? value, value)),
    null,
  );
}

/** null when one is not known: it could be the largest. */
function largestOfAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : largest(values);
}

function onePlus({ difference }: Target): Fraction {
  const { numerator, denominator } = fractionOfDecimal(difference);
  return { numerator: denominator + numerator, denominator };
}

function multiply(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  };
}

/** @param b positive */
function divide(a: Fraction, b: Fraction): Fraction {
  return multiply(a, { numerator: b.denominator, denominator: b.numerator });
}
