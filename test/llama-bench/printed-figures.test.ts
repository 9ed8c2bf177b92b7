import { expect, test } from 'vitest';
import { formatRows, importText, overflown } from './bench-output.ts';

const firstRun = (row: Record<string, string | undefined>) => importText(formatRows(row)).runs[0]!;

test('the deviation of five repetitions of 12 s, printed 25 times too large, is put right', () => {
  const run = firstRun(overflown);
  expect(run.statistics?.sdNs).toBeCloseTo(148894758.2018823, 6);
  expect(run.printed.avg_ns?.verdict).toBe('confirmed');
  expect(run.printed.stddev_ns).toMatchObject({
    text: '3722529745',
    value: 3722529745,
    verdict: 'wrong',
    cause: 'integer-overflow',
  });
  expect(run.printed.stddev_ns?.right).toBeCloseTo(148894758.2018823, 6);
  expect(run.printed.stddev_ns?.relativeError).toBeCloseTo(24.001079, 5);
  expect(run.findings).toHaveLength(1);
  expect(run.findings[0]).toMatchObject({
    code: 'wrong-figure',
    severity: 'wrong',
    column: 'stddev_ns',
    text: expect.stringContaining('25.0 times too large'),
  });
});

test('the right deviation of the same samples is confirmed, rounded or cut off', () => {
  expect(firstRun({ ...overflown, stddev_ns: '148894758' }).printed.stddev_ns?.verdict).toBe(
    'confirmed',
  );
  expect(firstRun({ ...overflown, stddev_ns: '148894760' }).printed.stddev_ns).toMatchObject({
    verdict: 'inexact',
    cause: 'unexplained',
  });
});

test('a mean without its fraction makes a small deviation wrong, and the cause is named', () => {
  // mean 1000000000.8; the integer formula takes 1000000000: sqrt(2e9 + 1) where 1.3 is right
  const run = firstRun({
    samples_ns: '[1000000000, 1000000000, 1000000001, 1000000003, 1000000000]',
    stddev_ns: '44721',
  });
  expect(run.statistics?.sdNs).toBeCloseTo(1.3038404810405297, 12);
  expect(run.printed.stddev_ns).toMatchObject({ verdict: 'wrong', cause: 'truncated-mean' });
});

test('a deviation that neither samples nor tool give is unexplained', () => {
  const run = firstRun({ samples_ns: '[1000, 2000, 3000]', stddev_ns: '1500', avg_ns: '2100' });
  expect(run.printed.stddev_ns).toMatchObject({
    verdict: 'wrong',
    cause: 'unexplained',
    right: 1000,
  });
  expect(run.printed.avg_ns).toMatchObject({ verdict: 'wrong', cause: 'unexplained', right: 2000 });
});

test.each(['-nan', 'nan', '-nan(ind)', '-1.#IND', 'NaN'])(
  'equal repetitions whose deviation is printed as %s have none',
  (printed) => {
    const run = firstRun({
      n_prompt: '128',
      samples_ns: '[300003, 300003, 300003]',
      stddev_ts: printed,
    });
    expect(run.statistics?.tokensPerSecond.sdOfRates).toBe(0);
    expect(run.printed.stddev_ts).toMatchObject({
      text: printed,
      value: null,
      verdict: 'unknown',
      right: 0,
      cause: 'cancellation',
    });
    expect(run.findings[0]).toMatchObject({ code: 'unknown-figure', severity: 'wrong' });
  },
);

test('a deviation of the rates that is all rounding is told from a changed one', () => {
  const samples_ns = '[5000000000, 5000000001, 5000000003, 5000000002, 5000000004]';
  const rounding = firstRun({ n_prompt: '128', samples_ns, stddev_ts: '0.0000003372' });
  expect(rounding.printed.stddev_ts).toMatchObject({ verdict: 'wrong', cause: 'cancellation' });
  const changed = firstRun({ n_prompt: '128', samples_ns, stddev_ts: '0.5' });
  expect(changed.printed.stddev_ts).toMatchObject({ verdict: 'wrong', cause: 'unexplained' });
});

