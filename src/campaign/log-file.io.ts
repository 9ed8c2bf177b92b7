import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import type { FailedEntry } from '../formats/ledger.ts';
import { sha256Hex } from '../hash.ts';
import { syncFolder } from '../sync-folder.io.ts';

/** `000012-0.log`: the log of one attempt at one trial. */
export function logNameOf(trial: number, attempt: number): string {
  return `${String(trial).padStart(6, '0')}-${attempt}.log`;
}

/**
 * Size and hash of a log, or null when there is none. It is on the disk then, as what names it will be.
 * @throws what the disk says: a log that cannot be read is not none
 */
export async function describeLog(
  folder: string,
  trial: number,
  attempt: number,
): Promise<FailedEntry['log']> {
  const file = logNameOf(trial, attempt);
  try {
    await using log = await open(join(folder, file), 'r+'); // Windows synchronises only what may be written
    const bytes = await log.readFile();
    await log.sync();
    await syncFolder(folder);
    return { file, bytes: bytes.length, sha256: sha256Hex(bytes) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw explainFileError(
      error,
      join(folder, file),
      'make room or see to the disk, then run the same command to resume',
    );
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What is wrong with a log that a ledger names. */
export async function findLogFaults(
  folder: string,
  { file, bytes, sha256 }: NonNullable<FailedEntry['log']>,
): Promise<Fault[]> {
  const where = `logs/${file}`;
  try {
    // whose folder it is, is not known: a link or a pipe in the place of a log may lead anywhere
    await using log = await open(join(folder, file), readAsIs);
    const status = await log.stat();
    const isRight =
      status.isFile() && status.size === bytes && sha256Hex(await log.readFile()) === sha256;
    return isRight ? [] : [{ where, what: 'is not the log that was written' }];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [{ where, what: isMissing(error) ? 'is missing' : `cannot be read (${code})` }];
  }
}

const readAsIs = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Logs of trials that the ledger does not know. A crash cannot leave one behind, since a trial is in
 * the ledger before its log is begun: lines were cut off.
 * @param known names of the logs of every intended trial.
 */
export async function findUnknownLogs(
  folder: string,
  known: ReadonlySet<string>,
): Promise<Fault[]> {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith('.log') && !known.has(name))
    .sort()
    .map((name) => ({
      where: `logs/${name}`,
      what: 'is of a trial that the ledger does not know',
      hint: 'lines were cut off the ledger’s end after they were written',
    }));
}

/** Removes what a harness that was killed had not read yet: it is in no ledger and will not be. */
export async function removeUnreadOutput(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left = entries.filter((entry) => entry.name.endsWith('.out') && !entry.isDirectory());
  await Promise.all(left.map(({ name }) => rm(join(folder, name), { force: true })));
}
