import { projectionStart } from '../analysis/closure-sentences.ts';
import { formatLimit } from '../analysis/format-limit.ts';
import { describeLeastTarget } from '../analysis/format-percent.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import type { Closure } from '../formats/closure.ts';
import { formatDuration, formatWhole } from '../units.ts';
import { absent, formatCondition, groupReasons } from './item-row.ts';
import { formatLeastPercent, formatPercent, formatShare } from './quantities.ts';
import { callWatched } from './reference-words.ts';

export type ClosureItem = Closure['items'][number];

/** The states of an item and of conditions, as cells. */
export const stateWords: Record<ClosureItem['state'], string> = {
  explorable: 'yes',
  'not-explorable': 'no',
  'not-evaluable': absent,
};

type Reopening = Closure['reopening'][number];

const reopeningWords: Record<Exclude<Reopening['condition'], 'reference-drift'>, string> = {
  'environment-mismatch': 'environment not the same',
  'uncertainty-too-large': 'uncertainty too large for the target',
  'tails-are-a-goal': 'tails are a goal',
};

export function askQuestion({ targetDifference }: Closure): string {
  return `Can a difference of ${formatLimit(targetDifference)} be explored here?`;
}

/** What the question's verb means. */
export const explored =
  'Explored means: the medians are known closely enough to look for such a difference.';

/** The question's answer in a few words. */
export function answerQuestion({ family, items }: Closure): string {
  const { state, explorable } = family;
  if (state === 'explorable') {
    return items.length === 1 ? 'Yes, in the only item.' : `Yes, in all ${items.length} items.`;
  }
  const open = items.filter((item) => item.state === 'not-evaluable').length;
  const unsaid = open > 0 ? ` For ${open} it cannot be said.` : '';
  if (open === items.length) return 'That cannot be said: no item has an interval.';
  if (items.length === 1) return 'No, not in the only item.';
  if (explorable === 0) return `No: in none of ${items.length} items.${unsaid}`;
  return `In ${explorable} of ${items.length} items, not in all.${unsaid}`;
}

/**
 * The answer in sentences, to stand below the question: without it, and under a marked drift without
 * the projection, in whose place `describePrice` says why there is none.
 */
export function listSentences(analysis: Pick<SampleAnalysis, 'closure' | 'drift'>): string[] {
  const { closure } = analysis;
  const sentences = closure.sentences.filter(
    (sentence) => !(hasMarkedDrift(analysis) && sentence.startsWith(projectionStart)),
  );
  return sentences.map((sentence) => sentence.replace(`${askQuestion(closure)} `, ''));
}

function hasMarkedDrift({ drift }: Pick<SampleAnalysis, 'drift'>): boolean {
  return drift.some((phase) => phase.state === 'evaluated' && phase.exceeded);
}

/** Who set the target, and when. */
export function describeTarget(analysis: SampleAnalysis): string {
  const { targetSource } = analysis.closure;
  if (targetSource === 'plan')
    return 'The target was declared in the plan, before the first trial.';
  const declared = analysis.declaration?.targetDifference;
  if (targetSource === 'command-line') {
    const instead =
      declared === undefined
        ? 'nobody had declared one'
        : `declared before the first trial was ${formatLimit(declared)}`;
    return `ASKED AFTERWARDS: this target was chosen when the data was there; ${instead}.`;
  }
  return 'Nobody declared a target; this is the usual one.';
}

/** How to ask about a finer difference than the one that was answered. */
export function offerAnother({ targetDifference }: Closure): string {
  const finer = Number((targetDifference / 2).toPrecision(12));
  return `Another difference? --target-difference ${finer} asks about ${formatLimit(finer)}.`;
}

/** What would make the answer yes; null when it is. Under a marked drift without a projection. */
export function describePrice(analysis: SampleAnalysis): string | null {
  const { family } = analysis.closure;
  if (family.state === 'explorable') return null;
  const { smallestTarget, trialsNeeded } = family;
  const target =
    smallestTarget === null
      ? ''
      : ` This data serves ${describeLeastTarget(smallestTarget)} in all items.`;
  if (hasMarkedDrift(analysis)) {
    return `How many trials it would take cannot be projected while ${callWatched(analysis)} drifts.${target}`;
  }
  if (trialsNeeded === null) {
    return `How many trials it would take cannot be said for all items.${target}`;
  }
  const time = priceRounds(analysis, trialsNeeded);
  const price = time === null ? '' : `, about ${time} of hardware time for all`;
  return `It would take about ${formatWhole(trialsNeeded)} trials of each item, as many as the worst needs${price}, if further ones scatter like these (redraws of these trials reach it in about half to nine tenths, in fewer where they fall into groups).${target}`;
}