test('rates are checked with the decimals that are printed', () => {
  const samples_ns = '[ 74601900, 71632900, 71745200, 71952700, 70745500 ]';
  expect(firstRun({ samples_ns, avg_ts: '7100.002165' }).printed.avg_ts?.verdict).toBe('confirmed');
  expect(firstRun({ samples_ns, avg_ts: '7100.00' }).printed.avg_ts?.verdict).toBe('confirmed');
  expect(firstRun({ samples_ns, avg_ts: '7100.01' }).printed.avg_ts?.verdict).toBe('inexact');
  expect(firstRun({ samples_ns, stddev_ts: '140.341520' }).printed.stddev_ts?.verdict).toBe(
    'confirmed',
  );
  // tokens over the mean time is another quantity
  expect(firstRun({ samples_ns, avg_ts: '7097.740036' }).printed.avg_ts?.verdict).toBe('inexact');
});

test('samples whose sum is beyond 2^53 keep every digit', () => {
  const run = firstRun({
    n_prompt: '1',
    samples_ns: '[9007199254740991, 9007199254740991, 9007199254740989]',
    avg_ns: '9007199254740990',
  });
  expect(run.statistics?.sumNs).toBe('27021597764222971');
  expect(run.statistics?.sdNs).toBeCloseTo(1.1547005383792515, 14);
  expect(run.printed.avg_ns?.verdict).toBe('confirmed');
});

test('without samples an overflown deviation shows by the deviation of the rates', () => {
  const table = (stddevNs: string, stddevTs: string) =>
    'n_prompt,n_gen,n_depth,avg_ns,stddev_ns,avg_ts,stddev_ts\n' +
    `"512","0","0","12147768280","${stddevNs}","42.152768","${stddevTs}"\n`;
  const [run] = importText(table('3722529745', '0.521026')).runs;
  expect(run?.printed.stddev_ns).toMatchObject({
    verdict: 'wrong',
    right: null,
    cause: 'integer-overflow',
  });
  expect(run?.findings[0]?.text).toBe(
    'stddev_ns is printed as 3722529745, 30.6 % of the mean, while the rates have 1.24 %: llama-bench squares nanoseconds in 64-bit integers, and their sum went beyond 2^64',
  );
  expect(importText(table('148894758', '0.521026')).runs[0]?.findings).toEqual([]);
  // repetitions that really differ so much have rates that do
  expect(importText(table('3722529745', '13.1')).runs[0]?.findings).toEqual([]);
});

test('a mean rate below the tokens over the mean time is impossible', () => {
  const table = (rate: string) => `n_prompt,n_gen,avg_ns,avg_ts\n"512","0","100000000","${rate}"\n`;
  expect(importText(table('5119.000000')).runs[0]?.findings[0]).toMatchObject({
    code: 'impossible-figures',
    severity: 'wrong',
  });
  expect(importText(table('5120.000000')).runs[0]?.findings).toEqual([]);
  expect(importText(table('5300.000000')).runs[0]?.findings).toEqual([]);
});

test('a printed 0 without samples is the unknown deviation of -r 1', () => {
  const { runs } = importText(
    '| model | test | t/s |\n| --- | ---: | ---: |\n| small | pp 512 | 273.35 ± 0.00 |\n',
  );
  expect(runs[0]?.printed.stddev_ts).toMatchObject({
    text: '0.00',
    value: null,
    verdict: 'unknown',
  });
  expect(runs[0]?.findings[0]?.text).toContain('-r 1');
});

test('a test without repetitions (-r 0) has no statistics', () => {
  const run = firstRun({ samples_ns: '[  ]', avg_ns: '0', stddev_ns: '0', avg_ts: '0.000000' });
  expect(run.statistics).toBeNull();
  expect(run.samplesNs).toEqual([]);
  expect(run.printed.avg_ts).toMatchObject({ value: null, verdict: 'unknown' });
  expect(run.findings.map(({ code }) => code)).toEqual(['no-samples']);
});

test('rates that belong to other samples are told, and the times are used', () => {
  const samples_ns = '[ 1000000, 1000000 ]';
  const right = firstRun({ samples_ns, samples_ts: '[ 512000, 512000 ]' });
  expect(right.findings).toEqual([]);
  const changed = firstRun({ samples_ns, samples_ts: '[ 512000, 500000 ]' });
  expect(changed.findings[0]).toMatchObject({ code: 'samples-disagree', severity: 'wrong' });
  const fewer = firstRun({ samples_ns, samples_ts: '[ 512000 ]' });
  expect(fewer.findings[0]?.code).toBe('samples-disagree');
});
