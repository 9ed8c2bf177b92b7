import type { Subject } from './term.ts';

/** The table of items: where an item lies, and how its trials scatter. */
export const statistics: Subject = {
  title: 'An item: where it lies, how it scatters',
  terms: [
    {
      name: 'n',
      aliases: ['sample size'],
      meaning:
        'Valid trials of the item; 9+1f are nine and a failed one besides. In a comparison n counts pairs (7 of 8: in seven of the eight rounds that were begun), and in import llama-bench the samples, which share one process.',
      isNot: 'repetitions inside a process: those share its state and are not counted.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['trial', 'pairs', 'process'],
    },
    {
      name: 'time',
      aliases: ['representative', 'representativeNs', 'time A', 'time B', 'median', 'medians'],
      meaning:
        'Median of the item’s trial means: the representative. In ab time a and time b are those of the two sides, over all valid trials of each; in gate base and candidate. In tokens median is that over the processes. In a comparison medians is the ratio of the times of B and A; in import llama-bench median is that of the samples of one process.',
      isNot: 'the mean, the fastest, or what one process will take.',
      rule: 'the middle one of the sorted trial means; of an even number the mean of the two in the middle',
      source: 'docs/analysis.md; docs/protocol-v1.md',
      related: ['trial mean', 'interval', 'tokens/s', 'ratio'],
    },
    {
      name: 'tokens/s',
      aliases: [
        't/s',
        'tokens per second',
        'tok/s',
        'tokensPerSecond',
        'tokens/s a',
        'tokens/s b',
        'base tokens/s',
        'candidate tokens/s',
      ],
      meaning:
        'Tokens per second: S tokens (prefill) or the decode steps (64 in v1, N of tgN in bench, ab and gate) over the item’s time. llama-bench’s t/s is the mean of each sample’s tokens over its time; in bench’s table it is that of the representative, and ± is the standard deviation over processes. In ab and gate each side has a column of its own, by its median time.',
      isNot:
        'throughput with several users; and the mean of rates is not the rate of the mean time, it is never smaller.',
      rule: 'tokens / representative; llama-bench: (1/n) Σ tokens / time',
      source: 'docs/analysis.md; docs/import-llama-bench.md',
      related: ['time', 'tokens / mean time', 'mean ± sd of t/s'],
    },
    {
      name: 'interval',
      aliases: [
        'interval A',
        'interval B',
        'interval t/s',
        'confidence interval',
        'order-statistic interval',
        'interval (covers # %)',
      ],
      meaning:
        'Of an item: the l-th smallest to the l-th largest trial mean, an interval for the median of the population of such trials. Beside a ratio or a change it is the interval of that.',
      senses: {
        analyze: 'Of the item’s median.',
        bench: 'The same, turned into tokens per second; none where there are too few processes.',
        tokens:
          'Of the median over the processes, for the statistic of that row; (covers 96.9 %) says how often such intervals hold it.',
        compare:
          'Of the ratio: what the method of that row or column gives. interval A and interval B are those of the two medians.',
        ab: 'Of b / a: what the intervals after all rounds have in common (S2). It decides.',
        gate: 'Of the change, in the same way; A/A interval is that of base again against base.',
      },
      isNot:
        'a range of future trials, and no test: whether the intervals of two items overlap decides nothing. It assumes independent trials that are alike, but no distribution.',
      rule: 'of an item: the largest l with coverage 1 − 2 Σ_{k<l} C(n,k)/2^n of at least 95 %; from n = 6 on; n = 10 has l = 2',
      source: 'docs/analysis.md; David & Nagaraja, Order Statistics, 7.1',
      related: ['covers', '±interval', 'simultaneous interval', 'time', 'running interval'],
    },
    {
      name: 'covers',
      aliases: ['coverage', 'actual coverage'],
      meaning:
        'The probability with which an interval made this way holds what it is for. It moves in steps with n: order statistics cannot cover exactly 95 %. Beside (g) it is the level that is reached at least (≥).',
      isNot: 'the probability that this one interval is right.',
      rule: '1 − 2 Σ_{k<l} C(n,k)/2^n: 96.9 % for n = 6, 97.9 % for n = 10',
      source: 'docs/analysis.md',
      related: ['interval', 'ranks'],
    },
    {
      name: '±interval',
      aliases: ['+-interval', 'plus-minus interval', 'endpoint distance', 'endpointDistance'],
      meaning:
        'The farther end of the item’s interval from its median, in % of the median. It decides whether the item is explorable.',
      isNot: 'a standard deviation; nor symmetric: the other end may be much nearer.',
      rule: 'max(median − lower, upper − median) / median',
      source: 'docs/analysis.md',
      related: ['interval', 'explorable', 'limit'],
    },
    {
      name: 'CV',
      aliases: ['coefficient of variation'],
      meaning:
        'Coefficient of variation: standard deviation over mean of the trial means. In import llama-bench it is that of the samples of one process.',
      isNot: 'robust: one slow trial makes it large.',
      rule: 'sd / mean, sd with ddof 1',
      source: 'docs/analysis.md; docs/import-llama-bench.md',
      related: ['in-trial CV', 'relative range', 'ddof'],
    },
    {
      name: 'in-trial CV',
      aliases: ['in-trial', 'inTrialCvMax', 'CV in trial', 'CV inside a trial'],
      meaning: 'The largest coefficient of variation of the kept repetitions inside one trial.',
      isNot: 'the scatter between processes, which is usually larger.',
      rule: 'largest over the trials of sd / mean, sd with ddof 1; for the stable flag at most 5 % in v1 and bench',
      source: 'docs/analysis.md',
      related: ['CV', 'stable', 'kept repetitions'],
    },
    {
      name: 'relative range',
      aliases: ['range', 'relativeRange'],
      meaning: 'Largest less smallest trial mean, over their median.',
      isNot: 'comparable between different n: it grows with every trial.',
      rule: '(max − min) / median; for the stable flag at most 5 % in v1 and bench',
      source: 'docs/analysis.md',
      related: ['stable', 'CV'],
    },
    {
      name: 'stable',
      aliases: ['stable flag'],
      meaning:
        'A flag: relative range and in-trial CV are within the protocol’s limits. In a comparison of campaigns it is the flag of A and of B.',
      senses: {
        bench: 'yes, no, or unknown where one kept repetition, or one process, has no spread.',
        analyze: 'yes, no or –.',
        compare: 'Of two campaigns the flag in A and in B: yes, no.',
      },
      isNot:
        'a test of equivalence or a property of the item: more trials see more rare delays, so it can be lost without anything having become worse.',
      rule: 'v1 and bench: relative range ≤ 5 % and in-trial CV ≤ 5 %, compared exactly, not as printed',
      source: 'docs/protocol-v1.md; docs/analysis.md',
      related: ['relative range', 'in-trial CV', 'round subsets', 'drift'],
    },
    {
      name: 'tail',
      aliases: ['tails', 'bounded quantile', 'boundedQuantile'],
      meaning:
        'Rare slow trials, reported apart from the median. n trials say nothing of delays rarer than one in n.',
      isNot: 'p99: the slowest of n trials bounds only the quantile 0.05^(1/n).',
      rule: 'with 95 % confidence: .741 for n = 10; p90, p95 and p99 need 29, 59 and 299 trials',
      source: 'docs/analysis.md; David & Nagaraja, Order Statistics, 7.1',
      related: ['slow', 'max/med', 'slow ≤'],
    },
    {
      name: 'max/med',
      aliases: ['maxOverMedian', 'max over median'],
      meaning: 'The slowest trial over the median of the item.',
      isNot: 'an outlier test: the slowest trial is data.',
      rule: 'max / median',
      source: 'docs/analysis.md',
      related: ['tail', 'slow'],
    },
    {
      name: 'slow',
      aliases: ['slowCount', 'slow trial', 'slow trials'],
      meaning: 'How many trials took more than 1.05 times the median.',
      isNot: 'outliers: they are data and stay in every figure.',
      rule: 'trial mean > 1.05 × median, compared exactly',
      source: 'docs/analysis.md',
      related: ['slow ≤', 'tail', 'two speeds'],
    },
    {
      name: 'slow ≤',
      aliases: ['slow <=', 'slowUpperBound'],
      meaning:
        'Upper bound of the share of slow trials. It takes the threshold as fixed, although the median moves with the trials; with two speeds it is not given.',
      isNot: 'the share itself: with 0 of 10 slow it is still 30.8 %.',
      rule: 'Clopper-Pearson, two-sided 95 %',
      source: 'docs/analysis.md; Clopper & Pearson 1934',
      related: ['slow', 'two speeds', 'Clopper-Pearson'],
    },
    {
      name: 'Clopper-Pearson',
      aliases: ['Clopper & Pearson', 'Clopper-Pearson interval', 'Clopper-Pearson bound'],
      meaning:
        'An interval for a share, from how many of n had the property. It covers the true share at least as often as it says, whatever that share is.',
      isNot: 'exact coverage: with few trials it is wider than it need be, never narrower.',
      rule: 'the shares at which so many or more, and so many or fewer, have a probability of 2.5 % each; 0 of 10: 0 to 30.8 %',
      source: 'docs/analysis.md; Clopper & Pearson 1934',
      related: ['slow ≤', 'covers'],
    },
    {
      name: 'two speeds',
      aliases: ['speeds', 'speed', 'twoSpeed', 'two-speed', 'one speed', 'two groups', 'bimodal'],
      meaning:
        'A flag: the trials fall into a fast and a slow group with a gap between them. One median between two speeds is the speed of neither.',
      isNot:
        'a test or a count of modes, but a reason to look. One slow trial of ten is a tail; weak gaps are missed; drifting rounds and long tails may raise it.',
      rule: 'the largest gap of the sorted logarithms with at least 2 trials on each side is ≥ 2 % of the median, and ≥ 3 times the larger spread inside a group (36/n times for n < 12); from n = 6 on',
      source: 'docs/analysis.md; docs/validity.md',
      related: ['slow', 'tail', 'time'],
    },
    {
      name: 'ddof',
      aliases: ['standard deviation', 'sd', 'ddof 1', '±', 'nan', 'plus-minus'],
      meaning:
        'Delta degrees of freedom: a standard deviation with ddof 1 divides the squares by n − 1. Such a one stands behind ± in the column t/s.',
      senses: {
        bench:
          '± is over the processes’ own tokens per second; nan where fewer than two processes gave a time.',
        'import llama-bench': '± is over the samples of one process.',
      },
      isNot: 'a standard error: it does not shrink with n.',
      rule: 'sd = √(Σ(x − mean)² / (n − 1)); of one value it is unknown, not 0',
      source: 'docs/analysis.md',
      related: ['CV', 'mean ± sd of time'],
    },
  ],
};
