import { formatLimit } from '../analysis/format-limit.ts';
import { countDueRounds } from '../analysis/left-out.ts';
import { formatItem, type Item } from '../formats/architecture.ts';
import type { FollowedComparison, SequentialAnalysis } from '../formats/sequential.ts';
import { formatCount } from '../units.ts';
import { absent } from './item-row.ts';
import { formatTime } from './quantities.ts';

type State = FollowedComparison['state'];

/** `5 slower, 3 faster, 2 open`: what became of the comparisons, without empty kinds. */
export function countStates({ comparisons }: Pick<SequentialAnalysis, 'comparisons'>): string {
  const kinds: readonly State[] = ['slower', 'faster', 'equivalent', 'open'];
  return kinds
    .flatMap((kind) => {
      const count = comparisons.filter(({ state }) => state === kind).length;
      return count === 0 ? [] : [`${count} ${kind}`];
    })
    .join(', ');
}

/** The rule as it was fixed beforehand. */
export function describeRule(sequential: SequentialAnalysis): string {
  const { rule, family, alphaOfEach, earliestRounds, maximumRounds } = sequential;
  const comparisons = formatCount(family, 'comparison');
  const shared =
    rule.correction === 'bonferroni'
      ? `alpha ${rule.alpha} shared by ${comparisons} (Bonferroni: ${Number(alphaOfEach.toPrecision(3))} each)`
      : `alpha ${rule.alpha} for each of ${comparisons}, without correction`;
  const equivalent =
    rule.equivalence === null
      ? 'equivalence is not asked'
      : `equivalent when within 1 ± ${formatLimit(rule.equivalence)}`;
  return `${rule.method}, at most ${maximumRounds} rounds; ${shared}; slower or faster when clear of 1 ± ${formatLimit(rule.margin)}, ${equivalent}. Nothing can be decided before round ${earliestRounds}.${rule.measured === 'open' ? ' What is decided is not measured any more.' : ''}`;
}

/** How far it came. */
export function describeCourse(sequential: SequentialAnalysis): string {
  const { rounds, maximumRounds, stopped, decided, family } = sequential;
  const states = countStates(sequential);
  if (stopped) {
    return `Stopped after ${rounds} of at most ${maximumRounds} rounds: every comparison is decided (${states}).`;
  }
  const many = `${decided} of ${formatCount(family, 'comparison')} decided (${states})`;
  return rounds === maximumRounds
    ? `All ${rounds} rounds were measured: ${many}.`
    : `After ${rounds} of at most ${maximumRounds} rounds: ${many}.`;
}

/** One comparison as text, for a terminal as for a page. */
export interface SequentialRow {
  comparison: string;
  bTime: string;
  aTime: string;
  running: string;
  current: string;
  pairs: string;
  eValue: string;
  state: State;
  decidedAfter: string;
}

export function describeComparison(
  comparison: FollowedComparison,
  items: readonly Item[],
): SequentialRow {
  const { a, b, aNs, bNs, running, current, pairs, eValue, state, decidedAfter } = comparison;
  const { phase, ...condition } = items[a]!;
  const base = formatItem({ phase, ...condition }).slice(0, -` ${phase}`.length);
  return {
    comparison: `${formatItem(items[b]!)} / ${base}`,
    bTime: bNs === null ? absent : formatTime(bNs),
    aTime: aNs === null ? absent : formatTime(aNs),
    running: formatRatios(running),
    current: formatRatios(current),
    pairs: `${pairs}`,
    eValue: eValue === null ? absent : `${Number(eValue.toPrecision(3))}`,
    state,
    decidedAfter: decidedAfter === null ? absent : `${decidedAfter}`,
  };
}

/** `1.0956–1.1041`: ratios to four decimals. */
function formatRatios(interval: { lower: number; upper: number } | null): string {
  if (interval === null) return absent;
  return `${interval.lower.toFixed(4)}–${interval.upper.toFixed(4)}`;
}

export const sequentialLegend =
  'state: of b against a; decided: after so many rounds, and kept. b / a: time of b over time of a; both times are medians ' +
  'of the trial means. interval so far: what the intervals after all rounds have in common, which decides; after this ' +
  'round: the interval of all pairs by itself. pairs: rounds with a valid trial of both.';

/** What the rule guarantees and what not. */
export function listSequentialNotes(sequential: SequentialAnalysis): string[] {
  const { rule, comparisons, rounds } = sequential;
  const { method, alpha, correction } = rule;
  const whose = correction === 'bonferroni' ? 'any comparison here' : 'one comparison';
  const notes = [
    `Looking after every round is paid for: however the rounds go on, ${whose} is wrongly decided with a probability of at most ${formatLimit(alpha)}, if the pairs of different rounds are independent and have one median ratio. A ratio that drifts breaks that.`,
    'How many rounds were measured depends on what they showed. Intervals and flags of single items are for a number fixed beforehand and hold only approximately here; the intervals of this table hold as they are.',
  ];
  if (correction === 'none' && comparisons.length > 1) {
    notes.push(
      `There is no correction: with ${comparisons.length} comparisons some wrong decision is more probable than that.`,
    );
  }
  if (comparisons.some(({ state }) => state === 'open')) {
    notes.push('Open is no verdict: neither a difference nor equivalence was shown.');
  }
  const dueRounds = ({ a, b }: FollowedComparison) =>
    Math.min(countDueRounds(sequential, a), countDueRounds(sequential, b));
  if (comparisons.some((one) => dueRounds(one) < rounds)) {
    notes.push(
      'Items whose comparisons were all decided were left out of the rounds after that: such a comparison has fewer pairs than there are rounds, and nothing failed.',
    );
  }
  if (comparisons.some((one) => one.pairs < dueRounds(one))) {
    notes.push(
      'Rounds in which one of the two failed give no pair. If failing and being slow go together, what fails more often looks faster than it is.',
    );
  }
  if (method === 'S1') {
    notes.push(
      'The e-value is evidence against a ratio within the margin; its reciprocal bounds the probability of seeing as much by chance, at any time.',
    );
  }
  return notes;
}

/** Each reason for an empty interval once. */
export function listMissingIntervals({ comparisons }: SequentialAnalysis): string[] {
  return [...new Set(comparisons.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
}
