import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type Fault, RooflawError } from '../errors.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { versionOneSchema } from '../formats/version.ts';
import type { ChainHead } from './chain.ts';
import { readChunks } from './lines.io.ts';
import type { LedgerPoint } from './point.ts';
import { createLineSplitter } from './split-lines.ts';
import { type CheckedLine, createLedgerCheck, findEndFaults, mostFaultsListed } from './verify.ts';

/** What a whole ledger is worth. */
export interface LedgerVerdict {
  /** Every fault with its line, in the order of the file; after very many the rest is not looked at. */
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
function refuseOtherVersion(firstLine: Uint8Array, path: string): void {
  let first: { format?: unknown; formatVersion?: unknown } | null;
  try {
    first = JSON.parse(new TextDecoder().decode(firstLine));
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

/** What is left to say when every line was read. */
interface Ending {
  head: ChainHead;
  tornBytes: number;
}

/**
 * Lines with all that is wrong with each.
 * @param onLine returns whether the next is worth looking at
 */
async function checkLines(
  path: string,
  onLine: (line: CheckedLine) => boolean,
  onPoint?: (point: LedgerPoint) => void,
): Promise<Ending> {
  await assertReadable(path);
  const splitter = createLineSplitter();
  const check = createLedgerCheck();
  let end = 0;
  for await (const chunk of readChunks(path)) {
    for (const { number, bytes } of splitter.push(chunk)) {
      if (number === 1) refuseOtherVersion(bytes, path);
      const goesOn = onLine(check.next(bytes));
      end += bytes.length + 1;
      onPoint?.({ lines: number, sha256: check.head.sha256, bytes: end });
      if (!goesOn) return { head: check.head, tornBytes: 0 };
    }
  }
  return { head: check.head, tornBytes: splitter.finish()[0]?.bytes.length ?? 0 };
}

const notListed: Fault = {
  where: 'the rest',
  what: `is not looked at: ${mostFaultsListed} faults are enough`,
};

/**
 * Checks a ledger from the first byte to the last.
 * @param onEntry is given each entry whose line is an entry at all, sound or not.
 * @param onPoint is told where each line ends, whatever it is.
 * @throws RooflawError `not-found`
 */
export async function verifyLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void = () => {},
  onPoint?: (point: LedgerPoint) => void,
): Promise<LedgerVerdict> {
  const found: Fault[] = [];
  const { head, tornBytes } = await checkLines(
    path,
    ({ entry, faults }) => {
      for (const fault of faults) found.push(fault);
      if (entry !== null) onEntry(entry);
      return found.length < mostFaultsListed;
    },
    onPoint,
  );
  const faults = found.slice(0, mostFaultsListed);
  if (found.length >= mostFaultsListed) faults.push(notListed);
  return { faults: [...faults, ...findEndFaults(head)], head, tornBytes };
}

/**
 * Reads a ledger that must be sound.
 * @param onEntry is given each entry once its line is known to be sound and tied to those before.
 * @throws RooflawError `not-found`, or `ledger-broken` with the first faults
 */
export async function readLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void,
): Promise<void> {
  const found: Fault[] = [];
  const { head } = await checkLines(path, ({ entry, faults }) => {
    for (const fault of faults) found.push(fault);
    if (found.length >= mostFaultsShown) throwBroken(path, found);
    if (found.length === 0 && entry !== null) onEntry(entry);
    return true;
  });
  found.push(...findEndFaults(head));
  if (found.length > 0) throwBroken(path, found);
}

/** `rooflaw verify` lists all of them. */
const mostFaultsShown = 10;

function throwBroken(path: string, faults: readonly Fault[]): never {
  throw new RooflawError('ledger-broken', `${path} is not as it was written`, {
    faults: faults.slice(0, mostFaultsShown),
    hint: '`rooflaw verify` lists every fault; nothing can be concluded from a changed ledger',
  });
}
