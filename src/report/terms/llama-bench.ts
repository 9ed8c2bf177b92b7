import type { Subject } from './term.ts';

/** What llama-bench prints, and what is said of it. */
export const llamaBench: Subject = {
  title: 'llama-bench',
  terms: [
    {
      name: 'test',
      aliases: [
        'tests',
        'pp# @ d#',
        'tg# @ d#',
        'pp#+tg#',
        'pp# + tg#',
        'depth',
        'd#',
        'n_prompt',
        'n_gen',
        'n_depth',
      ],
      meaning:
        'What was timed, in llama-bench’s names and in those of bench, ab and gate: ppN processes N tokens, tgN generates N, ppN+tgM does both in one, and @ dK does it after K tokens in the cache. In JSON the three numbers are n_prompt, n_gen and n_depth.',
      isNot: 'a test of statistics.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['prefill', 'decode', 'tokens/s', 'row'],
    },
    {
      name: 'row',
      aliases: ['rows'],
      meaning: 'Place of the test among those of the file, from 1; lost ones are counted.',
      isNot: 'a line of the file.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['test'],
    },
    {
      name: 'mean ± sd of time',
      aliases: ['mean', 'mean time'],
      meaning: 'Mean and standard deviation of the samples’ times, recomputed from the samples.',
      isNot:
        'an uncertainty of the mean: the samples share one process, and ± is a standard deviation.',
      rule: 'sd with ddof 1; of one sample it is unknown',
      source: 'docs/import-llama-bench.md',
      related: ['mean ± sd of t/s', 'ddof', 'printed figures'],
    },
    {
      name: 'mean ± sd of t/s',
      aliases: ['mean of rates', 'meanOfRates', 'avg_ts', 'stddev_ts'],
      meaning:
        'Mean and standard deviation of each sample’s tokens per second, which is what llama-bench prints.',
      senses: {
        'import llama-bench': 'Of the samples of one process.',
        bench:
          'The fields avg_ts and stddev_ts are over processes; the table’s t/s is the representative, not this mean.',
      },
      isNot: 'the rate of all samples together: it is never smaller than tokens / mean time.',
      rule: '(1/n) Σ tokens / time',
      source: 'docs/import-llama-bench.md',
      related: ['tokens / mean time', 'tokens/s', 'ddof'],
    },
    {
      name: 'tokens / mean time',
      aliases: ['overMeanTime', 'tokens over mean time'],
      meaning: 'Tokens over the mean time of the samples: what the repetitions took together.',
      isNot: 'what llama-bench prints; a finding says when the two differ by more than 1 %.',
      rule: 'tokens / mean(time)',
      source: 'docs/import-llama-bench.md',
      related: ['mean ± sd of t/s'],
    },
    {
      name: 'min',
      aliases: ['minimum', 'fastest sample'],
      meaning: 'The shortest of the samples’ times, recomputed.',
      isNot: 'what the machine can do at best: all samples share one process.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['max', 'time'],
    },
    {
      name: 'max',
      aliases: ['maximum', 'slowest sample'],
      meaning: 'The longest of the samples’ times, recomputed.',
      isNot: 'a bound of future times.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['min', 'max/med', 'start transient'],
    },
    {
      name: 'printed ns',
      aliases: ['avg_ns', 'stddev_ns'],
      meaning: 'Mean and standard deviation of time in nanoseconds as they stand in the file.',
      senses: {
        'import llama-bench': 'As they stand in the file.',
        bench:
          'The fields avg_ns and stddev_ns have the mean and deviation over processes; stddev_ns is 0 for a single one, as llama-bench writes it.',
      },
      isNot: 'recomputed.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['printed figures', 'mean ± sd of time'],
    },
    {
      name: 'printed t/s',
      aliases: [],
      meaning: 'Mean and standard deviation of tokens per second as they stand in the file.',
      isNot: 'recomputed; and the 0 that is printed for one repetition is unknown.',
      rule: null,
      source: 'docs/import-llama-bench.md',
      related: ['printed figures', 'mean ± sd of t/s'],
    },
    {
      name: 'printed figures',
      aliases: [
        'printed',
        'right',
        'nearly right',
        'wrong',
        'not checkable',
        'confirmed',
        'inexact',
      ],
      meaning:
        'Whether what the file says is what its samples give: right, nearly right, wrong, or not checkable without samples.',
      isNot: 'a judgement of the measuring.',
      rule: 'right to the last digit printed; nearly right: off by less than 0.1 %; else wrong',
      source: 'docs/import-llama-bench.md',
      related: ['printed ns', 'printed t/s', 'integer overflow'],
    },
    {
      name: 'integer overflow',
      aliases: ['integer-overflow', 'truncated mean', 'truncated-mean', 'cancellation'],
      meaning:
        'Known causes of a wrong deviation in llama-bench’s output: its sum of squares went beyond 2^64, its mean lost the fraction of a nanosecond, or two large numbers were subtracted.',
      isNot: 'a fault of the samples.',
      rule: 'overflow: possible as soon as Σx² exceeds 18.4 s²; the result is then near √(2^64·(n−2)/(n−1)) ns',
      source: 'docs/import-llama-bench.md',
      related: ['printed figures', 'printed ns'],
    },
    {
      name: 'start transient',
      aliases: ['transient', 'warm-up transient', 'transient at the start'],
      meaning:
        'The first samples, at most half of them, are all slower (or all faster) than every later one. It is flagged, and nothing is dropped.',
      isNot:
        'a proof: without any effect the k slowest of n come first with probability 1/C(n, k).',
      rule: 'each of them more than 1.05 times every later sample, or each later one more than 1.05 times theirs; from 3 samples on',
      source: 'docs/import-llama-bench.md',
      related: ['warm-up', 'max'],
    },
    {
      name: 'size',
      aliases: ['model_size', 'model size'],
      meaning: 'Size of the model’s tensors, as llama-bench prints it in MiB or GiB.',
      isNot: 'the size of the file, or the memory that a run needs.',
      rule: '1 GiB = 2^30 bytes',
      source: 'docs/import-llama-bench.md',
      related: ['model', 'parameters', 'weight bytes'],
    },
    {
      name: 'threads',
      aliases: ['n_threads', 'thread', 'threadsBatch'],
      meaning:
        'CPU threads that llama.cpp computes with: threads for single tokens, threadsBatch for a prefill. -t sets both.',
      isNot: 'the CPUs of the machine; v1 always takes 4, on a GPU too.',
      rule: 'v1: 4; pocket-1: 2; bench, ab, gate and tokens without -t: one for each physical core that may be used',
      source: 'docs/protocol-v1.md',
      related: ['backend', 'protocol'],
    },
  ],
};
