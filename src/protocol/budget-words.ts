import { toNumber } from '../stats/fraction.ts';
import { lowerRankFor, medianCoverage } from '../stats/median-interval.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { formatCount, formatDuration, formatWhole } from '../units.ts';
import type { BudgetRequest } from './budget.ts';
import type { CountsChoice } from './budget-counts.ts';
import { type ItemExpectation, intervalLevel } from './budget-expectation.ts';
import type { PilotSummary } from './budget-pilot.ts';

interface Planned {
  plan: CountsChoice;
  items: readonly ItemExpectation[];
}

interface Told extends Planned {
  pilots: readonly PilotSummary[];
  request: BudgetRequest;
}

/** How long and how often, and the interval to expect; a fixed warm-up that is too short. */
export function describeChoice(told: Told): string[] {
  return [tellTime(told), tellInterval(told), ...tellShortWarmup(told)];
}

/** The same for few loads, against the usual choice in the same time. */
export function describeFewLoads(told: Told & { usual: Planned }): string[] {
  const { plan, usual } = told;
  const isFewer = plan.counts.processes < usual.plan.counts.processes;
  const comparison = isFewer
    ? [
        `The usual choice for this time, ${formatCounts(usual.plan)}, is expected at ±${formatHalfWidths(usual.items)}: it sees ` +
          'more of what differs between processes.',
      ]
    : [];
  return [...describeChoice(told), ...comparison];
}

/**
 * What half and twice the time would buy.
 * @returns null when neither changes anything
 */
export function describeOtherTimes(
  plan: CountsChoice['counts'],
  others: readonly (Planned & { share: number; isTooShort: boolean })[],
): string | null {
  const words = others.flatMap(({ share, isTooShort, plan: other, items }) => {
    const name = share < 1 ? 'half the time' : 'twice the time';
    if (isTooShort) return [`${name} is too short`];
    const { processes, warmup, kept } = other.counts;
    if (processes === plan.processes && warmup === plan.warmup && kept === plan.kept) return [];
    return [`${name}: ${formatCounts(other)}, ${formatExpected(items, processes)}`];
  });
  return words.length === 0 ? null : `--budget changes it; ${words.join('; ')}.`;
}

function tellTime({ plan, pilots, request }: Told): string {
  const { budgetNs, namedNs = budgetNs } = request;
  const { expectedNs, leastNs } = plan;
  if (leastNs > budgetNs) {
    const kept =
      namedNs === null || namedNs === budgetNs
        ? ''
        : `${formatDuration(budgetNs)} of it are planned, the rest is for what the pilot did not see; `;
    return (
      `${formatDuration(namedNs ?? budgetNs)} is too short: ${kept}the least, ${formatCounts(plan)}, takes about ` +
      `${formatDuration(leastNs)}.`
    );
  }
  const each = pilots.length === 1 ? 'one item' : `each of ${formatWhole(pilots.length)} items`;
  const allowed = namedNs === null ? '' : ` of the ${formatDuration(namedNs)} allowed`;
  return `About ${formatDuration(expectedNs)}${allowed}: ${formatCounts(plan)}, of ${each}.`;
}

function tellShortWarmup({ plan, pilots, request }: Told): string[] {
  const longest = Math.max(...pilots.map(({ steady }) => steady.from));
  if (request.fixed.warmup === null || plan.counts.warmup >= longest) return [];
  return [
    `CAREFUL: in the pilot repetitions are steady from number ${formatWhole(longest + 1)} on, so with --warmup ` +
      `${formatWhole(plan.counts.warmup)} the kept ones include the way there.`,
  ];
}

function tellInterval({ plan, pilots, items }: Told): string {
  const { processes } = plan.counts;
  if (lowerRankFor(processes, intervalLevel) === 0) {
    return `${formatProcesses(processes)} have no interval of the median at ${formatShare(intervalLevel)}.`;
  }
  const widest = findWidest(items);
  const head = `Interval to expect (covers ${formatCoverage(processes)}):`;
  if (widest === null) return `${head} not known, since a pilot of one process shows no spread.`;
  const [least, most] = widest.relativeHalfWidthRange!;
  const fewest = Math.min(...pilots.map((pilot) => pilot.processes).filter((count) => count > 1));
  return (
    `${head} ±${formatHalfWidths(items)}; ${formatProcesses(fewest)} of a pilot say little of it: ` +
    `${items.length === 1 ? 'it' : 'the widest'} may be from ±${formatShare(least)} to ±${formatShare(most)}.`
  );
}

function formatCoverage(processes: number): string {
  const rank = lowerRankFor(processes, intervalLevel);
  return `${(100 * toNumber(medianCoverage(processes, rank))).toFixed(1)} %`;
}

/** `12 processes x (2 warm-up + 5 kept repetitions)`. */
function formatCounts({ counts: { processes, warmup, kept } }: CountsChoice): string {
  return `${formatProcesses(processes)} x (${formatWhole(warmup)} warm-up + ${formatCount(kept, 'kept repetition')})`;
}

export function formatProcesses(count: number): string {
  return `${formatWhole(count)} ${count === 1 ? 'process' : 'processes'}`;
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

/** `±1.2 %, covering 96.9 %`: widths of different coverage are no measure of each other. */
export function formatExpected(items: readonly ItemExpectation[], processes: number): string {
  const isKnown = items.some(({ relativeHalfWidth }) => relativeHalfWidth !== null);
  if (!isKnown) return 'a width that is not known';
  return `±${formatHalfWidths(items)}, covering ${formatCoverage(processes)}`;
}

/** A share of 1 in two digits: `0.34 %`, `12 %`, `140 %`. */
export function formatShare(share: number): string {
  const percent = 100 * share;
  if (percent === 0) return '0 %';
  if (percent < 0.001) return 'less than 0.001 %';
  if (percent >= 99.5) return `${formatWhole(Math.round(percent))} %`;
  return `${Number(percent.toPrecision(2))} %`;
}
