import type { Phase } from '../formats/architecture.ts';
import type { Execution, Protocol, Stopping } from '../formats/protocol.ts';

/** What a protocol for files leaves open. */
export interface BenchRules {
  /** Protocols with other rules need another name. */
  name: string;
  description: string;
  execution: Execution;
  phases: readonly Phase[];
  /** Of every decode whose condition does not say otherwise. */
  decodeSteps: number;
  /** With `stopping` the maximum. */
  processes: number;
  warmup: number;
  kept: number;
  cachePreparation?: 'compute' | 'restore';
  /** Whether each decode step is timed. */
  timesSteps?: boolean;
  stopping?: Stopping;
  trialTimeLimitSeconds: number;
}

/** Rounds of which the first and last are compared to see drift, as in v1; with fewer than six it is not evaluable. */
const edgeRounds = 3;

/**
 * A protocol for GGUF files of any family: v1's rules (fresh processes, medians of process means,
 * randomised rounds, nothing removed) with other counts, and without a reference of its own: the
 * plan's first condition is looked at for drift.
 */
export function createBenchProtocol(rules: BenchRules): Protocol {
  const { name, description, execution, phases, decodeSteps, processes, warmup, kept } = rules;
  const { cachePreparation = 'compute', timesSteps = false, stopping } = rules;
  return {
    format: 'rooflaw-protocol',
    formatVersion: 1,
    name,
    description,
    phases: [...phases],
    decodeSteps,
    tokenSeed: 1,
    ...(cachePreparation === 'compute' ? {} : { cachePreparation }),
    processesPerItem: processes,
    ...(stopping === undefined ? {} : { stopping }),
    repetitions: { warmup, kept },
    trialStatistic: 'mean-of-kept',
    representative: 'median-of-trial-means',
    order: 'randomised-rounds',
    reference: 'first-condition',
    execution,
    observation: {
      deviceState: 'trial-boundaries',
      hostCounters: 'none',
      profiler: 'none',
      ...(timesSteps ? { decodeSteps: 'each' as const } : {}),
    },
    idleWait: null,
    trialTimeLimitSeconds: rules.trialTimeLimitSeconds,
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 2 * edgeRounds, edgeRounds, above: 0.05 },
    },
    removal: 'none',
    tails: 'reported-apart',
    cost: 'whole-hardware-time',
  };
}
