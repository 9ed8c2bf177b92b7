import type { Execution } from '../../formats/protocol.ts';

/** One thing to measure: `pp512 @ d4096`, `tg128`. */
export interface BenchTest {
  phase: 'prefill' | 'decode';
  /** Tokens inside the timer. */
  tokens: number;
  /** Tokens in the cache before. */
  depth: number;
}

/** One combination of settings. */
export interface BenchVariant {
  /** What differs among the variants, as options are typed: `fa=1,t=4`; `default` for the only one. */
  label: string;
  /** What differs from the base. */
  changes: Partial<Execution>;
  /** -mg: the number of a GPU; null where nothing was said. */
  mainDevice: number | null;
}

export const benchOutputs = ['md', 'csv', 'json', 'jsonl', 'sql'] as const;
export type BenchOutput = (typeof benchOutputs)[number];

/** The options that llama-bench does not have; null where nothing was said. */
export interface OwnOptions {
  budgetNs: number | null;
  /** Fresh processes for each test and variant. */
  processes: number | null;
  /** Repetitions before the kept ones, in each process. */
  warmup: number | null;
  /** Repetitions of each process whose mean is its sample. */
  kept: number | null;
  name: string | null;
  backends: string[];
  /** -dev as well, which is llama-bench's; `CPU` for its `none`. */
  device: string | null;
  protocol: string | null;
  assumeYes: boolean;
}

/** What a command line of `rooflaw bench` asks for. */
export interface BenchRequest {
  models: string[];
  /** In llama-bench's order, each once. */
  tests: BenchTest[];
  /** At least one; in llama-bench's order, each once. */
  variants: BenchVariant[];
  /** Every setting where a variant changes nothing. */
  base: Execution;
  /** -r: kept repetitions inside a process; null where nothing was said. */
  repetitions: number | null;
  output: BenchOutput;
  ours: OwnOptions;
  /** To tell before anything runs: what llama.cpp lowers, doubles that were dropped. */
  notes: string[];
}
