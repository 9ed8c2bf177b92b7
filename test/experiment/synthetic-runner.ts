import type { TrialRunner } from '../../src/campaign/trial-runner.ts';
import type { Counters, Reading, TreatmentReport } from '../../src/formats/treatment.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { createRandom } from '../../src/random.ts';
import { runnerLines, soundRecord } from '../support/fake-runner.ts';

/** Why work is slow on a synthetic machine. */
export type Cause = 'log' | 'move' | 'pauses' | 'dips' | 'none';

/** How much its times scatter, as standard deviations of logarithms. */
export interface Scatter {
  block: number;
  process: number;
  repetition: number;
  /** Chance that a repetition is slow for no reason that anybody planted. */
  rareSlow: number;
}

/**
 * That of the seed's machine: representatives of 3 and of 10 processes differed by 0.12 % in the
 * median, which a process scatter of 0.23 % gives (0.12 = 0.6745 x 1.2533 x sqrt(1/3 + 1/10) x 0.23).
 */
export const quietScatter: Scatter = {
  block: 0.003,
  process: 0.0023,
  repetition: 0.002,
  rareSlow: 0.002,
};

const workNs = 15_000_000;
/** What the main thread does not compute of it. */
const offCpuNs = 60_000;
const logCost = 0.03;
const moveSlowness = 0.02;
const moveLastsNs = 10_000_000;
const pauseNs = 2_600_000;
const dip = 0.85;
const naturalShare = 0.04;
const rareNs = 2_000_000;
const usualCycles = 1.3;

/** Between two blocks' processes the machine drifts. */
const driftOfProcess = 0.00002;

/** A runner that computes what a machine with one cause of delays would have measured. */
export function createSyntheticRunner(cause: Cause, scatter: Scatter, seed: string): TrialRunner {
  const normal = createNormal(seed);
  let processes = 0;
  let blockEffect = 0;
  return {
    run(trial) {
      if (processes % 3 === 0) blockEffect = scatter.block * normal.gauss();
      const speed = Math.exp(
        blockEffect + scatter.process * normal.gauss() + driftOfProcess * processes,
      );
      processes += 1;
      const repetitions = Array.from({ length: trial.repetitions }, () =>
        repeat(
          trial,
          cause,
          speed * Math.exp(scatter.repetition * normal.gauss()),
          scatter,
          normal,
        ),
      );
      return Promise.resolve({
        ...soundRecord(trial),
        lines: writeLines(trial, repetitions),
        processNs: 10_000_000_000,
      });
    },
  };
}

interface Repeated {
  wallNs: number;
  counters: Required<Omit<Counters, 'voluntarySwitches' | 'minorFaults' | 'majorFaults'>>;
}

function repeat(
  trial: Trial,
  cause: Cause,
  factor: number,
  { rareSlow }: Scatter,
  normal: Normal,
): Repeated {
  const { mainThread = null } = 'treatment' in trial ? trial.treatment : {};
  let cpuNs = workNs * factor;
  let waitingNs = 0;
  let otherNs = offCpuNs;
  let cycles = usualCycles * (1 + 0.002 * normal.gauss());
  let switches = 0;
  if (cause === 'log' && trial.logSink === 'file') cpuNs *= 1 + logCost;
  if (cause === 'log' && trial.logSink === 'null') cpuNs *= 1 + logCost;
  const isMoved = mainThread !== null && mainThread.prepareOn !== mainThread.timeOn;
  if (cause === 'move' && isMoved) cpuNs += moveLastsNs * (1 - 1 / (1 + moveSlowness));
  const isHit = normal.uniform() < naturalShare;
  if (cause === 'pauses' && isHit) {
    waitingNs = pauseNs * (0.5 + normal.uniform());
    switches = 1 + Math.floor(5 * normal.uniform());
  }
  if (cause === 'dips' && isHit) {
    cpuNs /= dip;
    cycles *= dip;
  }
  if (normal.uniform() < rareSlow) {
    if (normal.uniform() < 0.5) cpuNs += rareNs;
    else otherNs += rareNs;
  }
  const wallNs = Math.round(cpuNs + waitingNs + otherNs);
  const mainCpuNs = Math.round(cpuNs);
  const mperf = mainCpuNs * 3;
  const cpu = mainThread?.timeOn ?? 0;
  return {
    wallNs,
    counters: {
      mainCpuNs,
      processCpuNs: mainCpuNs,
      startCpu: cpu,
      endCpu: cpu,
      migrations: 0,
      involuntarySwitches: switches,
      schedulerWaitNs: Math.round(waitingNs),
      aperf: Math.round(mperf * cycles),
      mperf,
    },
  };
}

const source = { source: 'a synthetic machine' };

function writeLines(trial: Trial, repetitions: readonly Repeated[]): string[] {
  const [load, ...rest] = runnerLines(trial, (index) => repetitions[index]!.wallNs);
  if (!('treatment' in trial)) return [load!, ...rest];
  const { readings } = trial.treatment;
  const asked = [...readings, ...(readings.includes('placement') ? ['migrations'] : [])];
  const report: TreatmentReport = {
    readings: Object.fromEntries(asked.map((name) => [name, source])),
    mperfHertz: 3e9,
    residentShare: 1,
  };
  const end = rest.pop()!;
  const treated = repetitions.map(({ wallNs, counters }, index) => ({
    type: 'repetition',
    index,
    wallNs,
    prepareNs: 1000,
    counters: select(counters, trial),
  }));
  return [
    JSON.stringify({ ...JSON.parse(load!), treatment: report }),
    ...treated.map((line) => JSON.stringify(line)),
    end,
  ];
}

function select(counters: Repeated['counters'], trial: Trial): Counters {
  const readings: readonly Reading[] = 'treatment' in trial ? trial.treatment.readings : [];
  const has = (reading: Reading) => readings.includes(reading);
  const { mainCpuNs, processCpuNs, startCpu, endCpu, migrations } = counters;
  const { involuntarySwitches, schedulerWaitNs, aperf, mperf } = counters;
  return {
    ...(has('cpu-time') ? { mainCpuNs, processCpuNs } : {}),
    ...(has('placement') ? { startCpu, endCpu, migrations } : {}),
    ...(has('context-switches') ? { involuntarySwitches, voluntarySwitches: 0 } : {}),
    ...(has('page-faults') ? { minorFaults: 0, majorFaults: 0 } : {}),
    ...(has('scheduler-wait') ? { schedulerWaitNs } : {}),
    ...(has('frequency') ? { aperf, mperf } : {}),
  };
}

interface Normal {
  uniform(): number;
  gauss(): number;
}

/** Box and Muller 1958 (doi:10.1214/aoms/1177706645). */
function createNormal(seed: string): Normal {
  const random = createRandom(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  return {
    uniform,
    gauss: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
