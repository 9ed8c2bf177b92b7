/**
 * Changes ledgers in every way that is listed in `tamper/` and counts what `verify` finds: every change
 * of a ledger that is built here, and of each larger one so many of each kind, drawn by the seed.
 * Run: npm run tamper-test -- [--bytes N] [--seed S] [--all-values N] [--sample N | --exhaustive] [LEDGER ...]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../src/random.ts';
import { readOptions } from './read-options.ts';
import { buildSequentialLedger } from './tamper/built-ledger.ts';
import { cutTrials, respellLines, shaveTimes, turnDecisions } from './tamper/chain-anew.ts';
import { createJudge } from './tamper/judge.ts';
import {
  changeBytes,
  changeDigits,
  changeToAll,
  cut,
  insertAndDelete,
  type Mutation,
  moveLines,
} from './tamper/mutation.ts';
import { sampleKinds } from './tamper/sample.ts';
import { describeTally, type Expectation, tally } from './tamper/tally.ts';
import { tamperWithSeal } from './tamper/tamper-seal.ts';

const usage = `npm run tamper-test -- [--bytes N] [--seed S] [--all-values N] [--sample N | --exhaustive] [LEDGER ...]
  --bytes       of each line, how many bytes are changed (20)
  --all-values  how many bytes take all 255 other values (8)
  --sample      of a ledger that was not built here, how many changes of each kind (50)
  --exhaustive  every change of every ledger, which takes long`;
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: {
    /** Of each line, how many bytes are changed. */
    bytes: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'rooflaw' },
    /** How many bytes of a ledger take all 255 other values. */
    'all-values': { type: 'string', default: '8' },
    /** Of a ledger that was not built here, how many changes of each kind; all of those there are fewer of. */
    sample: { type: 'string', default: '50' },
    /** Every change of every ledger, which takes a quarter of an hour and more for those in results/. */
    exhaustive: { type: 'boolean', default: false },
  },
});

function countOf(text: string, name: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`--${name} must be a whole number from 1 on, not ${text}`);
}

const bytesPerLine = countOf(values.bytes, 'bytes');
const allValues = countOf(values['all-values'], 'all-values');
const samplePerKind = countOf(values.sample, 'sample');
/** Every byte of the seal of a ledger that is changed in all ways, of the others every so many. */
const sampledSealStride = 10;

function* expect(
  expectation: Expectation,
  mutations: Iterable<Mutation>,
): Generator<readonly [Expectation, Mutation]> {
  for (const mutation of mutations) yield [expectation, mutation];
}

function* allChanges(ledger: Buffer): Generator<readonly [Expectation, Mutation]> {
  const random = createRandom(values.seed);
  yield* expect('named', moveLines(ledger));
  yield* expect('named', cut(ledger, random));
  yield* expect('named', changeBytes(ledger, bytesPerLine, random));
  yield* expect('named', changeDigits(ledger, random));
  yield* expect('named', changeToAll(ledger, allValues, random));
  yield* expect('named', insertAndDelete(ledger, random));
  yield* expect('named', respellLines(ledger));
  yield* expect('found', cutTrials(ledger));
  yield* expect('found', turnDecisions(ledger));
  yield* expect('with-seal', shaveTimes(ledger));
}

interface Subject {
  name: string;
  ledger: Buffer;
  /** Too large for every change of it. */
  isSampled: boolean;
}

async function findLedgers(): Promise<Subject[]> {
  const isSampled = !values.exhaustive;
  if (positionals.length > 0) {
    return positionals.map((name) => ({ name, ledger: readFileSync(name), isSampled }));
  }
  const results = fileURLToPath(new URL('../results/', import.meta.url));
  const kept = readdirSync(results, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => ({
      name: `results/${name}`,
      ledger: readFileSync(join(results, name)),
      isSampled,
    }));
  const ledger = await buildSequentialLedger(24);
  return [{ name: 'built, with a stopping rule', ledger, isSampled: false }, ...kept];
}

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-tamper-'));
let failures = 0;
try {
  console.log(
    `seed ${values.seed}, ${bytesPerLine} bytes of each line, all values of ${allValues}`,
  );
  for (const { name, ledger, isSampled } of await findLedgers()) {
    const judge = await createJudge(ledger, folder);
    const all = [...allChanges(ledger)];
    const chosen = isSampled ? sampleKinds(all, samplePerKind, createRandom(values.seed)) : all;
    const counts = await tally(judge, chosen);
    const seal = tamperWithSeal(judge.seal, judge.sealedPoint, isSampled ? sampledSealStride : 1);
    console.log(
      `${name}: ${judge.seal.lines} lines, ${ledger.length} bytes; ${chosen.length} of ${all.length} changes`,
    );
    console.log(describeTally(counts));
    console.log(
      `  seal.json: ${seal.tried} changes of one byte, ${seal.found} found, ${seal.sameSeal} that leave the same seal, ${seal.failures.length} not found`,
    );
    failures += counts.failures.length + seal.failures.length;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
