import type { ItemAllocation, SampleAnalysis } from '../formats/analysis.ts';
import { formatItem } from '../formats/architecture.ts';
import { formatCount } from '../units.ts';
import { absent } from './item-row.ts';
import { formatTime } from './quantities.ts';

/** One item's advice as text. */
export interface AllocationRow {
  repetitionCost: string;
  processCost: string;
  repetitions: string;
  processes: string;
  costShare: string;
}

export function describeAllocation(allocation: ItemAllocation): AllocationRow {
  const { advice, repetitionCostNs, processCostNs } = allocation;
  const time = (ns: number | null) => (ns === null ? absent : formatTime(ns));
  return {
    repetitionCost: time(repetitionCostNs),
    processCost: time(processCostNs),
    repetitions: advice === null ? absent : `${advice.repetitions}`,
    processes: advice === null ? absent : `${advice.processes}`,
    costShare: advice === null ? absent : formatShareOfNow(advice.costShare),
  };
}

/** What there is to save at best, in a sentence. */
export function summariseAllocation({ allocation, items }: SampleAnalysis): string {
  const advised = allocation.filter(({ advice }) => advice !== null);
  if (advised.length === 0) return 'No advice can be given.';
  const saving = advised.filter(({ advice }) => advice!.costShare < 1);
  const one = items.length === 1 ? 'the only item' : 'the one item with advice';
  const of =
    advised.length === 1 ? one : `${saving.length} of ${formatCount(advised.length, 'item')}`;
  if (saving.length === 0) {
    if (advised.length === 1) {
      return `In ${one} no other split would give the same precision for less hardware time.`;
    }
    return `In none of ${formatCount(advised.length, 'item')} would another split give the same precision for less hardware time.`;
  }
  const best = saving.reduce((a, b) => (b.advice!.costShare < a.advice!.costShare ? b : a));
  const { repetitions, processes, costShare } = best.advice!;
  return (
    `In ${of} another split would give the same precision for less hardware time; most is saved in ` +
    `${formatItem(items[best.item]!)}: ${formatShareOfNow(costShare)} of the time with ` +
    `${formatCount(repetitions, 'kept repetition')} in each of ${processes} processes.`
  );
}

/** What the columns mean and what the advice is not. */
export const allocationLegend =
  'kept repetitions, processes: a split that gives the same standard error of the item’s mean. of the time now: the hardware ' +
  'time it takes, in % of what this campaign took for the item (Kalibera & Jones 2013). one repetition, one process: mean ' +
  'cost of one more, the process with its load and warm-up. It assumes that means describe the trials: where tails are ' +
  'heavy or speeds are two, it does not hold. Fewer than 6 processes give no interval of the median.';

/** Each reason for a missing cell once. */
export function listUnadvised(allocations: readonly ItemAllocation[]): string[] {
  return [...new Set(allocations.flatMap(({ reason }) => reason ?? []))];
}

function formatShareOfNow(share: number): string {
  return `${Math.round(share * 100)} %`;
}
