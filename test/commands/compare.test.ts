import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { registerCompare } from '../../src/commands/compare.ts';
import { readSubjects } from '../../src/commands/compare-subjects.ts';
import { RooflawError } from '../../src/errors.ts';
import { comparisonSchema } from '../../src/formats/comparison.ts';
import { printedBy } from '../support/printed-by.ts';
import { workIn } from '../support/rooflaw.ts';

const none = { sessions: false, across: [] };
const isSame = (a: string, b: string) => a === b;

function faultsOf(words: string[], options: Partial<Parameters<typeof readSubjects>[1]> = {}) {
  try {
    readSubjects(words, { ...none, ...options }, isSame);
  } catch (error) {
    if (error instanceof RooflawError) return error.faults.map(({ what }) => what);
    throw error;
  }
  return [];
}

test('the words are items, campaigns or sessions', () => {
  const read = (...words: string[]) => readSubjects(words, none, isSame);
  const items = { kind: 'items', campaign: 'results/x', a: 'phase=decode', b: 'quantization=F16' };
  expect(read('results/x', 'phase=decode', 'quantization=F16')).toEqual(items);
  expect(read('results/x:phase=decode', 'results/x:quantization=F16')).toEqual(items);
  expect(read('C:\\data\\x:phase=decode', 'C:\\data\\x:quantization=F16')).toEqual({
    ...items,
    campaign: 'C:\\data\\x',
  });
  expect(read('monday', 'results/a=b/ledger.ndjson')).toEqual({
    kind: 'campaigns',
    a: 'monday',
    b: 'results/a=b/ledger.ndjson',
  });
  expect(readSubjects(['one'], { ...none, sessions: true }, isSame)).toEqual({
    kind: 'sessions',
    campaigns: ['one'],
  });
});

test('words that are none of the forms are refused', () => {
  expect(faultsOf(['monday'])).toEqual(['names one thing only']);
  expect(faultsOf(['monday', 'phase=decode'])).toEqual(['is none of the forms']);
  expect(faultsOf(['monday', 'tuesday', 'wednesday'])).toEqual(['is none of the forms']);
  expect(faultsOf(['monday', 'phase=decode'], { sessions: true })).toEqual([
    'is no campaign; sessions are compared over all items',
  ]);
});

test('items of two campaigns are refused, because they were not interleaved', () => {
  expect(faultsOf(['monday:phase=decode', 'tuesday:phase=decode'])).toEqual([
    'items of two campaigns were not interleaved: their difference is confounded with the session',
  ]);
});

test('options that mean nothing for what is asked are refused', () => {
  const items = ['x', 'phase=decode', 'quantization=F16'];
  expect(faultsOf(items, { across: ['device'] })).toHaveLength(1);
  expect(faultsOf(items, { margin: 0.1, equivalence: 0.2 })).toEqual([]);
  expect(faultsOf(['x', 'y'], { margin: 0.1, equivalence: 0.2 })).toHaveLength(2);
  expect(faultsOf(['x', 'y'], { across: ['device'] })).toEqual([]);
  expect(faultsOf(['x', 'y'], { sessions: true, margin: 0.1 })).toHaveLength(1);
});

const published = (name: string) =>
  fileURLToPath(new URL(`../../results/${name}`, import.meta.url));
const [first, second] = [published('h200-pilot-v1'), published('h200-pilot-v1-b')];
const compare = (...words: string[]) => printedBy(registerCompare, ['compare', ...words]);
const condition = 'architecture=large,sequenceLength=512,phase=decode';
const [f16, q8] = [`${condition},quantization=F16`, `${condition},quantization=Q8_0`];

test('items of one campaign are named by selectors, with the campaign before both or with each', async () => {
  const asked = await compare(first, f16, q8);
  expect(asked).toContain('Inconclusive: which of the two is faster is not shown: B takes');
  expect(await compare(`${first}:${f16}`, `${first}/ledger.ndjson:${q8}`)).toBe(asked);
  await expect(compare(`${first}:${f16}`, `${second}:${q8}`)).rejects.toMatchObject({
    exitStatus: 2,
    faults: [{ hint: expect.stringContaining('rooflaw compare') }],
  });
});

test('the JSON has the published format and the limits that were asked for', async () => {
  const printed = await compare(first, f16, q8, '--json', '--margin', '0', '--equivalence', '.02');
  const comparison = comparisonSchema.parse(JSON.parse(printed));
  expect(comparison).toMatchObject({ kind: 'items', margin: 0, equivalence: 0.02 });
});

test('campaigns are compared once their difference is declared, sessions too', async () => {
  await expect(compare(first, second)).rejects.toMatchObject({
    exitStatus: 2,
    faults: [{ where: 'runner', hint: '--across backend, if this difference is the question' }],
  });
  const across = ['--across', 'backend', '--across', 'device'];
  expect(await compare(first, second, ...across)).toContain(
    'changed by 4.24 % in the median and 24.4 % at most',
  );
  expect(await compare('--sessions', first, second, ...across)).toContain(
    '41.1 % of the variance of log time lies between sessions',
  );
});

test('a public table is compared as far as it goes, eight full rounds and part of a ninth', async () => {
  const table = published('h200-pilot-a');
  const printed = await compare(table, 'quantization=F16', 'quantization=Q8_0', '--json');
  const comparison = comparisonSchema.parse(JSON.parse(printed));
  if (comparison.kind !== 'items') throw new Error('items were asked for');
  expect(comparison.evidence).toBe('trial-table');
  expect(comparison.pairs.map(({ pairs, rounds }) => `${pairs} of ${rounds}`).sort()).toEqual([
    '8 of 9',
    '8 of 9',
    '8 of 9',
    '9 of 9',
    '9 of 9',
    '9 of 9',
  ]);
  expect(await compare(first, table, '--across', 'protocol')).toContain('45 choices');
});

test('the program leaves 0 for a verdict, 2 for a wrong word, 5 for a changed ledger', {
  timeout: 120_000,
}, async () => {
  const work = workIn();
  mkdirSync(join(work.folder, 'campaigns'));
  cpSync(first, join(work.folder, 'campaigns/mine'), { recursive: true });
  const done = await work.run(['compare', 'mine', f16, q8]);
  expect(done).toMatchObject({ status: 0, stderr: '' });
  const wrong = await work.run([
    'compare',
    'mine',
    'other',
    '--across',
    'weather',
    '--margin',
    '5',
  ]);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('must be one of device, backend, protocol');
  const ledger = join(work.folder, 'campaigns/mine/ledger.ndjson');
  writeFileSync(ledger, readFileSync(ledger, 'utf8').replace(/"wallNs":\d+/, '"wallNs":1'));
  expect(await work.run(['compare', 'mine', f16, q8])).toMatchObject({ status: 5, stdout: '' });
});
