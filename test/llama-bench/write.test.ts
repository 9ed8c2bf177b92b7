import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Execution } from '../../src/formats/protocol.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import type { BenchRow, OwnFigures } from '../../src/llama-bench/write/bench-row.ts';
import {
  describeBenchRow,
  type MeasuredTest,
} from '../../src/llama-bench/write/describe-bench-row.ts';
import { llamaBenchFields } from '../../src/llama-bench/write/fields.ts';
import { writeBench } from '../../src/llama-bench/write/write-bench.ts';
import { formatImport } from '../../src/report/format-import.ts';
import { importText, overflown, readOutput } from './bench-output.ts';

const ours: OwnFigures = {
  representativeNs: 200_000_000,
  interval: { lowerNs: 100_000_000, upperNs: 250_000_000, coverage: 0.978515625 },
  processes: 3,
  failed: 0,
  stable: false,
  inTrialCvMax: 0.0125,
  warmup: 2,
  kept: 5,
  modelSha256: 'ab'.repeat(32),
  variant: 'fa=0',
  campaign: 'mine',
  protocolSha256: 'cd'.repeat(32),
  disturbed: 0,
};

/** A prefill of 100 tokens that took 0.1, 0.2 and 0.3 s. */
function describe(changes: Partial<MeasuredTest> = {}): BenchRow {
  return describeBenchRow({
    build: { commit: '5b4ebc5', number: 1 },
    cpuInfo: 'Some CPU',
    gpuInfo: '',
    backends: [],
    model: { filename: 'a.gguf', type: 'llama ?B Q8_0', sizeBytes: 70912, parameterCount: 65856 },
    execution: createBaseExecution(2),
    device: 'CPU',
    mainDevice: null,
    test: { phase: 'prefill', tokens: 100, depth: 0 },
    startTime: '2026-11-29T15:58:09.512Z',
    trialMeansNs: [100_000_000, 200_000_000.4, 299_999_999.6],
    ours,
    ...changes,
  });
}

const decode = describe({
  test: { phase: 'decode', tokens: 8, depth: 16 },
  trialMeansNs: [400, 600],
  ours: { ...ours, representativeNs: 500, interval: null, processes: 2, failed: 1, stable: null },
});

/** llama-bench's part of what it really printed, with figures of ours beside it. */
function recordedRows(name: string): BenchRow[] {
  const text = new TextDecoder().decode(readOutput(name));
  const objects = name.endsWith('jsonl')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text);
  return objects.map((llamaBench: BenchRow['llamaBench']) => ({ llamaBench, ours }));
}

test('the fields have llama-bench’s names, order and types', () => {
  const { llamaBench } = describe();
  const [recorded] = recordedRows('a.json');
  expect(Object.keys(llamaBench)).toEqual(Object.keys(recorded!.llamaBench));
  for (const [name, value] of Object.entries(recorded!.llamaBench)) {
    expect([name, typeof llamaBench[name]]).toEqual([name, typeof value]);
  }
  expect(Object.keys(llamaBench).slice(0, -2)).toEqual(llamaBenchFields.map(([name]) => name));
});

test('the samples are the processes’ means, and the statistics are llama-bench’s of them', () => {
  expect(describe().llamaBench).toMatchObject({
    n_prompt: 100,
    n_gen: 0,
    n_depth: 0,
    test_time: '2026-11-29T15:58:09Z',
    samples_ns: [100_000_000, 200_000_000, 300_000_000],
    samples_ts: [1000, 500, 333.333],
    avg_ns: 200_000_000,
    stddev_ns: 100_000_000,
    avg_ts: 611.111111,
    stddev_ts: 346.944333,
  });
});

test('times whose squares overflow in llama-bench have their right deviation', () => {
  const { llamaBench } = describe({
    test: { phase: 'decode', tokens: 128, depth: 0 },
    trialMeansNs: JSON.parse(overflown.samples_ns),
  });
  expect(llamaBench).toMatchObject({
    avg_ns: 12147768280,
    stddev_ns: 148894758, // llama-bench: 3722529745
    avg_ts: 10.538192,
    stddev_ts: 0.130256,
  });
});

