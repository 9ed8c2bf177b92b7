/**
 * Changes ledgers in every way that is listed in `tamper/` and counts what `verify` finds.
 * Run: npm run tamper-test -- [--bytes N] [--seed S] [--all-values N] [LEDGER ...]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../src/random.ts';
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
import { describeTally, type Expectation, tally } from './tamper/tally.ts';
import { tamperWithSeal } from './tamper/tamper-seal.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of each line, how many bytes are changed. */
    bytes: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'rooflaw' },
    /** How many bytes of a ledger take all 255 other values. */
    'all-values': { type: 'string', default: '8' },
  },
});

function countOf(text: string, name: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`--${name} must be a whole number from 1 on, not ${text}`);
}

const bytesPerLine = countOf(values.bytes, 'bytes');
const allValues = countOf(values['all-values'], 'all-values');

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

async function findLedgers(): Promise<(readonly [string, Buffer])[]> {
  if (positionals.length > 0) return positionals.map((path) => [path, readFileSync(path)]);
  const results = fileURLToPath(new URL('../results/', import.meta.url));
  const kept = readdirSync(results, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => [`results/${name}`, readFileSync(join(results, name))] as const);
  return [['built, with a stopping rule', await buildSequentialLedger(24)], ...kept];
}

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-tamper-'));
let failures = 0;
try {
  console.log(
    `seed ${values.seed}, ${bytesPerLine} bytes of each line, all values of ${allValues}`,
  );
  for (const [name, ledger] of await findLedgers()) {
    const judge = await createJudge(ledger, folder);
    const counts = await tally(judge, allChanges(ledger));
    const seal = tamperWithSeal(judge.seal, judge.sealedPoint, 1);
    console.log(`${name}: ${judge.seal.lines} lines, ${ledger.length} bytes`);
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
