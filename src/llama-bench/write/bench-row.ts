/** One test under one variant, measured in several processes: what every output format is made of. */
export interface BenchRow {
  /** llama-bench's fields by its names, in its order and with its types, samples last. */
  llamaBench: Record<string, LlamaBenchValue>;
  ours: OwnFigures;
}

export type LlamaBenchValue = string | number | boolean | number[];

/** What llama-bench has no field for. */
export interface OwnFigures {
  /** Median of the trial means; null without a valid trial. */
  representativeNs: number | null;
  /** Of that median over processes; null with too few of them. */
  interval: { lowerNs: number; upperNs: number; coverage: number } | null;
  /** Processes that gave a time. */
  processes: number;
  failed: number;
  /** Processes during which others were seen at work on the device. */
  disturbed: number;
  /** The protocol's stable flag; null where it cannot be given. */
  stable: boolean | null;
  /** The largest coefficient of variation of the kept repetitions inside one process. */
  inTrialCvMax: number | null;
  /** Repetitions of each process. */
  warmup: number;
  kept: number;
  modelSha256: string;
  variant: string;
  campaign: string;
  protocolSha256: string;
}
