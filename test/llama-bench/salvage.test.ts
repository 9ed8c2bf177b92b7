import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { formatRow, formatRows, importText, readOutput, refusalOf } from './bench-output.ts';

const sample = (ns: number) => ({ samples_ns: `[ ${ns}, ${ns + 1} ]`, avg_ns: String(ns) });

test('a crash inside the third test leaves two, and says how many bytes of what are lost', () => {
  const whole = formatRows(sample(1000), sample(2000), sample(3000));
  const start = whole.lastIndexOf('  {') + 2;
  const cut = whole.slice(0, whole.indexOf('"avg_ns": 3000') - 6);
  const { runs, losses } = importText(cut);
  expect(runs.map(({ row }) => row)).toEqual([1, 2]);
  expect(losses).toEqual([
    {
      line: 30,
      bytes: cut.trimEnd().length - start,
      what: 'row 3 has no end: the file stops after "samples_ns"',
    },
  ]);
});

test('a crash between two tests loses no row but the end of the array', () => {
  const cut = `[\n${formatRow(sample(1000))},\n${formatRow(sample(2000))}`;
  const { runs, losses } = importText(cut);
  expect(runs).toHaveLength(2);
  expect(losses).toEqual([
    {
      line: 29,
      bytes: 0,
      what: 'the array has no end: the run stopped after row 2, and how many tests were to follow is unknown',
    },
  ]);
});

test('a run that was appended after a crash is read too', () => {
  const cut = formatRows(sample(1000), sample(2000)).slice(0, -60);
  const { runs, losses } = importText(`${cut}\nSegmentation fault\n${formatRows(sample(5000))}`);
  expect(runs.map(({ row, samplesNs }) => [row, samplesNs?.[0]])).toEqual([
    [1, 1000],
    [3, 5000],
  ]);
  expect(losses).toHaveLength(1);
  expect(losses[0]?.what).toMatch(/^row 2 is broken at line \d+, after "/);
});

test('a row that was cut inside a name does not take the next one with it', () => {
  const cut = formatRows(sample(1000), sample(2000));
  const inName = cut.slice(0, cut.lastIndexOf('small.gguf'));
  const { runs, losses } = importText(`${inName}\n${formatRows(sample(5000))}`);
  expect(runs.map(({ samplesNs }) => samplesNs?.[0])).toEqual([1000, 5000]);
  expect(losses.map(({ what }) => what)).toEqual([
    'row 2 is broken at line 19, after "build_number"',
  ]);
});

test('a torn last line of JSON lines is a loss', () => {
  const bytes = readOutput('b.jsonl');
  const { runs, losses, source } = importText(bytes.subarray(0, bytes.length - 40));
  expect(source.layout).toBe('jsonl');
  expect(runs).toHaveLength(3);
  expect(losses).toEqual([
    { line: 4, bytes: 942, what: 'row 4 has no end: the file stops after "samples_ns"' },
  ]);
});

test.each(['a.csv', 'b.sql', 'c.md'])('a torn last row of %s is a loss', (name) => {
  const bytes = readOutput(name);
  const whole = importText(bytes);
  const lastRow = new TextDecoder()
    .decode(bytes)
    .lastIndexOf(name === 'c.md' ? '| llama' : '\n', bytes.length - 2);
  const { runs, losses } = importText(bytes.subarray(0, lastRow + 60));
  expect(runs.map(({ printed }) => printed)).toEqual(
    whole.runs.slice(0, 3).map(({ printed }) => printed),
  );
  expect(losses).toHaveLength(1);
  expect(losses[0]).toMatchObject({ line: whole.runs[3]!.line });
  expect(losses[0]?.what).toContain('row 4 has no end');
});

test.each(['a.json', 'b.jsonl', 'a.csv', 'b.sql', 'c.md'])(
  '%s cut at any byte gives the rows before the cut, unchanged, or a refusal in words',
  (name) => {
    const bytes = readOutput(name);
    const whole = importText(bytes).runs;
    for (let length = 0; length < bytes.length; length += 7) {
      try {
        const { runs, losses } = importText(bytes.subarray(0, length));
        const names = runs.map(({ row, test: ofRow, printed }) => [
          row,
          ofRow,
          printed.avg_ts?.text,
        ]);
        const isWhole = losses.length === 0;
        expect(names).toEqual(
          whole
            .slice(0, runs.length)
            .map(({ row, test: ofRow, printed }) => [row, ofRow, printed.avg_ts?.text]),
        );
        if (name === 'a.json' && length < bytes.length - 2) expect(isWhole).toBe(false);
      } catch (error) {
        expect(error).toBeInstanceOf(RooflawError);
      }
    }
  },
);

test('output that ends before its first test says so', () => {
  const error = refusalOf(readOutput('stopped.json'));
  expect(error.message).toBe('bench.out holds no complete row');
  expect(error.hint).toContain('ended before its first test');
  expect(error.exitStatus).toBe(2);
});

test('text around the rows is named by line and not read', () => {
  const text = `[1]  31 segmentation fault (core dumped)\nggml {a b}\n${formatRow(sample(1000))}\nbye {\n`;
  const { runs, ignored, losses } = importText(text, 'json');
  expect(runs).toHaveLength(1);
  expect(losses).toEqual([]);
  expect(ignored).toEqual([
    { line: 1, bytes: 51, text: '[1]  31 segmentation fault (core dumped)\nggml {a b}' },
    { line: 17, bytes: 5, text: 'bye {' },
  ]);
});

test('lines of text that adjoin are one piece', () => {
  const { ignored } = importText('n_prompt,n_gen,avg_ts\none\n\ntwo\n1,0,2.5\nthree\n');
  expect(ignored).toEqual([
    { line: 2, bytes: 8, text: 'one' },
    { line: 6, bytes: 5, text: 'three' },
  ]);
});

/** A row of SQL whose file is called like this, as it stands between the quotes. */
const insertOf = (filename: string) =>
  `INSERT INTO llama_bench (model_filename, n_prompt, n_gen, avg_ns) VALUES ('${filename}', '8', '0', '1000');\n`;

test('a string of SQL may hold line breaks', () => {
  const { runs, conditions, losses } = importText(
    insertOf("it''s\n'', a\r\nname") + insertOf('b') + insertOf('c\n\nd'),
  );
  expect(losses).toEqual([]);
  expect(runs.map(({ line }) => line)).toEqual([1, 4, 5]);
  expect(conditions[0]?.fields.model_filename).toMatch(/^it's\n', a\r?\nname$/);
  expect(conditions[2]?.fields.model_filename).toBe('c\n\nd');
});

test('a string of SQL that was cut takes only its own statement along', () => {
  const cut = insertOf('begin').split('gin')[0]!;
  for (const after of [insertOf('c'), `it's a log, ('it is')\n  ${insertOf('c')}`]) {
    const { runs, losses } = importText(`${insertOf('a')}${cut}\n${after}`);
    expect(runs.map(({ row }) => row)).toEqual([1, 3]);
    expect(losses).toMatchObject([
      { line: 2, what: 'row 2 is broken: a quote is not closed in line 2' },
    ]);
  }
});

test('a string of SQL that is cut again and again is given up in linear time', () => {
  const cut = `INSERT INTO llama_bench (n_prompt, n_gen, avg_ns) VALUES ('8', '${"''".repeat(100)}\n`;
  const text = `${insertOf('a')}${cut.repeat(500)}${'\n '.repeat(500_000)}${insertOf('b')}`;
  expect(importText(text).runs.map(({ row }) => row)).toEqual([1, 502]);
});
