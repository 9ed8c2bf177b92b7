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
      senses: {
        ab: 'A/A above the table: both sides are the same, in all tests or in those that are named.',
        gate: 'A third arm, base again. The column A/A says whether base was shown to be as fast as itself: fit, differs from itself or not shown to be fit; A/A interval is that of base again over base.',
      },
      isNot:
        'a proof that the machine is quiet, nor that one side was disturbed no more than the other.',
      rule: 'gate: the interval of base again over base must lie within 1 ± --max-slowdown',
      source: page,
      related: ['unfit', 'gate', 'arm'],
    },
    {
      name: 'gate',
      aliases: ['max-slowdown', 'rooflaw gate'],
      meaning:
        'The command that lets a change pass only if it is shown to be slower by no more than was allowed. Base is what is there now, the candidate is the change.',
      isNot: 'a search for small differences: that is ab. A pass says nothing below the limit.',
      rule: 'unfit before regression before inconclusive before pass; at most 5 % for a wrong pass or regression in any test; exit status 0 pass, 1 regression, 2 inconclusive or unfit, 3 broken',
      source: page,
      related: ['base', 'pass', 'regression', 'unfit', 'broken', 'A/A', 'inconclusive', 'change'],
    },
    {
      name: 'base',
      aliases: ['candidate', 'candidates'],
      meaning:
        'The two sides of gate: base is what is there now, the candidate is the change. As columns they are the times of the two, medians of the trial means.',
      isNot: 'the time of base again, which is a third arm for the A/A interval.',
      rule: '--base and --candidate, --a and --b, or two -m',
      source: page,
      related: ['gate', 'A/A', 'time', 'change'],
    },
    {
      name: 'pass',
      aliases: ['passed'],
      meaning: 'The candidate is shown to be slower than base by no more than was allowed.',
      isNot: 'equality, nor a statement on differences below the limit. Exit status 0.',
      rule: 'in all tests the upper end of the interval of candidate / base is at most 1 + --max-slowdown, on a fit machine',
      source: page,
      related: ['gate', 'regression', 'inconclusive', 'unfit'],
    },
    {
      name: 'broken',
      aliases: ['not as it was written'],
      meaning: 'Something kept a command from its answer, or a ledger is not what was written.',
      senses: {
        gate: 'It could not measure: a faulty command line, a missing file, a device in use, a failed trial or a stop. Exit status 3, of a stop 130.',
        status: 'The ledger of that campaign is not as it was written; verify says where.',
        verify:
          'NOT as it was written: a line was edited, moved or removed, or a log does not have its hash. Exit status 5.',
      },
      isNot: 'a slower candidate, nor a campaign that is merely incomplete.',
      rule: null,
      source: `${page}; docs/formats.md`,
      related: ['gate', 'complete', 'sound', 'ledger'],
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
      name: 'the same on both sides',
      aliases: ['same', 'different', 'options', 'all but', 'the same'],
      meaning:
        'What the two sides share and what not: the model and llama.cpp’s libraries by their hashes, the runner, the device, and every option by its name.',
      senses: {
        ab: 'Of a and b.',
        gate: 'Of base and the candidate.',
        compare:
          'Of two campaigns, as same, DIFFERENT or not known, for the protocol, the runner, the libraries, the device and the machine.',
      },
      isNot: 'a cause: of several differences the verdict does not say which one it is from.',
      rule: 'options: all but X means that X alone differs; X then stands under Different with both values',
      source: page,
      related: ['arm', 'model', 'libraries of llama.cpp', 'runner'],
    },
    {
      name: 'in doubt',
      aliases: ['doubt', 'doubtful', 'verdicts are in doubt'],
      meaning:
        'A verdict of ab or gate where others were at work, the first item drifted or items ran at two speeds, or whose median lies outside of its own interval because the ratio changed during the run. The interval then stands on less than it assumes.',
      isNot: 'a verdict that was taken back: nothing was removed or changed for it.',
      rule: 'the probability of a wrong decision that is claimed holds for independent rounds with one median ratio',
      source: page,
      related: ['disturbed', 'drift', 'two speeds', 'verdict'],
    },
  ],
};
