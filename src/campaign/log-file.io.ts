import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
