import { readFile } from 'node:fs/promises';

/** Names the current boot of this machine, or null where the system does not tell. */
export async function readBootId(): Promise<string | null> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  return text?.trim() ?? null;
}
