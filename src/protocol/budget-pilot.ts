import { fewestSteady, findSteadyStart } from '../stats/change-points.ts';
import { mean } from '../stats/mean.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { type ProcessVariance, separateProcesses } from '../stats/pooled-variance.ts';

/** One item as a short pilot saw it: all processes, all repetitions, in ns. */
export interface PilotItem {
  processes: PilotProcess[];
}

export interface PilotProcess {
  /** Start of the process, load, context, device reads: everything that is not a repetition. */
  overheadNs: number;
  wallNs: number[];
  /** What was prepared outside the timer for each repetition; as long as `wallNs`. */
  prepareNs: number[];
}

/** What a pilot says about one item. */
export interface PilotSummary {
  processes: number;
  /** Repetitions of the pilot's process of middle length. */
  repetitions: number;
  steady: SteadyStart;
  /** Mean over the processes. */
  overheadNs: number;
  /** With its preparation: of each repetition before the steady ones, and of a steady one. */
  transientNs: number[];
  repetitionNs: number;
  /** Median of the process means of steady repetitions. */
  representativeNs: number;
  /** Of steady repetitions over the representative: squared fractions of it. */
  variance: ProcessVariance;
  /** The pilot's shortest and longest process over their mean. */
  processRange: [number, number];
}

export interface SteadyStart {
  /** First steady repetition, from 0. */
  from: number;
  /** change-points: by `findSteadyStart`. leading-run: too few repetitions for it. unknown: one repetition. */
  source: 'change-points' | 'leading-run' | 'unknown';
}

/** As far as v1's stable flag lets the trials of an item lie apart. */
const leadingTolerance = 0.05;

/**
 * Where repetitions become steady in a pilot. The series is the median over processes of the log
 * ratio of each repetition to the median of the later half of its own process; it is as long as at
 * least half of the processes are. Its last level begins the steady part, by change points as in
 * `rooflaw analyze`. Where those cannot say (fewer than 5 repetitions after the last change), the
 * steady part begins after the leading repetitions that lie more than 5 % outside the range of the
 * later half: a first repetition that is slow by far is seen even in two, a slow settling is not.
 * One repetition says nothing; it is then taken for what all cost.
 */
export function findPilotSteadyStart(processes: readonly (readonly number[])[]): SteadyStart {
  const length = medianLength(processes);
  if (length === 1) return { from: 0, source: 'unknown' };
  const laterMedians = processes.map(
    (times) => medianOfNumbers(times.slice(Math.floor(times.length / 2)))!,
  );
  const ratios = Array.from({ length }, (_, at) => {
    const seen = processes.flatMap((times, process) =>
      at < times.length ? [times[at]! / laterMedians[process]!] : [],
    );
    return medianOfNumbers(seen)!;
  });
  const from = length < fewestSteady ? null : findSteadyStart([ratios]);
  if (from !== null) return { from, source: 'change-points' };
  const later = ratios.slice(Math.floor(length / 2));
  const least = Math.min(...later) / (1 + leadingTolerance);
  const most = Math.max(...later) * (1 + leadingTolerance);
  const firstClose = ratios.findIndex((ratio) => ratio >= least && ratio <= most);
  return { from: firstClose, source: 'leading-run' };
}

/** A process that ends before the steady part gives its last repetition: the nearest to steady there is. */
function steadyPart<T>(values: readonly T[], from: number): T[] {
  return values.slice(Math.min(from, values.length - 1));
}

/** @param item at least one process with at least one repetition, positive times */
export function summarisePilot({ processes }: PilotItem): PilotSummary {
  const steady = findPilotSteadyStart(processes.map(({ wallNs }) => wallNs));
  const wholeNs = processes.map(({ wallNs, prepareNs }) =>
    wallNs.map((ns, at) => ns + prepareNs[at]!),
  );
  const transientNs = Array.from({ length: steady.from }, (_, at) => {
    const seen = wholeNs.flatMap((times) => (at < times.length ? [times[at]!] : []));
    return mean(seen);
  });
  const wallNs = processes.map((seen) => steadyPart(seen.wallNs, steady.from));
  const representativeNs = medianOfNumbers(wallNs.map(mean))!;
  const totals = processes.map(({ overheadNs }, at) => overheadNs + total(wholeNs[at]!));
  const meanTotal = mean(totals);
  return {
    processes: processes.length,
    repetitions: medianLength(processes.map((seen) => seen.wallNs)),
    steady,
    overheadNs: mean(processes.map(({ overheadNs }) => overheadNs)),
    transientNs,
    repetitionNs: mean(wholeNs.flatMap((times) => steadyPart(times, steady.from))),
    representativeNs,
    variance: separateProcesses(wallNs.map((times) => times.map((ns) => ns / representativeNs))),
    processRange: [Math.min(...totals) / meanTotal, Math.max(...totals) / meanTotal],
  };
}

/** Time of a process that makes so many repetitions in all, in whole ns, rounded up. */
export function expectProcessNs(pilot: PilotSummary, repetitions: number): number {
  const { overheadNs, transientNs, repetitionNs } = pilot;
  const steady = Math.max(0, repetitions - transientNs.length);
  return Math.ceil(overheadNs + total(transientNs.slice(0, repetitions)) + steady * repetitionNs);
}

/** Share of the steady start that is added: it was read off a few processes, others settle later. */
const warmupMargin = 0.5;

/**
 * Warm-up repetitions for one item: the steady start and half as many more, rounded up, at least 1.
 * The pilot's change lies where the median of a few processes has it, to a repetition or two; the
 * half is a convention, not an estimate. At least 1 because the first repetition of a process may
 * meet page faults and late initialisation that a few processes did not show.
 */
export function adviseWarmup({ steady }: PilotSummary): number {
  return Math.max(1, steady.from + Math.ceil(warmupMargin * steady.from));
}

/** The length that at least half of the processes reach. */
function medianLength(processes: readonly (readonly number[])[]): number {
  const lengths = processes.map(({ length }) => length).sort((a, b) => b - a);
  return lengths[Math.ceil(lengths.length / 2) - 1]!;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
