import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { toPrintable } from '../printable.ts';

/** A descendant of a trial's process that was there when that process had ended. */
export interface LeftProcess {
  pid: number;
  /** As the kernel calls it, at most 15 characters. */
  name: string;
}

/** By what the processes of one trial are known. */
export interface TrialMarks {
  /** `NAME=value` in the environment that they were started with: it is found in any session and group. */
  mark: string;
  /** Their process group, whatever their environment; undefined where no process was started. */
  group: number | undefined;
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
 * Finds and ends what is left of a trial. What left the group and was started with an empty
 * environment is not found. Linux only; elsewhere nothing is found.
 * @param first those that were seen already
 */
export async function endLeftProcesses(
  marks: TrialMarks,
  first: readonly LeftProcess[],
): Promise<LeftProcesses> {
  const found = new Map(first.map((left) => [left.pid, left]));
  let alive = findLeftProcesses(marks);
  for (let look = 0; alive.length > 0 && look < mostLooks; look++) {
    for (const left of alive) {
      found.set(left.pid, left);
      endProcess(left.pid);
    }
    await sleep(lookAgainMs);
    alive = findLeftProcesses(marks);
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

/** One that has ended and awaits its parent is none of them. */
export function findLeftProcesses({ mark, group }: TrialMarks): LeftProcess[] {
  const text = Buffer.from(`${mark}\0`);
  return listFolder('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const isMarked = readBytes(`/proc/${name}/environ`)?.includes(text) ?? false;
    if (!isMarked && !isAliveIn(group, name)) return [];
    const command = readBytes(`/proc/${name}/comm`)?.toString('utf8').trim();
    return [{ pid: Number(name), name: toPrintable(command ?? '') || 'without a name' }];
  });
}

/** `/proc/PID/stat` (proc_pid_stat(5)): state, parent and group stand behind the name in parentheses. */
function isAliveIn(group: number | undefined, pid: string): boolean {
  if (group === undefined) return false;
  const stat = readBytes(`/proc/${pid}/stat`)?.toString('latin1') ?? '';
  const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
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
