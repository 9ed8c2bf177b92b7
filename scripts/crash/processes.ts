import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Process numbers of all that run this program. */
export function listProcessesOf(program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const path = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
        return path === program && stateOf(Number(pid)) !== 'Z';
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}

/** `R`, `S`, `T` (stopped), `Z` (dead, not yet collected) and so on; null: there is none. */
export function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? null;
  } catch {
    return null;
  }
}

/** Children that the harness started, which are runners. */
export function listRunnersOf(harness: number): number[] {
  try {
    const text = readFileSync(`/proc/${harness}/task/${harness}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** @returns false when it did not come true within the limit */
export async function waitUntil(isTrue: () => boolean, limitMs = 5000): Promise<boolean> {
  const steps = Math.ceil(limitMs / 2);
  for (let step = 0; step < steps; step++) {
    if (isTrue()) return true;
    await wait(2);
  }
  return isTrue();
}

/** Sends a signal to one process. @returns whether it was there to get it */
export function strike(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it ended meanwhile
  }
}
