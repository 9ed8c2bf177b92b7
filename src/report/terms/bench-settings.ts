import type { Subject } from './term.ts';

const source = 'src/llama-bench/options/option-table.ts';

/** Settings that have a column in the table of bench where they vary or are not usual. */
export const benchSettings: Subject = {
  title: 'Settings in the table of bench',
  terms: [
    {
      name: 'ngl',
      aliases: ['n_gpu_layers', 'GPU layers'],
      meaning: 'Layers that are put on the GPU; -1 stands for all.',
      isNot: 'the layers of the model.',
      rule: null,
      source,
      related: ['layers', 'backend'],
    },
    {
      name: 'n_batch',
      aliases: ['batch', 'batch size'],
      meaning: 'Tokens that are handed to llama.cpp at once.',
      isNot: 'tokens computed at once: that is n_ubatch. Nor a number of users.',
      rule: 'bench: 2048; v1: 512',
      source: `${source}; docs/protocol-v1.md`,
      related: ['n_ubatch', 'prefill'],
    },
    {
      name: 'n_ubatch',
      aliases: ['ubatch', 'ubatch size'],
      meaning: 'Tokens that llama.cpp computes at once, at most the batch.',
      isNot: 'the batch that is handed over.',
      rule: 'bench: 512; v1: 128',
      source: `${source}; docs/protocol-v1.md`,
      related: ['n_batch', 'prefill'],
    },
    {
      name: 'fa',
      aliases: ['flash_attn', 'flash attention'],
      meaning: 'Flash attention, on (1) or off (0).',
      isNot: 'left to llama.cpp: auto would hide which of two kernels was timed.',
      rule: 'off unless asked for, in v1 as in bench',
      source: `${source}; docs/protocol-v1.md`,
      related: ['type_k', 'phase'],
    },
    {
      name: 'type_k',
      aliases: ['type_v', 'cache type', 'kvTypeK', 'kvTypeV'],
      meaning: 'Format of the keys (type_k) or the values (type_v) in the KV cache.',
      isNot: 'the format of the weights. A quantised type_v needs flash attention.',
      rule: 'F16 unless asked for',
      source,
      related: ['KV bytes', 'fa', 'quantization'],
    },
    {
      name: 'poll',
      aliases: ['threadPoolPoll', 'prio', 'threadPoolPriority', 'priority'],
      meaning:
        'How hard waiting threads spin instead of sleeping, from 0 to 100. threadPoolPriority (--prio) is the priority that they ask the system for.',
      isNot: 'how often a device is looked at.',
      rule: '50 in v1 and bench',
      source: `${source}; docs/protocol-v1.md`,
      related: ['threads'],
    },
    {
      name: 'cpu_mask',
      aliases: ['cpu_strict', 'affinity', 'threadPoolStrictCpu', 'numa'],
      meaning:
        'The CPUs that may be used, as a mask in hexadecimal digits; 0x0 stands for all. cpu_strict gives each thread one of them; numa says how threads are spread over the nodes of a large machine.',
      isNot: 'a number of threads.',
      rule: null,
      source,
      related: ['threads'],
    },
    {
      name: 'sm',
      aliases: ['split_mode', 'main_gpu', 'dev', 'tensor_split'],
      meaning:
        'How a model is split over GPUs (sm), the GPU by its number (main_gpu) and the device by its name (dev; in JSON devices, none for the CPU). tensor_split is always 0.00 here.',
      isNot: 'a way to measure several at once: a trial has one device.',
      rule: 'sm is none',
      source,
      related: ['backend', 'device and driver'],
    },
    {
      name: 'lm',
      aliases: ['load_mode', 'lazy_mode', 'lzm', 'mmap'],
      meaning:
        'How the model’s file is read: none, mmap, mlock, both or dio. lazy_mode says whether marked tensors are read only when they are needed.',
      isNot: 'in the timed part: reading belongs to loading.',
      rule: 'mmap in v1 and bench',
      source: `${source}; docs/protocol-v1.md`,
      related: ['loading'],
    },
    {
      name: 'nkvo',
      aliases: [
        'no_kv_offload',
        'nopo',
        'no_op_offload',
        'noh',
        'no_host',
        'kvOffload',
        'opOffload',
        'hostBuffers',
      ],
      meaning:
        'Three switches: keep the KV cache off the GPU (nkvo), keep operations on weights of the CPU off the GPU (nopo), take no host buffers for what moves to a GPU (noh). 1 is on. By their own names, as kvOffload, opOffload and hostBuffers, they are the other way round: false is what nkvo 1 asks for.',
      isNot: 'of any effect on a CPU device.',
      rule: null,
      source,
      related: ['ngl', 'KV bytes'],
    },
    {
      name: 'fixed options',
      aliases: [
        'contextSize',
        'kvUnified',
        'swaFull',
        'checkTensors',
        'extraBufferTypes',
        'internalTimers',
        'n_cpu_moe',
        'tensor_buft_overrides',
        'embeddings',
        'fit_target',
        'fit_min_ctx',
      ],
      meaning:
        'Options that bench has no setting for, and that are recorded all the same. The context is as large as the test needs (contextSize as-needed); kvUnified, swaFull, checkTensors and internalTimers are off, extraBufferTypes (repacking of weights on a CPU) is on. Fields of llama-bench without a setting here have the value that it writes when they are not used.',
      isNot: 'a difference between two variants of one campaign.',
      rule: null,
      source:
        'src/llama-bench/options/base-execution.ts; src/llama-bench/write/describe-bench-row.ts',
      related: ['variant', 'log output cost'],
    },
    {
      name: 'log output cost',
      aliases: ['log output cost is included', 'logSink', 'log'],
      meaning:
        'llama.cpp writes its log while it works, and that takes time. The line says where it goes (logSink), and so what of it is in the times.',
      isNot: 'Rooflaw’s own writing, which is outside of the timers.',
      rule: 'file: included; null: only making the text is; off: nothing is',
      source: 'src/analysis/identity.ts',
      related: ['fixed options', 'identity'],
    },
    {
      name: 'identity',
      aliases: ['source tree', 'embedded', 'not v1', 'llama.cpp release', 'release'],
      meaning:
        'Which llama.cpp was measured: its release, its commit or, where that is unknown, the hash of its source tree, and the identity, a hash of the whole build with its libraries and runner. embedded is the build that is installed with rooflaw. Not v1 says that other rules than those of v1 were followed, and which.',
      isNot: 'a name that could be given to another build: one changed byte gives another hash.',
      rule: 'the first 12 digits of a SHA-256',
      source: 'src/analysis/identity.ts',
      related: ['backend', 'baseline', 'libraries of llama.cpp', 'log output cost', 'protocol'],
    },
    {
      name: 'build_commit',
      aliases: ['build', 'build_number', 'commit'],
      meaning: 'Commit and number of the llama.cpp build, as the library reports them.',
      isNot: 'proof of what was compiled; the hashes of the libraries are.',
      rule: null,
      source: 'docs/import-llama-bench.md; docs/formats.md',
      related: ['backend', 'libraries of llama.cpp'],
    },
    {
      name: 'variant',
      aliases: ['variants', 'option set', 'not in a column'],
      meaning:
        'One set of options and backend among several that are measured in the same randomised rounds; it stands in brackets behind the item, such as [t4]. Below bench’s table not in a column names settings that are the same in all rows.',
      isNot: 'a campaign of its own: variants of one campaign may be compared by compare.',
      rule: null,
      source: 'src/formats/architecture.ts',
      related: ['item', 'round', 'threads'],
    },
    {
      name: 'model_filename',
      aliases: ['model file'],
      meaning:
        'Name of the model’s file, shown where the other columns do not tell two models apart.',
      isNot: 'the identity of a model: that is the SHA-256 of the file.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['model'],
    },
  ],
};
