import type { Execution } from '../../formats/protocol.ts';
import { formatCpuMask } from '../options/cpu-mask.ts';
import type { BenchTest } from '../options/request.ts';
import { loadModeNames } from '../options/settings.ts';
import { describeSamples } from '../sample-statistics.ts';
import type { BenchRow, LlamaBenchValue, OwnFigures } from './bench-row.ts';

/** What is known of one test under one variant. */
export interface MeasuredTest {
  /** Of llama.cpp; llama-bench writes `unknown` and 0 where nothing is known. */
  build: { commit: string | null; number: number | null };
  cpuInfo: string;
  /** Empty without a GPU. */
  gpuInfo: string;
  /** Backends that are loaded beside the CPU's: `['CUDA']`; none: `CPU` is written. */
  backends: readonly string[];
  model: { filename: string; type: string; sizeBytes: number; parameterCount: number };
  execution: Execution;
  /** The one device of the trials, as ggml names it; `CPU` is llama-bench's `none`. */
  device: string;
  /** -mg. */
  mainDevice: number | null;
  test: BenchTest;
  /** Start of the first trial, as ISO 8601. */
  startTime: string;
  /** One of each process that gave a time, in ns. */
  trialMeansNs: readonly number[];
  ours: OwnFigures;
}

/**
 * A row of `rooflaw bench`. samples_ns are the trial means to the whole nanosecond, one a process;
 * avg_ns, stddev_ns, avg_ts and stddev_ts are llama-bench's statistics of them (means, and deviations
 * with n - 1; whole nanoseconds are cut), without its overflow.
 *
 * One sample has no deviation: stddev_ns and stddev_ts are 0 then, as llama-bench writes after
 * -r 1, so that a program that reads numbers goes on working. `rooflaw_stddev_ns` is null. Without a
 * sample all four are 0, as after -r 0.
 */
export function describeBenchRow(input: MeasuredTest): BenchRow {
  const { build, model, test, ours } = input;
  return {
    llamaBench: {
      build_commit: build.commit ?? 'unknown',
      build_number: build.number ?? 0,
      cpu_info: input.cpuInfo,
      gpu_info: input.gpuInfo,
      backends: input.backends.join(',') || 'CPU',
      model_filename: model.filename,
      model_type: model.type,
      model_size: model.sizeBytes,
      model_n_params: model.parameterCount,
      ...describeSettings(input),
      n_prompt: test.phase === 'prefill' ? test.tokens : 0,
      n_gen: test.phase === 'decode' ? test.tokens : 0,
      n_depth: test.depth,
      test_time: `${new Date(input.startTime).toISOString().slice(0, 19)}Z`,
      ...describeTimes(input.trialMeansNs, test.tokens),
    },
    ours,
  };
}

const loadModes = new Map(Object.entries(loadModeNames).map(([name, mode]) => [mode, name]));

/** The settings of a trial as llama-bench's fields, in its order. */
export function describeSettings(input: {
  execution: Execution;
  device: string;
  mainDevice: number | null;
}): Record<string, LlamaBenchValue> {
  const { execution, device, mainDevice } = input;
  return {
    n_batch: execution.batch,
    n_ubatch: execution.ubatch,
    n_threads: execution.threads,
    cpu_mask: formatCpuMask(execution.affinity),
    cpu_strict: execution.threadPoolStrictCpu,
    poll: execution.threadPoolPoll,
    type_k: execution.kvTypeK.toLowerCase(),
    type_v: execution.kvTypeV.toLowerCase(),
    n_gpu_layers: execution.gpuLayers === 'all' ? -1 : execution.gpuLayers,
    n_cpu_moe: 0,
    split_mode: execution.splitMode,
    main_gpu: mainDevice ?? 0,
    no_kv_offload: !execution.kvOffload,
    flash_attn: execution.flashAttention === 'on' ? 1 : 0,
    devices: device === 'CPU' ? 'none' : device,
    tensor_split: '0.00',
    tensor_buft_overrides: 'none',
    load_mode: loadModes.get(execution.loadMode)!,
    lazy_mode: execution.lazyMode,
    embeddings: false,
    no_op_offload: execution.opOffload ? 0 : 1,
    no_host: !execution.hostBuffers,
    fit_target: 0,
    fit_min_ctx: 0,
  };
}

function describeTimes(
  trialMeansNs: readonly number[],
  tokens: number,
): Record<string, LlamaBenchValue> {
  const samplesNs = trialMeansNs.map((ns) => Math.round(ns));
  const samples = samplesNs.map(BigInt);
  const statistics = samples.length === 0 ? null : describeSamples(samples, tokens);
  const rates = statistics?.tokensPerSecond;
  const sixDecimals = (value: number) => Number(value.toFixed(6));
  return {
    avg_ns: Math.floor(statistics?.meanNs ?? 0),
    stddev_ns: Math.floor(statistics?.sdNs ?? 0),
    avg_ts: sixDecimals(rates?.meanOfRates ?? 0),
    stddev_ts: sixDecimals(rates?.sdOfRates ?? 0),
    samples_ns: samplesNs,
    samples_ts: samplesNs.map((ns) => Number(((1e9 * tokens) / ns).toPrecision(6))),
  };
}
