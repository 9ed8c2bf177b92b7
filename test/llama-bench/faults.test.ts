import { expect, test } from 'vitest';
import { formatRows, importText, refusalOf } from './bench-output.ts';

const samples = { samples_ns: '[ 1000, 1001 ]' };

test('every fault of every row comes at once, with its row and line', () => {
  const error = refusalOf(
    formatRows(
      { ...samples, n_prompt: undefined, n_gen: '-1' },
      { samples_ns: '[ 1000, 0, -5, 1.5 ]', avg_ts: 'true' },
      { samples_ns: 'null' },
    ),
  );
  expect(error.code).toBe('invalid-input');
  expect(error.faults.map(({ where, what }) => `${where} ${what}`)).toEqual([
    'row 1 (line 2), n_prompt is missing',
    'row 1 (line 2), n_gen must be a whole number, is -1',
    'row 2 (line 14), samples_ns [1] is 0: no repetition takes no time; [2] is -5: a time is a positive whole number of nanoseconds; [3] is 1.5: a time is a positive whole number of nanoseconds',
    'row 2 (line 14), avg_ts must be a number, is true',
    'row 3 (line 28), samples_ns is missing, and so are avg_ns and avg_ts',
  ]);
});

test.each([
  ['tokens of another type', { ...samples, n_prompt: '"512"' }, 'is the text "512"'],
  ['no tokens', { ...samples, n_prompt: '0' }, 'are both 0'],
  ['a sample that is no number', { samples_ns: '[ nan, 5 ]' }, 'samples_ns [0] is nan'],
  ['a sample that is text', { samples_ns: '[ "5" ]' }, 'must be a number of nanoseconds'],
  ['samples that are no array', { samples_ns: '5' }, 'must be an array, is 5'],
  ['a sample beyond 104 days', { samples_ns: '[ 9007199254740992 ]' }, '104 days'],
  ['a negative mean', { ...samples, avg_ns: '-3' }, 'cannot be negative'],
  ['a negative deviation', { ...samples, stddev_ts: '-0.5' }, 'cannot be negative'],
  ['a mean that is no number', { ...samples, avg_ts: 'nan' }, 'is nan, no number'],
  ['fractions of nanoseconds', { ...samples, avg_ns: '10.5' }, 'whole number of nanoseconds'],
  ['a rate that is infinite', { ...samples, samples_ts: '[ inf ]' }, 'a rate is positive'],
  ['averages of which one is 0', { avg_ns: '5000', avg_ts: '0' }, 'contradict each other'],
])('%s is a fault', (_, row: Record<string, string>, words) => {
  const { faults } = refusalOf(formatRows(row));
  expect(faults.map(({ where, what }) => `${where} ${what}`).join('\n')).toContain(words);
});

test.each([
  ['the mean in µs', { samples_ns: '[ 70000000, 71000000 ]', avg_ns: '70500' }],
  ['the samples in ms', { samples_ns: '[ 70, 71 ]', avg_ns: '70500000' }],
  ['the mean in ns beside a rate per ms', { avg_ns: '70500000', avg_ts: '7.2625' }],
  ['the samples in µs beside rates per s', { samples_ns: '[ 70000 ]', samples_ts: '[ 7314.29 ]' }],
])('mixed units are a fault: %s', (_, row) => {
  const { faults } = refusalOf(formatRows(row));
  expect(faults[0]?.what).toContain('the units are mixed');
});

test('a member that stands twice in a row is a fault', () => {
  const text = formatRows({ ...samples, twin: '1' }).replace('"twin": 1', '"n_gen": 3');
  expect(refusalOf(text).faults[0]?.what).toBe('the member "n_gen" stands there twice');
});

test('a CSV row with another number of cells, an open quote or a column twice is a fault', () => {
  const csv =
    'n_prompt,n_gen,avg_ts,avg_ts\n"1","0","2","3"\n"1","0","2"\n"1","0","2,3\n"1","0","2","3"\n';
  expect(refusalOf(csv).faults.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'line 1: the column "avg_ts" stands there twice',
    'row 2 (line 3): has 3 cells where the header has 4',
    'row 3 (line 4): has a quote that is not closed',
  ]);
});

test('a Markdown row with another number of cells, no test or no rate is a fault', () => {
  const table =
    '| model | test | t/s |\n| --- | --- | --- |\n| a | pp8 |\n| a | 8 | 1.00 ± 0.10 |\n| a | tg8 | fast |\n';
  const error = refusalOf(table);
  expect(error.faults).toHaveLength(3);
  expect(error.faults[1]?.what).toContain('none of pp512');
  expect(error.faults[2]?.what).toContain('not a rate');
});

test.each([
  ['an empty file', '', 'is empty'],
  ['spaces', ' \n\n', 'is empty'],
  ['prose', 'Nothing measured today.\n', 'is no output of llama-bench'],
  ['another JSON', '{"name": "rooflaw", "private": true}', 'is no output of llama-bench'],
  ['another CSV', 'a,b,c\n1,2,3\n', 'is no output of llama-bench'],
  ['another SQL', "INSERT INTO t (a, b) VALUES ('1', '2');", 'is no output of llama-bench'],
  ['another table', '| a | b |\n| - | - |\n| 1 | 2 |\n', 'is no output of llama-bench'],
])('%s is refused', (_, text, words) => {
  const error = refusalOf(text);
  expect(error.message).toContain(words);
  expect(error.exitStatus).toBe(2);
});

test('a format that is said is not looked for', () => {
  expect(importText(formatRows(samples), 'jsonl').source).toMatchObject({
    layout: 'jsonl',
    layoutFrom: 'option',
  });
  expect(() => importText(formatRows(samples), 'csv')).toThrow('holds no complete row');
});

const million = 1_000_000;
test.each([
  ['braces', '{'.repeat(million)],
  ['opened strings', '[\n{"'.repeat(million / 4)],
  ['nested objects', '{"a":'.repeat(million / 5)],
  ['nested arrays', `{"n_prompt":${'['.repeat(million)}`],
  ['backslashes', `[{"${'\\'.repeat(million)}`],
  ['braces in other text', 'x{'.repeat(million / 2)],
  ['lines', 'x\n'.repeat(million / 2)],
  ['pipes', '|'.repeat(million)],
  ['headings', '| test | t/s |\n'.repeat(million / 15)],
  ['signs', `| test | t/s |\n| pp1 | ${'±'.repeat(million / 2)} |\n`],
  ['quotes', `n_prompt,n_gen,avg_ns\n${'"'.repeat(million)}`],
  ['open quotes', `n_prompt,n_gen,avg_ns\n${'"\n'.repeat(million / 2)}`],
  ['commas', `n_prompt,n_gen,avg_ns\n${',\n'.repeat(million / 2)}`],
  ['apostrophes', `INSERT INTO t (n_prompt, n_gen, avg_ns) VALUES (${"'".repeat(million)}`],
  ['statements', "INSERT INTO t (n_prompt, n_gen, avg_ns) VALUES ('".repeat(million / 50)],
  ['tables', 'CREATE TABLE t (n_prompt n_gen avg_ns '.repeat(million / 38)],
  ['a long number', `[{"n_prompt": ${'9'.repeat(million)}, "n_gen": 0}]`],
])('a megabyte of %s is refused without hanging', { timeout: 20_000 }, (_, text) => {
  expect(refusalOf(text).exitStatus).toBe(2);
});
