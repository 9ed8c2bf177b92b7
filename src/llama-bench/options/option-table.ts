/** An option on the command line of `rooflaw bench`, for parsing and for `--help`. */
export interface BenchOption {
  /** The first is the one that messages and labels use. */
  names: readonly [string, ...string[]];
  /** How its value is written; null for a switch. */
  value: string | null;
  sentence: string;
  section: BenchOptionSection;
  /** Why it is not supported and what to do instead. */
  refusal?: Refusal;
}

/** `ours`: options that llama-bench does not have. `refused`: its options that are not supported. */
export type BenchOptionSection = 'tests' | 'settings' | 'output' | 'ours' | 'refused';

export interface Refusal {
  why: string;
  instead: string;
  /** A value that asks for what happens anyway, and is taken. */
  harmless?: string;
}

function define(
  section: BenchOptionSection,
  names: BenchOption['names'],
  value: string | null,
  sentence: string,
): BenchOption {
  return { names, value, sentence, section };
}

function refuse(
  names: BenchOption['names'],
  value: string | null,
  why: string,
  instead: string,
  harmless?: string,
): BenchOption {
  const refusal = { why, instead, ...(harmless !== undefined && { harmless }) };
  return { names, value, sentence: `Not supported: ${why}.`, section: 'refused', refusal };
}

const download = 'nothing is downloaded here, so that the file measured is the one you name';
const downloadFirst = 'download the GGUF and give it with -m FILE';
const placement = 'only whole layers can be placed, with -ngl; single tensors and experts cannot';

