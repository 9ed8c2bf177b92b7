import { medianOfNumbers } from '../../src/stats/number-median.ts';
import { type Row, readInterval, readRate } from './read-output.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const median = (numbers: readonly number[]) => medianOfNumbers(numbers) ?? Number.NaN;

/** How one command, typed several times, scatters against the ± that it prints each time. */
export function describeTyped(tables: readonly (readonly Row[])[]): string {
  const [first = []] = tables;
  return first
    .map((row, at) => {
      const rates = tables.map((rows) => readRate(rows[at]!));
      const means = rates.map(({ rate }) => rate);
      const range = (Math.max(...means) - Math.min(...means)) / median(means);
      const printed = median(rates.map(({ rate, deviation }) => deviation / rate));
      const pairs = rates.flatMap((a, i) => rates.slice(i + 1).map((b) => [a, b] as const));
      const apart = pairs.filter(
        ([a, b]) => Math.abs(a.rate - b.rate) > a.deviation + b.deviation,
      ).length;
      return (
        `${row.test}: llama-bench's ${tables.length} means span ${percent(range)} of their median, beside a ± of ` +
        `${percent(printed)} (median); ${apart} of ${pairs.length} pairs differ by more than both ± together.`
      );
    })
    .join(' ');
}

/** Where llama-bench's mean lies against Rooflaw's interval; only for the same settings. */
export function describeAgreement(theirs: readonly Row[], ours: readonly Row[]): string {
  const places = theirs.flatMap((row, at) => {
    const interval = readInterval(ours[at] ?? {});
    if (interval === null || ours[at]?.test !== row.test) return [];
    const { rate } = readRate(row);
    return [rate < interval.low ? 'below' : rate > interval.high ? 'above' : 'inside'];
  });
  if (places.length === 0) return '';
  const count = (place: string) => places.filter((found) => found === place).length;
  const outside = ['below', 'above']
    .filter((place) => count(place) > 0)
    .map((place) => `${place} it in ${count(place)}`);
  return (
    `llama-bench's mean lies inside Rooflaw's interval in ${count('inside')} of ${places.length} rows` +
    `${outside.length > 0 ? `, ${outside.join(' and ')}` : ''}.`
  );
}

/** Which rows of one test have intervals that lie apart. No test, and the text says so. */
export function describeOverlap(rows: readonly Row[]): string {
  const tests = [...new Set(rows.map(({ test }) => test))];
  const found = tests.flatMap((test) => {
    const [one, other] = rows.filter((row) => row.test === test).map(readInterval);
    if (!one || !other) return [];
    const areApart = one.high < other.low || other.high < one.low;
    return [`${test} ${areApart ? 'lie apart' : 'overlap'}`];
  });
  return found.length === 0
    ? ''
    : `Rooflaw's intervals of the two settings: ${found.join('; ')} (to look at; \`rooflaw compare\` tests).`;
}

/** What the first sample of a process took against its later ones. */
export function describeFirstSample([first = Number.NaN, ...later]: readonly number[]): string {
  const excess = first / median(later) - 1;
  return `${percent(Math.abs(excess))} ${excess < 0 ? 'less' : 'more'}`;
}
