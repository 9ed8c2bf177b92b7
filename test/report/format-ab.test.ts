import { expect, test } from 'vitest';
import { type Ab, type AbTest, abSchema } from '../../src/formats/ab.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { describeTest, formatAb, listDoubts, nameFirstItems } from '../../src/report/format-ab.ts';

const side = {
  label: '-fa 0',
  model: { name: 'small', file: 'small.gguf', sha256: 'a'.repeat(64) },
  backend: {
    label: 'embedded',
    commit: null,
    librariesSha256: 'b'.repeat(64),
    runnerSha256: 'c'.repeat(64),
  },
  execution: createBaseExecution(2),
};

const slower: AbTest = {
  name: 'tg128',
  phase: 'decode',
  tokens: 128,
  depth: 0,
  aNs: 640_000_000,
  bNs: 672_000_000,
  aTokensPerSecond: 200,
  bTokensPerSecond: 190.476,
  ratio: 1.05,
  interval: { lower: 1.04, upper: 1.07 },
  pairs: 9,
  reason: null,
  verdict: 'slower',
  decidedAfter: 8,
};

const ab: Ab = abSchema.parse({
  format: 'rooflaw-ab',
  formatVersion: 1,
  campaign: 'ab-small',
  isSame: false,
  a: side,
  b: { ...side, label: '-fa 1' },
  same: [{ what: 'model', value: 'small.gguf' }],
  different: [{ what: 'flashAttention', a: '"off"', b: '"on"' }],
  device: { name: 'CPU', description: 'A CPU' },
  rule: {
    method: 'S2',
    alpha: 0.05,
    family: 1,
    margin: 0.005,
    equivalence: 0.01,
    earliestRounds: 6,
    maximumRounds: 30,
  },
  repetitions: { warmup: 1, kept: 3 },
  rounds: 9,
  failedTrials: 0,
  tests: [slower],
  disturbance: {
    campaign: 'ab-small',
    otherUse: { seen: 0, notSeen: 36, notVisible: 0 },
    drift: [],
    twoSpeed: [],
    environment: [],
  },
});

const text = (value: Ab) => formatAb(value, { colour: false, width: 400 });

test.each<[Partial<AbTest>, string]>([
  [{}, 'tg128: b is slower than a by 5.00 % of a’s time (interval +4.00 % to +7.00 %, 8 rounds).'],
  [
    { verdict: 'faster', ratio: 0.9, interval: { lower: 0.85, upper: 0.95 }, decidedAfter: 6 },
    'tg128: b is faster than a by 10.0 % of a’s time (interval -15.0 % to -5.00 %, 6 rounds).',
  ],
  [
    { verdict: 'equivalent', ratio: 1.001, interval: { lower: 0.995, upper: 1.005 } },
    'tg128: b is equivalent to a within 1 % (interval -0.50 % to +0.50 %, 8 rounds).',
  ],
  [
    { verdict: 'inconclusive', interval: { lower: 0.95, upper: 1.25 }, decidedAfter: null },
    'tg128: inconclusive (interval -5.00 % to +25.0 %, 9 rounds); differences outside of that are excluded.',
  ],
  [
    { verdict: 'inconclusive', interval: { lower: 1.002, upper: 1.03 }, decidedAfter: null },
    'tg128: inconclusive: b is slower than a, but perhaps by less than the margin of 0.5 % (interval +0.20 % to +3.00 %, 9 rounds); differences outside of that are excluded.',
  ],
  [
    { verdict: 'inconclusive', interval: { lower: 0.97, upper: 0.999 }, decidedAfter: null },
    'tg128: inconclusive: b is faster than a, but perhaps by less than the margin of 0.5 % (interval -3.00 % to -0.10 %, 9 rounds); differences outside of that are excluded.',
  ],
  [
    { verdict: 'inconclusive', interval: { lower: 1, upper: 1.03 }, decidedAfter: null },
    'tg128: inconclusive (interval 0.00 % to +3.00 %, 9 rounds); differences outside of that are excluded.',
  ],
  [
    {
      verdict: 'inconclusive',
      interval: null,
      ratio: null,
      reason: 'no pairs',
      decidedAfter: null,
    },
    'tg128: inconclusive: no pairs.',
  ],
  // the median of all rounds lies below what their intervals have in common
  [
    {
      verdict: 'inconclusive',
      ratio: 0.7144,
      interval: { lower: 1.0163, upper: 1.82 },
      isMedianOutside: true,
      decidedAfter: null,
    },
    'tg128: inconclusive (interval +1.63 % to +82.0 %, 9 rounds); the median lies outside of its interval: the ratio changed during the run (chance alone does this rarely), so neither of the two describes it (median -28.6 %).',
  ],
  [
    { ratio: 0.7144, isMedianOutside: true },
    'tg128: b is slower than a (interval +4.00 % to +7.00 %, 8 rounds); the median lies outside of its interval: the ratio changed during the run (chance alone does this rarely), so neither of the two describes it (median -28.6 %).',
  ],
])('a verdict is a sentence: %j', (changes, sentence) => {
  expect(describeTest({ ...slower, ...changes }, ab)).toBe(sentence);
});

