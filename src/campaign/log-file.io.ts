import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../errors.ts';
import type { FailedEntry } from '../formats/ledger.ts';
import { sha256Hex } from '../hash.ts';

/** `000012-0.log`: the log of one attempt at one trial. */
export function logNameOf(trial: number, attempt: number): string {
  return `${String(trial).padStart(6, '0')}-${attempt}.log`;
}

/** Size and hash of a log, or null when there is none. */
export async function describeLog(
  folder: string,
  trial: number,
  attempt: number,
): Promise<FailedEntry['log']> {
  const file = logNameOf(trial, attempt);
  const bytes = await readFile(join(folder, file)).catch(() => null);
  return bytes && { file, bytes: bytes.length, sha256: sha256Hex(bytes) };
}

/** What is wrong with a log that a ledger names. */
export async function findLogFaults(
  folder: string,
  { file, bytes, sha256 }: NonNullable<FailedEntry['log']>,
): Promise<Fault[]> {
  const where = `logs/${file}`;
  const content = await readFile(join(folder, file)).catch(() => null);
  if (content === null) return [{ where, what: 'is missing' }];
  if (content.length === bytes && sha256Hex(content) === sha256) return [];
  return [{ where, what: 'is not the log that was written' }];
}

/**
 * Logs of trials that the ledger does not know. A crash cannot leave one behind, since a trial is in
 * the ledger before its log is begun: lines were cut off.
 * @param known names of the logs of every intended trial.
 */
export async function findUnknownLogs(
  folder: string,
  known: ReadonlySet<string>,
): Promise<Fault[]> {
  const names = await readdir(folder).catch(() => []);
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
  const names = await readdir(folder);
  await Promise.all(
    names.filter((name) => name.endsWith('.out')).map((name) => rm(join(folder, name))),
  );
}
