import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { WhoRan } from '../formats/who-ran.ts';
import {
  createAttribution,
  type MainLook,
  parseSchedstat,
  parseStat,
  type TaskOwner,
} from './who-ran.ts';

export interface WhoRanSampler {
  /** Begins to look at the main thread of a process. */
  start(pid: number): void;
  /** null where nothing was seen of it. */
  stop(): WhoRan | null;
}

/** Which threads there are is looked up this seldom: what lives shorter is missed. */
const looksPerListing = 10;

/**
 * Looks, every so many ms, who has the CPU of a process's main thread while that waits for it. The looks
 * are taken by this process between its other events, so they come late when it has no CPU itself.
 */
export function createWhoRanSampler({
  intervalMs,
  procRoot = '/proc',
}: {
  intervalMs: number;
  procRoot?: string;
}): WhoRanSampler {
  let watch: Watch | null = null;
  let timer: NodeJS.Timeout | undefined;
  return {
    start(pid) {
      watch = new Watch(procRoot, pid, intervalMs);
      watch.look();
      timer = setInterval(() => watch?.look(), intervalMs);
    },
    stop() {
      clearInterval(timer);
      const record = watch?.finish() ?? null;
      watch = null;
      return record;
    },
  };
}

/** @returns null where it can be looked, otherwise why not */
export function whoRanAvailability(procRoot = '/proc'): string | null {
  const path = join(procRoot, 'self', 'schedstat');
  try {
    return parseSchedstat(readFileSync(path, 'latin1')) === null ? `${path} holds no times` : null;
  } catch (error) {
    return `${path}: ${(error as NodeJS.ErrnoException).code ?? 'cannot be read'}`;
  }
}

interface Task {
  folder: string;
  schedstat: number;
  onCpuNs: number;
  owner: TaskOwner | null;
}

class Watch {
  readonly #root: string;
  readonly #pid: number;
  readonly #intervalMs: number;
  readonly #main: string;
  readonly #attribution;
  readonly #tasks = new Map<string, Task>();
  readonly #began = process.hrtime.bigint();
  readonly #buffer = Buffer.alloc(1024);
  #first: MainLook | null = null;
  #last: MainLook | null = null;
  #looks = 0;
  #cpuMicroseconds = 0;

  constructor(root: string, pid: number, intervalMs: number) {
    this.#root = root;
    this.#pid = pid;
    this.#intervalMs = intervalMs;
    this.#main = join(root, String(pid), 'task', String(pid));
    this.#attribution = createAttribution(intervalMs);
  }

  look(): void {
    const before = process.cpuUsage();
    if (this.#looks % looksPerListing === 0) this.#listTasks();
    const main = this.#lookAtMain();
    const ran = this.#lookAtTasks();
    if (main !== null) {
      this.#first ??= main;
      if (this.#last !== null) this.#attribution.add(this.#last, main, ran);
      this.#last = main;
      this.#looks += 1;
    }
    const { user, system } = process.cpuUsage(before);
    this.#cpuMicroseconds += user + system;
  }

  finish(): WhoRan | null {
    for (const { schedstat } of this.#tasks.values()) closeSync(schedstat);
    this.#tasks.clear();
    if (this.#first === null || this.#last === null) return null;
    const elapsedMs = Number(process.hrtime.bigint() - this.#began) / 1e6;
    return this.#attribution.finish(
      {
        samplesTaken: this.#looks,
        samplesExpected: Math.max(this.#looks, 1 + Math.floor(elapsedMs / this.#intervalMs)),
        samplerCpuNs: Math.round(this.#cpuMicroseconds * 1000),
      },
      this.#last.waitNs - this.#first.waitNs,
    );
  }

  #lookAtMain(): MainLook | null {
    const times = parseSchedstat(readText(join(this.#main, 'schedstat')) ?? '');
    const stat = parseStat(readText(join(this.#main, 'stat')) ?? '');
    return times === null || stat === null ? null : { ...times, cpu: stat.cpu };
  }

  /** Which others had a CPU since the last look, and which. */
  #lookAtTasks() {
    const ran: { owner: TaskOwner; ns: number; cpu: number | null }[] = [];
    for (const [id, task] of this.#tasks) {
      const onCpuNs = this.#readTime(task);
      if (onCpuNs === null) {
        closeSync(task.schedstat);
        this.#tasks.delete(id);
        continue;
      }
      const ns = onCpuNs - task.onCpuNs;
      task.onCpuNs = onCpuNs;
      if (ns <= 0) continue;
      const stat = parseStat(readText(join(task.folder, 'stat')) ?? '');
      if (stat === null) continue;
      task.owner ??= this.#nameOwner(task.folder, stat);
      ran.push({ owner: task.owner, ns, cpu: stat.cpu });
    }
    return ran;
  }

  /** null: it has ended. */
  #readTime({ schedstat }: Task): number | null {
    try {
      const length = readSync(schedstat, this.#buffer, 0, this.#buffer.length, 0);
      return parseSchedstat(this.#buffer.toString('latin1', 0, length))?.onCpuNs ?? null;
    } catch {
      return null;
    }
  }

  #listTasks(): void {
    for (const pid of listNumbers(this.#root)) {
      for (const tid of listNumbers(join(this.#root, pid, 'task'))) {
        const folder = join(this.#root, pid, 'task', tid);
        if (folder === this.#main || this.#tasks.has(folder)) continue;
        const schedstat = openQuietly(join(folder, 'schedstat'));
        if (schedstat === null) continue;
        const task = { folder, schedstat, onCpuNs: 0, owner: null };
        task.onCpuNs = this.#readTime(task) ?? 0;
        this.#tasks.set(folder, task);
      }
    }
  }

  /** Names of users' programs are theirs; those of the kernel and of ours are told. */
  #nameOwner(folder: string, { name, isKernel }: { name: string; isKernel: boolean }): TaskOwner {
    const pid = Number(folder.split('/').at(-3));
    if (pid === this.#pid) return { name: 'the trial', isOfTrial: true };
    if (pid === process.pid) return { name: 'rooflaw', isOfTrial: false };
    return { name: isKernel ? name.slice(0, 32) : 'another process', isOfTrial: false };
  }
}

const listNumbers = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // it has ended
  }
};

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function openQuietly(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
