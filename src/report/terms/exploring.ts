import type { Subject } from './term.ts';

/** Whether a difference of the declared size can be looked for. */
export const exploring: Subject = {
  title: 'Can a difference be explored?',
  terms: [
    {
      name: 'closure',
      aliases: ['diagnosis', 'closure rule'],
      meaning:
        'The answer to whether the target difference can be explored with this data, item by item and for the family. It closes the diagnosis of the measuring; reasons to reopen it are listed.',
      isNot: 'a finding about the items: never is a difference confirmed by it.',
      rule: 'an item holds it when ±interval ≤ limit; the family when all items do',
      source: 'docs/analysis.md',
      related: ['explorable', 'target difference', 'reopening'],
    },
    {
      name: 'target difference',
      aliases: ['target', 'targetDifference', 'asked afterwards'],
      meaning:
        'The relative difference that matters, declared in the plan before the first trial. Another one may be asked for later and is marked ASKED AFTERWARDS.',
      isNot: 'a difference that was found.',
      rule: '10 % unless the plan says otherwise',
      source: 'docs/analysis.md',
      related: ['limit', 'explorable', 'target from'],
    },
    {
      name: 'explorable',
      aliases: ['not explorable', 'not-explorable', 'explored'],
      meaning:
        'The item’s median is known closely enough to look for a difference of the target’s size.',
      isNot:
        'a verdict on a difference: nothing here is confirmed. That takes rooflaw compare, new data and a question asked before.',
      rule: '±interval ≤ limit = share × target: 5 % for a target of 10 % and the usual share of one half',
      source: 'docs/analysis.md',
      related: ['±interval', 'limit', 'closure', 'verdict'],
    },
    {
      name: 'limit',
      aliases: ['maxShareOfTarget'],
      meaning: 'What ±interval may be at most for an item to be explorable.',
      isNot: 'a tolerance for differences between items.',
      rule: 'maxShareOfTarget × targetDifference, usually 0.5 × 10 % = 5 %',
      source: 'docs/analysis.md',
      related: ['±interval', 'explorable', 'target difference'],
    },
    {
      name: 'trials needed',
      aliases: ['trialsNeeded', 'projection', 'projected', 'what it would take'],
      meaning:
        'Trials of the item in all from which on its interval would stay within the limit, if further ones are spread like these. For an explorable item: how few would have done.',
      isNot:
        'a promise: redraws of these trials reach it in about half to nine tenths, in fewer where they fall into groups, and unseen tails break it.',
      rule: 'from quantiles of the trials seen (type 6); given up to 10,000',
      source: 'docs/analysis.md; Hyndman & Fan 1996',
      related: ['explorable', 'limit'],
    },
    {
      name: 'target from',
      aliases: ['smallestTarget', 'smallest target'],
      meaning: 'The smallest target that the rule would call explorable with this data.',
      isNot: 'a detectable difference.',
      rule: '±interval / maxShareOfTarget, rounded up on screen',
      source: 'docs/analysis.md',
      related: ['explorable', 'target difference'],
    },
    {
      name: 'simultaneous interval',
      aliases: ['simultaneous', 'simultaneousInterval', 'joint coverage', 'jointCoverage'],
      meaning:
        'An item’s interval made wide enough that those of all items hold at once, under any dependence between them.',
      isNot: 'the interval of one item, which is narrower; nor part of the rule for explorable.',
      rule: 'each at the level 1 − 0.05/m for m items (Bonferroni); n = 10 serves 25 items',
      source: 'docs/analysis.md',
      related: ['interval', 'upper/lower', 'Bonferroni'],
    },
    {
      name: 'upper/lower',
      aliases: ['upperOverLower', 'upper over lower'],
      meaning:
        'The upper over the lower end of the item’s simultaneous interval. Above 1 + target such intervals cannot separate the target difference.',
      isNot: 'a ratio of two items.',
      rule: 'to be held against 1.1 for a target of 10 %',
      source: 'docs/analysis.md',
      related: ['simultaneous interval', 'target difference'],
    },
    {
      name: 'injection',
      aliases: ['detected at # %', 'at # %', 'injectionRate', 'injection rate', 'detected'],
      meaning:
        'How often two groups drawn from the item’s own trials, one made slower by the given difference, have intervals that lie apart. At 0 %: with nothing changed, in either direction.',
      isNot:
        'power of a future campaign: unseen tails and day-to-day drift are not in it. The rate at 0 % is no false alarm rate of compare.',
      rule: 'two groups of n drawn with replacement, one multiplied by 1 + d; exact, by P(Bin(n, j/n) ≥ k), without drawing',
      source: 'docs/analysis.md; Efron 1979',
      related: ['interval', 'target difference', 'explorable'],
    },
    {
      name: 'reopening',
      aliases: ['reasons to reopen', 'reopen', 'met', 'not met'],
      meaning:
        'Four conditions under which the diagnosis is taken up again: the reference drifted, the environment changed, the uncertainty is too large for the target, tails are a goal. Each is met, not met, or cannot be judged.',
      isNot: 'a reason to delete data.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['closure', 'drift', 'environment', 'tail'],
    },
  ],
};
