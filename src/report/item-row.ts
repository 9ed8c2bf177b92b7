import { formatCondition as nameCondition, type Phase } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { toPrintable } from '../printable.ts';
import { chooseTimeUnit, formatIn, formatPercent, formatRate, formatShare } from './quantities.ts';
import { type Watching, watchesFirstItem } from './reference-words.ts';

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
  /** The farther end of the interval, relative to the median. */
  distance: string;
  cv: string;
  inTrialCv: string;
  range: string;
  stable: 'yes' | 'no' | typeof absent;
  maxOverMedian: string;
  slow: string;
  /** Upper bound of the share of slow trials. */
  slowUpperBound: string;
  speeds: 'one' | 'two' | typeof absent;
}

export function describeItem(item: ItemAnalysis, analysis: MarkedBy): ItemRow {
  const { representativeNs, interval, tail } = item;
  const unit = representativeNs === null ? null : chooseTimeUnit(representativeNs);
  const percent = (fraction: number | null) =>
    fraction === null ? absent : formatPercent(fraction);
  return {
    condition: formatCondition(item, analysis),
    n: item.failed === 0 ? `${item.n}` : `${item.n}+${item.failed}f`,
    time: unit ? `${formatIn(unit, representativeNs!)} ${unit.name}` : absent,
    tokensPerSecond: item.tokensPerSecond === null ? absent : formatRate(item.tokensPerSecond),
    interval:
      unit && interval
        ? `${formatIn(unit, interval.lowerNs)}–${formatIn(unit, interval.upperNs)} ${unit.name}`
        : absent,
    coverage: interval ? `${(interval.coverage * 100).toFixed(1)} %` : absent,
    distance: percent(item.endpointDistance),
    cv: percent(item.cv?.value ?? null),
    inTrialCv: percent(item.inTrialCvMax),
    range: percent(item.relativeRange),
    stable: item.stable === null ? absent : item.stable ? 'yes' : 'no',
    maxOverMedian: tail ? tail.maxOverMedian.toFixed(3) : absent,
    slow: tail ? `${tail.slowCount}` : absent,
    slowUpperBound: tail?.slowUpperBound == null ? absent : formatShare(tail.slowUpperBound),
    speeds: item.twoSpeed === null ? absent : item.twoSpeed.isTwoSpeed ? 'two' : 'one',
  };
}

type MarkedBy = Pick<Watching, 'protocol'>;

/** `mid Q8_0 S512`, and whether it is what drift is looked for in: the reference, or the first item. */
export function formatCondition(item: ItemAnalysis, analysis: MarkedBy): string {
  const name = toPrintable(nameCondition(item)); // figures would break a label at a line end
  if (!item.isReference) return name;
  if (watchesFirstItem(analysis)) return `${name} [first]`;
  return `${name} ${item.partOfSpace ? '[ref]' : '[ref, added]'}`;
}

/** What is timed in a phase. @param decodeSteps the protocol's; null where nobody says */
export function describeTimed(
  phase: Phase,
  items: readonly ItemAnalysis[],
  decodeSteps: number | null,
): string {
  const isDeep = items.some((item) => item.phase === phase && item.depth !== undefined);
  if (phase === 'prefill')
    return `time to process S tokens${isDeep ? ', after as many others as the condition says' : ''}`;
  const differ = items.some((item) => item.phase === phase && item.decodeSteps !== undefined);
  return `time of ${decodeSteps ?? 'the'} single-token steps${differ ? ', or as many as the condition says,' : ''} after S tokens`;
}

/** Each reason for an empty cell once. */
export function listMissing(items: readonly ItemAnalysis[]): string[] {
  return groupReasons(items.flatMap(({ missing }) => missing.map(({ reason }) => reason)));
}

/** What is said where no item has a field: each reason once. */
export function explainNone(items: readonly ItemAnalysis[], field: 'trend' | 'twoSpeed'): string {
  const reasons = items.flatMap(({ missing }) =>
    missing.filter((one) => one.field === field).map(({ reason }) => reason),
  );
  return `Not evaluable: ${items.length === 0 ? 'there is no item' : groupReasons(reasons).join('; ')}.`;
}

/** Each reason once: `n = 8 or 9: …` where only the number of trials differs. */
export function groupReasons(reasons: readonly string[]): string[] {
  const numbers = new Map<string, Set<number>>();
  for (const reason of reasons) {
    const [, n, rest] = /^n = (\d+): (.*)$/.exec(reason) ?? [];
    const seen = numbers.get(rest ?? reason) ?? new Set();
    if (n !== undefined) seen.add(Number(n));
    numbers.set(rest ?? reason, seen);
  }
  return [...numbers].map(([reason, seen]) => {
    if (seen.size === 0) return reason;
    const [last, ...others] = [...seen].sort((a, b) => b - a);
    const first = others.reverse().join(', ');
    return `n = ${first === '' ? '' : `${first} or `}${last}: ${reason}`;
  });
}
