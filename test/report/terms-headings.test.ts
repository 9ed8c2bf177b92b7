import { expect, test } from 'vitest';
import { analyzeSteps } from '../../src/analysis/steps.ts';
import { createStepCollector } from '../../src/analysis/steps-collect.ts';
import { type AbPair, abSchema, gateSchema } from '../../src/formats/ab.ts';
import { executionSchema } from '../../src/formats/protocol.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import type { BenchRow } from '../../src/llama-bench/write/bench-row.ts';
import { describeBenchRow } from '../../src/llama-bench/write/describe-bench-row.ts';
import { llamaBenchFields, sampleFields } from '../../src/llama-bench/write/fields.ts';
import {
  listHiddenSettings,
  selectSettingColumns,
} from '../../src/llama-bench/write/markdown-columns.ts';
import { ownTableColumns } from '../../src/llama-bench/write/table-cells.ts';
import { writeMarkdown } from '../../src/llama-bench/write/write-markdown.ts';
import { formatAb } from '../../src/report/format-ab.ts';
import { formatGate, formatGateSummary } from '../../src/report/format-gate.ts';
import { formatTokens } from '../../src/report/format-tokens.ts';
import { allTerms } from '../../src/report/terms/all-terms.ts';
import { findTerm } from '../../src/report/terms/find-term.ts';
import { buildStepLedger, stepPlan } from '../support/step-campaign.ts';

const side = {
  label: '-fa 0',
  model: { name: 'small', file: 'small.gguf', sha256: 'a'.repeat(64) },
  backend: {
    label: 'embedded',
    commit: null,
    librariesSha256: 'b'.repeat(64),
    runnerSha256: 'c'.repeat(64),
  },
  execution: createBaseExecution(2),
};
const pair: AbPair = {
  aNs: 100_000_000,
  bNs: 110_000_000,
  aTokensPerSecond: 5120,
  bTokensPerSecond: 4654,
  ratio: 1.1,
  interval: { lower: 1.05, upper: 1.15 },
  pairs: 9,
  reason: null,
};
const pp512 = { name: 'pp512', phase: 'prefill', tokens: 512, depth: 0 };
const common = {
  formatVersion: 1,
  same: ['model', 'llama.cpp', 'runner', 'options'].map((what) => ({ what, value: 'x' })),
  different: [{ what: 'threadsBatch', a: '1', b: '2' }],
  device: { name: 'CPU', description: 'A CPU' },
  repetitions: { warmup: 1, kept: 3 },
  rounds: 9,
  failedTrials: 0,
  disturbance: {
    campaign: 'x',
    otherUse: { seen: 0, notSeen: 9, notVisible: 0 },
    ...{ drift: [], twoSpeed: [], environment: [] },
  },
};
const { formatVersion, ...measured } = common;

const ab = abSchema.parse({
  ...common,
  format: 'rooflaw-ab',
  campaign: 'x',
  isSame: false,
  a: side,
  b: side,
  rule: {
    ...{ method: 'S2', alpha: 0.05, family: 1, margin: 0.005, equivalence: 0.01 },
    ...{ earliestRounds: 6, maximumRounds: 30 },
  },
  tests: [{ ...pp512, ...pair, verdict: 'slower', decidedAfter: 9 }],
});
const gate = gateSchema.parse({
  format: 'rooflaw-gate',
  formatVersion,
  verdict: 'regression',
  reason: 'x',
  ...{ maxSlowdown: 0.03, timeLimitNs: 600e9, tookNs: 60e9 },
  measured: {
    ...measured,
    campaign: 'x',
    base: side,
    candidate: side,
    ...{ alpha: 0.05, family: 2, plannedRounds: 40, isCutShort: false },
    tests: [{ ...pp512, verdict: 'regression', fitness: 'fit', candidate: pair, again: pair }],
  },
});

const screen = { colour: false, width: 1000 };
const unexplained = (words: readonly string[]) => words.filter((word) => findTerm(word) === null);
const cellsOf = (line: string) => line.trim().split(/ {2,}/);
/** Headings of the tables: the lines that begin with the heading of the first column. */
const headingsOf = (text: string, first: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(`${first}  `) ? cellsOf(line) : []));
/** `  - threads: a 1; b 2` */
const pointsOf = (text: string) =>
  [...text.matchAll(/^ {2}- ([^:]+): /gm)].map(([, label]) => label!);
const barsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('every heading and label of ab has a term', () => {
  const text = formatAb(ab, screen);
  const headings = headingsOf(text, 'test');
  expect(headings).toEqual(expect.arrayContaining(['time a', 'tokens/s b', 'decided', 'verdict']));
  expect(pointsOf(text)).toEqual(expect.arrayContaining(['llama.cpp', 'device', 'threadsBatch']));
  expect(unexplained([...headings, ...pointsOf(text)])).toEqual([]);
});

test('every heading and label of gate has a term, on screen and in its summary', () => {
  const text = formatGate(gate, screen);
  const headings = headingsOf(text, 'test');
  expect(headings).toEqual(
    expect.arrayContaining(['base tokens/s', 'change', 'A/A interval', 'A/A']),
  );
  const line = formatGateSummary(gate)
    .split('\n')
    .find((one) => one.startsWith('| test'))!;
  expect(barsOf(line)).toContain('candidate');
  expect(unexplained([...headings, ...pointsOf(text), ...barsOf(line)])).toEqual([]);
});

