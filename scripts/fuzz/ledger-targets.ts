import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readLockOwner, takeLock } from '../../src/campaign/lock.io.ts';
import { readBootId } from '../../src/device/boot-id.io.ts';
import { readPidNamespace } from '../../src/device/pid-namespace.io.ts';
import { type Fault, RooflawError } from '../../src/errors.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../../src/formats/ledger.ts';
import { compileReader } from '../../src/formats/reader.ts';
import { canonicalJson } from '../../src/hash.ts';
import { readLedger, verifyLedger } from '../../src/ledger/read.io.ts';
import { createLineSplitter } from '../../src/ledger/split-lines.ts';
import { createLedgerCheck, findEndFaults, mostFaultsListed } from '../../src/ledger/verify.ts';
import { toPrintable } from '../../src/printable.ts';
import { buildLedger, buildPlan, buildProtocol } from '../../test/support/ledger-builder.ts';
import { buildStepLedger, stepPlan } from '../../test/support/step-campaign.ts';
import { buildSequentialLedger } from '../tamper/built-ledger.ts';
import { firstLines, firstLinesOf, readShipped } from './shipped-text.ts';
import { type Target, toBytes, toText } from './target.ts';

const ledger = 'results/h200-pilot-v1/ledger.ndjson';
const twoRounds = buildProtocol({
  processesPerItem: 2,
  flags: {
    stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
    drift: { minRounds: 2, edgeRounds: 1, above: 0.05 },
  },
});
const chainedLines = (entries: readonly LedgerEntry[]) =>
  entries.map((entry) => `${canonicalJson(entry)}\n`).join('');
const readEntry = compileReader(ledgerEntrySchema);

/** So many inputs are read from memory for one that is read from a file, which takes ten times as long. */
const everyFile = 8;
/** In bytes. */
const mostInMemory = 65_536;

function checkBytes(input: Uint8Array): Fault[] {
  const splitter = createLineSplitter();
  const check = createLedgerCheck();
  const faults: Fault[] = [];
  for (const { bytes } of splitter.push(input)) {
    for (const fault of check.next(bytes).faults) faults.push(fault);
  }
  return [...faults, ...findEndFaults(check.head)];
}

/** As `verify` does it, and all else that reads a ledger, which must find the same. */
async function checkFile(input: Uint8Array, path: string): Promise<Fault[]> {
  writeFileSync(path, input);
  const { faults } = await verifyLedger(path);
  const refusal = await readLedger(path, () => {}).catch((error: unknown) => error);
  if (refusal !== undefined && !(refusal instanceof RooflawError)) throw refusal;
  if ((refusal === undefined) !== (faults.length === 0)) {
    throw new Error('one way reads it, the other does not');
  }
  const isListedWhole = input.length <= mostInMemory && faults.length < mostFaultsListed;
  if (isListedWhole && !isDeepStrictEqual(faults, checkBytes(input))) {
    throw new Error('a file has other faults than its bytes');
  }
  return faults;
}

export const ledgerTargets: readonly Target[] = [
  {
    name: 'ledger',
    kind: 'ndjson',
    corpus: async () => [
      firstLines(ledger, 8),
      firstLinesOf((await buildSequentialLedger(6)).toString(), 20), // with decisions
      toBytes(chainedLines(buildLedger(buildPlan({ protocol: twoRounds }), () => [9, 8, 7, 6]))),
      toBytes(chainedLines(buildStepLedger(stepPlan(), () => null).slice(0, 6))),
    ],
    words: ['{}\n', '{"seq":0}\n', '"repetitions":[', '"plan":{', '"type":"note"'],
    async read(input, folder) {
      const isOfFile = input.length % everyFile === 0 || input.length > mostInMemory;
      const faults = isOfFile
        ? await checkFile(input, join(folder, 'ledger.ndjson'))
        : checkBytes(input);
      if (faults.length === 0) return 'sound';
      const told = faults.slice(0, 20).map(({ where, what }) => toPrintable(`${where}: ${what}`));
      throw new RooflawError('ledger-broken', told.join('\n'));
    },
  },
  {
    name: 'ledger-line',
    kind: 'json',
    corpus: () =>
      readShipped(ledger)
        .split('\n')
        .slice(0, 40)
        .map(toBytes)
        .filter((line) => readEntry(line) !== undefined),
    words: ['"repetitions":[', '{"type":"observed"', '"readings":{', '"seq":'],
    read(input) {
      const fast = readEntry(input);
      if (fast === undefined) throw new RooflawError('invalid-input', 'left to the schema');
      // what it reads, the slow way reads the same
      const text = toText(input);
      const slow: unknown = JSON.parse(text);
      if (!isDeepStrictEqual(fast, ledgerEntrySchema.parse(slow)))
        throw new Error('read otherwise');
      if (canonicalJson(slow) !== text) throw new Error('not canonical');
      return fast.type;
    },
  },
  {
    name: 'lock-file',
    kind: 'json',
    corpus: async () => [toBytes(JSON.stringify(await describeSelf()))],
    words: ['"pid":', '"campaign":{"toString":1}', '"campaign":[]'],
    async read(input, folder) {
      const path = join(folder, 'device.lock');
      writeFileSync(path, input);
      const owner = await readLockOwner(path);
      const lock = await takeLock(path, 'fuzz', 'device CPU').catch((error: unknown) => {
        if (error instanceof RooflawError && error.code === 'busy' && owner !== null) return error;
        throw error;
      });
      if (lock instanceof RooflawError) return toPrintable(lock.message);
      await lock.release();
      return toPrintable(lock.takenOver ?? 'free');
    },
  },
];

async function describeSelf() {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  const startTicks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  const bootId = await readBootId();
  return { pid: process.pid, startTicks, bootId, pidNamespace: readPidNamespace(), campaign: 'x' };
}
