import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type Fault, RooflawError } from '../errors.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { versionOneSchema } from '../formats/version.ts';
import type { ChainHead } from './chain.ts';
import { type ChainVerdict, type LineFault, mostFaultsListed } from './chain-check.ts';
import { startChainThread } from './chain-thread.io.ts';
import { decodeLine } from './decode-line.ts';
import { readChunks } from './lines.io.ts';
import { createLineSplitter, type FileLine } from './split-lines.ts';
import { type CheckedLine, createEntryCheck, findEndFaults } from './verify.ts';

/** What a whole ledger is worth. */
export interface LedgerVerdict {
  /** Every fault with its line, in the order of the file. */
  faults: Fault[];
  head: ChainHead;
  /** Bytes after the last newline: a write that a crash cut off. They are no data. */
  tornBytes: number;
}

/** @returns the file's size in bytes */
async function assertReadable(path: string): Promise<number> {
  try {
    await access(path, constants.R_OK);
    const file = await stat(path);
    if (file.isFile()) return file.size;
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
  chain: ChainVerdict;
  tornBytes: number;
}

/** A chunk's lines at a time; whether they are tied to one another is known at the end. */
async function* checkLines(path: string): AsyncGenerator<NumberedLine[], Ending, undefined> {
  const fileBytes = await assertReadable(path);
  using thread = startChainThread(fileBytes);
  const splitter = createLineSplitter();
  const entries = createEntryCheck();
  let faultCount = 0;
  const read = ({ number, bytes }: FileLine): NumberedLine => {
    if (number === 1) refuseOtherVersion(bytes, path);
    if (faultCount >= mostFaultsListed) return { number, entry: null, faults: [] };
    const checked = entries.next(decodeLine(bytes), number);
    faultCount += checked.faults.length;
    return { number, ...checked };
  };
  for await (const chunk of readChunks(path)) {
    await thread.send(chunk);
    yield splitter.push(chunk).map(read);
  }
  const tornBytes = splitter.finish()[0]?.bytes.length ?? 0;
  return { chain: await thread.finish(), tornBytes };
}

const notListed: Fault = {
  where: 'the rest',
  what: `more than ${mostFaultsListed} faults; further ones are not listed`,
};

type NumberedLine = CheckedLine & { number: number };

/**
 * Checks a ledger from the first byte to the last.
 * @param onEntry is given each entry whose line is an entry at all, sound or not.
 * @throws RooflawError `not-found`
 */
export async function verifyLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void = () => {},
): Promise<LedgerVerdict> {
  const found: LineFault[] = [];
  await using lines = checkLines(path);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) {
      const { chain, tornBytes } = value;
      const all = [...chain.faults, ...found].sort((a, b) => a.line - b.line);
      const faults = [
        ...all.slice(0, mostFaultsListed).map(({ fault }) => fault),
        ...(all.length >= mostFaultsListed ? [notListed] : []),
        ...findEndFaults(chain.head),
      ];
      return { faults, head: chain.head, tornBytes };
    }
    for (const { number, entry, faults } of value) {
      for (const fault of faults) found.push({ line: number, fault });
      if (entry !== null) onEntry(entry);
    }
  }
}

/**
 * The entries of a ledger. What a line says is checked before it is given out; that the lines are
 * tied to one another, by the end: nothing may be concluded before.
 * @throws RooflawError `not-found`, or `ledger-broken` with the first faults
 */
export async function* readLedger(path: string): AsyncGenerator<LedgerEntry, void, undefined> {
  await using lines = checkLines(path);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) {
      const faults = [
        ...value.chain.faults.map(({ fault }) => fault),
        ...findEndFaults(value.chain.head),
      ];
      if (faults.length > 0) throwBroken(path, faults);
      return;
    }
    for (const { entry, faults } of value) {
      if (faults.length > 0 || entry === null) throwBroken(path, faults);
      else yield entry;
    }
  }
}

/** `rooflaw verify` lists all of them. */
const mostFaultsShown = 10;

function throwBroken(path: string, faults: readonly Fault[]): never {
  throw new RooflawError('ledger-broken', `${path} is not as it was written`, {
    faults: faults.slice(0, mostFaultsShown),
    hint: '`rooflaw verify` lists every fault; nothing can be concluded from a changed ledger',
  });
}
