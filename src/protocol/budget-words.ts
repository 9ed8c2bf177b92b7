import { expectedHalfWidth } from '../stats/expected-interval.ts';
import { toNumber } from '../stats/fraction.ts';
import { lowerRankFor, medianCoverage } from '../stats/median-interval.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { formatCount, formatDuration, formatWhole } from '../units.ts';
import type { BudgetRequest } from './budget.ts';
import { type CountsChoice, expectRoundNs } from './budget-counts.ts';
import { type ItemExpectation, intervalLevel } from './budget-expectation.ts';
import { adviseWarmup, type PilotSummary } from './budget-pilot.ts';

/** Intervals that differ in width by less are not worth a sentence. */
const noticeable = 1.02;

interface Planned {
  plan: CountsChoice;
  items: readonly ItemExpectation[];
}

interface Told extends Planned {
  pilots: readonly PilotSummary[];
  request: BudgetRequest;
}

/** Budget, counts, what to expect, what is assumed and not known, what other times would buy. */
export function describeChoice(told: Told & { others: (Planned & { share: number })[] }): string[] {
  return [
    tellTime(told),
    tellWarmup(told),
    tellKept(told),
    tellInterval(told),
    tellNarrower(told),
    ...tellUncertainty(told),
    ...told.others.map((other) => tellOther(told, other)),
  ].filter((sentence) => sentence !== null);
}

/** The same for few loads, and what they lose against the usual choice in the same time. */
export function describeFewLoads(told: Told & { usual: Planned }): string[] {
  const { plan, items, usual } = told;
  const betweenItems = items.filter(({ limitedBy }) => limitedBy === 'between-processes').length;
  const [few, many] = [plan.counts.processes, usual.plan.counts.processes];
  const isFewer = few < many;
  const loss = isFewer
    ? `few-loads starts ${formatProcesses(few)} of each item where the usual choice for this time starts ` +
      `${formatWhole(many)}: what differs between processes (where memory lies, clocks, caches) is seen fewer ` +
      'times, and no number of repetitions makes up for it.'
    : `In this time the usual choice starts ${formatProcesses(many)} of each item, too: few-loads loads no less. ` +
      'What differs between processes (where memory lies, clocks, caches) is seen so few times in both.';
  const comparison = isFewer
    ? `The usual choice, ${formatCounts(usual.plan)}, is expected at ${formatHalfWidths(usual.items)} in ` +
      `${formatDuration(usual.plan.expectedNs)}.`
    : null;
  const limit =
    betweenItems === 0
      ? null
      : `In ${formatOf(betweenItems, items.length)} the spread between processes limits already: there more ` +
        'repetitions make the interval hardly narrower.';
  return [
    tellTime(told),
    loss,
    limit,
    tellWarmup(told),
    tellKept(told),
    tellInterval(told),
    comparison,
    ...tellUncertainty(told),
  ].filter((sentence) => sentence !== null);
}

function tellTime({ plan, pilots, request }: Told): string {
  const { budgetNs, fixed, limits } = request;
  const { expectedNs, leastNs, counts } = plan;
  if (leastNs > budgetNs) {
    return (
      `${formatDuration(budgetNs)} is too short: the least, ${formatCounts(plan)}, takes about ` +
      `${formatDuration(leastNs)}.`
    );
  }
  const head =
    `${formatCounts(plan)} of ${pilots.length === 1 ? 'one item' : `each of ${formatWhole(pilots.length)} items`}: ` +
    `about ${formatDuration(expectedNs)} of the ${formatDuration(budgetNs)} allowed`;
  const isMore = expectedNs + expectRoundNs(pilots, counts.warmup + counts.kept) <= budgetNs;
  if (!isMore) return `${head}.`;
  const held =
    fixed.processes !== null
      ? 'the number of processes is fixed'
      : counts.processes === limits.maxProcesses
        ? `${formatWhole(limits.maxProcesses)} processes are the most allowed`
        : 'processes are kept few';
  const repetitions =
    fixed.kept === null
      ? 'more repetitions are not allowed or not known to pay'
      : 'repetitions are fixed';
  return `${head}; the rest is not used, since ${held} and ${repetitions}.`;
}

