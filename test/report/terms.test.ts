import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { registerAnalyze } from '../../src/commands/analyze.ts';
import { registerCompare } from '../../src/commands/compare.ts';
import { registerImport } from '../../src/commands/import.ts';
import { registerSpace } from '../../src/commands/space.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { processesForCells } from '../../src/protocol/budget-cells.ts';
import { createBenchProtocol } from '../../src/protocol/create-bench-protocol.ts';
import { allTerms } from '../../src/report/terms/all-terms.ts';
import { editDistance } from '../../src/report/terms/edit-distance.ts';
import { findNearest, findTerm, keyOf } from '../../src/report/terms/find-term.ts';
import { renderTermsPage } from '../../src/report/terms/terms-page.ts';
import { printedBy } from '../support/printed-by.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const v1 = fileOf('results/h200-pilot-v1');
const again = fileOf('results/h200-pilot-v1-b');
const table = fileOf('results/h200-pilot-a');
const sizes = fileOf('results/h200-sizes-v2');
const mid = (quantization: string) =>
  `architecture=mid,quantization=${quantization},sequenceLength=512,phase=decode`;
const benchOutputs = readdirSync(fileOf('test/llama-bench/outputs'))
  .filter((name) => !name.startsWith('stopped'))
  .map((name) => fileOf(`test/llama-bench/outputs/${name}`));

type Call = [(program: Command) => void, string[], string];

/** What is printed, and a heading that must be found in it: the search must not pass by blindness. */
const calls: Call[] = [
  [registerAnalyze, ['analyze', v1], 'upper/lower'],
  [registerAnalyze, ['analyze', table, '--target-difference', '0.05'], 'detected at 5 %'],
  [registerAnalyze, ['analyze', sizes], 'interval so far'],
  [registerAnalyze, ['analyze', v1, '--replay', 'v2'], 'after this round'],
  [registerCompare, ['compare', v1, 'quantization=F16', 'quantization=Q8_0'], 'agree'],
  [registerCompare, ['compare', v1, mid('F16'), mid('Q8_0')], 'estimate'],
  [registerCompare, ['compare', v1, again, '--across', 'backend'], 'change'],
  [registerCompare, ['compare', '--sessions', v1, again, '--across', 'backend'], 'within'],
  ...benchOutputs.map((file): Call => [registerImport, ['import', 'llama-bench', file], 'row']),
  ...['pilot', 'pocket', 'llama-25'].map(
    (name): Call => [registerSpace, ['space', 'show', name], 'KV heads'],
  ),
];

const isRow = (line: string) => /\S {2,}\S/.test(line.trim());
const cellsOf = (line: string) => line.trim().split(/ {2,}/);

/**
 * Headings of the tables in an output, and the names of rows where a table has no headings: those
 * are indented by two.
 */
function findHeadings(output: string): string[] {
  const lines = output.split('\n');
  return lines.flatMap((line, at) => {
    if (!isRow(line)) return [];
    if (/^ {2}\S/.test(line)) return cellsOf(line).slice(0, 1);
    const isFirst = !isRow(lines[at - 1] ?? '') && isRow(lines[at + 1] ?? '');
    return isFirst ? cellsOf(line) : [];
  });
}

test.each(calls)('every heading that %o %j prints has a term', async (register, words, known) => {
  const headings = findHeadings(await printedBy(register, words));
  expect(headings).toContain(known);
  expect(headings.filter((heading) => findTerm(heading) === null)).toEqual([]);
});

test('a heading without a term is found in a table of any form', () => {
  const output = [
    'a title',
    'condition   n  novelty',
    'mid Q8_0   10    1.000',
    '',
    '           oddity      time',
    'A  mid F16     10  1.000 ms',
    '',
    'Hardware time: 1 s',
    '  wondering        1 s  100 %',
  ].join('\n');
  const headings = findHeadings(output);
  expect(headings.filter((heading) => findTerm(heading) === null)).toEqual([
    'novelty',
    'oddity',
    'wondering',
  ]);
});

test('no two terms are called by one word', () => {
  const owner = new Map<string, string>();
  const twice = allTerms.flatMap(({ name, aliases }) =>
    [name, ...aliases].flatMap((word) => {
      const other = owner.get(keyOf(word)) ?? name;
      owner.set(keyOf(word), name);
      return other === name ? [] : [`${word}: ${other} and ${name}`];
    }),
  );
  expect(twice).toEqual([]);
});

test('every related term and every named source is there', () => {
  const names = new Set(allTerms.map(({ name }) => name));
  const wrong = allTerms.flatMap(({ name, related, source }) => [
    ...related.filter((other) => !names.has(other) || other === name),
    ...[...source.matchAll(/(?:docs|src)\/[\w./-]+\.(?:md|ts)/g)]
      .map(([path]) => path)
      .filter((path) => !existsSync(fileOf(path))),
  ]);
  expect(wrong).toEqual([]);
});

