import type { Closure } from '../formats/closure.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { formatCount } from '../units.ts';
import { formatLimit } from './format-limit.ts';

type Assessed = Pick<Closure, 'family' | 'items' | 'targetDifference' | 'targetSource'>;

/** What the answer of the closure must not be taken for. */
export function listLimitsOfClosure(closure: Assessed, items: readonly ItemAnalysis[]): string[] {
  if (closure.items.length === 0) return [];
  return [
    ...aboutTheTarget(closure),
    ...(closure.items.length === 1 ? aboutOneInterval() : aboutIntervals(closure)),
    ...aboutInjection(closure),
    ...aboutProjection(closure),
    ...aboutTails(items),
  ];
}

function aboutTheTarget({ targetDifference, targetSource }: Assessed): string[] {
  const target = formatLimit(targetDifference);
  return [
    `Explorable says that medians are known closely enough to look for differences of ${target}. It says of no two items that they differ by ${target}, or that they do not.`,
    ...(targetSource === 'command-line'
      ? [
          'A target chosen when the data was there can be chosen to fit it; the answer holds for a next campaign that declares it first.',
        ]
      : []),
  ];
}

function aboutOneInterval(): string[] {
  return [
    'The interval is for the median of the population the trials come from, if they are independent and alike. It is no test of a difference between two items: that is `rooflaw compare`.',
  ];
}

function aboutIntervals({ family, targetDifference }: Assessed): string[] {
  const { cannotSeparate, largestUpperOverLower } = family;
  const sentences = [
    'The interval of an item is for the median of the population its trials come from, if they are independent and alike. It is no test of a difference between two items: that is `rooflaw compare`.',
  ];
  if (largestUpperOverLower === null) {
    sentences.push('With so few trials nothing holds for all items at once.');
  } else if (cannotSeparate > 0) {
    sentences.push(
      `Each interval covers by itself. Those that hold for all items at once are wider, and for ${formatCount(cannotSeparate, 'item')} they cannot separate a difference of ${formatLimit(targetDifference)}.`,
    );
  } else {
    sentences.push(
      'Each interval covers by itself; for all items at once the wider simultaneous ones hold.',
    );
  }
  return sentences;
}

function aboutInjection({ family }: Assessed): string[] {
  if (family.lowestInjectionRate === null) return [];
  return [
    'The injection rate is not future power: it draws from the trials seen, so unseen tails and day-to-day drift are not in it.',
  ];
}

function aboutProjection({ items }: Assessed): string[] {
  if (items.every(({ trialsNeeded }) => trialsNeeded === null)) return [];
  return [
    'The trials needed are projected from the trials seen and are no promise: redraws of these trials reach them in about half to nine tenths, in fewer where they fall into groups, and the uncertainty of what was seen is not in them.',
  ];
}

function aboutTails(items: readonly ItemAnalysis[]): string[] {
  const bounded = items.flatMap(({ tail }) => tail?.boundedQuantile ?? []);
  if (bounded.length === 0) return [];
  const least = Math.min(...bounded);
  return [
    `Medians say nothing of tails. The slowest trial of an item bounds only its ${formatLimit(least)} quantile (95 % confidence, fewest trials); rarer delays stay unseen.`,
  ];
}
