import { formatLimit } from '../analysis/format-limit.ts';
import { formatPercent } from '../analysis/format-percent.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatItem } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { formatCount } from '../units.ts';

/** From which repetition on the processes of the items are steady. Advice; it changes nothing. */
export function adviseWarmup({
  protocol,
  warmup,
  items,
  rules,
}: Pick<SampleAnalysis, 'protocol' | 'warmup' | 'items' | 'rules'>): {
  summary: string;
  late: string[];
} {
  const measured = warmup.filter(({ n }) => n > 0);
  if (measured.length === 0) {
    return { summary: 'Not evaluable: there are no single repetitions here.', late: [] };
  }
  const leftOut = protocol?.repetitions.warmup ?? null;
  const settled = measured.flatMap(({ item, steadyFrom }) =>
    steadyFrom === null ? [] : [{ item: items[item]!, from: steadyFrom }],
  );
  const open = measured.filter(({ steadyFrom }) => steadyFrom === null);
  const late = settled.filter(({ from }) => leftOut !== null && from > leftOut);
  const levels = countLevels(
    settled.filter((one) => !late.includes(one)).map(({ from }) => from + 1),
  );
  const steady = levels.map(([at, n]) => `${at} in ${formatCount(n, 'item')}`).join(', ');
  const sentences = [
    describeRule(protocol),
    ...(levels.length > 0 ? [`The last level of the series begins at repetition ${steady}.`] : []),
    ...judgeSettled(late.length, settled.length, open.length, leftOut),
    ...aboutProcesses(
      measured.map(({ item }) => items[item]!),
      rules.stable.maxInTrialCv,
    ),
    ...(late.length + open.length > 0 ? ['Not steady or not evaluable:'] : []),
  ];
  return {
    summary: sentences.join(' '),
    late: [
      ...late.map(
        ({ item, from }) => `${formatItem(item)}: steady only from repetition ${from + 1} on`,
      ),
      ...open.map(
        ({ item, steadyReason }) =>
          `${formatItem(items[item]!)}: not evaluable${steadyReason === null ? '' : `: ${steadyReason}`}`,
      ),
    ],
  };
}

function describeRule(protocol: SampleAnalysis['protocol']): string {
  if (protocol === null) return 'Which repetitions count is not written here.';
  const { warmup, kept } = protocol.repetitions;
  return warmup === 0
    ? `The protocol leaves out no repetition and keeps ${kept}.`
    : `The protocol leaves out the first ${formatCount(warmup, 'repetition')} of a process and keeps ${kept}.`;
}

/** The series are medians over trials, and so is what can be said of them. */
function judgeSettled(
  late: number,
  settled: number,
  open: number,
  leftOut: number | null,
): string[] {
  const when = leftOut === null ? 'By the last repetition' : 'When the kept repetitions begin';
  const unsaid = open === 0 ? [] : [`In ${formatCount(open, 'item')} it is not evaluable.`];
  if (settled === 0) return unsaid;
  const verdict =
    late === 0
      ? `the median over trials is steady in ${open === 0 ? 'all items' : `the other ${settled}`}.`
      : `the median over trials is not steady yet in ${late} of ${formatCount(settled, 'item')}.`;
  return [...unsaid, `${when}, ${verdict}`];
}

/** A steady median says little of a process whose own repetitions vary. */
function aboutProcesses(items: readonly ItemAnalysis[], limit: number): string[] {
  const uneven = items
    .filter(({ inTrialCvMax }) => inTrialCvMax !== null && inTrialCvMax > limit)
    .sort((a, b) => b.inTrialCvMax! - a.inTrialCvMax!);
  if (uneven.length === 0) return [];
  const [worst] = uneven;
  return [
    `Single processes are not steady in ${uneven.length} of ${formatCount(items.length, 'item')}: the CV inside a trial goes up to ${formatPercent(worst!.inTrialCvMax!)} (${formatItem(worst!)}), above the limit of ${formatLimit(limit)}.`,
  ];
}

/** How many items are steady from which repetition on, the earliest first. */
function countLevels(from: readonly number[]): [number, number][] {
  const counts = Map.groupBy(
    from.toSorted((a, b) => a - b),
    (at) => at,
  );
  return [...counts].map(([at, items]) => [at, items.length]);
}
