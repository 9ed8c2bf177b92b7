import type { ItemAnalysis, SampleAnalysis } from '../formats/analysis.ts';
import { formatItem } from '../formats/architecture.ts';
import { formatCount } from '../units.ts';

/** From which repetition on the processes of the items are steady. Advice; it changes nothing. */
export function adviseWarmup({
  protocol,
  warmup,
  items,
}: Pick<SampleAnalysis, 'protocol' | 'warmup' | 'items'>): { summary: string; late: string[] } {
  const measured = warmup.filter(({ n }) => n > 0);
  if (measured.length === 0) {
    return { summary: 'Not evaluable: there are no single repetitions here.', late: [] };
  }
  const leftOut = protocol?.repetitions.warmup ?? null;
  const isLate = (from: number | null) => from === null || (leftOut !== null && from > leftOut);
  const late = measured.filter(({ steadyFrom }) => isLate(steadyFrom));
  const levels = countLevels(
    measured.flatMap(({ steadyFrom }) => (isLate(steadyFrom) ? [] : [steadyFrom! + 1])),
  );
  const steady = levels.map(([at, n]) => `${at} in ${formatCount(n, 'item')}`).join(', ');
  const sentences = [
    describeRule(protocol),
    ...(levels.length > 0 ? [`The last level of the series begins at repetition ${steady}.`] : []),
    judgeLate(late.length, measured.length, leftOut),
  ];
  return {
    summary: sentences.join(' '),
    late: late.map(({ item, steadyFrom }) => describeLate(items[item]!, steadyFrom)),
  };
}

function describeRule(protocol: SampleAnalysis['protocol']): string {
  if (protocol === null) return 'Which repetitions count is not written here.';
  const { warmup, kept } = protocol.repetitions;
  return warmup === 0
    ? `The protocol leaves out no repetition and keeps ${kept}.`
    : `The protocol leaves out the first ${formatCount(warmup, 'repetition')} of a process and keeps ${kept}.`;
}

function judgeLate(late: number, measured: number, leftOut: number | null): string {
  const when = leftOut === null ? 'By the last repetition' : 'When the kept repetitions begin';
  if (late === 0) return `${when}, all items are steady.`;
  return `${when}, ${late} of ${formatCount(measured, 'item')} ${late === 1 ? 'is' : 'are'} not steady yet:`;
}

/** How many items are steady from which repetition on, the earliest first. */
function countLevels(from: readonly number[]): [number, number][] {
  const counts = Map.groupBy(
    from.toSorted((a, b) => a - b),
    (at) => at,
  );
  return [...counts].map(([at, items]) => [at, items.length]);
}

function describeLate(item: ItemAnalysis, steadyFrom: number | null): string {
  const when =
    steadyFrom === null
      ? 'not settled before the last repetition'
      : `steady only from repetition ${steadyFrom + 1} on`;
  return `${formatItem(item)}: ${when}`;
}
