import type { ItemAnalysis } from '../formats/analysis.ts';
import { chooseTimeUnit, formatIn, formatPercent, formatRate } from './quantities.ts';

/** Shown where a quantity is null; the reason is in the analysis. */
export const absent = '–';

/** One item as text, for a terminal as for a page. */
export interface ItemRow {
  condition: string;
  /** `10`, or `9+1f`: nine valid trials and one failed besides. */
  n: string;
  time: string;
  tokensPerSecond: string;
  interval: string;
  coverage: string;
  cv: string;
  inTrialCv: string;
  range: string;
  stable: 'yes' | 'no' | typeof absent;
  maxOverMedian: string;
  slow: string;
}

export function describeItem(item: ItemAnalysis): ItemRow {
  const { representativeNs, interval, tail } = item;
  const unit = representativeNs === null ? null : chooseTimeUnit(representativeNs);
  const percent = (fraction: number | null) =>
    fraction === null ? absent : formatPercent(fraction);
  return {
    condition: formatCondition(item),
    n: item.failed === 0 ? `${item.n}` : `${item.n}+${item.failed}f`,
    time: unit ? `${formatIn(unit, representativeNs!)} ${unit.name}` : absent,
    tokensPerSecond: item.tokensPerSecond === null ? absent : formatRate(item.tokensPerSecond),
    interval:
      unit && interval
        ? `${formatIn(unit, interval.lowerNs)}–${formatIn(unit, interval.upperNs)} ${unit.name}`
        : absent,
    coverage: interval ? `${(interval.coverage * 100).toFixed(1)} %` : absent,
    cv: percent(item.cv?.value ?? null),
    inTrialCv: percent(item.inTrialCvMax),
    range: percent(item.relativeRange),
    stable: item.stable === null ? absent : item.stable ? 'yes' : 'no',
    maxOverMedian: tail ? tail.maxOverMedian.toFixed(3) : absent,
    slow: tail ? `${tail.slowCount}` : absent,
  };
}

/** `mid Q8_0 S512`, and whether it is the reference. */
export function formatCondition(item: ItemAnalysis): string {
  const { architecture, quantization, sequenceLength, isReference, partOfSpace } = item;
  const mark = isReference ? (partOfSpace ? ' [ref]' : ' [ref, added]') : '';
  return `${architecture} ${quantization} S${sequenceLength}${mark}`;
}
