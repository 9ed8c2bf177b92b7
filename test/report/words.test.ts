import { expect, test } from 'vitest';
import type { Analysis } from '../../src/formats/analysis.ts';
import {
  allocationLegend,
  describeAllocation,
  summariseAllocation,
} from '../../src/report/allocation-words.ts';
import {
  answerQuestion,
  describePrice,
  describeTarget,
  listSentences,
  offerAnother,
} from '../../src/report/closure-words.ts';
import { describeProgress } from '../../src/report/progress-words.ts';
import { describeOrderEffect, describeSubsets } from '../../src/report/round-words.ts';
import { describeSpeeds } from '../../src/report/speed-words.ts';
import { describeTrends } from '../../src/report/trend-words.ts';
import { adviseWarmup } from '../../src/report/warmup-words.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

type State = Analysis['closure']['items'][number]['state'];

/** The worked campaign with other verdicts on its four items. */
async function judged(...states: State[]): Promise<Analysis> {
  const analysis = await analyzeWorked();
  const items = analysis.closure.items.map((item, index) => ({ ...item, state: states[index]! }));
  const has = (state: State) => states.includes(state);
  const state = has('not-explorable')
    ? 'not-explorable'
    : has('not-evaluable')
      ? 'not-evaluable'
      : 'explorable';
  const explorable = states.filter((one) => one === 'explorable').length;
  const family = { ...analysis.closure.family, state, explorable } as const;
  return { ...analysis, closure: { ...analysis.closure, items, family } };
}

const yes = 'explorable';
const no = 'not-explorable';
const open = 'not-evaluable';

test.each<[State[], string]>([
  [[yes, yes, yes, yes], 'Yes, in all 4 items.'],
  [[yes, no, yes, no], 'In 2 of 4 items, not in all.'],
  [[yes, no, open, no], 'In 1 of 4 items, not in all. For 1 it cannot be said.'],
  [[yes, open, open, yes], 'In 2 of 4 items, not in all. For 2 it cannot be said.'],
  [[no, no, no, no], 'No: in none of 4 items.'],
  [[open, open, no, open], 'No: in none of 4 items. For 3 it cannot be said.'],
  [[open, open, open, open], 'That cannot be said: no item has an interval.'],
])('of %j the answer is: %s', async (states, answer) => {
  expect(answerQuestion((await judged(...states)).closure)).toBe(answer);
});

test('what it would take is told unless the answer is yes, and never guessed', async () => {
  expect(describePrice(await judged(yes, yes, yes, yes))).toBeNull();
  const { closure, ...rest } = await judged(yes, open, yes, yes);
  const family = { ...closure.family, trialsNeeded: null, smallestTarget: null };
  expect(describePrice({ ...rest, closure: { ...closure, family } })).toBe(
    'How many trials it would take cannot be said for all items.',
  );
});

test('a target is the plan’s, of afterwards, or nobody’s', async () => {
  const { closure, ...rest } = await analyzeWorked();
  const words = (targetSource: typeof closure.targetSource) =>
    describeTarget({ ...rest, closure: { ...closure, targetSource } });
  expect(words('plan')).toContain('declared in the plan, before the first trial');
  expect(words('command-line')).toContain('ASKED AFTERWARDS');
  expect(words('command-line')).toContain('declared before the first trial was 10 %');
  expect(words('default')).toContain('Nobody declared a target');
});

test('a trend is named with its family and correction only when it survives it', async () => {
  const { items } = await analyzeWorked();
  const trend = { rho: 0.872727, pValue: 0.00201, method: 'permutation' as const, smallestP: 1e-4 };
  const drifting = items.map((item, index) => ({
    ...item,
    trend: index === 1 ? { ...trend, adjustedPValue: 0.00804 } : { ...trend, adjustedPValue: 0.06 },
  }));
  const { summary, found } = describeTrends(drifting);
  expect(summary).toMatch(
    /^1 item of 4 became steadily slower or faster \(Spearman.*Holm.*4 items\)/,
  );
  expect(found).toEqual([
    'mid Q8_0 S512 prefill: slower later, rho +0.87, p = 0.00201 (permutation), corrected p = 0.00804',
  ]);
});

test('where no item has a trend or a look for two speeds, the reasons of the items are told', async () => {
  const { items } = await analyzeWorked();
  const without = (...reasons: string[]) =>
    items.map((item, index) => {
      const reason = reasons[index % reasons.length]!;
      const missing = ['trend', 'twoSpeed'].map((field) => ({ field, reason }));
      return { ...item, trend: null, twoSpeed: null, missing };
    });
  const equal = without('all trial means are equal');
  const told = { summary: 'Not evaluable: all trial means are equal.', found: [] };
  expect(describeTrends(equal)).toEqual(told);
  expect(describeSpeeds(equal)).toEqual(told);
  const few = 'a rank correlation needs 4 trials';
  expect(describeTrends(without(`n = 2: ${few}`, `n = 3: ${few}`, 'no valid trial')).summary).toBe(
    `Not evaluable: n = 2 or 3: ${few}; no valid trial.`,
  );
  expect(describeTrends([]).summary).toBe('Not evaluable: there is no item.');
});

