/** The times of one process that was observed, in ns. */
export interface ProcessSteps {
  trial: number;
  round: number;
  /** Steps of one repetition. */
  steps: number;
  /** Kept repetitions one after the other, the steps of each in order: kept x steps. */
  stepNs: Float64Array;
  /** Of each kept repetition; null where it computed none. */
  prefillNs: (number | null)[];
  /** Prefill and first step of the very first repetition. */
  own: { prefillNs: number | null; firstStepNs: number };
  loadNs: number;
  clockNs: number | null;
}

/** Exact below 2^53 ns, 104 days. */
export const sumOf = (values: Float64Array): number => values.reduce((sum, ns) => sum + ns, 0);
