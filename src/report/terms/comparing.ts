import type { Subject } from './term.ts';

/** Two items of one campaign, or two sides. */
export const comparing: Subject = {
  title: 'Comparing',
  terms: [
    {
      name: 'verdict',
      aliases: ['verdicts', 'verdict withheld', 'withheld'],
      meaning:
        'What an interval says of one side against the other. Which interval decides, and which words there are, depends on the command.',
      senses: {
        compare:
          'What the interval of (g) says of B against A: slower, faster, equivalent or inconclusive. It is withheld where the campaign’s own stopping rule chooses the number of rounds by the data; then its own decisions count.',
        ab: 'What the running interval (S2) says of b against a: slower, faster, equivalent or inconclusive; no (g) is in it. (in doubt) stands behind it where something casts doubt on all verdicts.',
        gate: 'Of a test: pass, regression or inconclusive, by the running interval (S2) of candidate / base. Of the whole gate, in the first line, also unfit machine and broken; then no test has one (–).',
      },
      isNot:
        'a matter of p alone: a small p without an interval clear of the margin is inconclusive.',
      rule: 'compare and ab: slower: the whole interval above 1 + margin; faster: below 1 − margin; equivalent: inside 1 ± equivalence; else inconclusive. gate: pass: its upper end is at most 1 + --max-slowdown; regression: all of it is above; else inconclusive',
      source: 'docs/compare.md; docs/ab-and-gate.md',
      related: [
        'slower',
        'faster',
        'equivalent',
        'inconclusive',
        'margin',
        '(g)',
        'S2',
        'pass',
        'regression',
        'unfit',
        'in doubt',
      ],
    },
    {
      name: 'slower',
      aliases: [],
      meaning: 'B takes more time than A, by more than the margin.',
      senses: {
        compare: 'By the interval of (g).',
        ab: 'By the running interval (S2), of b against a.',
        analyze:
          'As the state of a comparison: by the running interval (S2), or by the e-value (S1).',
      },
      isNot: 'a cause, nor a statement about tails.',
      rule: 'the whole interval of B / A lies above 1 + margin: 1.005 usually',
      source: 'docs/compare.md; docs/protocol-v2.md; docs/ab-and-gate.md',
      related: ['verdict', 'faster', 'margin', 'ratio'],
    },
    {
      name: 'faster',
      aliases: [],
      meaning: 'B takes less time than A, by more than the margin.',
      senses: {
        compare: 'By the interval of (g).',
        ab: 'By the running interval (S2), of b against a.',
        analyze:
          'As the state of a comparison: by the running interval (S2), or by the e-value (S1).',
      },
      isNot: 'a cause, nor a statement about tails.',
      rule: 'the whole interval of B / A lies below 1 − margin: 0.995 usually',
      source: 'docs/compare.md; docs/protocol-v2.md; docs/ab-and-gate.md',
      related: ['verdict', 'slower', 'margin', 'ratio'],
    },
    {
      name: 'equivalent',
      aliases: ['equivalence'],
      meaning:
        'The ratio is known to lie so near to 1 that the difference does not matter, by a limit that somebody named.',
      senses: {
        compare: 'Only with --equivalence.',
        ab: 'Asked for within 1 % unless --equivalence says otherwise.',
      },
      isNot: 'equal; and compare never says it unless --equivalence says how much would be.',
      rule: 'the whole interval inside 1 ± equivalence, and not clear of the margin; v2: ± 2 %',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['verdict', 'inconclusive', 'margin'],
    },
    {
      name: 'inconclusive',
      aliases: [],
      meaning:
        'Neither a difference beyond the margin nor equivalence is shown. What lies outside the interval is excluded all the same.',
      senses: {
        compare: 'The interval of (g) is neither clear of the margin nor inside the equivalence.',
        ab: 'The test was not decided before --max-rounds.',
        gate: 'The interval holds 1 + --max-slowdown, or there is none; of the whole gate also: the time was up before anything could be decided. Exit status 2.',
      },
      isNot: 'equal.',
      rule: null,
      source: 'docs/compare.md; docs/ab-and-gate.md',
      related: ['verdict', 'equivalent', 'open'],
    },
    {
      name: 'margin',
      aliases: [],
      meaning: 'A ratio this near to 1 is no difference that anybody asked for.',
      senses: {
        compare: '0.5 % unless --margin says otherwise.',
        ab: '0.5 % unless --margin says otherwise.',
        gate: 'Has none: --max-slowdown takes its place.',
      },
      isNot: 'a tolerance inside which two items would be equal: that is equivalence.',
      rule: '0.5 % unless --margin or the protocol says otherwise',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['verdict', 'equivalent'],
    },
    {
      name: 'pairs',
      aliases: ['pair'],
      meaning:
        'Rounds in which both sides have a valid trial. This is the sample size of a comparison.',
      senses: {
        compare: 'As the first column, pair names what A and B have in common.',
        ab: 'Rounds up to the one in which the test was decided, less those with a failed trial.',
      },
      isNot: 'repetitions inside a process, or all combinations of trials.',
      rule: 'compare: at least 6; a family of m needs 2/2^n ≤ 0.05/m: 10 pairs for 25',
      source: 'docs/compare.md',
      related: ['round', 'n', '(g)'],
    },
    {
      name: 'ratio',
      aliases: [
        'B/A',
        'ratio B / A',
        'estimate',
        'median paired ratio',
        'ratio of the medians',
        'median of ratios',
        'median of the ratios',
      ],
      meaning:
        'Time of B over time of A: above 1, B is slower. B/A is the median over the pairs; the ratio of the medians takes all valid trials of each; estimate is that of the method in its row. In ab it is b / a, and under a stopping rule b / a names the two items.',
      isNot:
        'a ratio of speeds in tokens per second, which is its inverse; nor the ratio of the two medians beside it: a median of ratios may even lie on the other side of 1.',
      rule: '1.02 means 2 % more time',
      source: 'docs/compare.md',
      related: ['pairs', 'verdict', 'change'],
    },
    {
      name: 'A and B',
      aliases: ['A', 'B', 'a or b'],
      meaning:
        'The two that are compared, as they were named: every ratio is B over A. In ab a and b are the two sides; as columns they are the times of the two, medians of the trial means.',
      isNot: 'an order of measuring: that is drawn anew in each round.',
      rule: null,
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['ratio', 'time'],
    },
    {
      name: '(g)',
      aliases: ['randomisation test', 'randomization test', 'permutation test'],
      meaning:
        'The randomisation test of paired ranks and the interval it gives; it decides the verdict. It is exact whatever the times look like, because the order in each round was drawn at random.',
      isNot: 'a test of tails: its interval takes B to differ from A by one factor in all rounds.',
      rule: 'log times are ranked together, S = Σ rank(B) − rank(A); p = share of the 2^n exchanges inside rounds with an S as far from 0; the interval holds the factors that are not rejected; exact to n = 60',
      source: 'docs/compare.md; Fisher 1935; Hodges & Lehmann 1962',
      related: ['verdict', 'p', 'from', '(f)', '(c)'],
    },
    {
      name: '(f)',
      aliases: ['order statistics of the pairs', 'paired interval', 'pairedInterval'],
      meaning:
        'Interval between two order statistics of the paired ratios, with its actual coverage. It needs no assumption on the spread, and is wider.',
      isNot: 'what decides: that is (g).',
      rule: 'as the interval of an item, of the ratios B / A of the rounds',
      source: 'docs/compare.md; David & Nagaraja, Order Statistics, 7.1',
      related: ['(g)', '(c)', 'ranks', 'covers'],
    },
    {
      name: '(c)',
      aliases: ['Mann-Whitney', 'Hodges-Lehmann', 'unpaired', 'Mann-Whitney, unpaired'],
      meaning:
        'Hodges-Lehmann ratio and the interval of the Mann-Whitney test, as if the times were not paired: a check on the two others.',
      isNot:
        'what decides. A drift or an effect of the place makes it wrong, and its p is not corrected.',
      rule: 'median of the ratios over all combinations of a trial of B and one of A',
      source: 'docs/compare.md',
      related: ['(g)', '(f)', 'agree'],
    },
    {
      name: 'p',
      aliases: ['p-value', 'pValue', 'corrected p'],
      meaning:
        'Share of what chance alone would give that is at least as far from no difference as what was seen. In the table of a family it is that of (g), times the number of comparisons.',
      isNot: 'the probability that there is no difference, or the size of one.',
      rule: 'family: min(1, m × p), Bonferroni; with 5 pairs p is at least 2/2^5 = 0.0625',
      source: 'docs/compare.md',
      related: ['(g)', 'sign test', 'Bonferroni', 'Holm'],
    },
    {
      name: 'from',
      aliases: ['round effects', 'roundEffects', 'raw'],
      meaning:
        'Number of other items whose medians gave the round effects, which are taken from the log times before (g); raw where none were taken.',
      isNot: 'the number of pairs.',
      rule: 'from 6 items of the campaign on; per round: median over the other items of log time less the item’s median',
      source: 'docs/compare.md',
      related: ['(g)', 'round'],
    },
    {
      name: 'ranks',
      aliases: ['rank'],
      meaning:
        'Places of the interval’s two ends among the sorted values, from 1: 2 and 9 of 10 are the second smallest and the second largest.',
      isNot: 'ranks of items.',
      rule: 'l and n + 1 − l',
      source: 'docs/analysis.md; docs/compare.md',
      related: ['(f)', 'interval', 'covers'],
    },
    {
      name: 'sign test',
      aliases: ['sign', 'signTest'],
      meaning:
        'In how many pairs B is slower, against those in which it is faster; the column is its p.',
      isNot: 'corrected for the family; nor able to reach .05 with fewer than 6 untied pairs.',
      rule: 'two-sided, exact: fair coin tosses',
      source: 'docs/compare.md',
      related: ['p', '(g)', 'order effect'],
    },
    {
      name: 'agree',
      aliases: ['methodsAgree', 'methods agree'],
      meaning:
        'Whether the intervals of (g), (f) and (c) all lie on one side of 1, or all hold it.',
      isNot: 'a vote: (g) decides in any case.',
      rule: null,
      source: 'docs/compare.md',
      related: ['(g)', '(f)', '(c)'],
    },
    {
      name: 'family',
      aliases: ['family of comparisons'],
      meaning:
        'All that is asked at once: the pairs of one comparison, the items of one campaign. Its intervals hold together.',
      isNot: 'a choice to make after looking: pairs picked from it stay in it.',
      rule: 'each of m at the level 1 − 0.05/m or more',
      source: 'docs/compare.md',
      related: ['Bonferroni', 'Holm', 'simultaneous interval'],
    },
    {
      name: 'Bonferroni',
      aliases: ['Bonferroni correction', 'correction'],
      meaning:
        'A correction for several questions: each gets the permitted error divided by their number, so that all hold together under any dependence.',
      isNot: 'exact: together they cover at least what is promised.',
      rule: 'alpha / m each; p times m',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['family', 'Holm', 'simultaneous interval'],
    },
    {
      name: 'Holm',
      aliases: ['adjustedPValue', 'Holm correction'],
      meaning:
        'A stepwise correction of p-values for several tests. It is used for trends and given beside Bonferroni’s in JSON.',
      isNot: 'larger than Bonferroni’s p; and it has no intervals.',
      rule: 'the k-th smallest of m p-values times m + 1 − k, never less than the one before, at most 1',
      source: 'docs/compare.md; docs/analysis.md; Holm 1979',
      related: ['Bonferroni', 'trend', 'p'],
    },
  ],
};
