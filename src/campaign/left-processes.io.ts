import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { toPrintable } from '../printable.ts';

/** A descendant of a trial's process that was there when that process had ended. */
export interface LeftProcess {
  pid: number;
  /** As the kernel calls it, at most 15 characters. */
  name: string;
}

/** Those that were found, and of them those that no signal ended. */
export interface LeftProcesses {
  found: LeftProcess[];
  alive: LeftProcess[];
}

/** Milliseconds between looks, and how often: a process that ends needs a moment, a fork another look. */
const lookAgainMs = 20;
const mostLooks = 100;

/**
 * Finds and ends the processes that carry `mark` (`NAME=value`) in the environment that they were
 * started with: a session or group of their own does not hide them. One that started a program with
 * an empty environment is not found. Linux only; elsewhere nothing is found.
 * @param first those that were seen already
 */
export async function endLeftProcesses(
  mark: string,
  first: readonly LeftProcess[] = findMarkedProcesses(mark),
): Promise<LeftProcesses> {
  const found = new Map(first.map((left) => [left.pid, left]));
  let alive = findMarkedProcesses(mark);
  for (let look = 0; alive.length > 0 && look < mostLooks; look++) {
    for (const left of alive) {
      found.set(left.pid, left);
      endProcess(left.pid);
    }
    await sleep(lookAgainMs);
    alive = findMarkedProcesses(mark);
  }
  return { found: [...found.values()], alive };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself, or belongs to another user by now; the next look tells
  }
}

/** The processes with a mark in their environment; one that has ended and awaits its parent has none. */
export function findMarkedProcesses(mark: string): LeftProcess[] {
  const text = Buffer.from(`${mark}\0`);
  return listFolder('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const environment = readBytes(`/proc/${name}/environ`);
    if (environment === null || !environment.includes(text)) return [];
    const command = readBytes(`/proc/${name}/comm`)?.toString('utf8').trim();
    return [{ pid: Number(name), name: toPrintable(command ?? '') || 'without a name' }];
  });
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
