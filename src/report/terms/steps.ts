import type { Subject } from './term.ts';

const page = 'docs/tokens.md';

/** What `rooflaw tokens` prints. */
export const steps: Subject = {
  title: 'Token by token',
  terms: [
    {
      name: 'percentile',
      aliases: ['p50', 'p90', 'p99', 'p99.9', 'p999', 'quantile', 'median step', 'medianStep'],
      meaning:
        'Of the steps of one process in ascending order the one at that rank: nine steps in ten take at most p90. The table gives the median over the processes; p50 stands there as median step.',
      isNot:
        'a percentile over requests or users, nor over all steps pooled: every process has its own.',
      rule: 'rank ⌈qN⌉ of N steps, always a step that was measured; the median step of an even number is the mean of the middle two; p99.9 is not given below 1000 steps, where it would be the slowest step',
      source: `${page}; Hyndman & Fan 1996, type 1`,
      related: ['beyond', 'slow steps', 'tail', 'process'],
    },
    {
      name: 'beyond',
      aliases: ['steps beyond'],
      meaning:
        'How many steps of a process lie at ranks above the percentile. The fewer, the more it hangs on single steps; with 0 it is the slowest step by another name.',
      isNot: 'a number of slow steps: they are counted above 2 median steps.',
      rule: 'N − ⌈qN⌉: p99 of 320 steps has 3 beyond',
      source: page,
      related: ['percentile', 'slow steps'],
    },
    {
      name: 'slow steps',
      aliases: ['slow step', 'slowest step', 'slowestStep', 'stutter'],
      meaning:
        'Steps that take more than 2 median steps of their process. How many there are, their share of the time and where in a repetition they fall is given.',
      isNot: 'outliers that are left out, nor a cause. The limit was chosen, not estimated.',
      rule: 'step > 2 × median step of its process',
      source: page,
      related: ['percentile', 'slow', 'beyond'],
    },
    {
      name: 'time to first token',
      aliases: [
        'TTFT',
        'first token',
        'firstToken',
        'first token, with load',
        'firstTokenWithLoad',
        'first token, fresh process',
        'ownFirstToken',
      ],
      meaning:
        'Computing the prompt and one decode step. With load it has loading the model and making the context besides; of a fresh process it is that of its first repetition, before which nothing has run.',
      isNot: 'what a server takes: no queue, tokenising or sampling is in it.',
      rule: 'prefill + first step, mean of the kept repetitions of a process',
      source: page,
      related: ['prefill', 'loading', 'restored'],
    },
  ],
};
