import type { Subject } from './term.ts';

/** Two items, two campaigns, several sessions. */
export const comparing: Subject = {
  title: 'Comparing',
  terms: [
    {
      name: 'verdict',
      aliases: ['verdicts', 'verdict withheld'],
      meaning:
        'What the interval of (g) says of B against A: slower, faster, equivalent or inconclusive. It is withheld where a stopping rule was still choosing the number of rounds.',
      isNot:
        'a matter of p alone: a small p without an interval clear of the margin is inconclusive.',
      rule: 'slower: the whole interval above 1 + margin; faster: below 1 − margin; equivalent: inside 1 ± equivalence; else inconclusive',
      source: 'docs/compare.md',
      related: ['slower', 'faster', 'equivalent', 'inconclusive', 'margin', '(g)'],
    },
    {
      name: 'slower',
      aliases: [],
      meaning: 'B takes more time than A, by more than the margin.',
      isNot: 'a cause, nor a statement about tails.',
      rule: 'the whole interval of B / A lies above 1 + margin: 1.005 usually',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['verdict', 'faster', 'margin', 'ratio'],
    },
    {
      name: 'faster',
      aliases: [],
      meaning: 'B takes less time than A, by more than the margin.',
      isNot: 'a cause, nor a statement about tails.',
      rule: 'the whole interval of B / A lies below 1 − margin: 0.995 usually',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['verdict', 'slower', 'margin', 'ratio'],
    },
    {
      name: 'equivalent',
      aliases: ['equivalence'],
      meaning:
        'The ratio is known to lie so near to 1 that the difference does not matter, by a limit that somebody named.',
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
      isNot: 'equal.',
      rule: null,
      source: 'docs/compare.md',
      related: ['verdict', 'equivalent', 'open'],
    },
    {
      name: 'margin',
      aliases: [],
      meaning: 'A ratio this near to 1 is no difference that anybody asked for.',
      isNot: 'a tolerance inside which two items would be equal: that is equivalence.',
      rule: '0.5 % unless --margin or the protocol says otherwise',
      source: 'docs/compare.md; docs/protocol-v2.md',
      related: ['verdict', 'equivalent'],
    },
    {
      name: 'pairs',
      aliases: ['pair'],
      meaning:
        'Rounds in which A and B both have a valid trial. This is the sample size of a comparison. As the first column, pair names what A and B have in common.',
      isNot: 'repetitions inside a process, or all combinations of trials.',
      rule: 'at least 6; a family of m needs 2/2^n ≤ 0.05/m: 10 pairs for 25',
      source: 'docs/compare.md',
      related: ['round', 'n', '(g)'],
    },
    {
      name: 'ratio',
      aliases: ['B/A', 'ratio B / A', 'estimate', 'median paired ratio', 'ratio of the medians'],
      meaning:
        'Time of B over time of A: above 1, B is slower. B/A is the median over the pairs; the ratio of the medians takes all valid trials of each; estimate is that of the method in its row. Under a stopping rule b / a names the two items.',
      isNot: 'a ratio of speeds in tokens per second, which is its inverse.',
      rule: '1.02 means 2 % more time',
      source: 'docs/compare.md',
      related: ['pairs', 'verdict', 'change'],
    },
    {
      name: 'A and B',
      aliases: ['A', 'B', 'a or b'],
      meaning:
        'The two that are compared, as they were named: every ratio is B over A. As columns a and b are the times of the two, medians of the trial means.',
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
    {
      name: 'change',
      aliases: [],
      meaning: 'Time of B over time of A, less 1: how the same item moved between two campaigns.',
      isNot: 'a verdict: the two were not interleaved, so no test is offered.',
      rule: 'B / A − 1',
      source: 'docs/compare.md',
      related: ['ratio', 'confounded with session'],
    },
    {
      name: 'confounded with session',
      aliases: ['confounded', 'not interleaved'],
      meaning:
        'Two campaigns were measured one after the other, so that whatever changed in between is in every change.',
      isNot: 'a fault of the data: it takes one campaign that measures both in the same rounds.',
      rule: null,
      source: 'docs/compare.md',
      related: ['change', 'session', 'share'],
    },
    {
      name: 'share',
      aliases: ['session share', 'sessionShare'],
      meaning: 'Of the variance of an item’s log times, the part that lies between sessions.',
      isNot: 'well known from two or three sessions; a negative component counts as 0.',
      rule: 'between² / (between² + within²); one-way random effects, ANOVA estimator',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['within', 'between', 'session'],
    },
    {
      name: 'within',
      aliases: ['withinSessions', 'within sessions'],
      meaning: 'Standard deviation of an item’s log times inside sessions: 0.01 is about 1 %.',
      isNot: 'a percentage where it is large.',
      rule: '√ of the mean square inside sessions',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['between', 'share', 'session'],
    },
    {
      name: 'between',
      aliases: ['betweenSessions', 'between sessions'],
      meaning:
        'Standard deviation of an item’s log time from session to session: 0.01 is about 1 %.',
      isNot: 'the difference of two sessions, or a percentage where it is large.',
      rule: '√((MS between − MS within) / n0), 0 where that is negative',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['within', 'share', 'session'],
    },
    {
      name: 'runner',
      aliases: [],
      meaning:
        'The small program that carries out one trial. The row says whether it was the same file in both campaigns.',
      isNot: 'llama.cpp itself, whose libraries it is linked to.',
      rule: 'same SHA-256',
      source: 'docs/compare.md; docs/formats.md',
      related: ['libraries of llama.cpp', 'backend'],
    },
    {
      name: 'libraries of llama.cpp',
      aliases: ['libraries'],
      meaning: 'Whether llama.cpp’s libraries were the same files in both campaigns.',
      isNot: 'a comparison of versions: one changed byte is another library.',
      rule: 'same SHA-256',
      source: 'docs/compare.md',
      related: ['runner', 'backend'],
    },
    {
      name: 'device and driver',
      aliases: ['device'],
      meaning:
        'Whether the kind of device was the same in both campaigns. In the list of sessions device numbers the very devices, where they are known.',
      isNot: 'the very device: two of one kind count as the same here.',
      rule: 'same name, description, driver, CPU model and count',
      source: 'docs/compare.md',
      related: ['the very device', 'environment'],
    },
    {
      name: 'the very device',
      aliases: ['specimen', 'specimenSha256', 'very device'],
      meaning:
        'Whether both campaigns ran on one and the same specimen, where both ledgers know it.',
      isNot: 'an identifier: a ledger holds a hash, and outputs only say same, other or not known.',
      rule: 'SHA-256 of rooflaw-specimen/ and the GPU’s UUID or the machine’s id',
      source: 'docs/compare.md',
      related: ['device and driver', 'session'],
    },
    {
      name: 'order of measuring',
      aliases: ['schedule', 'schedule seed'],
      meaning: 'Whether both campaigns drew the order of their trials from the same seed.',
      isNot: 'an effect of order.',
      rule: null,
      source: 'docs/compare.md',
      related: ['round', 'order effect'],
    },
    {
      name: 'rooflaw',
      aliases: [],
      meaning:
        'Whether version and commit of rooflaw were the same; not known where they differ only in whether files were changed.',
      isNot: 'a fault where it differs: the protocol, not the program, says how it is measured.',
      rule: null,
      source: 'docs/compare.md',
      related: ['runner', 'protocol'],
    },
    {
      name: 'model',
      aliases: ['models'],
      meaning:
        'An architecture with a quantization and random weights from a seed: one file, named by its SHA-256. In a comparison of campaigns the row says whether these hashes were the same; in llama-bench’s table the column describes the file’s architecture, size class and quantization.',
      isNot: 'trained: only its cost is measured.',
      rule: null,
      source: 'docs/formats.md; docs/compare.md',
      related: ['architecture', 'quantization', 'size'],
    },
  ],
};