/** Others in 35 of 48 trials, and pp512 of a faster in the end. */
const doubtful: Ab = {
  ...ab,
  tests: [{ ...slower, name: 'pp512', phase: 'prefill', tokens: 512 }, slower],
  disturbance: {
    ...ab.disturbance,
    otherUse: { seen: 35, notSeen: 12, notVisible: 1 },
    drift: [
      { phase: 'prefill', state: 'marked', change: -0.133, threshold: 0.05 },
      { phase: 'decode', state: 'not-marked', change: 0.01, threshold: 0.05 },
    ],
  },
};

test.each<[Partial<AbTest>, string]>([
  [{}, 'tg128: b is slower than a by 5.00 % of a’s time (interval +4.00 % to +7.00 %, 8 rounds)'],
  [
    { verdict: 'equivalent', ratio: 1.001, interval: { lower: 0.995, upper: 1.005 } },
    'tg128: b is equivalent to a within 1 % (interval -0.50 % to +0.50 %, 8 rounds)',
  ],
  [
    { verdict: 'inconclusive', interval: { lower: 0.95, upper: 1.25 }, decidedAfter: null },
    'tg128: inconclusive (interval -5.00 % to +25.0 %, 9 rounds); differences outside of that are excluded',
  ],
])('a verdict in doubt says so in its own sentence: %j', (changes, sentence) => {
  expect(describeTest({ ...slower, ...changes }, doubtful)).toBe(
    `${sentence}; in doubt: see DISTURBED, DRIFT above.`,
  );
});

test('what casts doubt, and what the doubt is about, is said once for all tests', () => {
  const told = text(doubtful);
  for (const once of ['DISTURBED: ', 'pp512 of a took', 'the 5 % holds only for independent']) {
    expect(told.split(once)).toHaveLength(2);
  }
  const lines = told.split('\n');
  expect(lines[5]).toBe(
    'All verdicts are in doubt: the 5 % holds only for independent rounds with one median ratio.',
  );
  expect(text(ab)).not.toContain('in doubt');
});

test('two speeds are a doubt, and a quiet campaign has none', () => {
  const item = {
    architecture: 'small',
    quantization: 'Q8_0',
    sequenceLength: 0,
    phase: 'decode',
  } as const;
  expect(listDoubts({ ...ab.disturbance, twoSpeed: [item] })).toEqual(['Two speeds']);
  expect(listDoubts(ab.disturbance)).toEqual([]);
});

test('drift names the test and the side that it was seen in, and no reference', () => {
  const lines = text(doubtful).split('\n');
  expect(lines).toContain(
    'DRIFT, MARKED FOR REVIEW: pp512 of a took 13.3 % less time in the last rounds than in the first (more than 5 %).',
  );
  expect(text(doubtful)).not.toContain('reference');
  expect(text(doubtful)).toContain('slower (in doubt)');
});

