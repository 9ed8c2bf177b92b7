import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chooseDraftPath, removeDrafts } from '../drafts.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { type LedgerEntry, ledgerEntrySchema, type UnchainedEntry } from '../formats/ledger.ts';
import { parseValue } from '../formats/parse.ts';
import { syncFolder, syncFolderIfReadable } from '../sync-folder.io.ts';
import { type ChainHead, chainEntry, emptyChain } from './chain.ts';
import { verifyLedger } from './read.io.ts';
import { setTornLineAside, type TornLine } from './torn-line.io.ts';

export { listTornLines, type TornLine } from './torn-line.io.ts';

const ledgerHint =
  'nothing that was promised is lost: make room or allow writing, then run the same command to resume';

/** Appends to one ledger; one writer at a time, which the campaign's lock sees to. */
export interface LedgerWriter {
  /** Resolves when the line is on the disk (fdatasync): from then on it is promised. */
  append(entry: UnchainedEntry): Promise<LedgerEntry>;
  close(): Promise<void>;
}

/**
 * Starts a ledger that must not exist yet with its first entry. It appears whole, under its name, or
 * not at all.
 */
export async function createLedger(path: string, first: UnchainedEntry): Promise<LedgerWriter> {
  const draft = chooseDraftPath(path);
  let file: FileHandle | undefined;
  try {
    removeOwnDrafts(path);
    file = await open(draft, 'wx', 0o644);
    const writer = writeTo(file, emptyChain, 0, path);
    await writer.append(first);
    await link(draft, path); // unlike a rename, it fails when the name is taken
    await rm(draft);
    const folder = dirname(path);
    await syncFolder(folder);
    // its own name may be as new, and so may be that of the folder of all campaigns
    await syncFolderIfReadable(dirname(folder));
    await syncFolderIfReadable(dirname(dirname(folder)));
    return writer;
  } catch (error) {
    await file?.close().catch(() => {}); // it hides no other error
    await rm(draft, { force: true }).catch(() => {});
    throw explainFileError(error, path, ledgerHint);
  }
}

/**
 * Opens a ledger to go on writing: checks all of it, sets a torn last line aside.
 * @param onEntry is given every entry that is there.
 * @throws RooflawError `ledger-broken` with every fault, `invalid-input` for a symbolic link; nothing
 * is written then.
 */
export async function reopenLedger(
  path: string,
  onEntry: (entry: LedgerEntry) => void,
): Promise<{ writer: LedgerWriter; tornLine: TornLine | null }> {
  const there = await lstat(path).catch(() => null); // what else is wrong with it shows below
  if (there?.isSymbolicLink()) throw refuseLink(path);
  let end = 0;
  const { faults, head, tornBytes } = await verifyLedger(path, onEntry, ({ bytes }) => {
    end = bytes;
  });
  if (faults.length > 0) {
    throw new RooflawError('ledger-broken', `${path} is not as it was written; it is left alone`, {
      faults,
      hint: 'measure in a new campaign: `rooflaw run PLAN --name OTHER`',
    });
  }
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)); // Windows has it not
    await refuseForeignChange(file, end + tornBytes, path);
    const folder = dirname(path);
    const tornLine = tornBytes === 0 ? null : await setTornLineAside(file, folder, end, tornBytes);
    removeOwnDrafts(path);
    return { writer: writeTo(file, head, end, path), tornLine };
  } catch (error) {
    await file?.close().catch(() => {}); // it hides no other error
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw refuseLink(path);
    throw explainFileError(error, path, ledgerHint);
  }
}

const refuseLink = (path: string) =>
  new RooflawError(
    'invalid-input',
    `${path} is a symbolic link, and nothing is written through one`,
    {
      hint: 'put the file itself there; the whole folder of a campaign may be a link',
    },
  );

/** Drafts of files that only the holder of the campaign's lock writes, who is here. */
function removeOwnDrafts(path: string): void {
  removeDrafts(dirname(path), (name) => name === 'plan.json' || name.startsWith('ledger.'), 0);
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
  const there = await lstat(path).catch(() => null);
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
