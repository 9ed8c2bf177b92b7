import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatCondition, type Phase } from '../formats/architecture.ts';

/** As much of an analysis as says what its drift was looked for in. */
export type Watching = Pick<SampleAnalysis, 'protocol' | 'items'>;

/** Without a reference of the protocol's own the plan's first item of each phase is looked at. */
export function watchesFirstItem({ protocol }: Pick<Watching, 'protocol'>): boolean {
  return protocol?.reference === 'first-condition';
}

/** Either as sentences call it. */
export function callWatched(analysis: Pick<Watching, 'protocol'>): string {
  return watchesFirstItem(analysis) ? 'the first item' : 'the reference';
}

/** The condition of the first item of a phase; null where a reference is looked at, or nothing. */
export function nameFirstItem(analysis: Watching, phase: Phase): string | null {
  if (!watchesFirstItem(analysis)) return null;
  const first = analysis.items.find((item) => item.isReference && item.phase === phase);
  return first === undefined ? null : formatCondition(first);
}

/** How tables mark it, and what the mark means. */
export function explainMark(analysis: Pick<Watching, 'protocol'>): string {
  return watchesFirstItem(analysis)
    ? '[first]: the first item of the phase, which is looked at for drift'
    : '[ref]: the reference against drift';
}