function tellWarmup({ plan, pilots, request }: Told): string {
  const { warmup } = plan.counts;
  const longest = Math.max(...pilots.map(({ steady }) => steady.from));
  const needed = Math.max(...pilots.map(adviseWarmup));
  const seen = `in the pilot repetitions are steady from number ${formatWhole(longest + 1)} on at the latest`;
  const unsettled = pilots.filter(({ steady }) => steady.source !== 'change-points').length;
  const doubt =
    unsettled === 0
      ? ''
      : ` In ${formatOf(unsettled, pilots.length)} its repetitions are too few to tell: only a beginning that is off by more ` +
        'than 5 % was looked for.';
  if (request.fixed.warmup !== null) {
    const short =
      warmup < longest
        ? `; ${seen}, so kept ones include the way into it, which no interval here reckons with`
        : '';
    return `Warm-up is fixed at ${formatWhole(warmup)}${short}.${doubt}`;
  }
  const why =
    warmup < needed
      ? `${seen}; ${formatWhole(needed)} would be advised, and no more repetitions a process are allowed`
      : `${seen}, and half as many are added, at least 1 in all`;
  return `Warm-up ${formatWhole(warmup)}: ${why}.${doubt}`;
}

function tellKept({ plan }: Told): string | null {
  const kept = formatWhole(plan.counts.kept);
  const because = {
    fixed: null,
    rule:
      'so a given time says most, by the spread inside and between processes that the pilot shows (Kalibera & ' +
      'Jones 2013)',
    'even-split':
      'they take about as long as all else of a process, which needs at most twice the time of the best split, ' +
      'whatever spreads between processes; the pilot does not show that it spreads enough to ask for fewer',
    'as-many-as-fit': 'no more fit beside the processes',
    'most-allowed': 'no more repetitions a process are allowed',
  }[plan.keptReason];
  return because === null ? null : `Kept ${kept}: ${because}.`;
}

function tellInterval({ plan, items }: Told): string {
  const { processes } = plan.counts;
  if (lowerRankFor(processes, intervalLevel) === 0) {
    return `${formatProcesses(processes)} have no interval of the median at ${formatShare(intervalLevel)}.`;
  }
  return (
    `Expected is an interval of the median (covers ${formatCoverage(processes)}) of half-width ${formatHalfWidths(items)}, ` +
    'if processes scatter normally, independently and as in the pilot; its farther end lies about a quarter farther.'
  );
}

/** Ranks jump every second or third process, and in between one more process widens the interval. */
function tellNarrower({ plan }: Told): string | null {
  const { processes } = plan.counts;
  const scale = expectedHalfWidth(processes, intervalLevel);
  const fewer = [processes - 2, processes - 1].filter((count) => count > 0);
  const scales = fewer.map((count) => expectedHalfWidth(count, intervalLevel) ?? Infinity);
  const narrowest = Math.min(...scales);
  if (scale === null || !(scale > noticeable * narrowest)) return null;
  const best = fewer[scales.indexOf(narrowest)]!;
  return (
    `${formatProcesses(best)} would have an interval ${formatShare(1 - narrowest / scale)} narrower that covers ` +
    `${formatCoverage(best)}; more were taken all the same, since they show more of what lies between processes.`
  );
}

function formatCoverage(processes: number): string {
  const rank = lowerRankFor(processes, intervalLevel);
  return `${(100 * toNumber(medianCoverage(processes, rank))).toFixed(1)} %`;
}

