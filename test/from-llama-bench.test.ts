import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  describeAgreement,
  describeOverlap,
  describeTyped,
  describeWarmth,
  drawTable,
  median,
  readInterval,
  readRate,
  readTable,
  splitWords,
} from '../scripts/write-from-llama-bench.ts';

const table = `before
| model      | size |  fa |  test |            t/s |   interval t/s |
| ---------- | ---: | --: | ----: | -------------: | -------------: |
| llama Q8_0 |   26 |   0 | pp128 | 200.00 ± 10.00 | 190.00–210.00 (96.9 %) |
| llama Q8_0 |   26 |   1 | pp128 | 220.00 ± 10.00 | 211.00–230.00 (96.9 %) |
| llama Q8_0 |   26 |   0 |  tg32 |   50.00 ± 0.00 | 45.00–55.00 (96.9 %) |
| llama Q8_0 |   26 |   1 |  tg32 |   52.00 ± 0.00 | 50.00–54.00 (96.9 %) |

build: abc (1)
`;
const rowOf = (name: string, rate: string, interval = '') => ({
  test: name,
  't/s': rate,
  'interval t/s': interval,
});

test('a table is read by its headings, with rates and intervals', () => {
  const rows = readTable(table);
  expect(rows).toHaveLength(4);
  expect(rows[1]?.fa).toBe('1');
  expect(readRate(rows[0]!)).toEqual({ rate: 200, deviation: 10 });
  expect(readInterval(rows[2]!)).toEqual({ low: 45, high: 55 });
  expect(readInterval({ 'interval t/s': 'none' })).toBeNull();
  expect(readTable('no table here')).toEqual([]);
});

test('columns that say the same in every row are left out unless they are options', () => {
  const [heading, first] = drawTable(readTable(table)).split('\n');
  expect(heading).toBe('| fa |  test |            t/s |           interval t/s |');
  expect(first).toBe('|  0 | pp128 | 200.00 ± 10.00 | 190.00–210.00 (96.9 %) |');
});

test('intervals that lie apart and that overlap are told apart', () => {
  expect(describeOverlap(readTable(table))).toContain('pp128 lie apart; tg32 overlap');
  expect(describeOverlap([rowOf('pp1', '1.00 ± 0.00', 'none')])).toBe('');
});

test('a mean is inside, below or above the other program’s interval', () => {
  const theirs = ['8.00 ± 0.00', '10.00 ± 0.00', '13.00 ± 0.00'].map((rate) => rowOf('pp1', rate));
  const ours = theirs.map(() => rowOf('pp1', '10.00 ± 1.00', '9.00–12.00 (97.9 %)'));
  expect(describeAgreement(theirs, ours)).toBe(
    "llama-bench's mean lies inside Rooflaw's interval in 1 of 3 rows, below it in 1 and above it in 1.",
  );
  expect(describeAgreement(theirs.slice(1, 2), ours)).toBe(
    "llama-bench's mean lies inside Rooflaw's interval in 1 of 1 rows.",
  );
  expect(describeAgreement(theirs, [])).toBe('');
});

test('a command typed several times is set against its own deviation', () => {
  // means 100, 110, 120: range 20 of 110; deviations 2 %, 2.727 %, 2.5 %; 100–110 and 110–120 differ
  // by 10 against 2 + 3 and 3 + 3, 100–120 by 20 against 2 + 3
  const tables = ['100.00 ± 2.00', '110.00 ± 3.00', '120.00 ± 3.00'].map((rate) => [
    rowOf('pp1', rate),
  ]);
  expect(describeTyped(tables)).toBe(
    'pp1: the 3 means reach over 18.2 % of their median, the ± printed beside them is 2.5 % (median); ' +
      '3 of 3 pairs differ by more than both ± together.',
  );
});

test('the first sample of a process is set against the median of the later ones', () => {
  // 12/10, 9/10 and 11/10
  const { excess, text } = describeWarmth([
    [12, 10, 10, 9],
    [9, 10, 10, 10],
    [11, 10, 9, 11],
  ]);
  expect(excess).toBeCloseTo(0.1, 12);
  expect(text).toBe('+10.0 % (−10.0 % to +20.0 % in 3 processes)');
});

test('medians and words are what they should be', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
  expect(splitWords('ab --a "-fa 0" -p 1')).toEqual(['ab', '--a', '-fa 0', '-p', '1']);
});

test('the page has its ten commands and names no folder of a machine', () => {
  const page = readFileSync(new URL('../docs/from-llama-bench.md', import.meta.url), 'utf8');
  expect(page.match(/^## \d+\. /gm)).toHaveLength(10);
  expect(page.match(/^`llama-bench -m /gm)).toHaveLength(10);
  expect(page.match(/^`rooflaw bench -m /gm)).toHaveLength(10);
  expect(page).not.toMatch(/\/(?:home|root|tmp|Users|work)\//);
  expect(page).not.toMatch(/NaN|undefined/);
});
