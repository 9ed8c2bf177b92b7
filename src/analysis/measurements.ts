import type { SampleAnalysis, TrialAnalysis } from '../formats/analysis.ts';
import type { Item, Phase } from '../formats/architecture.ts';
import type { Declaration } from '../formats/plan.ts';

/** What is analysed, wherever it came from: a ledger, or public tables of trials and repetitions. */
export interface Measurements {
  name: string;
  /** In the order of every output: phase by phase. */
  items: MeasuredItem[];
  /** In the order of measuring. */
  trials: MeasuredTrial[];
  /** Sums are in 1/unitsPerNs ns: the kept count for a ledger, a power of ten for decimals. */
  unitsPerNs: bigint;
  phases: Phase[];
  /** null where nobody says: then a decode has no tokens per second. */
  decodeSteps: number | null;
  /** null: the usual rule (half of 10 %), declared by nobody. */
  declaration: Declaration | null;
  /** A target that was asked for afterwards; it is labelled so. */
  targetDifference: number | null;
  rules: SampleAnalysis['rules'];
  repetitions: { warmup: number; kept: number } | null;
  /** Trials the plan asks for; null without a plan. */
  planned: number | null;
  /** Sentences about what differed between sessions; null where nobody looked. */
  environmentDifferences: string[] | null;
  /** Drift is looked for in the first item of each phase: there is no reference of the protocol's own. */
  watchesFirstItem: boolean;
}

export interface MeasuredItem {
  item: Item;
  isReference: boolean;
  partOfSpace: boolean;
}

export interface MeasuredTrial
  extends Pick<
    TrialAnalysis,
    'trial' | 'item' | 'round' | 'position' | 'session' | 'attempts' | 'state' | 'processNs'
  > {
  /** Trial mean in 1/unitsPerNs ns; null unless observed. */
  sum: bigint | null;
  /** ddof 1; null unless observed with at least two kept repetitions. */
  inTrialCv: number | null;
  /** In-trial CV at most the rule's limit, compared exactly. */
  inTrialPasses: boolean | null;
  /** All repetitions in ns, in order; null where only means are there. */
  wallNs: number[] | null;
  /** What came before each repetition outside the timer, in ns; null where nobody says. */
  prepareNs: number[] | null;
}