function tellUncertainty({ pilots, items }: Told): string[] {
  const words: string[] = [];
  const alone = pilots.filter(({ processes }) => processes === 1).length;
  if (alone > 0) {
    words.push(
      `The pilot ran one process in ${formatOf(alone, pilots.length)}: it cannot say how far processes lie apart.`,
    );
  }
  const unsplit = pilots.filter(
    ({ variance }) => variance.meansVariance !== null && variance.withinVariance === null,
  ).length;
  if (unsplit > 0) {
    words.push(
      `In ${formatOf(unsplit, pilots.length)} a process of the pilot has one steady repetition: all spread is taken to lie ` +
        'between processes.',
    );
  }
  const widest = findWidest(items);
  if (widest !== null) {
    const [least, most] = widest.relativeHalfWidthRange!;
    const fewest = Math.min(...pilots.map(({ processes }) => processes).filter((k) => k > 1));
    words.push(
      `${formatProcesses(fewest)} of a pilot say little about the spread between processes: the widest half-width may be ` +
        `anything from ${formatShare(least)} to ${formatShare(most)} (95 %, if normal), and rare slow processes may not have shown: wider than expected is likelier than narrower.`,
    );
  }
  const shares = pilots.map(({ processRange: [shortest, longest] }) => longest / shortest - 1);
  const apart = Math.max(...shares);
  if (alone < pilots.length && apart > 0) {
    words.push(
      `The time is a mean: the slowest process of an item took up to ${formatShare(apart)} longer than its fastest in the pilot.`,
    );
  }
  return words;
}

function tellOther({ request, plan }: Told, other: Planned & { share: number }): string | null {
  const otherBudgetNs = other.share * request.budgetNs;
  const name = other.share < 1 ? 'Half the time' : 'Twice the time';
  if (other.plan.leastNs > otherBudgetNs) {
    return other.share < 1 && plan.leastNs <= request.budgetNs
      ? `${name} is too short for the fewest processes.`
      : null;
  }
  if (formatCounts(other.plan) === formatCounts(plan)) return `${name} changes nothing.`;
  return `${name} buys ${formatCounts(other.plan)}, half-width ${formatHalfWidths(other.items)}.`;
}

/** `12 processes with 2 warm-up and 5 kept repetitions`. */
function formatCounts({ counts: { processes, warmup, kept } }: CountsChoice): string {
  return `${formatProcesses(processes)} with ${formatWhole(warmup)} warm-up and ${formatCount(kept, 'kept repetition')}`;
}

export function formatProcesses(count: number): string {
  return `${formatWhole(count)} ${count === 1 ? 'process' : 'processes'}`;
}

function formatOf(count: number, all: number): string {
  return all === 1 ? 'this item' : `${formatWhole(count)} of ${formatWhole(all)} items`;
}

function findWidest(items: readonly ItemExpectation[]): ItemExpectation | null {
  const known = items.filter(({ relativeHalfWidth }) => relativeHalfWidth !== null);
  return known.reduce<ItemExpectation | null>(
    (widest, item) =>
      widest === null || item.relativeHalfWidth! > widest.relativeHalfWidth! ? item : widest,
    null,
  );
}

/** `1.2 %` of one item, `0.8 % (median of the items; the widest 2.1 %)` of several. */
export function formatHalfWidths(items: readonly ItemExpectation[]): string {
  const known = items.flatMap(({ relativeHalfWidth }) => relativeHalfWidth ?? []);
  if (known.length === 0) return 'a width that is not known';
  const widest = formatShare(Math.max(...known));
  if (items.length === 1) return widest;
  return `${formatShare(medianOfNumbers(known)!)} (median of the items; the widest ${widest})`;
}

/** A share of 1 in two digits: `0.34 %`, `12 %`, `140 %`. */
export function formatShare(share: number): string {
  const percent = 100 * share;
  if (percent === 0) return '0 %';
  if (percent < 0.001) return 'less than 0.001 %';
  if (percent >= 99.5) return `${formatWhole(Math.round(percent))} %`;
  return `${Number(percent.toPrecision(2))} %`;
}