test('every heading and every row of tokens has a term', () => {
  const collector = createStepCollector();
  const slow = buildStepLedger(stepPlan(), () =>
    [1, 2, 3].map(() => [4e6, ...[9, 1, 1, 1, 1, 1, 1, 1].map((times) => times * 1e5)]),
  );
  for (const entry of slow) collector.take(entry);
  const text = formatTokens(analyzeSteps(collector.finish(), new Map()), screen);
  const headings = [...headingsOf(text, 'of each process'), ...headingsOf(text, 'trial')];
  expect(headings).toEqual(expect.arrayContaining(['interval (covers 96.9 %)', 'of the median']));
  const table = text.slice(text.indexOf('\nof each process')).split('\n').slice(2);
  const rows = table.slice(
    0,
    table.findIndex((line) => line.startsWith(' ')),
  );
  const names = rows.map((line) => cellsOf(line)[0]!);
  expect(names).toEqual(
    expect.arrayContaining([
      'mean step',
      'median of step 1',
      'last over first',
      'prefill (128 tokens)',
    ]),
  );
  expect(unexplained([...headings, ...names])).toEqual([]);
});

function benchRow(threads: number, filename: string, commit: string): BenchRow {
  return describeBenchRow({
    build: { commit, number: 1 },
    ...{ cpuInfo: 'A CPU', gpuInfo: '', backends: ['CUDA'] },
    model: { filename, type: 'llama Q8_0', sizeBytes: 1, parameterCount: 1 },
    execution: createBaseExecution(threads),
    ...{ device: 'CUDA0', mainDevice: null },
    test: { phase: 'prefill', tokens: 100, depth: 0 },
    startTime: '2026-11-29T15:58:09Z',
    trialMeansNs: [],
    ours: {
      ...{ representativeNs: null, interval: null, processes: 0, failed: 0, disturbed: 0 },
      ...{ stable: null, inTrialCvMax: null, warmup: 2, kept: 5, modelSha256: 'a'.repeat(64) },
      ...{ variant: 'x', campaign: 'x', protocolSha256: 'b'.repeat(64) },
    },
  });
}

test('every heading that the table of bench can have has a term, and every word in place of a number', () => {
  const rows = [benchRow(1, 'a.gguf', 'x'), benchRow(2, 'b.gguf', 'y'), benchRow(2, 'b.gguf', 'y')];
  const [line, , first] = writeMarkdown(rows).split('\n').map(barsOf);
  const settings = [
    ...selectSettingColumns(rows).map(({ heading }) => heading),
    ...listHiddenSettings(rows).flatMap(({ field, heading }) => [field, heading]),
  ];
  expect(settings.length).toBeGreaterThan(20);
  expect(line).toEqual(
    expect.arrayContaining(['model_filename', 'build_commit', 'variant', 'interval t/s']),
  );
  expect(first?.slice(-4)).toEqual(['none', 'none', '0', 'unknown']);
  expect(unexplained([...line!, ...settings, 'none', 'unknown', '±', 'nan'])).toEqual([]);
});

test('every field of bench in JSON, CSV and SQL has a term', () => {
  const names = [
    ...llamaBenchFields.map(([name]) => name),
    ...sampleFields,
    ...ownTableColumns.map(({ name }) => name),
  ];
  expect(names).toEqual(expect.arrayContaining(['samples_ts', 'test_time', 'rooflaw_stable']));
  expect(unexplained(names)).toEqual([]);
});

test('every option has a term by the name it has in a ledger, in a list of differences and on an axis', () => {
  const names = Object.keys(executionSchema.shape);
  expect(names).toContain('threadPoolPoll');
  expect(unexplained(names)).toEqual([]);
  expect(findTerm('threads \\ batch')?.name).toBe('heat map');
});

test.each([
  ['LEFT OUT', 'left out'],
  ['LEFT OUT after the probe:', 'left out'],
  ['first look:', 'first look'],
  ['probe', 'probe'],
  ['CAREFUL', 'careful'],
  ['CAREFUL,', 'careful'],
  ['DISTURBED:', 'disturbed'],
  ['DRIFT, MARKED FOR REVIEW', 'drift'],
  ['DRIFT', 'drift'],
  ['UNFIT MACHINE', 'unfit'],
  ['method S2', 'S2'],
  ['tokens/s a', 'tokens/s'],
  ['base tokens/s', 'tokens/s'],
  ['median of steps 1–2', 'last over first'],
  ['median of steps 313–320', 'last over first'],
  ['prefill (1 token)', 'prefill'],
  ['prefill (1,024 tokens)', 'prefill'],
  ['first token, with load', 'time to first token'],
  ['source tree', 'identity'],
  ['log output cost is included', 'log output cost'],
  ['pass', 'pass'],
  ['broken', 'broken'],
  ['incomplete', 'complete'],
  ['sound', 'sound'],
  ['NOT as it was written', 'broken'],
  ['?', 'heat map'],
])('%s is explained as it stands in an output, by the term %s', (word, name) => {
  expect(findTerm(word)?.name).toBe(name);
});

const senseOf = (name: string, command: string) =>
  allTerms.find((term) => term.name === name)?.senses?.[command];

test('a word that means something else by command says each', () => {
  expect(senseOf('decided', 'ab')).toContain('left out of all later rounds');
  expect(senseOf('decided', 'analyze')).toContain('go on being measured');
  expect(senseOf('change', 'compare')).toContain('no test');
  expect(senseOf('change', 'gate')).toContain('the verdict judges it');
  for (const word of ['pass', 'regression', 'inconclusive', 'unfit', 'broken'])
    expect(senseOf('verdict', 'gate')).toContain(word);
  expect(senseOf('verdict', 'ab')).toContain('S2');
});

const commands = [
  ...['bench', 'ab', 'gate', 'tokens', 'compare', 'analyze', 'status', 'verify'],
  'import llama-bench',
];

test('every sense is of a command that there is', () => {
  const named = allTerms.flatMap(({ senses = {} }) => Object.keys(senses));
  expect(named.filter((command) => !commands.includes(command))).toEqual([]);
});
