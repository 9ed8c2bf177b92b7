import type { Fault } from '../errors.ts';
import { compareFractions, type Fraction, toNumber } from '../stats/fraction.ts';
import { formatItem } from './architecture.ts';
import { cutText } from './strict-csv.ts';
import { type TrialLine, trialKey } from './trial-table.ts';

/**
 * What the rows of one campaign contradict: several protocols or devices, a trial twice, two
 * trials at one place, and times that seem to be in another unit than ns: too short for a process of
 * llama.cpp, or unlike the item's or the other items'.
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
    ...(unitsAreChecked ? [...findOtherUnits(lines), ...findMixedUnits(lines)] : []),
  ];
}

/** So many are named of what there may be thousands of. */
const namedValues = 5;

function findSeveral(lines: readonly TrialLine[], name: 'protocol' | 'device'): Fault[] {
  const first = new Map<string, number>();
  for (const row of lines) if (!first.has(row[name])) first.set(row[name], row.line);
  if (first.size < 2) return [];
  const list = [...first].slice(0, namedValues);
  const named = list.map(([value, line]) => `${cutText(value)} (line ${line})`).join(', ');
  const rest = first.size > namedValues ? ', …' : '';
  return [
    {
      where: name,
      what: `one campaign with ${first.size} ${name}s: ${named}${rest}`,
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

/** No pass through a model and no process is as short: 1 µs, 1 ms. */
const leastMeanNs = 1000n;
const leastProcessNs = 1_000_000;
/** A mean that is at most this share of its process, while other items' are not, has another unit. */
const leastShare = { numerator: 1n, denominator: 100_000n };
const inMilliseconds = 'are these milliseconds?';
const believed =
  'every time is in nanoseconds; a time that is really so is believed when repetitions.csv lies beside the table';

function findOtherUnits(lines: readonly TrialLine[]): Fault[] {
  const observed = lines.filter(({ trialMeanNs }) => trialMeanNs !== null);
  const faults = observed.flatMap((row) => {
    const { numerator, denominator } = row.trialMeanNs!;
    const isShort = numerator < leastMeanNs * denominator;
    if (!isShort && row.processNs! >= leastProcessNs) return [];
    const what = isShort
      ? `trialMeanNs is below 1,000 ns, less than any pass through a model takes: ${inMilliseconds}`
      : `processNs is below 1,000,000 ns, less than any process takes: ${inMilliseconds}`;
    return [{ where: `line ${row.line}`, what, hint: believed }];
  });
  if (faults.length > 0) return faults;
  const items = [...Map.groupBy(observed, ({ item }) => formatItem(item)).values()];
  const tiny = items.filter((rows) => rows.every(isTinyShare));
  if (tiny.length === items.length) return [];
  return tiny.map(([row]) => ({
    where: `line ${row!.line}`,
    what: `trialMeanNs of ${formatItem(row!.item)} is at most 1/100,000 of its process, unlike that of other items: ${inMilliseconds}`,
    hint: believed,
  }));
}

function isTinyShare({ trialMeanNs, processNs }: TrialLine): boolean {
  const { numerator, denominator } = trialMeanNs!;
  const process = BigInt(processNs!);
  return numerator * leastShare.denominator <= leastShare.numerator * process * denominator;
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
          hint: believed,
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
