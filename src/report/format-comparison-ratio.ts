import { formatLimit } from '../analysis/format-limit.ts';
import { findWithheld } from '../analysis/withheld.ts';
import type { ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { type EndedInterval, liesAbove, liesBelow } from '../stats/beside-limit.ts';
import { formatCount } from '../units.ts';
import { absent } from './item-row.ts';
import { formatPValue } from './quantities.ts';

type Interval = { lower: number; upper: number };

/** `1.0997`: four decimals show a ten-thousandth. */
export function formatRatio(ratio: number | null): string {
  return ratio === null ? absent : ratio.toFixed(4);
}

export function formatRatioInterval(interval: Interval | null | undefined): string {
  return interval ? `${interval.lower.toFixed(4)}–${interval.upper.toFixed(4)}` : absent;
}

/** Percentages that stand beside one another, with as many decimals: `10.0 %`, `9.6 %`. */
function formatPercents(fractions: readonly number[]): string[] {
  const largest = Math.max(...fractions.map(Math.abs));
  const decimals = largest * 100 < 9.995 ? 2 : 1;
  return fractions.map((fraction) => {
    const text = (fraction * 100).toFixed(decimals);
    return `${Number(text) === 0 ? text.replace('-', '') : text} %`;
  });
}

/** `takes 2.00 % less to 0.30 % more time than A`: a range of ratios as what B takes beside A. */
export function describeRange({ lower, upper }: Interval): string {
  if (lower === 1 && upper === 1) return 'takes as much time as A';
  const [first, second] = formatPercents([Math.abs(lower - 1), Math.abs(upper - 1)]);
  if (lower < 1 && upper > 1) return `takes ${first} less to ${second} more time than A`;
  const [least, most, side] = upper <= 1 ? [second!, first!, 'less'] : [first!, second!, 'more'];
  // a zero that is only rounded is no zero
  if (Number.parseFloat(most) === 0) return `takes up to 0.01 % ${side} time than A`;
  return `takes ${least === most ? least : `${least} to ${most}`} ${side} time than A`;
}

/** What an interval shows that clears neither the margin nor, if there is one, the equivalence. */
function describeOpen(interval: EndedInterval, margin: number): string {
  const { lower, upper } = interval;
  const range = describeRange(interval);
  const limit = `${formatLimit(margin)} (the margin)`;
  const isWithin = lower >= 1 - margin && upper <= 1 + margin;
  const isAbove = liesAbove(interval, 1);
  if (!isAbove && !liesBelow(interval, 1)) {
    return isWithin
      ? `Inconclusive: which of the two is faster is not shown; if they differ, then by at most ${limit}: B ${range}`
      : `Inconclusive: which of the two is faster is not shown: B ${range}`;
  }
  const word = isAbove ? 'slower' : 'faster';
  return isWithin
    ? `B is ${word} than A, but by at most ${limit}, so inconclusive: it ${range}`
    : `B is ${word} than A, but perhaps by less than ${limit}, so inconclusive: it ${range}`;
}

/** The verdict on one pair, a family by itself, as a sentence about A and B. */
export function describeVerdict(
  pair: ComparedPair,
  { family, margin, equivalence }: ItemsComparison,
): string {
  const { decision, medianPairedRatio, verdict, pairs } = pair;
  const withheld = findWithheld(pair);
  if (withheld !== null) return `The verdict is withheld: ${withheld}.`;
  const interval = decision?.interval ?? null;
  if (decision === null || interval === null || medianPairedRatio === null) {
    return `Inconclusive: ${reasonFor(pair, ['decision', 'decision.interval', 'medianPairedRatio'])}.`;
  }
  const basis = `${formatLimit(family.jointLevel)} interval of the randomisation test, ${pairs} pairs, ${formatPValue(decision.pValue)}`;
  if (verdict === 'slower' || verdict === 'faster') {
    const sign = verdict === 'slower' ? 1 : -1;
    const ends = [interval.lower - 1, interval.upper - 1].map((end) => sign * end);
    const [estimate, least, most] = formatPercents([
      sign * (medianPairedRatio - 1),
      Math.min(...ends),
      Math.max(...ends),
    ]);
    const words =
      verdict === 'slower'
        ? `B is slower than A by ${estimate}`
        : `B is faster than A: it takes ${estimate} less time`;
    return `${words} (${least} to ${most}; ${basis}).`;
  }
  if (verdict === 'equivalent') {
    return `B and A are equivalent within ${formatLimit(equivalence!)}: B ${describeRange(interval)} (${basis}).`;
  }
  return `${describeOpen(interval, margin)} (${basis}). Differences outside this range are excluded.`;
}

function reasonFor(pair: ComparedPair, fields: readonly string[]): string {
  return pair.missing.find(({ field }) => fields.includes(field))?.reason ?? '';
}

/** Whether the three intervals tell the same story. */
export function describeAgreement(pair: ComparedPair): string {
  const { decision, pairedInterval, unpaired, methodsAgree } = pair;
  const intervals = [
    { name: '(g)', interval: decision?.interval },
    { name: '(f)', interval: pairedInterval },
    { name: '(c)', interval: unpaired?.interval },
  ];
  const known = intervals.flatMap(({ name, interval }) =>
    interval ? [{ name, place: placeOf(interval) }] : [],
  );
  const [first] = known;
  if (first === undefined) return 'No method has an interval here.';
  if (methodsAgree) return `The methods agree: all three intervals ${first.place.several}.`;
  const places = new Map(known.map(({ place }) => [place.several, place]));
  const said = [...places.values()].map((place) => {
    const names = known.filter((each) => each.place.several === place.several);
    const verb = names.length === 1 ? place.one : place.several;
    return `${names.map(({ name }) => name).join(' and ')} ${verb}`;
  });
  if (methodsAgree === false) {
    const decides = findWithheld(pair) === null ? ' (g) decides.' : '';
    return `The methods do not agree: ${said.join('; ')}.${decides}`;
  }
  const lacking = intervals.filter(({ interval }) => !interval).map(({ name }) => name);
  return `${said.join('; ')}; ${lacking.join(' and ')} ${lacking.length === 1 ? 'has' : 'have'} no interval.`;
}

function placeOf(interval: EndedInterval): { one: string; several: string } {
  if (liesAbove(interval, 1)) return { one: 'lies above 1', several: 'lie above 1' };
  if (liesBelow(interval, 1)) return { one: 'lies below 1', several: 'lie below 1' };
  return { one: 'holds 1', several: 'hold 1' };
}

/** Fewest pairs whose sign test can come out at 0.05 or below: 2 / 2^6. */
const fewestForSigns = 6;

/** Whether the later slot of a round was slower, whichever item had it. */
export function describeOrderEffect(pair: ComparedPair): string | null {
  if (pair.orderEffect === null) return null;
  const { rounds, laterSlower, ties, pValue, medianRatio } = pair.orderEffect;
  const tied = ties === 0 ? '' : `, ${formatCount(ties, 'tie')}`;
  const untied = rounds - ties;
  const matters =
    pValue <= 0.05
      ? 'The place in the round seems to matter (not corrected)'
      : untied < fewestForSigns
        ? `Whether the place in the round matters cannot be seen: with ${formatCount(untied, ties === 0 ? 'pair' : 'untied pair')} no p of at most 0.05 exists`
        : 'No effect of the place seen';
  return `${matters}: the item measured later in a round was the slower one in ${laterSlower} of ${formatCount(rounds, 'round')}${tied} (sign test, ${formatPValue(pValue)}); median of later over earlier ${formatRatio(medianRatio)}.`;
}

/** What was taken from the log times before (g), as a sentence. */
export function describeRoundEffects(pair: ComparedPair): string | null {
  if (pair.decision === null) return null;
  const { roundEffects } = pair.decision;
  return roundEffects.state === 'removed'
    ? `Before (g) the effect of each round was taken away: the median over the ${roundEffects.otherArms} other items of how far they were from their own medians.`
    : `(g) uses the times as they are: ${roundEffects.reason}.`;
}