/** Hardware time of so many rounds at this campaign's mean cost of a trial; null without costs. */
function priceRounds(analysis: SampleAnalysis, rounds: number): string | null {
  const { progress, items } = analysis;
  const ended = progress.observed + progress.failed;
  if (analysis.evidence === 'trial-table' || ended === 0) return null;
  return formatDuration((analysis.cost.totalNs / ended) * items.length * rounds);
}

/** One item's part in the answer as text. */
export interface ClosureRow {
  condition: string;
  explorable: string;
  distance: string;
  limit: string;
  upperOverLower: string;
  detected: string;
  detectedAtZero: string;
  trialsNeeded: string;
  smallestTarget: string;
}

export function describeClosureItem(analysis: SampleAnalysis, answer: ClosureItem): ClosureRow {
  const { closure } = analysis;
  const item = analysis.items[answer.item]!;
  const orAbsent = <T>(value: T | null, format: (value: T) => string) =>
    value === null ? absent : format(value);
  return {
    condition: formatCondition(item, analysis),
    explorable: stateWords[answer.state],
    distance: orAbsent(answer.endpointDistance, formatPercent),
    limit: formatLimit(closure.limit),
    upperOverLower: orAbsent(item.simultaneousInterval, (one) => one.upperOverLower.toFixed(3)),
    detected: orAbsent(answer.injectionRate, formatShare),
    detectedAtZero: orAbsent(answer.injectionRateAtZero, formatShare),
    trialsNeeded: orAbsent(answer.trialsNeeded, formatWhole),
    smallestTarget: orAbsent(answer.smallestTarget, formatLeastPercent),
  };
}

/** Each reason why an answer or a part of it is missing, once. */
export function listUnanswered({ closure, items }: SampleAnalysis): string[] {
  const open = closure.items.filter(
    ({ state, trialsNeeded }) => state === 'not-evaluable' || trialsNeeded === null,
  );
  const reasons = open.map(({ reason }) => reason);
  const missing = items.flatMap((item) => item.missing);
  const support = missing.filter(({ field }) => supportFields.has(field));
  return groupReasons([...reasons, ...support.map(({ reason }) => reason)]);
}

const supportFields: ReadonlySet<string> = new Set(['simultaneousInterval', 'injection']);

/** What the columns of the item by item table mean. */
export function explainSupport({ targetDifference, family }: Closure): string {
  const joint =
    family.jointCoverage === null
      ? ''
      : ` (together they cover at least ${formatShare(family.jointCoverage)})`;
  return (
    '±interval: the farther end of the interval from the median, in % of the median; explorable when it is at most the limit. ' +
    'trials needed: of the item in all, if further ones scatter like these; of an explorable item, how few would have done. target from: the smallest target that could be explored. ' +
    `upper/lower: of intervals wide enough to hold for all items at once${joint}; above ${Number((1 + targetDifference).toPrecision(12))} ` +
    `they cannot separate the target. detected at ${formatLimit(targetDifference)}: how often two groups drawn from the item’s own trials, one made that much slower, ` +
    'have disjoint intervals; at 0 %: with nothing changed, in either direction. Not future power: unseen tails and day-to-day drift are not in it.'
  );
}

/** A condition as a title. */
export function nameReopening(analysis: SampleAnalysis, { condition }: Reopening): string {
  return condition === 'reference-drift'
    ? `drift of ${callWatched(analysis)}`
    : reopeningWords[condition];
}

/** Both in one line. */
export function describeReopening(analysis: SampleAnalysis, one: Reopening): string {
  const state = one.met === null ? 'cannot be judged' : one.met ? 'MET' : 'not met';
  return `${nameReopening(analysis, one)}: ${state}. ${one.why}`;
}