/** Every option of llama-bench (llama.cpp v0.4.0), in its order, and ours. */
export const benchOptions: readonly BenchOption[] = [
  define('tests', ['-m', '--model'], 'FILE,…', 'The models to measure, as GGUF files.'),
  define('tests', ['-p', '--n-prompt'], 'N,…', 'Prefill of so many tokens (512); 0: none.'),
  define('tests', ['-n', '--n-gen'], 'N,…', 'Decode of so many tokens (128); 0: none.'),
  define('tests', ['-d', '--n-depth'], 'N,…', 'Tokens in the cache before each test (0).'),

  define('settings', ['-b', '--batch-size'], 'N,…', 'Tokens handed over at once (2048).'),
  define(
    'settings',
    ['-ub', '--ubatch-size'],
    'N,…',
    'Tokens computed at once (512), at most the batch.',
  ),
  define('settings', ['-ctk', '--cache-type-k'], 'TYPE,…', 'Type of the keys in the cache (f16).'),
  define(
    'settings',
    ['-ctv', '--cache-type-v'],
    'TYPE,…',
    'Type of the values in the cache (f16); quantised ones need -fa 1.',
  ),
  define(
    'settings',
    ['-t', '--threads'],
    'N,…',
    'Threads on the CPU, in both phases (one for each physical core that may be used).',
  ),
  define(
    'settings',
    ['-C', '--cpu-mask'],
    'HEX,…',
    'CPUs that may be used (0x0: all); the whole process is kept to them.',
  ),
  define('settings', ['--cpu-strict'], '0|1,…', 'One CPU of the mask for each thread (0).'),
  define('settings', ['--poll'], '0-100,…', 'How hard waiting threads spin (50).'),
  define('settings', ['-ngl', '--n-gpu-layers'], 'N,…', 'Layers on the GPU (-1: all).'),
  define(
    'settings',
    ['-sm', '--split-mode'],
    'MODE,…',
    'How a model is split over GPUs (none: a trial has one device).',
  ),
  define('settings', ['-mg', '--main-gpu'], 'N,…', 'The GPU to use, by its number.'),
  define('settings', ['-nkvo', '--no-kv-offload'], '0|1,…', 'Keeps the cache off the GPU (0).'),
  define(
    'settings',
    ['-fa', '--flash-attn'],
    'on|off,…',
    'Flash attention (off; auto would hide what was measured).',
  ),
  define(
    'settings',
    ['-dev', '--device'],
    'NAME',
    'The one device to measure, as the backend names it; none: the CPU.',
  ),
  define(
    'settings',
    ['-lm', '--load-mode'],
    'MODE,…',
    'How the file is read: none, mmap, mlock, mmap+mlock, dio (mmap).',
  ),
  define(
    'settings',
    ['-lzm', '--lazy-mode'],
    'on|auto|off,…',
    'Reading of marked tensors when they are needed (auto: those above 4 GiB).',
  ),
  define('settings', ['-mmp', '--mmap'], '0|1,…', 'The same as -lm none or -lm mmap.'),
  define('settings', ['-dio', '--direct-io'], '0|1,…', 'The same as -lm none or -lm dio.'),
  define(
    'settings',
    ['-nopo', '--no-op-offload'],
    '0|1,…',
    'Keeps operations on weights of the CPU off the GPU (0).',
  ),
  define('settings', ['--no-host'], '0|1,…', 'No host buffers for what moves to a GPU (0).'),
  define(
    'settings',
    ['--numa'],
    'MODE',
    'distribute, isolate or numactl on machines with several memory nodes (disabled).',
  ),
  define(
    'settings',
    ['--prio'],
    '-1…3',
    'Priority of the threads: low, normal (0), medium, high, real time.',
  ),
  define(
    'settings',
    ['-r', '--repetitions'],
    'N',
    'Kept repetitions inside each process, as --kept; their mean is one sample.',
  ),
  define('settings', ['--no-warmup'], null, 'The same as --warmup 0.'),

  define('output', ['-o', '--output'], 'FORMAT', 'md, csv, json, jsonl or sql (md).'),
  define('output', ['-v', '--verbose'], null, 'Taken; llama.cpp’s log is always kept in a file.'),
  define('output', ['--progress'], null, 'Taken; progress is always shown.'),

  define(
    'ours',
    ['--budget'],
    'TIME',
    'How long measuring may take, its pilot not included: 90s, 5m, 1h.',
  ),
  define('ours', ['--processes'], 'N', 'Fresh processes for each test and variant.'),
  define('ours', ['--warmup'], 'N', 'Repetitions before the kept ones in each process.'),
  define('ours', ['--kept'], 'N', 'Repetitions in each process whose mean is its sample.'),
  define('ours', ['--name'], 'NAME', 'The campaign’s name.'),
  define('ours', ['--backend'], 'DIR', 'A folder with llama.cpp’s libraries; may be repeated.'),
  define('ours', ['--protocol'], 'NAME', 'The protocol whose rules are taken over.'),
  define('ours', ['--yes'], null, 'Begins without asking.'),
  define('ours', ['--json'], null, 'The same as -o json.'),

  refuse(
    ['-pg'],
    'PP,TG',
    'a prompt and an answer in one timer is a sum that hides both',
    '-p PP -n TG measures them apart; -n TG -d PP is the answer after such a prompt',
  ),
  refuse(
    ['-embd', '--embeddings'],
    '0|1,…',
    'embeddings are another computation than prefill and decode',
    'leave it out, and measure embeddings with llama-bench',
    '0',
  ),
  refuse(
    ['-ts', '--tensor-split'],
    'A/B/…',
    'a trial has one device',
    'leave it out; -dev NAME says which device',
  ),
  refuse(
    ['-ot', '--override-tensor'],
    'PATTERN=BUFFER;…',
    placement,
    'leave it out; -ngl N puts N whole layers on the GPU, the others on the CPU',
  ),
  refuse(
    ['-ncmoe', '--n-cpu-moe'],
    'N,…',
    placement,
    'leave it out; -ngl N puts N whole layers on the GPU, their experts with them',
    '0',
  ),
  refuse(
    ['-fitt', '--fit-target'],
    'MIB,…',
    'fitting to free memory changes what is measured from run to run',
    'say with -ngl N how many layers are on the GPU',
    '0',
  ),
  refuse(
    ['-fitc', '--fit-ctx'],
    'N,…',
    'it belongs to --fit-target, which is not supported',
    'leave it out; the context is as long as the test needs',
    '0',
  ),
  refuse(
    ['-rpc', '--rpc'],
    'SERVERS',
    'a device behind a network has times of that network in it',
    'run it on the machine that has the device',
  ),
  refuse(['-hf', '-hfr', '--hf-repo'], 'REPO', download, downloadFirst),
  refuse(['-hff', '--hf-file'], 'FILE', download, downloadFirst),
  refuse(['-hft', '--hf-token'], 'TOKEN', download, downloadFirst),
  refuse(['--offline'], null, 'it is always so', 'leave it out'),
  refuse(
    ['--delay'],
    'SECONDS',
    'rounds are in random order, and a machine that gets slower or faster meanwhile is marked (DRIFT)',
    'leave it out, and look for DRIFT below the table',
    '0',
  ),
  refuse(
    ['-oe', '--output-err'],
    'FORMAT',
    'standard error is for progress',
    'leave it out; -o says the format, and rooflaw analyze reads the campaign again at any time',
    'none',
  ),
  refuse(
    ['--list-devices'],
    null,
    'devices are measured here, not listed',
    'llama-bench --list-devices has the names that -dev takes; a wrong name after -dev lists them, too',
  ),
];

/** What is listed in `--help`. */
export interface ListedBenchOption {
  name: string;
  aliases: string[];
  /** How its value is written; null for a switch. */
  value: string | null;
  sentence: string;
  section: BenchOptionSection;
}

/** Every option of `rooflaw bench`, those that are refused by name included. */
export function listBenchOptions(): ListedBenchOption[] {
  return benchOptions.map(({ names: [name, ...aliases], value, sentence, section }) => {
    return { name, aliases, value, sentence, section };
  });
}
