import type { LedgerEntry, ObservedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import type { Counters, Reading, TreatmentReport } from '../../src/formats/treatment.ts';
import { planTrials, type ScheduledTrial } from '../../src/protocol/schedule.ts';
import { createRandom } from '../../src/random.ts';
import { createLedger } from '../support/ledger-builder.ts';

/** Why work is slow on a synthetic device. */
export type Cause = 'log' | 'move' | 'pauses' | 'dips' | 'none';

/** How much its times scatter without any cause, as standard deviations of logarithms. */
export interface Noise {
  process: number;
  repetition: number;
  /** From the first process of an experiment to its last, straight; and from block to block. */
  drift: number;
  block: number;
  /** Chance that a repetition takes 15 % more, half of them in CPU time and half off the CPU. */
  rareSlow: number;
}

/** As it was asked for: processes of one item scatter by 1 %. Those of an H200 do so by 2 to 3 % in decode. */
export const noisy: Noise = {
  process: 0.01,
  repetition: 0.005,
  drift: 0.03,
  block: 0.003,
  rareSlow: 0.005,
};

/**
 * Processes as alike as on the machine of which representatives of 3 and of 10 processes differed by
 * 0.12 % in the median: 0.12 = 0.6745 x 1.2533 x sqrt(1/3 + 1/10) x 0.22.
 */
export const quiet: Noise = { ...noisy, process: 0.0022 };

const workNs = 15_000_000;
/** What is off the CPU of it without any delay. */
const offCpuNs = 60_000;
/** The first repetition of a process, which is no kept one. */
const firstTakes = 3;
const rareSlowness = 0.15;
const logCost = 0.03;
/** After a move: so much slower, for so long. */
const move = { slowness: 0.02, lastsNs: 10_000_000 };
/** Of all repetitions have a natural delay, where one is planted. */
const naturalShare = 0.06;
const pauseNs = 2_600_000;
const dip = 0.85;
/** Cycles at the actual frequency over those at the base frequency. */
const usualCycles = 1.3;
/** Of all repetitions are interrupted, or move, and take no longer by it. */
const harmless = { switches: 0.02, moves: 0.01 };

/** What a device with one cause of delays would have measured: the ledger of a whole experiment. */
export type SyntheticDevice = (cause: Cause, noise: Noise, seed: string) => LedgerEntry[];

/** Its entries are chained by nothing: only what is measured counts here. */
export function createSyntheticDevice(plan: Plan): SyntheticDevice {
  const ledger = createLedger(plan);
  const trials = planTrials(plan);
  const beginning = ledger.entries[0]!;
  ledger.observe(0, []);
  const observed = ledger.entries.at(-1) as ObservedEntry;
  ledger.add({ type: 'end', observed: trials.length, failed: 0 });
  const end = ledger.entries.at(-1)!;
  return (cause, noise, seed) => {
    const chance = createChance(seed);
    const blockEffects = Array.from(
      { length: plan.protocol.processesPerItem },
      () => noise.block * chance.gauss(),
    );
    const entries = trials.map((trial, index): ObservedEntry => {
      const drift = (noise.drift * index) / trials.length + blockEffects[trial.round]!;
      const speed = drift + noise.process * chance.gauss();
      const load = { ...observed.load!, ...reportOf(trial) };
      const repetitions = measure(trial, cause, noise, speed, chance);
      return { ...observed, trial: trial.trial, load, repetitions };
    });
    return [beginning, ...entries, end];
  };
}

function measure(
  trial: ScheduledTrial,
  cause: Cause,
  noise: Noise,
  speed: number,
  chance: Chance,
): ObservedEntry['repetitions'] {
  const { warmup, kept } = trial.variant!.repetitions ?? { warmup: 1, kept: 5 };
  return Array.from({ length: warmup + kept }, (_, index) => {
    const factor = Math.exp(speed + noise.repetition * chance.gauss());
    const work = workNs * factor * (index === 0 ? firstTakes : 1);
    return repeat(trial, cause, work, noise, chance);
  });
}

function repeat(
  { variant, execution }: ScheduledTrial,
  cause: Cause,
  work: number,
  { rareSlow }: Noise,
  chance: Chance,
): ObservedEntry['repetitions'][number] {
  const { mainThread = null, readings = [] } = variant?.treatment ?? {};
  let cpuNs = work;
  let waitingNs = 0;
  let otherNs = offCpuNs;
  let cycles = usualCycles * (1 + 0.002 * chance.gauss());
  let switches = chance.happens(harmless.switches) ? 1 : 0;
  const moves = mainThread === null && chance.happens(harmless.moves) ? 1 : 0;
  if (cause === 'log' && execution.logSink !== 'off') cpuNs *= 1 + logCost;
  const isMoved = moves > 0 || (mainThread !== null && mainThread.prepareOn !== mainThread.timeOn);
  if (cause === 'move' && isMoved) cpuNs += move.lastsNs * (1 - 1 / (1 + move.slowness));
  const isDelayed = chance.happens(naturalShare);
  if (cause === 'pauses' && isDelayed) {
    waitingNs = pauseNs * (0.5 + chance.uniform());
    switches = 1 + Math.floor(5 * chance.uniform());
  }
  if (cause === 'dips' && isDelayed) {
    cpuNs /= dip;
    cycles *= dip;
  }
  if (chance.happens(rareSlow)) {
    if (chance.happens(0.5)) cpuNs *= 1 + rareSlowness;
    else otherNs += rareSlowness * cpuNs;
  }
  const mainCpuNs = Math.round(cpuNs);
  const mperf = 3 * mainCpuNs;
  const isStaying = moves === 0;
  const counters = select(readings, {
    'cpu-time': { mainCpuNs, processCpuNs: mainCpuNs },
    placement: { startCpu: mainThread?.timeOn ?? 0, endCpu: mainThread?.timeOn ?? moves },
    'context-switches': { voluntarySwitches: 0, involuntarySwitches: switches },
    'page-faults': { minorFaults: 0, majorFaults: 0 },
    'scheduler-wait': { schedulerWaitNs: Math.round(waitingNs) },
    frequency: isStaying ? { aperf: Math.round(mperf * cycles), mperf } : {},
  });
  if (readings.includes('placement')) counters.migrations = moves;
  const wallNs = Math.round(cpuNs + waitingNs + otherNs);
  return { wallNs, prepareNs: 1000, ...(readings.length === 0 ? {} : { counters }) };
}

const select = (readings: readonly Reading[], all: Record<Reading, Counters>): Counters =>
  Object.assign({}, ...readings.map((reading) => all[reading]));

function reportOf({ variant }: ScheduledTrial): { treatment?: TreatmentReport } {
  if (variant?.treatment === undefined) return {};
  const { readings } = variant.treatment;
  const said = [...readings, ...(readings.includes('placement') ? ['migrations'] : [])];
  return {
    treatment: {
      readings: Object.fromEntries(said.map((name) => [name, { source: 'a synthetic device' }])),
      mperfHertz: 3e9,
      residentShare: 1,
    },
  };
}

interface Chance {
  uniform(): number;
  happens(probability: number): boolean;
  gauss(): number;
}

/** Normal numbers by Box and Muller 1958 (doi:10.1214/aoms/1177706645). */
function createChance(seed: string): Chance {
  const random = createRandom(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  return {
    uniform,
    happens: (probability) => uniform() < probability,
    gauss: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
