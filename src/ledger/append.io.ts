import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { type LedgerEntry, ledgerEntrySchema, type UnchainedEntry } from '../formats/ledger.ts';
import { parseValue } from '../formats/parse.ts';
import { sha256Hex } from '../hash.ts';
import { type ChainHead, chainEntry, emptyChain } from './chain.ts';
import { readLines } from './lines.io.ts';
import { verifyLedger } from './read.io.ts';

const ledgerHint =
  'nothing that was promised is lost: make room or allow writing, then run the same command to resume';

/** Appends to one ledger; one writer at a time, which the campaign's lock sees to. */
export interface LedgerWriter {
  /** Resolves when the line is on the disk (fdatasync): from then on it is promised. */
  append(entry: UnchainedEntry): Promise<LedgerEntry>;
  close(): Promise<void>;
}

/** What a crash left behind the last newline, set aside under this name. */
export interface TornLine {
  file: string;
  bytes: number;
  sha256: string;
}

/**
 * Starts a ledger that must not exist yet with its first entry. It appears whole, under its name, or
 * not at all.
 */
export async function createLedger(path: string, first: UnchainedEntry): Promise<LedgerWriter> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(draft, 'wx', 0o644);
    const writer = writeTo(file, emptyChain, 0, path);
    await writer.append(first);
    await link(draft, path); // unlike a rename, it fails when the name is taken
    await rm(draft);
    await syncFolder(dirname(path));
    return writer;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // it hides no other error
    throw explainFileError(error, path, ledgerHint);
  }
}

/**
 * Opens a ledger to go on writing: checks all of it, sets a torn last line aside.
 * @param onEntry is given every entry that is there.
 * @throws RooflawError `ledger-broken` with every fault; nothing is written then.
 */
export async function reopenLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void,
): Promise<{ writer: LedgerWriter; tornLine: TornLine | null }> {
  const { faults, head, tornBytes } = await verifyLedger(path, onEntry);
  if (faults.length > 0) {
    throw new RooflawError('ledger-broken', `${path} is not as it was written; it is left alone`, {
      faults,
      hint: 'measure in a new campaign: `rooflaw run PLAN --name OTHER`',
    });
  }
  try {
    const tornLine = tornBytes === 0 ? null : await setTornLineAside(path);
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    return { writer: writeTo(file, head, size, path), tornLine };
  } catch (error) {
    throw explainFileError(error, path, ledgerHint);
  }
}

function writeTo(
  file: FileHandle,
  start: ChainHead,
  startBytes: number,
  path: string,
): LedgerWriter {
  let head = start;
  let position = startBytes;
  return {
    async append(unchained) {
      const { entry, line, head: next } = chainEntry(unchained, head, new Date().toISOString());
      parseValue(ledgerEntrySchema, entry, 'an entry of the ledger'); // never write what no reader takes
      const bytes = Buffer.from(`${line}\n`, 'utf8');
      try {
        await refuseForeignChange(file, position, path);
        await writeFully(file, bytes, position);
        await file.datasync();
      } catch (error) {
        if (!(error instanceof RooflawError)) await file.truncate(position).catch(() => {}); // half a line
        throw explainFileError(error, 'the ledger', ledgerHint);
      }
      head = next;
      position += bytes.length;
      return entry;
    },
    close: () => file.close(),
  };
}

/** @throws RooflawError `ledger-broken` when somebody else wrote to the file, or deleted it. */
async function refuseForeignChange(
  file: FileHandle,
  position: number,
  path: string,
): Promise<void> {
  const { size, ino } = await file.stat();
  const there = await stat(path).catch(() => null);
  const isNew = position === 0; // it gets its name with its first line
  const moved = !isNew && there?.ino !== ino;
  const what = moved
    ? 'was moved or deleted'
    : size !== position
      ? 'was written to by others'
      : null;
  if (what === null) return;
  throw new RooflawError('ledger-broken', `the ledger ${what} while the campaign was running`, {
    hint: 'measure in a new campaign: `rooflaw run PLAN --name OTHER`',
  });
}

async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

const tornName = /^ledger\.torn-[0-9a-f]{12}$/;

/** Copies the bytes after the last newline to a file of their own, then cuts them off. */
async function setTornLineAside(path: string): Promise<TornLine> {
  let torn = Buffer.alloc(0);
  for await (const line of readLines(path)) if (!line.complete) torn = Buffer.from(line.bytes);
  const sha256 = sha256Hex(torn);
  const file = `ledger.torn-${sha256.slice(0, 12)}`;
  const aside = `${dirname(path)}/${file}`;
  const copy = await open(`${aside}.part`, 'w');
  await copy.writeFile(torn);
  await copy.sync();
  await copy.close();
  await rename(`${aside}.part`, aside);
  await syncFolder(dirname(path));
  const ledger = await open(path, 'r+');
  const { size } = await ledger.stat();
  await ledger.truncate(size - torn.length);
  await ledger.sync();
  await ledger.close();
  return { file, bytes: torn.length, sha256 };
}

/** The torn lines that were ever set aside beside a ledger, by name. */
export async function listTornLines(path: string): Promise<TornLine[]> {
  const names = (await readdir(dirname(path))).filter((name) => tornName.test(name)).sort();
  const lines: TornLine[] = [];
  for (const file of names) {
    const content = await readFile(`${dirname(path)}/${file}`);
    if (content.length > 0) lines.push({ file, bytes: content.length, sha256: sha256Hex(content) });
  }
  return lines;
}

/** Makes a new or renamed file survive a crash of the machine. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows has no such call
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