test('another difference is offered at half of the one that was answered', async () => {
  const { closure } = await analyzeWorked();
  expect(offerAnother(closure)).toBe(
    'Another difference? --target-difference 0.05 asks about 5 %.',
  );
  expect(offerAnother({ ...closure, targetDifference: 0.05 })).toBe(
    'Another difference? --target-difference 0.025 asks about 2.5 %.',
  );
});

test('under a marked drift no number of trials is projected', async () => {
  const analysis = await judged(yes, no, yes, yes);
  expect(describePrice(analysis)).toContain('It would take about');
  const drift = [
    {
      ...{ state: 'evaluated' as const, phase: 'decode' as const, rounds: 10, edgeRounds: 5 },
      ...{ firstMedianNs: 1e6, lastMedianNs: 1.06e6, change: 0.06, threshold: 0.05 },
      ...{ exceeded: true, linearDriftToReach: 0.09 },
    },
  ];
  const words = describePrice({ ...analysis, drift });
  expect(words).toMatch(
    /^How many trials it would take cannot be projected while the reference drifts\. This data serves/,
  );
  expect(words).not.toContain('hardware time');
  const projection =
    'What it would take, if further trials are spread like these: about 165 trials of it (now 11). This is projected.';
  const closure = { ...analysis.closure, sentences: ['The answer.', projection, 'The rule.'] };
  expect(listSentences({ closure, drift: [] })).toEqual(['The answer.', projection, 'The rule.']);
  expect(listSentences({ closure, drift })).toEqual(['The answer.', 'The rule.']);
});

