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
      name: 'mean step',
      aliases: ['meanStep', 'step', 'steps', 'place by place'],
      meaning:
        'A step is one decode of one token, timed by itself. Mean step: the time of all kept steps of a process over their number, then the median over the processes; the tokens/s below the table are by it. In the list of slow steps, step is the place in its repetition, from 1.',
      isNot: 'the median step: slow steps pull the mean and leave the median where it is.',
      rule: 'Σ steps / N; tokens/s = 1 / mean step',
      source: page,
      related: ['percentile', 'slow steps', 'tokens/s', 'last over first'],
    },
    {
      name: 'last over first',
      aliases: [
        'lastOverFirst',
        'growth',
        'growth with position',
        'median of step #',
        'median of steps #',
        'median of steps # to #',
      ],
      meaning:
        'How much longer steps take at the end of a repetition, where the cache is longest, than at its beginning: the median of the last steps over that of the first, in each process by itself. Median of steps 1–2 is that of these places.',
      isNot:
        'the cost of a longer cache alone: first steps also pay for what the prompt left behind. Below 1 the first are slower.',
      rule: 'the first and the last eighth of the places in a repetition, all kept repetitions together; from 8 steps on',
      source: page,
      related: ['mean step', 'percentile', 'KV bytes'],
    },
    {
      name: 'of the median',
      aliases: ['of the median step'],
      meaning: 'A slow step over the median step of its process: 3.2 x took 3.2 times as long.',
      isNot: 'a share of the whole time.',
      rule: null,
      source: page,
      related: ['slow steps', 'percentile'],
    },
    {
      name: 'reading of the clock',
      aliases: ['one reading of the clock', 'clock'],
      meaning:
        'What reading the clock once takes, also in % of a median step. Each step holds one reading.',
      isNot: 'taken off the steps.',
      rule: null,
      source: page,
      related: ['mean step', 'careful'],
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
        'with load',
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