test.each([
  ['prefill', 'pp512 of a'],
  ['decode', 'tg64 of a'],
] as const)('the first item of %s is %s', (phase, name) => {
  const tests = [
    { name: 'pp512', phase: 'prefill', tokens: 512, depth: 0 },
    { name: 'tg64', phase: 'decode', tokens: 64, depth: 0 },
    { name: 'tg64 @ d512', phase: 'decode', tokens: 64, depth: 512 },
  ] as const;
  expect(nameFirstItems('a', tests)(phase)).toBe(name);
});

test('what stayed open says how wide it is and what would narrow it', () => {
  const open: AbTest = {
    ...slower,
    verdict: 'inconclusive',
    interval: { lower: 0.95, upper: 1.25 },
    decidedAfter: null,
  };
  // 5 % from 1 and a margin of 0.5 %: 2 x 4.5 % may be the width, so 9 x (30 / 9)^2 rounds
  expect(text({ ...ab, tests: [slower, open] })).toContain(
    'To decide it: the interval of tg128 is 30.0 % of a’s time wide after 9 rounds and narrows roughly with the square root of the rounds. To be clear of 1 ± 0.5 % while the estimate stays at +5.00 % it may be 9.00 % wide, which takes about 100 rounds: a new campaign with --max-rounds 100, or with a larger --kept.',
  );
  const silent = { ...open, interval: null, ratio: null, reason: 'none' };
  expect(text({ ...ab, tests: [{ ...silent, pairs: 3 }] })).toContain(
    'To decide it: a new campaign with a larger --max-rounds, or with a larger --kept.',
  );
  const dead = text({ ...ab, tests: [{ ...silent, pairs: 0 }] });
  expect(dead).toContain('Of tg128 no round has a valid trial of both sides: more rounds do not');
  expect(dead).not.toContain('To decide it');
  expect(text(ab)).not.toContain('To decide it');
});

const openTest = (ratio: number, lower: number, upper: number): AbTest => ({
  ...slower,
  verdict: 'inconclusive',
  ratio,
  interval: { lower, upper },
  decidedAfter: null,
});

test('the advice is for what is nearer: equivalent, or clear of the margin', () => {
  // 0.2 % from 1 of 1 %: 2 x 0.8 % may be the width, so 9 x (3.2 / 1.6)^2 rounds
  expect(text({ ...ab, tests: [openTest(1.002, 0.986, 1.018)] })).toContain(
    'To be within 1 ± 1 % while the estimate stays at +0.20 % it may be 1.60 % wide, which takes about 36 rounds: a new campaign with --max-rounds 36, ',
  );
  // of two the one that takes more: 9 x (3.2 / 1.6)^2 against 9 x (6.4 / 1.6)^2
  const both = [
    openTest(0.998, 0.982, 1.014),
    { ...openTest(0.998, 0.966, 1.03), name: 'pp512' as const },
  ];
  expect(text({ ...ab, tests: both })).toContain('--max-rounds 150, ');
  // an interval that is narrow enough but lies to one side takes at least one round more
  expect(text({ ...ab, tests: [openTest(1.002, 1.001, 1.012)] })).toContain('--max-rounds 10, ');
});

test('more rounds than there may be are out of reach, and it is said what may help', () => {
  // 2 x 1 % against 22.2 %: 9 x 22.2^2 / 2^2 = 1,109 rounds; with 20 % 900
  const far = text({ ...ab, tests: [openTest(1, 0.889, 1.111)] }).replaceAll('\n', ' ');
  expect(far).toContain(
    'which takes more than the 1,000 rounds that --max-rounds may be. That is out of reach here: a new campaign on a quieter machine, with a larger --kept, or with a wider --equivalence may decide it.',
  );
  expect(far).not.toContain('--max-rounds 1');
  expect(text({ ...ab, tests: [openTest(1, 0.9, 1.1)] })).toContain('--max-rounds 900, ');
});

