import type { Fault } from '../errors.ts';
import { compareFractions, type Fraction, toNumber } from '../stats/fraction.ts';
import { formatItem } from './architecture.ts';
import { type TrialLine, trialKey } from './trial-table.ts';

/**
 * What the rows of one campaign contradict: several protocols or devices, a trial twice, two
 * trials at one place, and times of one item that seem to be in different units.
 * @param unitsAreChecked false where raw repetitions vouch for every time
 */
export function findTrialTableFaults(
  lines: readonly TrialLine[],
  unitsAreChecked: boolean,
): Fault[] {
  return [
    ...findSeveral(lines, 'protocol'),
    ...findSeveral(lines, 'device'),
    ...findDuplicates(lines),
    ...(unitsAreChecked ? findMixedUnits(lines) : []),
  ];
}

function findSeveral(lines: readonly TrialLine[], name: 'protocol' | 'device'): Fault[] {
  const first = new Map<string, number>();
  for (const row of lines) if (!first.has(row[name])) first.set(row[name], row.line);
  if (first.size < 2) return [];
  const named = [...first].map(([value, line]) => `${value} (line ${line})`).join(', ');
  return [
    {
      where: name,
      what: `one campaign with ${first.size} ${name}s: ${named}`,
      hint: 'their times must not be pooled: give each a campaign name of its own',
    },
  ];
}

function findDuplicates(lines: readonly TrialLine[]): Fault[] {
  const faults: Fault[] = [];
  const trials = new Map<string, number>();
  const places = new Map<string, number>();
  for (const { line, item, round, position } of lines) {
    const key = trialKey(item, round);
    const place = `${round}/${position}`;
    const twin = trials.get(key);
    const neighbour = places.get(place);
    if (twin !== undefined) {
      const what = `${key} stands in line ${twin} already`;
      faults.push({
        where: `line ${line}`,
        what,
        hint: 'a trial is one row; remove none by its time',
      });
    } else if (neighbour !== undefined) {
      const what = `line ${neighbour} is at position ${position} of round ${round} too`;
      faults.push({
        where: `line ${line}`,
        what,
        hint: 'trials are measured one after another: state the place of each in its round, from 0',
      });
    }
    trials.set(key, twin ?? line);
    places.set(place, neighbour ?? line);
  }
  return faults;
}

/**
 * A ratio within this factor of 1,000, 1,000,000 or 1,000,000,000 is taken for another unit. A real
 * delay of just this size is possible; then the raw repetitions show it.
 */
const unitTolerance = 1.5;
const unitRatios = [1e3, 1e6, 1e9];

function findMixedUnits(lines: readonly TrialLine[]): Fault[] {
  const byItem = Map.groupBy(
    lines.flatMap(({ trialMeanNs, ...row }) =>
      trialMeanNs === null ? [] : [{ ...row, trialMeanNs }],
    ),
    ({ item }) => formatItem(item),
  );
  return [...byItem.values()].flatMap((rows) => {
    const sorted = rows.toSorted((a, b) => compareFractions(a.trialMeanNs, b.trialMeanNs));
    const middle = sorted[Math.floor((sorted.length - 1) / 2)]!;
    return rows.flatMap((row) => {
      const ratio = ratioOf(row.trialMeanNs, middle.trialMeanNs);
      const unit = unitRatios.find((candidate) => isNear(ratio, candidate));
      const inverse = unitRatios.find((candidate) => isNear(1 / ratio, candidate));
      if (unit === undefined && inverse === undefined) return [];
      const times = (unit ?? inverse)!.toLocaleString('en-US');
      const relation = unit === undefined ? `1/${times} of` : `${times} times`;
      return [
        {
          where: `line ${row.line}`,
          what: `trialMeanNs is about ${relation} that of line ${middle.line}, the same item: mixed units?`,
          hint: 'every time is in nanoseconds; a trial that really took so long is believed when repetitions.csv lies beside the table',
        },
      ];
    });
  });
}

const ratioOf = (a: Fraction, b: Fraction) =>
  toNumber({
    numerator: a.numerator * b.denominator,
    denominator: a.denominator * b.numerator,
  });

const isNear = (ratio: number, unit: number) =>
  ratio > unit / unitTolerance && ratio < unit * unitTolerance;
