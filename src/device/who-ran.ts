import type { WhoRan } from '../formats/who-ran.ts';

/** One thread at one look. */
export interface TaskLook {
  onCpuNs: number;
  /** The CPU that it was on last; null: not looked at. */
  cpu: number | null;
}

/** The watched thread at one look. */
export interface MainLook extends TaskLook {
  /** How long it was runnable and not running, since it began. */
  waitNs: number;
}

/** Whose a thread is, and what it may be called in a file that is published. */
export interface TaskOwner {
  name: string;
  isOfTrial: boolean;
}

/** A shorter wait is a few switches, and its cause is gone before the next look. */
const leastWaitNs = 200_000;

/** Names beyond these become one. */
const mostNames = 20;

/** Adds up intervals between two looks. */
export interface Attribution {
  /** Time that others had on the watched thread's CPU while it waited. */
  add(
    before: MainLook,
    after: MainLook,
    ran: readonly { owner: TaskOwner; ns: number; cpu: number | null }[],
  ): void;
  finish(
    counts: Pick<WhoRan, 'samplesTaken' | 'samplesExpected' | 'samplerCpuNs'>,
    waitNs: number,
  ): WhoRan;
}

/** @param intervalMs between two looks */
export function createAttribution(intervalMs: number): Attribution {
  const others = new Map<string, number>();
  let waitsSeen = 0;
  let attributedNs = 0;
  let otherThreadsOfTrialNs = 0;
  return {
    add(before, after, ran) {
      const waitedNs = after.waitNs - before.waitNs;
      if (waitedNs < leastWaitNs) return;
      waitsSeen += 1;
      const here = ran.filter(
        ({ cpu }) => cpu !== null && (cpu === before.cpu || cpu === after.cpu),
      );
      let othersNs = 0;
      for (const { owner, ns } of here) {
        othersNs += ns;
        if (owner.isOfTrial) otherThreadsOfTrialNs += ns;
        else others.set(owner.name, (others.get(owner.name) ?? 0) + ns);
      }
      attributedNs += Math.min(waitedNs, othersNs);
    },
    finish: (counts, waitNs) => ({
      intervalMs,
      ...counts,
      waitNs,
      waitsSeen,
      attributedNs,
      others: cutNames(others),
      otherThreadsOfTrialNs,
    }),
  };
}

function cutNames(others: ReadonlyMap<string, number>): Record<string, number> {
  const sorted = [...others].sort(([, a], [, b]) => b - a);
  const restNs = sorted.slice(mostNames).reduce((sum, [, ns]) => sum + ns, 0);
  const shown = sorted.slice(0, mostNames);
  return Object.fromEntries(restNs === 0 ? shown : [...shown, ['others', restNs]]);
}

/** Of /proc/PID/task/TID/stat: what stands behind the name, which may hold any character. */
export function parseStat(text: string): { name: string; cpu: number; isKernel: boolean } | null {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  const fields = text.slice(close + 2).split(' ');
  const [flags, cpu] = [Number(fields[6]), Number(fields[36])];
  if (open < 0 || close < open || !Number.isInteger(cpu) || !Number.isInteger(flags)) return null;
  const kernelThread = 0x00200000; // PF_KTHREAD of include/linux/sched.h
  return { name: text.slice(open + 1, close), cpu, isKernel: (flags & kernelThread) !== 0 };
}

/** Of /proc/PID/task/TID/schedstat: time on a CPU and time waiting for one, in ns. */
export function parseSchedstat(text: string): { onCpuNs: number; waitNs: number } | null {
  const [, onCpu, wait] = /^(\d+) (\d+) /.exec(text) ?? [];
  return onCpu === undefined ? null : { onCpuNs: Number(onCpu), waitNs: Number(wait) };
}
