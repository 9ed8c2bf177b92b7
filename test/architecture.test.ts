import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** One direction: a folder imports only its own files and folders to its left. */
const order = [
  '.',
  'stats',
  'formats',
  'llama-bench',
  'space',
  'gguf',
  'protocol',
  'backend',
  'device',
  'campaign',
  'ledger',
  'analysis',
  'experiment',
  'publication',
  'report',
  'commands',
];
const effects = [
  'child_process',
  'crypto',
  'dgram',
  'fs',
  'fs/promises',
  'http',
  'https',
  'net',
  'os',
  'timers/promises',
  'worker_threads',
].map((name) => `node:${name}`);
/** Hashing is a function of its input; the rest of node:crypto is not. */
const hashing = /import \{ (createHash|hash) \} from 'node:crypto';/g;

const source = resolve(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(source, file), 'utf8')
      .replaceAll(hashing, '')
      .matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g),
  ]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((specifier) => specifier !== '');

const folderOf = (file: string): string => dirname(file).split('/')[0] ?? '.';
const isEdge = (file: string) =>
  file.endsWith('.io.ts') || folderOf(file) === 'commands' || file === 'cli.ts';

test('there are sources to check', () => {
  expect(files.length).toBeGreaterThan(30);
});

test('every folder has its place in the order', () => {
  const unknown = files.map(folderOf).filter((folder) => !order.includes(folder));
  expect([...new Set(unknown)]).toEqual([]);
});

test('a folder imports only its own files and folders to its left', () => {
  const wrong = files
    .filter((file) => file !== 'cli.ts')
    .flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => relative(source, resolve(source, dirname(file), specifier)))
        .filter((target) => order.indexOf(folderOf(target)) > order.indexOf(folderOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('only *.io.ts, commands/ and cli.ts import what has effects', () => {
  const wrong = files
    .filter((file) => !isEdge(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((specifier) => effects.includes(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
  expect(wrong).toEqual([]);
});

test('only *.io.ts, commands/ and cli.ts touch clock, randomness, process or console', () => {
  const forbidden =
    /(?<!\.)\b(Date\.now|new Date\(\)|Math\.random|performance\.now|process\.\w|console\.)/;
  const wrong = files
    .filter((file) => !isEdge(file))
    .filter((file) => forbidden.test(readFileSync(join(source, file), 'utf8')));
  expect(wrong).toEqual([]);
});

test('no folder or file is a drawer for anything', () => {
  expect(files.filter((file) => /\b(utils?|helpers?|common|misc)\b/.test(file))).toEqual([]);
});
