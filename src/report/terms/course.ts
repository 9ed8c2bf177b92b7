import type { Subject } from './term.ts';

/** What happens over rounds, order and time. */
export const course: Subject = {
  title: 'Rounds, order and time',
  terms: [
    {
      name: 'drift',
      aliases: ['drift of the reference', 'marked for review', 'DRIFT, MARKED FOR REVIEW'],
      meaning:
        'A flag: the median of the reference’s (or first item’s) last rounds is farther from that of its first rounds than the threshold. It marks the campaign for review.',
      senses: {
        bench: 'DRIFT, of the table’s first row of each phase.',
        ab: 'DRIFT, MARKED FOR REVIEW: of the first test of a in each phase; every verdict is then in doubt.',
        gate: 'The same, of base.',
        tokens: 'Of the first item.',
        analyze: 'Of the reference, or the first item where there is none.',
      },
      isNot:
        'a reason to delete, and no validated limit of stability. A steady drift over ten rounds must exceed about 9 % from end to end to trip it in v1, about 6.5 % in bench.',
      rule: 'v1: |median of the last 5 rounds / median of the first 5 − 1| > 5 %, from 10 rounds on; bench, ab, gate and tokens: the same of the last 3 and the first 3, from 6 rounds on',
      source: 'docs/protocol-v1.md; docs/analysis.md; src/protocol/create-bench-protocol.ts',
      related: ['reference', 'trend', 'stable'],
    },
    {
      name: 'round subsets',
      aliases: ['roundSubsets', 'stable flags in fewer rounds', 'subsets'],
      meaning:
        'How many items would carry the stable flag in every choice of 3 of the complete rounds: least, most and mean.',
      isNot:
        'independent repetitions: the subsets share trials. More flags in fewer rounds do not mean a better environment.',
      rule: 'all subsets up to 20,000, beyond that 10,000 at random',
      source: 'docs/analysis.md',
      related: ['stable', 'round'],
    },
    {
      name: 'order effect',
      aliases: ['order', 'orderEffect', 'late in a round'],
      meaning:
        'Whether trials late in a round are slower or faster than early ones. In a comparison, order is the p of the item measured later in a round against the earlier one, whichever it was.',
      isNot:
        'a trend over the campaign; and not corrected for there being two phases or several pairs.',
      rule: 'per round: median of log(time / item’s median) in the later half less that in the earlier; exact two-sided sign test over rounds',
      source: 'docs/analysis.md; docs/compare.md',
      related: ['trend', 'sign test', 'round'],
    },
    {
      name: 'trend',
      aliases: ['trends', 'rho', 'late in the campaign'],
      meaning:
        'Whether an item’s trials became steadily slower or faster over the campaign: Spearman’s rank correlation (rho) of trial mean and place.',
      isNot:
        'proof of no drift where none is shown: ten trials show only strong trends. All items share the machine’s course, so many trends may be one event.',
      rule: 'p exact to n = 10, by 10,000 permutations to 60, by the t approximation beyond; corrected by Holm; shown when at most .05',
      source: 'docs/analysis.md; Phipson & Smyth 2010',
      related: ['drift', 'Holm', 'order effect'],
    },
    {
      name: 'environment',
      aliases: ['environment not the same'],
      meaning:
        'What a session finds of the machine at its start, against the campaign’s first one; in a comparison of campaigns: whether memory, operating system and kernel are the same.',
      isNot: 'a proof that the machine was quiet.',
      rule: null,
      source: 'docs/compare.md',
      related: ['session', 'disturbed', 'device and driver'],
    },
  ],
};