test('where no number of rounds decides, it is said what would', () => {
  const tests = [openTest(1.002, 0.986, 1.018)];
  expect(text({ ...ab, rule: { ...ab.rule, equivalence: null }, tests })).toContain(
    'The estimate of tg128, +0.20 %, is not beyond the margin of 0.5 %, and equivalence was not asked: more rounds do not decide it while it stays there; a new campaign with --equivalence may.',
  );
  const narrow = { ...ab.rule, equivalence: 0.001 };
  const stuck = text({ ...ab, rule: narrow, tests });
  expect(stuck).toContain(
    'The estimate of tg128, +0.20 %, is neither within 0.1 % nor beyond the margin of 0.5 %: more rounds do not decide it while it stays there; a new campaign with a wider --equivalence or a smaller --margin may.',
  );
  expect(stuck).not.toContain('To decide it');
});

test('more rounds are not advised where the ratio changed', () => {
  const moved: AbTest = { ...slower, verdict: 'inconclusive', decidedAfter: null, ratio: 0.9 };
  const outside = text({ ...ab, tests: [{ ...moved, isMedianOutside: true }] });
  const advice =
    'More rounds do not decide tg128 while the ratio changes: a new campaign on a quieter machine may.';
  expect(outside).toContain(advice);
  expect(outside).not.toContain('To decide it');
  expect(outside).not.toContain('are excluded');
  expect(outside).toContain('inconclusive (in doubt)');
  // 9 pairs where 6 give an interval: nothing is common to the intervals
  const empty = { ...moved, interval: null, reason: 'nothing in common' };
  expect(text({ ...ab, tests: [empty] })).toContain(advice);
});

test('tests in which batches that differ come to the same are A/A', () => {
  const lowered = { ...slower, name: 'pp8', isSame: true } as const;
  expect(text({ ...ab, tests: [lowered, slower] }).split('\n')).toContain(
    'A/A in pp8: both sides are the same there, since llama.cpp lowers a batch to the context, which is as long as the test, so that a difference that is called is a false alarm, or the machine’s.',
  );
  expect(text(ab)).not.toContain('A/A');
});

test('times, rates and the rule stand below, what is the same and what is not at the end', () => {
  const lines = text(ab).split('\n');
  expect(lines.slice(0, 3)).toEqual(['ab-small: b against a', 'a: -fa 0', 'b: -fa 1']);
  expect(lines).toContain(
    'tg128  640.00 ms  672.00 ms       200.0       190.5  1.0500  1.0400–1.0700      9        8   slower',
  );
  expect(text(ab)).toContain(
    'slower or faster when clear of 1 ± 0.5 %, equivalent when within 1 ± 1 %.',
  );
  expect(text(ab)).toContain(
    'The same on both sides\n  - model: small.gguf\n  - device: CPU (A CPU)\n',
  );
  expect(text(ab)).toContain('Different\n  - flashAttention: a "off"; b "on"\n');
});

test('the error is that of all tests together', () => {
  expect(text(ab)).toContain('A wrong decision has a probability of at most 5 %');
  const several = text({ ...ab, rule: { ...ab.rule, family: 3 } });
  expect(several).toContain('A wrong decision in any of 3 tests has a probability of at most 5 %');
});

test('identical sides are labelled, and nothing differs', () => {
  const same = text({ ...ab, isSame: true, different: [] });
  expect(same).toContain(
    'A/A: both sides are the same, so that a difference that is called is a false alarm',
  );
  expect(same).not.toContain('Different\n');
});

test('failed trials and two speeds are warned of', () => {
  const item = {
    architecture: 'small',
    quantization: 'Q8_0',
    sequenceLength: 0,
    phase: 'decode',
  } as const;
  const disturbance = { ...ab.disturbance, twoSpeed: [item] };
  const warned = text({ ...ab, failedTrials: 2, disturbance });
  expect(warned).toContain('2 trials failed and gave no pairs.');
  expect(warned).toContain('Two speeds: the trials of 1 item fall into a fast and a slow group');
});
