import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registerSpace } from '../../src/commands/space.ts';
import { RooflawError } from '../../src/errors.ts';
import { printedBy } from '../support/printed-by.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rooflaw-space-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]) => printedBy(registerSpace, ['space', ...words]);

async function errorOf(...words: string[]): Promise<RooflawError> {
  const error = await run(...words).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RooflawError) return error;
  throw new Error(`no RooflawError: ${error}`);
}

test('show prints parameters, weight bytes and KV bytes', async () => {
  const text = await run('show', 'pocket');
  expect(text).toContain('pocket: 3 architectures, 4 models (51.6 MB of weights), 4 conditions');
  expect(text).toMatch(/^wide +9,996,800 +19,998,720 +10,629,120 +5,632,000 +262,144$/m);
});

test('show --json prints the same as one object', async () => {
  const summary = JSON.parse(await run('show', 'pilot', '--json'));
  expect(summary).toMatchObject({
    name: 'pilot',
    modelCount: 9,
    conditionCount: 12,
    itemCount: 24,
  });
  expect(summary.architectures[1]).toMatchObject({
    name: 'mid',
    parameterCount: 254_313_472,
    kvBytes: { '128': 4_194_304, '512': 16_777_216, '1024': 33_554_432, '2048': 67_108_864 },
  });
});

test('design writes the shipped space again, and never over a file', async () => {
  const file = join(folder, 'llama-25.json');
  await run('design', '--seed', '1', '--count', '25', '--out', file);
  const shipped = new URL('../../spaces/llama-25.json', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(shipped, 'utf8'));
  expect((await errorOf('design', '--seed', '2', '--out', file)).code).toBe('already-exists');
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(shipped, 'utf8'));
});

test('all malformed options come at once', async () => {
  const error = await errorOf(
    ...['design', '--seed', '1.5', '--count', '0', '--head-dim', '128,64', '--gqa-ratio', '0'],
    ...['--min-parameters', '3', '--max-parameters', '2', '--name', 'not a name'],
  );
  expect(error.exitStatus).toBe(2);
  expect(error.faults.map(({ where }) => where)).toEqual([
    'seed',
    'architectureCount',
    'axes.headDim',
    'axes.gqaRatio[0]',
    'parameterCount',
    'name',
  ]);
});

test('check says what a sound file holds', async () => {
  expect(await run('check', 'llama-25', '--memory', '24GiB')).toBe(
    'llama-25: no fault; 25 architectures, 75 models (31.0 GB of weights), 100 conditions, 200 items\n',
  );
});

test('check reports every condition that the memory cannot hold', async () => {
  const error = await errorOf('check', 'llama-25', '--memory', '2GiB');
  expect(error.exitStatus).toBe(2);
  expect(error.faults.map(({ where }) => where)).toEqual(['conditions[69]', 'conditions[72]']);
});

test('check refuses a broken file with every fault', async () => {
  const file = join(folder, 'broken.json');
  const shipped = readFileSync(new URL('../../spaces/pilot.json', import.meta.url), 'utf8');
  writeFileSync(file, shipped.replace('"kvHeadCount": 4', '"kvHeadCount": 5').replace('1536', '1'));
  const error = await errorOf('check', file);
  expect(error.faults.map(({ where }) => where)).toEqual([
    'architectures[0].kvHeadCount',
    'architectures[0].feedForwardLength',
  ]);
});
