import type { Subject } from './term.ts';

const page = 'docs/bench.md';

/** How bench, ab and gate choose what they measure, and how many variants are shown. */
export const spending: Subject = {
  title: 'What bench does with its time',
  terms: [
    {
      name: 'pilot',
      aliases: ['pilots', 'pilot campaign'],
      meaning:
        'A small campaign before the real one, from which warm-up, kept repetitions and rounds are chosen. It is kept apart under the name of the campaign with -pilot behind it.',
      isNot: 'a part of the result: no verdict and no interval looks at it.',
      rule: 'two processes of each item, in bench with ten repetitions; none where all counts are given',
      source: `${page}; docs/ab-and-gate.md`,
      related: ['budget', 'warm-up', 'kept repetitions', 'campaign'],
    },
    {
      name: 'budget',
      aliases: ['time budget', 'budgetNs'],
      meaning:
        'The time that bench may spend on the campaign; the pilot chooses as many processes as fit into it.',
      isNot:
        'a limit by which a running campaign is cut, nor of the pilot, which comes before it. ab has --max-rounds and gate has --time.',
      rule: 'without one ten processes of each item, or fewer when they do not fit into five minutes, but at least six',
      source: page,
      related: ['pilot', 'few-loads', 'process'],
    },
    {
      name: 'few-loads',
      aliases: ['few loads', 'fewer loads'],
      meaning:
        'A protocol of bench for large files: six processes of each item, and the rest of the time goes into repetitions.',
      isNot:
        'to be pooled with bench. What differs between processes is seen six times, and no number of repetitions makes up for it.',
      rule: '--protocol few-loads',
      source: page,
      related: ['budget', 'restored', 'loading'],
    },
    {
      name: 'restored',
      aliases: [
        'restore',
        'bench-restored',
        'tokens-restored',
        'few-loads-restored',
        'cachePreparation',
        'cache preparation',
      ],
      meaning:
        'The cache before a repetition is computed once in a process and then copied back, not computed again. Protocols that do so end in -restored.',
      isNot:
        'to be pooled with computed ones: what a prefill leaves in the caches of the processor is not there.',
      rule: 'cachePreparation: "restore"; with tokens-restored there is no time to the first token',
      source: `${page}; docs/formats.md`,
      related: ['few-loads', 'protocol', 'time to first token'],
    },
    {
      name: 'heat map',
      aliases: ['heatmap', 'heat maps', 'cannot be told apart'],
      meaning:
        'A table of the rates of a test over the two settings that vary most. Cells that cannot be told from the best are marked.',
      isNot:
        'a test: the best was picked after looking, and overlapping intervals are no equality. compare tests a pair.',
      rule: 'from four variants on; a cell cannot be told from the best where their intervals, simultaneous over all cells of the test (95 % together), overlap',
      source: page,
      related: ['variant', 'interval', 'simultaneous interval'],
    },
  ],
};