test('where even a perfect order could not survive the correction, no trend is said to be absent', async () => {
  const { items } = await analyzeWorked();
  const short = { rho: 1, pValue: 2 / 24, method: 'exact' as const, smallestP: 2 / 24 };
  const asFew = items.map((item) => ({ ...item, trend: { ...short, adjustedPValue: 1 / 3 } }));
  expect(describeTrends(asFew)).toEqual({
    summary: expect.stringMatching(
      /^No trend can show here: with so few trials even the strongest would have a corrected p = 0\.333 \(/,
    ),
    found: [],
  });
  const one = asFew.map((item, index) => (index === 0 ? item : { ...item, trend: null }));
  expect(describeTrends(one).summary).toContain('corrected p = 0.0833');
  const enough = asFew.map((item) => ({ ...item, trend: { ...item.trend, smallestP: 0.0125 } }));
  expect(describeTrends(enough).summary).toMatch(/^No item was found to become/);
});

test('both speeds are told with their counts, and as a flag', async () => {
  const { items } = await analyzeWorked();
  const groups = { fastCount: 6, slowCount: 4, fastNs: 13.1e6, slowNs: 19.25e6 };
  const twoSpeed = { ...groups, isTwoSpeed: true, relativeGap: 0.301 };
  const { summary, found } = describeSpeeds([{ ...items[0]!, twoSpeed }, ...items.slice(1)]);
  expect(summary).toContain('The trials of 1 of 4 items fall into a fast and a slow group.');
  expect(summary).toContain('no test');
  expect(found).toEqual([
    'small F16 S128 prefill: 6 trials around 13.100 ms, 4 around 19.250 ms; the gap between them is 30.1 % of the median',
  ]);
});

const short = 'fewer than 5 repetitions come after the last change of level';

/** The worked campaign with other starts of the last level. */
async function settle(...from: (number | null)[]) {
  const analysis = await analyzeWorked();
  const warmup = analysis.warmup.map((one, index) => ({
    ...one,
    steadyFrom: from[index]!,
    steadyReason: from[index] === null ? short : null,
  }));
  return { ...analysis, warmup };
}

test('warm-up advice counts repetitions from 1 and names what is late or not evaluable', async () => {
  // two repetitions are left out: the third, index 2, is the first kept one
  expect(adviseWarmup(await settle(1, 1, 2, 0))).toEqual({
    summary:
      'The protocol leaves out the first 2 repetitions of a process and keeps 2. The last level of the series begins at repetition 1 in 1 item, 2 in 2 items, 3 in 1 item. When the kept repetitions begin, the median over trials is steady in all items.',
    late: [],
  });
  const { summary, late } = adviseWarmup(await settle(1, 3, null, 1));
  expect(summary).toContain(
    'In 1 item it is not evaluable. When the kept repetitions begin, the median over trials is not steady yet in 1 of 3 items.',
  );
  expect(late).toEqual([
    'mid Q8_0 S512 prefill: steady only from repetition 4 on',
    `small F16 S128 decode: not evaluable: ${short}`,
  ]);
  const none = adviseWarmup(await settle(null, null, null, null)).summary;
  expect(none).toContain('In 4 items it is not evaluable.');
  expect(none).not.toContain('steady yet');
});

test('repetitions without a protocol are judged by the last one', async () => {
  const advice = adviseWarmup({ ...(await settle(3, 1, null, 1)), protocol: null });
  expect(advice.summary).toBe(
    'Which repetitions count is not written here. The last level of the series begins at repetition 2 in 2 items, 4 in 1 item. In 1 item it is not evaluable. By the last repetition, the median over trials is steady in the other 3. Not steady or not evaluable:',
  );
  expect(advice.late).toEqual([`small F16 S128 decode: not evaluable: ${short}`]);
});

test('a steady median does not hide processes whose own repetitions vary', async () => {
  const analysis = await settle(1, 1, 1, 1);
  const items = analysis.items.map((item, index) =>
    index === 1 ? { ...item, inTrialCvMax: 1.593 } : item,
  );
  expect(adviseWarmup({ ...analysis, items }).summary).toContain(
    'Single processes are not steady in 1 of 4 items: the CV inside a trial goes up to 159.3 % (mid Q8_0 S512 prefill), above the limit of 5 %.',
  );
});

test('without a plan the rounds of the table are counted, and nothing is called complete', async () => {
  const { progress, items, trials } = await analyzeWorked();
  expect(describeProgress({ progress, items, trials })).toBe('40 of 40 trials observed, 0 failed');
  const unplanned = { ...progress, planned: null, notStarted: null, complete: null };
  const cut = (count: number) =>
    describeProgress({ progress: unplanned, items, trials: trials.slice(0, count) });
  expect(cut(40)).toBe(
    '40 trials in the table, 10 rounds with a valid trial of every item, 0 failed',
  );
  expect(cut(35)).toBe(
    '35 trials in the table, 8 rounds with a valid trial of every item and 3 of 4 items of one more, 0 failed',
  );
  const failing = trials.map((trial, index) =>
    index === 5 || index === 9 ? { ...trial, state: 'failed' as const, trialMeanNs: null } : trial,
  );
  expect(describeProgress({ progress: { ...unplanned, failed: 2 }, items, trials: failing })).toBe(
    '40 trials in the table, 8 rounds with a valid trial of every item and parts of 2 more, 2 failed',
  );
});

test('allocation advice says what is saved, of what, and when nothing is', async () => {
  const analysis = await analyzeWorked();
  const allocate = (...shares: (number | null)[]) => ({
    ...analysis,
    allocation: analysis.allocation.map((one, index) => ({
      ...one,
      advice:
        shares[index] == null ? null : { repetitions: 4, processes: 12, costShare: shares[index]! },
    })),
  });
  expect(summariseAllocation(allocate(0.9, 0.614, 1, null))).toBe(
    'In 2 of 3 items another split would give the same precision for less hardware time; most is saved in mid Q8_0 S512 prefill: 61 % of the time with 4 kept repetitions in each of 12 processes.',
  );
  expect(summariseAllocation(allocate(1, 1, 1.02, 1))).toBe(
    'In none of 4 items would another split give the same precision for less hardware time.',
  );
  expect(summariseAllocation(allocate(1, null, null, null))).toBe(
    'In the one item with advice no other split would give the same precision for less hardware time.',
  );
  expect(summariseAllocation(allocate(null, null, null, null))).toBe('No advice can be given.');
  const row = describeAllocation({
    ...analysis.allocation[0]!,
    ...{ repetitionCostNs: null, processCostNs: null, advice: null },
  });
  expect(row).toEqual({
    ...{ repetitionCost: '–', processCost: '–', repetitions: '–', processes: '–', costShare: '–' },
  });
  expect(allocationLegend).toContain('in % of what this campaign took for the item');
});

test('subsets and order effects that cannot be evaluated give their reason', () => {
  const reason = '2 rounds have two valid trials; 6 are needed';
  expect(describeSubsets({ state: 'not-evaluable', reason }, 4)).toBe(`Not evaluable: ${reason}.`);
  expect(describeOrderEffect({ state: 'not-evaluable', phase: 'decode', reason })).toBe(
    `not evaluable: ${reason}`,
  );
});

test('an order effect is told in rounds, as a share of the time, with its test', () => {
  expect(
    describeOrderEffect({
      state: 'evaluated',
      phase: 'prefill',
      medianDifference: 0.0103,
      rounds: 10,
      laterSlower: 9,
      laterFaster: 1,
      ties: 0,
      pValue: 0.021484375,
    }),
  ).toBe(
    'the later half of the trials was slower in 9, faster in 1 of 10 rounds; later against earlier +1.03 % of the time in the median round (sign test over rounds, two-sided, p = 0.0215)',
  );
});

test('random subsets are called so', () => {
  const words = describeSubsets(
    {
      ...{ state: 'evaluated', rounds: 60, size: 5, subsets: 100_000, isExhaustive: false },
      ...{ minimum: 2, maximum: 2, mean: 2, histogram: [0, 0, 100_000] },
    },
    2,
  );
  expect(words).toContain('In 100,000 random subsets of 5 of the 60 rounds, 2 of 2 items carry');
});