test('the deviation of one process is 0 where llama-bench has one, and unknown in ours', () => {
  const row = describe({ trialMeansNs: [500], ours: { ...ours, processes: 1, interval: null } });
  expect(row.llamaBench).toMatchObject({ avg_ns: 500, stddev_ns: 0, stddev_ts: 0 });
  const [object] = JSON.parse(writeBench([row], 'json'));
  expect(object).toMatchObject({ stddev_ns: 0, stddev_ts: 0, rooflaw_stddev_ns: null });
  const [run] = importText(writeBench([row], 'json')).runs;
  expect(run?.printed.stddev_ns?.verdict).toBe('unknown');
});

test('without any time llama-bench’s figures are 0, as after -r 0, and ours are unknown', () => {
  const row = describe({
    trialMeansNs: [],
    ours: { ...ours, representativeNs: null, interval: null, processes: 0, failed: 3 },
  });
  const [object] = JSON.parse(writeBench([row], 'json'));
  expect(object).toMatchObject({
    samples_ns: [],
    avg_ns: 0,
    avg_ts: 0,
    rooflaw_representative_ns: null,
    rooflaw_representative_ts: null,
  });
  for (const format of ['json', 'csv', 'sql', 'md'] as const) {
    expect(importText(writeBench([row], format)).runs).toHaveLength(1);
  }
});

test('settings are written in llama-bench’s words', () => {
  const execution: Execution = {
    ...createBaseExecution(3),
    affinity: [0, 2],
    threadPoolStrictCpu: true,
    kvTypeK: 'Q8_0',
    gpuLayers: 20,
    splitMode: 'row',
    kvOffload: false,
    flashAttention: 'on',
    loadMode: 'mmap-mlock',
    lazyMode: 'off',
    opOffload: false,
    hostBuffers: false,
  };
  const { llamaBench } = describe({
    build: { commit: null, number: null },
    backends: ['CUDA', 'BLAS'],
    execution,
    device: 'CUDA1',
    mainDevice: 1,
  });
  expect(llamaBench).toMatchObject({
    build_commit: 'unknown',
    build_number: 0,
    backends: 'CUDA,BLAS',
    n_threads: 3,
    cpu_mask: '0x5',
    cpu_strict: true,
    type_k: 'q8_0',
    type_v: 'f16',
    n_gpu_layers: 20,
    split_mode: 'row',
    main_gpu: 1,
    no_kv_offload: true,
    flash_attn: 1,
    devices: 'CUDA1',
    load_mode: 'mmap+mlock',
    lazy_mode: 'off',
    no_op_offload: 1,
    no_host: true,
  });
});

