import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { fewestForInterval } from '../stats/median-interval.ts';
import { fewestForSimultaneousInterval } from '../stats/simultaneous-interval.ts';
import { fewestPairs } from '../stats/spearman.ts';
import { fewestValues } from '../stats/two-speeds.ts';
import { formatCount } from '../units.ts';
import { wantedCoverage } from './item.ts';
import type { ItemSample } from './item-sample.ts';
import type { Measurements } from './measurements.ts';

type Missing = ItemAnalysis['missing'];
type Field =
  | 'representativeNs'
  | 'tokensPerSecond'
  | 'interval'
  | 'simultaneousInterval'
  | 'endpointDistance'
  | 'cv'
  | 'inTrialCvMax'
  | 'relativeRange'
  | 'stable'
  | 'tail'
  | 'injection'
  | 'trend'
  | 'twoSpeed';

/** Why each field that is null is null; also the bounds inside the tail. */
export function explainMissing(
  fields: Readonly<Record<Field, unknown>> & Pick<ItemAnalysis, 'tail'>,
  sample: ItemSample,
  familySize: number,
  { repetitions }: Pick<Measurements, 'repetitions'>,
): Missing {
  const reasonFor = (field: Field) =>
    explainField(field, sample, familySize, repetitions?.kept ?? null);
  const missing: Missing = (Object.keys(fields) as Field[])
    .filter((field) => fields[field] === null)
    .map((field) => ({ field, reason: reasonFor(field) }));
  const hasNoBounds = fields.tail !== null && fields.tail.slowUpperBound === null;
  return hasNoBounds ? [...missing, ...withoutBounds] : missing;
}

const withoutBounds: Missing = ['tail.slowLowerBound', 'tail.slowUpperBound'].map((field) => ({
  field,
  reason:
    'two speeds: the threshold for slow trials lies between or at one of them and moves with the median, so the share of slow trials has no bounds',
}));

function explainField(
  field: Field,
  { observed, sorted }: ItemSample,
  familySize: number,
  kept: number | null,
): string {
  const n = sorted.length;
  if (n === 0) return 'no valid trial';
  const varies = n === 1 ? 'n = 1: one trial does not vary' : null;
  switch (field) {
    case 'interval':
    case 'endpointDistance':
    case 'injection': {
      const needed = fewestForInterval(wantedCoverage);
      return `n = ${n}: an interval that covers at least ${wantedCoverage} needs ${needed} trials`;
    }
    case 'simultaneousInterval': {
      const needed = fewestForSimultaneousInterval(familySize, wantedCoverage);
      return `n = ${n}: intervals of ${formatCount(familySize, 'item')} that cover at least ${wantedCoverage} together need ${needed} trials each`;
    }
    case 'inTrialCvMax':
      return explainInTrial(observed, kept);
    case 'stable':
      return varies ?? explainInTrial(observed, kept);
    case 'trend':
    case 'twoSpeed': {
      const needed = field === 'trend' ? fewestPairs : fewestValues;
      if (n >= needed) return 'all trial means are equal';
      const what = field === 'trend' ? 'a rank correlation' : 'a look for two speeds';
      return `n = ${n}: ${what} needs ${needed} trials`;
    }
    case 'tokensPerSecond':
      return 'the number of decode steps is not known';
    default:
      return varies ?? 'not known';
  }
}

function explainInTrial(observed: ItemSample['observed'], kept: number | null): string {
  if (kept === 1) return '1 kept repetition: one repetition does not vary';
  const unknown = observed.filter(({ inTrialCv }) => inTrialCv === null).length;
  return `the spread inside ${formatCount(unknown, 'trial')} is not known`;
}