test.each([
  ['stable', 'stable'],
  ['Two-Speeds', 'two speeds'],
  ['twospeed', 'two speeds'],
  ['IN-TRIAL', 'in-trial CV'],
  ['in trial cv', 'in-trial CV'],
  ['g', '(g)'],
  ['(f)', '(f)'],
  ['s1', 'S1'],
  ['S2', 'S2'],
  ['S2048', 'sequence length'],
  ['KV S128', 'KV bytes'],
  ['pp512', 'prefill'],
  ['tg128', 'decode'],
  ['tg128 @ d4096', 'test'],
  ['detected at 2.5 %', 'injection'],
  ['b / a', 'ratio'],
  ['process', 'process'],
  ['processes', 'process'],
  ['+-interval', '±interval'],
  ['–', 'missing'],
  ['A/A', 'A/A'],
  ['p50', 'percentile'],
  ['p99.9', 'percentile'],
  ['beyond', 'beyond'],
  ['slow steps', 'slow steps'],
  ['TTFT', 'time to first token'],
  ['unfit machine', 'unfit'],
  ['not-shown', 'unfit'],
  ['gate', 'gate'],
  ['regression', 'regression'],
  ['heatmap', 'heat map'],
  ['arms', 'arm'],
  ['pilot', 'pilot'],
  ['budget', 'budget'],
  ['few loads', 'few-loads'],
  ['bench-restored', 'restored'],
  ['in doubt', 'in doubt'],
  ['cells', 'cell'],
  ['Clopper–Pearson', 'Clopper-Pearson'],
  ['projection', 'trials needed'],
  ['Interval to expect', 'interval to expect'],
  ['Interval to expect (covers 99.2 %):', 'interval to expect'],
  ['cannot be told from the best', 'heat map'],
  ['= cannot be told from the best', 'heat map'],
])('%s is explained by the term %s', (word, name) => {
  expect(findTerm(word)?.name).toBe(name);
});

test('a word that is no term finds none', () => {
  expect(findTerm('flapdoodle')).toBeNull();
  expect(findTerm('n1')).toBeNull();
});

test('the nearest terms are few, and the nearest comes first', () => {
  const names = findNearest('stabel', 5).map(({ name }) => name);
  expect(names[0]).toBe('stable');
  expect(names.length).toBeLessThanOrEqual(5);
  expect(findNearest('interwal', 5)[0]?.name).toBe('interval');
  expect(findNearest('zzzzzzzzzzzz', 5)).toEqual([]);
});

test('the edit distance counts insertions, deletions and substitutions', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('', 'abc')).toBe(3);
  expect(editDistance('abc', '')).toBe(3);
  expect(editDistance('±a', 'a')).toBe(1);
});

const { flags: benchFlags } = createBenchProtocol({
  name: 'bench',
  description: 'of a test',
  execution: createBaseExecution(2),
  phases: ['decode'],
  decodeSteps: 8,
  processes: 6,
  warmup: 1,
  kept: 1,
  trialTimeLimitSeconds: 60,
});

const textOf = (name: string) => {
  const term = allTerms.find((one) => one.name === name)!;
  return `${term.meaning} ${term.isNot} ${term.rule}`;
};

test('numbers of v1 and v2 in the terms are those of the shipped protocols', () => {
  const read = (name: string) => JSON.parse(readFileSync(fileOf(`protocols/${name}.json`), 'utf8'));
  const { repetitions, processesPerItem, decodeSteps, execution, flags } = read('v1');
  const { warmup, kept } = repetitions;
  expect(textOf('repetition')).toContain(
    `v1: ${warmup + kept} in each trial, ${warmup} warm-up and ${kept} kept`,
  );
  expect(textOf('warm-up')).toContain(`pocket-1: the first ${read('pocket-1').repetitions.warmup}`);
  expect(textOf('trial')).toContain(`v1: ${processesPerItem} trials of each item`);
  expect(textOf('round')).toContain(`v1: ${processesPerItem} rounds`);
  expect(textOf('decode')).toContain(`Time of ${decodeSteps} single-token steps`);
  expect(textOf('prefill')).toContain(
    `batches of ${execution.batch}, and of ${execution.ubatch} inside`,
  );
  expect(textOf('threads')).toContain(`v1: ${execution.threads};`);
  const percent = (fraction: number) => `${fraction * 100} %`;
  expect(textOf('stable')).toContain(
    `relative range ≤ ${percent(flags.stable.maxRelativeRange)} and in-trial CV ≤ ${percent(flags.stable.maxInTrialCv)}`,
  );
  const { edgeRounds, above, minRounds } = flags.drift;
  expect(textOf('drift')).toContain(
    `last ${edgeRounds} rounds / median of the first ${edgeRounds} − 1| > ${percent(above)}, from ${minRounds} rounds on`,
  );
  const bench = benchFlags.drift;
  expect(textOf('drift')).toContain(
    `bench, ab, gate and tokens: the same of the last ${bench.edgeRounds} and the first ${bench.edgeRounds}, from ${bench.minRounds} rounds on`,
  );
  expect(bench.above).toBe(above);
  for (const cells of [4, 7, 13]) {
    const needed = processesForCells(cells);
    expect(textOf('cell')).toMatch(new RegExp(`${needed} for ${cells} to \\d+`));
  }
  const v2 = read('v2');
  const { method, alpha, margin, equivalence } = v2.stopping;
  expect(textOf('stopping rule')).toContain(
    `v2: ${method}, at most ${v2.processesPerItem} rounds, ${percent(alpha)} for any wrong decision in the whole campaign, margin ${percent(margin)}, equivalence ${percent(equivalence)}`,
  );
});

test('docs/terms.md is the page of the terms', () => {
  expect(
    readFileSync(fileOf('docs/terms.md'), 'utf8'),
    'renew it: node bin/rooflaw.js explain --markdown > docs/terms.md',
  ).toBe(renderTermsPage());
});
