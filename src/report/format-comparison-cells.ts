import type { ComparedArm } from '../formats/comparison.ts';
import { absent } from './item-row.ts';
import { chooseTimeUnit, formatIn, formatPValue, formatTime } from './quantities.ts';

/** One side of a comparison as cells. */
export function describeArm({
  n,
  failed,
  representativeNs,
  interval,
}: Pick<ComparedArm, 'n' | 'failed' | 'representativeNs' | 'interval'>) {
  const unit = representativeNs === null ? null : chooseTimeUnit(representativeNs);
  return {
    n: failed === 0 ? `${n}` : `${n}+${failed}f`,
    time: representativeNs === null ? absent : formatTime(representativeNs),
    interval:
      unit && interval
        ? `${formatIn(unit, interval.lowerNs)}–${formatIn(unit, interval.upperNs)} ${unit.name}`
        : absent,
    covers: interval ? formatCoverage(interval.coverage) : absent,
  };
}

/** A coverage or level that is not quite a whole number of percent: `97.9 %`. */
export function formatCoverage(coverage: number): string {
  return `${(coverage * 100).toFixed(1)} %`;
}

/** A p-value as a cell: without the letter. */
export function formatPCell(pValue: number | undefined): string {
  return pValue === undefined ? absent : formatPValue(pValue).replace(/^p (= )?/, '');
}
