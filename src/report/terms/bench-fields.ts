import type { Subject } from './term.ts';

const source = 'src/llama-bench/write/own-columns.ts; docs/bench.md';

/** What JSON, CSV and SQL of bench have beside the settings. */
export const benchFields: Subject = {
  title: 'Fields in JSON, CSV and SQL of bench',
  terms: [
    {
      name: 'samples_ns',
      aliases: ['samples_ts', 'rooflaw_samples_ns'],
      meaning:
        'The samples of a row, as times in nanoseconds and as tokens per second. In bench each is one process: the mean of its kept repetitions. CSV and SQL of llama-bench have no samples; there they are in rooflaw_samples_ns.',
      isNot:
        'what llama-bench writes under the same names: there each is one repetition, and all share one process.',
      rule: 'samples_ts = tokens / samples_ns',
      source: 'docs/bench.md; docs/import-llama-bench.md',
      related: ['trial mean', 'process', 'rooflaw_representative_ns'],
    },
    {
      name: 'test_time',
      aliases: ['test time'],
      meaning: 'When the first process of the row began, in UTC.',
      isNot: 'how long the test took.',
      rule: null,
      source: 'src/llama-bench/write/describe-bench-row.ts',
      related: ['test', 'samples_ns'],
    },
    {
      name: 'rooflaw_representative_ns',
      aliases: ['rooflaw_representative_ts'],
      meaning:
        'The representative: the median of the processes’ times, in nanoseconds, and the tokens per second that it makes. The latter is what the table shows as t/s.',
      isNot: 'avg_ns or avg_ts, which are means. null: no process gave a time.',
      rule: 'rooflaw_representative_ts = 10^9 × tokens / rooflaw_representative_ns',
      source,
      related: ['time', 'tokens/s'],
    },
    {
      name: 'rooflaw_stddev_ns',
      aliases: [],
      meaning: 'Standard deviation of the processes’ times in nanoseconds, with ddof 1.',
      isNot:
        'stddev_ns, which is 0 for a single process, as llama-bench writes it: this is null then.',
      rule: null,
      source,
      related: ['ddof', 'printed ns'],
    },
    {
      name: 'rooflaw_interval_lower_ns',
      aliases: [
        'rooflaw_interval_upper_ns',
        'rooflaw_interval_lower_ts',
        'rooflaw_interval_upper_ts',
        'rooflaw_interval_coverage',
      ],
      meaning:
        'The interval of the median over processes: its two ends as times and as tokens per second, and its actual coverage, such as 0.979.',
      isNot: 'a range of single processes. All are null where there are fewer than six.',
      rule: 'lower_ts is made of upper_ns, and upper_ts of lower_ns',
      source,
      related: ['interval', 'covers'],
    },
    {
      name: 'rooflaw_processes',
      aliases: ['rooflaw_failed', 'rooflaw_disturbed'],
      meaning:
        'How many processes gave a time; how many failed; and during how many of them others were seen at work on the device.',
      isNot: 'a number of repetitions.',
      rule: null,
      source,
      related: ['process', 'trial', 'disturbed'],
    },
    {
      name: 'rooflaw_stable',
      aliases: [],
      meaning: 'The stable flag of the row: 1 or true, 0 or false, null where it is unknown.',
      isNot: 'a test of equality.',
      rule: null,
      source,
      related: ['stable', 'rooflaw_in_trial_cv_max'],
    },
    {
      name: 'rooflaw_in_trial_cv_max',
      aliases: [],
      meaning:
        'The largest coefficient of variation of the kept repetitions inside one process, as a fraction: 0.02 is 2 %.',
      isNot: 'the scatter over processes. null with one kept repetition.',
      rule: null,
      source,
      related: ['in-trial CV', 'rooflaw_stable'],
    },
    {
      name: 'rooflaw_warmup',
      aliases: ['rooflaw_kept'],
      meaning:
        'Repetitions of each process: the first ones, which do not count, and those behind them, which do.',
      isNot: 'a number of processes.',
      rule: null,
      source,
      related: ['warm-up', 'kept repetitions'],
    },
    {
      name: 'rooflaw_model_sha256',
      aliases: [],
      meaning: 'SHA-256 of the model’s file: its identity, whatever it is called.',
      isNot: 'a hash of the weights alone.',
      rule: null,
      source,
      related: ['model'],
    },
    {
      name: 'rooflaw_variant',
      aliases: [],
      meaning: 'The variant of the row: which options and backend.',
      isNot: 'a name that means the same in another campaign.',
      rule: null,
      source,
      related: ['variant'],
    },
    {
      name: 'rooflaw_campaign',
      aliases: [],
      meaning: 'The campaign that the row is from; rooflaw analyze takes this name.',
      isNot: 'the path of its folder.',
      rule: null,
      source,
      related: ['campaign'],
    },
    {
      name: 'rooflaw_protocol_sha256',
      aliases: [],
      meaning: 'SHA-256 of the protocol’s canonical JSON.',
      isNot: 'a hash of the program.',
      rule: null,
      source,
      related: ['protocol', 'baseline'],
    },
  ],
};
