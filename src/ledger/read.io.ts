import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type Fault, RooflawError } from '../errors.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { versionOneSchema } from '../formats/version.ts';
import type { ChainHead } from './chain.ts';
import { readLines } from './lines.io.ts';
import { createLedgerCheck } from './verify.ts';

/** What a whole ledger is worth. */
export interface LedgerVerdict {
  /** Every fault with its line, in the order of the file. */
  faults: Fault[];
  head: ChainHead;
  /** Bytes after the last newline: a write that a crash cut off. They are no data. */
  tornBytes: number;
}

async function assertReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return;
  } catch (cause) {
    throw noLedger(path, cause);
  }
  throw noLedger(path);
}

function noLedger(path: string, cause?: unknown): RooflawError {
  return new RooflawError('not-found', `there is no ledger that can be read at ${path}`, {
    hint: 'name a campaign, its folder or its ledger.ndjson; `rooflaw status` lists campaigns here',
    cause,
  });
}

/**
 * A ledger of another format version is not broken; this program only cannot read it.
 * @throws RooflawError `invalid-input`
 */
function refuseOtherVersion(firstLine: Buffer, path: string): void {
  let first: { format?: unknown; formatVersion?: unknown } | null;
  try {
    first = JSON.parse(firstLine.toString('utf8'));
  } catch {
    return; // no ledger at all: the check tells
  }
  if (first?.format !== 'rooflaw-ledger' || typeof first.formatVersion !== 'number') return;
  const fault = versionOneSchema.safeParse(first.formatVersion).error?.issues[0];
  if (fault === undefined) return;
  throw new RooflawError('invalid-input', `the format version of ${path} ${fault.message}`, {
    hint: 'use the version of rooflaw that wrote it, or a newer one',
  });
}

/**
 * Checks a ledger from the first byte to the last.
 * @param onEntry is given each entry whose line is an entry at all, sound or not.
 * @throws RooflawError `not-found`
 */
export async function verifyLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void = () => {},
): Promise<LedgerVerdict> {
  await assertReadable(path);
  const check = createLedgerCheck();
  const faults: Fault[] = [];
  let tornBytes = 0;
  for await (const line of readLines(path)) {
    if (!line.complete) {
      tornBytes = line.bytes.length;
      break;
    }
    if (line.number === 1) refuseOtherVersion(line.bytes, path);
    const { entry, faults: found } = check.next(line.bytes, line.number);
    faults.push(...found);
    if (entry !== null) onEntry(entry);
  }
  faults.push(...check.finish());
  return { faults, head: check.head, tornBytes };
}

/**
 * The entries of a ledger, checked as they are read.
 * @throws RooflawError `not-found`, or `ledger-broken` at the first line that is not sound.
 */
export async function* readLedger(path: string): AsyncGenerator<LedgerEntry, void, undefined> {
  await assertReadable(path);
  const check = createLedgerCheck();
  for await (const line of readLines(path)) {
    if (!line.complete) break;
    if (line.number === 1) refuseOtherVersion(line.bytes, path);
    const { entry, faults } = check.next(line.bytes, line.number);
    if (faults.length > 0 || entry === null) throwBroken(path, faults);
    else yield entry;
  }
  const missing = check.finish();
  if (missing.length > 0) throwBroken(path, missing);
}

function throwBroken(path: string, faults: readonly Fault[]): never {
  throw new RooflawError('ledger-broken', `${path} is not as it was written`, {
    faults,
    hint: '`rooflaw verify` lists every fault; nothing can be concluded from a changed ledger',
  });
}
