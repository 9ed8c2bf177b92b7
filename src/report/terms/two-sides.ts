import type { Subject } from './term.ts';

const page = 'docs/ab-and-gate.md';

/** What `rooflaw ab` and `rooflaw gate` print. */
export const twoSides: Subject = {
  title: 'Two sides, and a gate',
  terms: [
    {
      name: 'arm',
      aliases: ['side', 'side a', 'side b', 'A/B'],
      meaning:
        'One of the things that are compared: a model under options on a build, with fresh processes of its own in every round.',
      isNot: 'a campaign of its own: all arms are measured in the same randomised rounds.',
      rule: 'ab has two, a and b; gate has three: base, base again and the candidate',
      source: page,
      related: ['A and B', 'A/A', 'gate', 'round'],
    },
    {
      name: 'A/A',
      aliases: ['AA', 'A/A arm', 'A/A interval', 'base again', 'false alarm'],
      meaning:
        'Something compared with itself under two names, each with trials of its own. A difference that is called there is a false alarm, or the machine’s.',
      isNot:
        'a proof that the machine is quiet, nor that one side was disturbed no more than the other.',
      rule: 'gate: the interval of base again over base must lie within 1 ± --max-slowdown',
      source: page,
      related: ['unfit', 'gate', 'arm'],
    },
    {
      name: 'gate',
      aliases: ['base', 'candidate', 'max-slowdown', 'pass', 'broken'],
      meaning:
        'The command that lets a change pass only if it is shown to be slower by no more than was allowed. Base is what is there now, the candidate is the change.',
      isNot: 'a search for small differences: that is ab. A pass says nothing below the limit.',
      rule: 'unfit before regression before inconclusive before pass; at most 5 % for a wrong pass or regression in any test; exit status 0 pass, 1 regression, 2 inconclusive or unfit, 3 broken',
      source: page,
      related: ['regression', 'unfit', 'A/A', 'inconclusive'],
    },
    {
      name: 'regression',
      aliases: ['regressions', 'slower than was allowed'],
      meaning: 'The candidate is shown to be slower than base by more than was allowed.',
      isNot: 'any slowdown, nor a line through points.',
      rule: 'in any test the whole interval of candidate / base lies above 1 + --max-slowdown',
      source: page,
      related: ['gate', 'slower', 'unfit'],
    },
    {
      name: 'unfit',
      aliases: [
        'unfit machine',
        'fit',
        'fitness',
        'not-shown',
        'not shown to be fit',
        'differs from itself',
      ],
      meaning:
        'On this machine base was not shown to be as fast as itself within what was allowed, so nothing is said about the candidate and no test has a verdict.',
      isNot: 'a fault of the candidate, nor a statement for another day.',
      rule: 'in any test the A/A interval is not inside 1 ± --max-slowdown',
      source: page,
      related: ['A/A', 'gate', 'disturbed'],
    },
    {
      name: 'in doubt',
      aliases: ['doubt', 'doubtful'],
      meaning:
        'A verdict of a campaign in which others were at work, the first item drifted or items ran at two speeds. The interval then stands on less than it assumes.',
      isNot: 'a verdict that was taken back: nothing was removed or changed for it.',
      rule: 'the probability of a wrong decision that is claimed holds for independent rounds with one median ratio',
      source: page,
      related: ['disturbed', 'drift', 'two speeds', 'verdict'],
    },
  ],
};
