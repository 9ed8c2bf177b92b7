/** What a test gave, in the order that llama-bench prints it. Everything else is its condition. */
export const printedColumns = ['avg_ns', 'stddev_ns', 'avg_ts', 'stddev_ts'] as const;
export type PrintedColumn = (typeof printedColumns)[number];

const resultColumns: ReadonlySet<string> = new Set([
  'test_time',
  ...printedColumns,
  'samples_ns',
  'samples_ts',
]);

/** Settings and descriptions that versions of llama-bench since August 2023 have written. */
const conditionColumns: ReadonlySet<string> = new Set([
  'build_commit',
  'build_number',
  // before September 2024 one column for each kind of backend
  'cuda',
  'opencl',
  'vulkan',
  'kompute',
  'metal',
  'sycl',
  'rpc',
  'gpu_blas',
  'blas',
  'cpu_info',
  'gpu_info',
  'backends',
  'model_filename',
  'model_type',
  'model_size',
  'model_n_params',
  'n_batch',
  'n_ubatch',
  'n_threads',
  'cpu_mask',
  'cpu_strict',
  'poll',
  'f16_kv',
  'type_k',
  'type_v',
  'n_gpu_layers',
  'n_cpu_moe',
  'split_mode',
  'main_gpu',
  'mul_mat_q',
  'no_kv_offload',
  'flash_attn',
  'devices',
  'tensor_split',
  'tensor_buft_overrides',
  'use_mmap',
  'use_direct_io',
  'load_mode',
  'lazy_mode',
  'embeddings',
  'no_op_offload',
  'no_host',
  'fit_target',
  'fit_min_ctx',
  'n_prompt',
  'n_gen',
  'n_depth',
  // only in Markdown, rounded
  'size',
  'params',
]);

/** Before the names of what `rooflaw bench` writes beside llama-bench's columns. */
const ownPrefix = 'rooflaw_';
/** Number of processes: where a row has it, each sample is the mean of one. */
export const processesColumn = 'rooflaw_processes';
/** Of ours, what tells apart rows that llama-bench's columns do not; the others are results. */
const ownConditionColumns: ReadonlySet<string> = new Set([
  'rooflaw_model_sha256',
  'rooflaw_variant',
]);

export function isResultColumn(name: string): boolean {
  const isOwnResult = name.startsWith(ownPrefix) && !ownConditionColumns.has(name);
  return isOwnResult || resultColumns.has(name);
}

export function isKnownColumn(name: string): boolean {
  return conditionColumns.has(name) || ownConditionColumns.has(name) || isResultColumn(name);
}

/** Whether names like these could be the columns of llama-bench's output. */
export function looksLikeColumns(names: readonly string[]): boolean {
  const isTest = names.some((name) => name === 'n_prompt' || name === 'n_gen');
  return isTest && names.filter(isKnownColumn).length >= 3;
}

/** Short headings of the Markdown table. */
const headings: ReadonlyMap<string, string> = new Map([
  ['model', 'model_type'],
  ['backend', 'backends'],
  ['ngl', 'n_gpu_layers'],
  ['threads', 'n_threads'],
  ['sm', 'split_mode'],
  ['nkvo', 'no_kv_offload'],
  ['fa', 'flash_attn'],
  ['dev', 'devices'],
  ['ts', 'tensor_split'],
  ['ot', 'tensor_buft_overrides'],
  ['mmap', 'use_mmap'],
  ['dio', 'use_direct_io'],
  ['lm', 'load_mode'],
  ['embd', 'embeddings'],
  ['nopo', 'no_op_offload'],
  ['noh', 'no_host'],
  ['fitt', 'fit_target'],
  ['fitc', 'fit_min_ctx'],
  // of rooflaw bench
  ['interval t/s', 'rooflaw_interval_ts'],
  ['processes', processesColumn],
  ['stable', 'rooflaw_stable'],
]);

/** The column that a heading of the Markdown table stands for. */
export function columnOfHeading(heading: string): string {
  return headings.get(heading) ?? heading;
}
