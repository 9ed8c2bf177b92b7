import { expect, test } from 'vitest';
import { formatImport } from '../../src/report/format-import.ts';
import { formatRows, importText, overflown, readOutput } from './bench-output.ts';

const show = (content: string | Uint8Array, width = 160) =>
  formatImport(importText(content), { colour: false, width });

test('the table shows what the samples give beside what was printed, and the findings', () => {
  const text = show(formatRows({ ...overflown, avg_ts: '42.152768', stddev_ts: '0.521026' }));
  expect(text.replaceAll(/^ +/gm, '')).toBe(`bench.out: 1 test of llama-bench, 1 condition, JSON
Recomputed from the samples. Wrong figures in 1 of 1 test.
Samples inside one process: no interval over processes can be given.

The same in every test
build_commit 0123abc, build_number 5163, model_filename models/small.gguf, n_threads 8, flash_attn -1, use_mmap 1

row  test   n    median  mean ± sd of time      CV       min       max  mean ± sd of t/s  tokens / mean time   printed t/s  printed figures
1    pp512  5  12.155 s   12.148 ± 0.149 s  1.23 %  11.910 s  12.309 s      42.15 ± 0.52               42.15  42.15 ± 0.52  wrong: stddev_ns

n: samples, all in one process; median, mean, sd (standard deviation, ddof 1), CV (sd / mean), min, max: recomputed from them. mean of t/s: of each sample’s
tokens/s, as llama-bench has it; tokens / mean time: what the repetitions took together. printed: mean ± sd as in the file; its deviation of a single
repetition, 0, is unknown. -: not there, or cannot be given.

Findings
- row 1: stddev_ns is printed as 3722529745, the samples give 148894758.2 (25.0 times too large): llama-bench squares nanoseconds in 64-bit integers, and
their sum went beyond 2^64

What this does not show
- samples inside one process: no interval over processes can be given
- whether llama-bench warmed up before the samples (--no-warmup) and in which order the tests ran in its process is not in its output
`);
});

test('small errors of the same kind are said once, with the largest', () => {
  const text = show(readOutput('a.json'));
  expect(text).toContain('Recomputed from the samples. No figure is wrong.');
  expect(text.replace(/\n +/g, ' ')).toContain(
    'rows 1, 3, 4: stddev_ns is not exact: llama-bench drops the fraction of a nanosecond from the mean before it squares it (off by 0.097 % at most)',
  );
});

test('settings that differ stand in the rows, the others above', () => {
  const text = show(
    formatRows(
      { samples_ns: '[1000, 1001]', n_threads: '4' },
      { samples_ns: '[1000, 1001]', n_threads: '8' },
    ),
  );
  expect(text).toMatch(/^1 {4}pp512 n_threads=4 /m);
  expect(text).toMatch(/^2 {4}pp512 n_threads=8 /m);
  expect(text).toContain('flash_attn -1');
  expect(text).not.toContain('n_threads 4');
});

test('of settings that change together the first stands in the rows', () => {
  const samples_ns = '[1000, 1001]';
  const long = `"${'models/'.repeat(9)}b.gguf"`;
  const text = show(
    formatRows(
      { samples_ns, model_filename: '"a.gguf"', model_size: '10', n_threads: '4' },
      { samples_ns, model_filename: '"a.gguf"', model_size: '10' },
      { samples_ns, model_filename: long, model_size: '20', extra: '1' },
    ),
    250,
  );
  expect(text).toMatch(/^1 {4}pp512 model_filename=a\.gguf n_threads=4 /m);
  expect(text).toMatch(
    /^3 {4}pp512 model_filename=…dels\/models\/models\/models\/b\.gguf n_threads=8 /m,
  );
  expect(text).toContain('changes where model_filename does: model_size, extra');
});

test('without samples only the printed figures stand in the table', () => {
  const text = show(readOutput('a.csv'));
  expect(text).toContain('No samples in this file: nothing of it can be recomputed.');
  expect(text).toMatch(/^1 {4}pp32 +863951 ± 25826 +37064\.70 ± 1071\.02 {2}not checkable$/m);
  expect(text).not.toContain('median');
  expect(show(readOutput('one.json'))).toMatch(/51172\.98 ± unknown/);
});

test('losses are shown', () => {
  const bytes = readOutput('a.json');
  const text = show(bytes.subarray(0, 3000));
  expect(text).toContain('Lost');
  expect(text).toMatch(/- line \d+: row 3 has no end: the file stops after ".+" \(\d+ bytes\)/);
});

test('hostile words are printable, and no line is wider than asked for', () => {
  const text = show(
    formatRows({
      samples_ns: '[1000, 1001]',
      model_filename: '"\\u001b[2J\\u202egguf"',
      'x\\u001b]0;y\\u0007': '"z"',
    }),
    80,
  );
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(text).toContain('\ufffd[2J\ufffdgguf');
  expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
});
