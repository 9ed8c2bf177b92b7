import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readLockOwner, takeLock } from '../../src/campaign/lock.io.ts';
import { readBootId } from '../../src/device/boot-id.io.ts';
import { readPidNamespace } from '../../src/device/pid-namespace.io.ts';
import { RooflawError } from '../../src/errors.ts';
import { ledgerEntrySchema } from '../../src/formats/ledger.ts';
import { compileReader } from '../../src/formats/reader.ts';
import { canonicalJson } from '../../src/hash.ts';
import { readLedger, verifyLedger } from '../../src/ledger/read.io.ts';
import { toPrintable } from '../../src/printable.ts';
import { firstLines, readShipped } from './shipped-text.ts';
import { type Target, toBytes, toText } from './target.ts';

const ledger = 'results/h200-pilot-v1/ledger.ndjson';
const readEntry = compileReader(ledgerEntrySchema);

export const ledgerTargets: readonly Target[] = [
  {
    name: 'ledger',
    kind: 'ndjson',
    corpus: () => [firstLines(ledger, 8), firstLines('results/h200-pilot-v1-b/ledger.ndjson', 40)],
    words: ['{}\n', '{"seq":0}\n', '"repetitions":[', '"plan":{', '"type":"note"'],
    async read(input, folder) {
      const path = join(folder, 'ledger.ndjson');
      writeFileSync(path, input);
      const { faults, head } = await verifyLedger(path);
      const told = faults.map(({ where, what }) => toPrintable(`${where}: ${what}`));
      let isRead = true;
      try {
        await readLedger(path, () => {});
      } catch (error) {
        if (!(error instanceof RooflawError)) throw error;
        isRead = false;
      }
      if (isRead !== (faults.length === 0)) throw new Error('one way reads it, the other does not');
      if (!isRead) throw new RooflawError('ledger-broken', told.slice(0, 20).join('\n'));
      return `${head.length} lines`;
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