test('llama-bench’s part of JSON is byte for byte what llama-bench printed', () => {
  const written = writeBench(recordedRows('a.json'), 'json');
  const withoutOurs = written
    .replace(/^ {4}"rooflaw_.*\n/gm, '')
    .replaceAll(/("samples_ts": .*),\n/g, '$1\n');
  expect(withoutOurs).toBe(new TextDecoder().decode(readOutput('a.json')));
});

test('llama-bench’s part of JSON lines is what llama-bench printed', () => {
  const written = writeBench(recordedRows('b.jsonl'), 'jsonl');
  const withoutOurs = written
    .replaceAll(/, "rooflaw_[^\n]*\}/g, '}')
    .replaceAll('], "samples_ts"', '],"samples_ts"'); // it leaves out one space
  expect(withoutOurs).toBe(new TextDecoder().decode(readOutput('b.jsonl')));
});

test('llama-bench’s columns of CSV are what llama-bench printed of the same run', () => {
  const [, header = '', ...rows] = new TextDecoder().decode(readOutput('a.csv')).split('\n');
  const written = writeBench(recordedRows('a.json'), 'csv').split('\n');
  expect(written[0]?.startsWith(`${header},rooflaw_samples_ns,rooflaw_`)).toBe(true);
  expect(
    written[0]
      ?.split(',')
      .slice(41)
      .filter((name) => !name.startsWith('rooflaw_')),
  ).toEqual([]);
  rows.slice(0, 4).forEach((row, index) => {
    expect(written[index + 1]?.startsWith(`${row},"[ `)).toBe(true);
  });
  expect(written).toHaveLength(6);
});

test('llama-bench’s columns of SQL are what llama-bench printed of the same run', () => {
  const recorded = new TextDecoder().decode(readOutput('b.sql'));
  const written = writeBench(recordedRows('b.jsonl'), 'sql');
  const valuesOf = (text: string) =>
    [...text.matchAll(/VALUES \((.*)\);/g)].map((match) => match[1]!);
  expect(valuesOf(written).filter((_, index) => index % 2 === 0)).toEqual(valuesOf(recorded));
  const table = recorded.slice(recorded.indexOf('CREATE'), recorded.indexOf('\n);') + 4);
  expect(written.startsWith(`${table}\nCREATE TABLE IF NOT EXISTS rooflaw_bench (`)).toBe(true);
});

test('SQL goes into a database that llama-bench has filled', () => {
  const recorded = new TextDecoder().decode(readOutput('b.sql'));
  using database = new DatabaseSync(':memory:');
  database.exec(recorded.slice(recorded.indexOf('CREATE')));
  const countOf = (table: string) =>
    database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n as number;
  const before = countOf('llama_bench');
  expect(before).toBeGreaterThan(0);
  database.exec(writeBench([describe(), decode], 'sql'));
  database.exec(writeBench([describe({ startTime: '2026-11-30T00:00:00Z' })], 'sql'));
  expect(countOf('llama_bench')).toBe(before + 3);
  expect(countOf('rooflaw_bench')).toBe(3);
  const columns = database.prepare('PRAGMA table_info(llama_bench)').all();
  expect(columns.map(({ name }) => name)).toEqual(llamaBenchFields.map(([name]) => name));
});

test('in SQL the two tables are joined row by row, variants too', () => {
  const rows = [1, 2, 3].map((threads) =>
    describe({
      execution: createBaseExecution(threads),
      ours: { ...ours, variant: `t=${threads}` },
    }),
  );
  using database = new DatabaseSync(':memory:');
  database.exec(writeBench([...rows, decode], 'sql'));
  const joined = database
    .prepare('SELECT n_threads, n_gen, rooflaw_variant FROM llama_bench NATURAL JOIN rooflaw_bench')
    .all()
    .map((row) => ({ ...row }));
  expect(joined).toEqual([
    { n_threads: 1, n_gen: 0, rooflaw_variant: 't=1' },
    { n_threads: 2, n_gen: 0, rooflaw_variant: 't=2' },
    { n_threads: 3, n_gen: 0, rooflaw_variant: 't=3' },
    { n_threads: 2, n_gen: 8, rooflaw_variant: 'fa=0' },
  ]);
});

test('a dump of SQLite, all of one table before the other, is imported with our columns', () => {
  const rows = [describe(), decode, describe({ startTime: '2026-11-30T00:00:00Z' })];
  const written = writeBench(rows, 'sql');
  const lines = written.split('\n');
  const isOurs = (line: string) => line.startsWith('INSERT INTO rooflaw_bench');
  const dump = [...lines.filter((line) => !isOurs(line)), ...lines.filter(isOurs)].join('\n');
  const { runs, losses, ignored, findings } = importText(dump);
  expect([losses, ignored]).toEqual([[], []]);
  expect(findings.filter(({ severity }) => severity === 'wrong')).toEqual([]);
  expect(runs.map(({ samplesNs }) => samplesNs)).toEqual(
    rows.map(({ llamaBench }) => llamaBench.samples_ns),
  );
});

test('rows of our table whose llama-bench row is not there are left aside, and it is said', () => {
  const lines = writeBench([describe(), decode], 'sql').split('\n');
  const at = lines.findIndex((line) => line.startsWith('INSERT INTO llama_bench'));
  const { runs, ignored } = importText(lines.filter((_, index) => index !== at).join('\n'));
  expect(runs).toHaveLength(1);
  expect(ignored.map(({ text }) => text.slice(0, 25))).toEqual(['INSERT INTO rooflaw_bench']);
});

test('ours come last, with their prefix, and unknown ones are null', () => {
  const [object] = JSON.parse(writeBench([decode], 'json'));
  const names = Object.keys(object).slice(43);
  expect(Object.fromEntries(names.map((name) => [name, object[name]]))).toEqual({
    rooflaw_representative_ns: 500,
    rooflaw_representative_ts: 16_000_000,
    rooflaw_stddev_ns: 141.4213562373095,
    rooflaw_interval_lower_ns: null,
    rooflaw_interval_upper_ns: null,
    rooflaw_interval_lower_ts: null,
    rooflaw_interval_upper_ts: null,
    rooflaw_interval_coverage: null,
    rooflaw_processes: 2,
    rooflaw_failed: 1,
    rooflaw_disturbed: 0,
    rooflaw_stable: null,
    rooflaw_in_trial_cv_max: 0.0125,
    rooflaw_warmup: 2,
    rooflaw_kept: 5,
    rooflaw_model_sha256: 'ab'.repeat(32),
    rooflaw_variant: 'fa=0',
    rooflaw_campaign: 'mine',
    rooflaw_protocol_sha256: 'cd'.repeat(32),
  });
});

test('an interval of times is one of rates the other way round', () => {
  const [object] = JSON.parse(writeBench([describe()], 'json'));
  expect(object).toMatchObject({ rooflaw_interval_lower_ts: 400, rooflaw_interval_upper_ts: 1000 });
});

const names = ['it\'s "the, one"|.gguf', "x', 'y", "'", 'tail\\', 'ü – 模型.gguf', ''];
const broken = 'line\nbreak.gguf';

const layouts = ['json', 'jsonl', 'csv', 'sql'] as const;

test.each(layouts)('%s is imported again with its samples, names and figures', (format) => {
  const rows = [...names, broken].flatMap((filename) => {
    const model = { filename, type: 'llama "1B" | x', sizeBytes: 1, parameterCount: 1 };
    return [
      describe({ model }),
      { ...decode, llamaBench: { ...decode.llamaBench, model_filename: filename } },
    ];
  });
  const { runs, conditions, losses, ignored, findings, source } = importText(
    writeBench(rows, format),
  );
  expect(source.layout).toBe(format);
  expect([losses, ignored]).toEqual([[], []]);
  expect(findings.filter(({ severity }) => severity === 'wrong')).toEqual([]);
  expect(runs.map(({ samplesNs }) => samplesNs)).toEqual(
    rows.map(({ llamaBench }) => llamaBench.samples_ns),
  );
  expect(runs.map(({ condition }) => conditions[condition]?.fields.model_filename)).toEqual(
    rows.map(({ llamaBench }) => llamaBench.model_filename),
  );
  for (const { printed, findings: found } of runs) {
    expect(Object.values(printed).map((figure) => figure?.verdict)).toEqual(
      Array(4).fill('confirmed'),
    );
    expect(found.filter(({ severity }) => severity === 'wrong')).toEqual([]);
  }
});

/** As near as processes of a quiet machine are, the first one slowest. */
const nearNs = [107_000_000, 100_000_000, 100_200_000.4];

test.each(layouts)('%s of ours is imported without a finding', (format) => {
  const model = { filename: broken, type: 'llama "1B" | x', sizeBytes: 1, parameterCount: 1 };
  const alike = { model, trialMeansNs: nearNs };
  const rows = [
    describe(alike),
    describe({ ...alike, ours: { ...ours, variant: 'fa=1', stable: null, interval: null } }),
    describe({ ...alike, test: { phase: 'decode', tokens: 8, depth: 16 } }),
  ];
  const result = importText(writeBench(rows, format));
  expect(result.source.layout).toBe(format);
  expect([result.losses, result.ignored, result.unknownColumns]).toEqual([[], [], []]);
  expect(result.findings).toEqual([]);
  expect(result.runs.map(({ findings }) => findings)).toEqual([[], [], []]);
  expect(result.runs.map(({ startTransient }) => startTransient)).toEqual([null, null, null]);
  // what tells rows apart is a setting; results are none
  expect(
    result.conditions.map(({ fields }) =>
      Object.entries(fields).filter(([name]) => name.startsWith('rooflaw_')),
    ),
  ).toEqual(
    ['fa=0', 'fa=1', 'fa=0'].map((variant) => [
      ['rooflaw_model_sha256', 'ab'.repeat(32)],
      ['rooflaw_variant', variant],
    ]),
  );
});

const samplesAreMeans =
  'each sample is the mean of one fresh process: no interval is made of them here; the file’s own (rooflaw_interval_…, in Markdown interval t/s) is over processes';

test.each([...layouts, 'md'] as const)('of %s it is said what the samples are', (format) => {
  const { limits, runs } = importText(writeBench([describe({ trialMeansNs: nearNs })], format));
  expect(limits[0]).toBe(samplesAreMeans);
  expect(limits.join()).not.toContain('inside one process');
  expect(limits.at(-1)).toContain('rooflaw analyze CAMPAIGN');
  expect(runs[0]?.missing).toContainEqual({ field: 'interval', reason: samplesAreMeans });
});

test('the Markdown table is imported with ours as results', () => {
  const rows = [
    describe({ trialMeansNs: nearNs }),
    describe({
      trialMeansNs: nearNs,
      execution: { ...createBaseExecution(4), flashAttention: 'on' },
      ours: { ...ours, failed: 1, stable: null, interval: null },
    }),
  ];
  const { limits, findings, unknownColumns, conditions, runs } = importText(writeBench(rows, 'md'));
  expect([findings, unknownColumns]).toEqual([[], []]);
  expect(Object.keys(conditions[0]!.fields)).not.toContain('processes');
  expect(Object.keys(conditions[0]!.fields).join()).not.toContain('rooflaw');
  expect(limits[1]).toContain('t/s is the tokens over the median');
  expect(runs[0]?.missing[1]?.reason).toBe(
    'a Markdown table has no samples: nothing can be recomputed; use -o json',
  );
});

test('what is unknown in ours is told of processes, not of repetitions', () => {
  const sayings = (row: BenchRow) => {
    const { runs } = importText(writeBench([row], 'json'));
    return [...runs[0]!.findings.map(({ text }) => text), runs[0]!.missing[1]?.reason].join('; ');
  };
  const one = sayings(describe({ trialMeansNs: [500], ours: { ...ours, processes: 1 } }));
  expect(one).toContain('stddev_ns is printed as 0: one process has no deviation');
  expect(one).toContain('; one process has no deviation');
  const none = sayings(describe({ trialMeansNs: [], ours: { ...ours, processes: 0 } }));
  expect(none).toBe(
    'there are no samples: no process gave a time, and nothing is known; no process gave a time',
  );
  expect(sayings(describe())).toContain('fast processes weigh more in it');
  for (const text of [one, none]) expect(text).not.toMatch(/repe|-r /);
});

test('of a file with rows of both tools it is said which are which', () => {
  const { limits, runs } = importText(
    new TextDecoder().decode(readOutput('b.jsonl')) + writeBench([describe()], 'jsonl'),
  );
  expect(runs.length).toBeGreaterThan(1);
  expect(limits[0]).toMatch(/^rows 1, .*: samples inside one process/);
  expect(limits).toContain(`rows ${runs.length}: ${samplesAreMeans}`);
});

test('a terminal is told that the samples are processes', () => {
  const result = importText(writeBench([describe({ trialMeansNs: nearNs })], 'json'));
  const text = formatImport(result, { colour: false, width: 400 });
  expect(text).toContain('bench.out: 1 test of rooflaw bench, 1 condition, JSON');
  expect(text).toContain('Each sample is the mean of one fresh process');
  expect(text).toContain('n: samples, each the mean of one process; median');
  expect(text).not.toContain('Findings');
});

test('SQL loads into SQLite, whatever is in the names', () => {
  const rows = [...names, broken].map((filename) =>
    describe({ model: { filename, type: 'a', sizeBytes: 1, parameterCount: 1 } }),
  );
  using database = new DatabaseSync(':memory:');
  database.exec(writeBench([...rows, decode], 'sql'));
  const read = database.prepare('SELECT * FROM llama_bench NATURAL JOIN rooflaw_bench').all();
  expect(read.map((row) => row.model_filename)).toEqual([...names, broken, 'a.gguf']);
  expect(read[0]).toMatchObject({
    avg_ts: 611.111111,
    n_prompt: 100,
    no_kv_offload: 0,
    rooflaw_stable: 0,
    rooflaw_interval_coverage: 0.978515625,
  });
  expect(read.at(-1)).toMatchObject({ rooflaw_stable: null, rooflaw_interval_lower_ns: null });
});

test('no rows are an empty array, a header or a table', () => {
  expect(JSON.parse(writeBench([], 'json'))).toEqual([]);
  expect(writeBench([], 'jsonl')).toBe('');
  expect(writeBench([], 'csv').split('\n')).toHaveLength(2);
  expect(writeBench([], 'sql')).toMatch(/^CREATE TABLE IF NOT EXISTS llama_bench/);
  expect(writeBench([], 'md').split('\n')[0]).toMatch(/^\| model .* \|$/);
});
