import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { compareCampaigns } from '../../src/analysis/compare-campaigns.ts';
import { compareItems, type ItemsQuestion } from '../../src/analysis/compare-items.ts';
import { compareSessions } from '../../src/analysis/compare-sessions.ts';
import type { ItemsComparison } from '../../src/formats/comparison.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { identityOf } from '../../src/hash.ts';
import { formatComparison } from '../../src/report/format-comparison.ts';
import { describeOrderEffect, describeVerdict } from '../../src/report/format-comparison-ratio.ts';
import { buildCompared, observeWorked } from '../support/compared-campaign.ts';
import { buildPlan, buildProtocol, type LedgerBuilder } from '../support/ledger-builder.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { analyzeWorked, workedTimes } from '../support/worked-campaign.ts';

const plain = { colour: false, width: 120 };
const a = 'architecture=mid,quantization=Q8_0,sequenceLength=512,phase=decode';
const b = 'architecture=small,quantization=F16,sequenceLength=128,phase=decode';

async function compareWorked(changes: Partial<ItemsQuestion> = {}): Promise<ItemsComparison> {
  const question = { a, b, margin: 0.005, equivalence: null, ...changes };
  return compareItems(await analyzeWorked(), question);
}

const flat = (text: string) => text.replace(/\s+/g, ' ');

test('one pair: the verdict as a sentence, both times, every method', async () => {
  const lines = formatComparison(await compareWorked(), plain).split('\n');
  expect(lines.slice(0, 15)).toEqual([
    'test-campaign: A mid Q8_0 S512 decode, B small F16 S128 decode',
    'B is slower than A by 10.0 % (9.6 % to 10.2 %; 95 % interval of the randomisation test, 10 pairs, p = 0.0117).',
    'Differences below 0.5 % are not called.',
    '',
    '                           n       time          interval  covers',
    'A  mid Q8_0 S512 decode   10  14.825 ms  14.790–14.860 ms  97.9 %',
    'B  small F16 S128 decode  10  16.305 ms  16.270–16.340 ms  97.9 %',
    '',
    'ratio B / A                        estimate       interval    covers       p',
    '(g) randomisation test; decides      1.0997  1.0964–1.1025  ≥ 95.0 %  0.0117  S = 80',
    '(f) order statistics of the pairs    1.0997  1.0956–1.1033    97.9 %          ranks 2 and 9 of 10',
    '(c) Mann-Whitney, unpaired           1.0998  1.0971–1.1020    95.7 %  0.0015  U = 90, k = 24 of 100',
    'sign test                                                             0.0215  B slower in 9, faster in 1',
    'ratio of the medians                 1.0998',
    '',
  ]);
  const text = flat(lines.join('\n'));
  expect(text).toContain('The methods agree: all three intervals lie above 1.');
  expect(text).toContain(
    '(g) uses the times as they are: the campaign has 2 other items; 4 are needed to tell the effect of a round.',
  );
  expect(text).toMatch(/the item measured later in a round was the slower one in \d+ of 10 rounds/);
  expect(text).toContain('10 pairs: rounds in which both have a valid trial.');
  expect(text).toContain('What this does not show - One comparison at 95 %');
});

test('each verdict has its own sentence', async () => {
  const say = async (changes: Partial<ItemsQuestion>) =>
    formatComparison(await compareWorked(changes), { colour: false, width: 400 }).split('\n')[1];
  expect(await say({ a: b, b: a })).toBe(
    'B is faster than A: it takes 9.06 % less time (8.79 % to 9.30 %; 95 % interval of the randomisation test, 10 pairs, p = 0.0117).',
  );
  expect(await say({ margin: 0.2, equivalence: 0.15 })).toBe(
    'B and A are equivalent within 15 %: B takes 9.6 % to 10.2 % more time than A (95 % interval of the randomisation test, 10 pairs, p = 0.0117).',
  );
  expect(await say({ margin: 0.1 })).toBe(
    'B is slower than A, but perhaps by less than 10 % (the margin), so inconclusive: it takes 9.6 % to 10.2 % more time than A (95 % interval of the randomisation test, 10 pairs, p = 0.0117). Differences outside this range are excluded.',
  );
  expect(await say({ margin: 0.2, equivalence: 0.05 })).toMatch(
    /^B is slower than A, but by at most 20 % \(the margin\), so inconclusive: it takes 9\.6 % to 10\.2 % more time than A/,
  );
  expect(await say({ a: b, b: a, margin: 0.09 })).toMatch(
    /^B is faster than A, but perhaps by less than 9 % \(the margin\), so inconclusive: it takes 8\.79 % to 9\.30 % less time than A/,
  );
});

/** The worked pair with another interval and what it would be called. */
async function sayInterval(lower: number, upper: number, isLowerOpen = false): Promise<string> {
  const comparison = await compareWorked();
  const [pair] = comparison.pairs;
  const interval = { lower, upper, isLowerOpen, isUpperOpen: false };
  const decision = { ...pair!.decision!, interval };
  const changed = { ...pair!, decision, verdict: 'inconclusive' as const };
  return describeVerdict(changed, comparison).replace(/ \(95 % interval.*/, '');
}

test('an inconclusive pair says what its interval shows, wherever that lies', async () => {
  expect(await sayInterval(0.98, 1.003)).toBe(
    'Inconclusive: which of the two is faster is not shown: B takes 2.00 % less to 0.30 % more time than A',
  );
  expect(await sayInterval(0.998, 1.003)).toBe(
    'Inconclusive: which of the two is faster is not shown; if they differ, then by at most 0.5 % (the margin): B takes 0.20 % less to 0.30 % more time than A',
  );
  expect(await sayInterval(0.9815, 0.999)).toBe(
    'B is faster than A, but perhaps by less than 0.5 % (the margin), so inconclusive: it takes 0.10 % to 1.85 % less time than A',
  );
  expect(await sayInterval(1.001, 1.004)).toBe(
    'B is slower than A, but by at most 0.5 % (the margin), so inconclusive: it takes 0.10 % to 0.40 % more time than A',
  );
  expect(await sayInterval(1.000001, 1.000002)).toContain('it takes up to 0.01 % more time than A');
  expect(await sayInterval(1, 1)).toContain('B takes as much time as A');
  expect(await sayInterval(1, 1.02)).toContain('B takes 0.00 % to 2.00 % more time than A');
  expect(await sayInterval(1, 1.02, true)).toBe(
    'B is slower than A, but perhaps by less than 0.5 % (the margin), so inconclusive: it takes 0.00 % to 2.00 % more time than A',
  );
});

test('what disturbed the campaign stands right after the verdict, and so do methods that disagree', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled);
      const isLate = scheduled.round >= 5 && scheduled.item.phase === 'decode';
      ledger.observe(scheduled.trial, isLate ? times.map((ns) => 2 * ns) : times);
    }
    ledger.startSession({ differences: ['kernel was 6.1.0, is 6.2.0'] });
  });
  const disturbed = { ...analysis, otherUse: { seen: 3, notSeen: 37, notVisible: 0 } };
  const question = { a, b, margin: 0.005, equivalence: null };
  const comparison = compareItems(disturbed, question);
  expect(comparison.disturbances).toMatchObject([
    {
      campaign: 'test-campaign',
      otherUse: { seen: 3, notSeen: 37 },
      drift: [
        { phase: 'prefill', state: 'not-marked' },
        { phase: 'decode', state: 'marked', threshold: 0.05 },
      ],
      twoSpeed: [{ architecture: 'mid' }, { architecture: 'small' }],
      environment: [{ session: 1, differences: ['kernel was 6.1.0, is 6.2.0'] }],
    },
  ]);
  const [pair] = comparison.pairs;
  const doubtful = { ...comparison, pairs: [{ ...pair!, methodsAgree: false }] };
  const lines = formatComparison(doubtful, { colour: false, width: 400 }).split('\n');
  expect(lines.slice(2, 7)).toEqual([
    'DISTURBED: others were seen at work on the device in 3 of 40 trials; nothing was removed for it.',
    expect.stringMatching(
      /^DRIFT, MARKED FOR REVIEW: .* \+100\.3 % in decode \(more than 5 %\)\.$/,
    ),
    'Two speeds: the trials of mid Q8_0 S512 decode; small F16 S128 decode fall into a fast and a slow group, so that one ratio does not describe them.',
    'The environment changed in 1 session: kernel was 6.1.0, is 6.2.0.',
    expect.stringMatching(/^The methods do not agree: .*\(g\) decides\.$/),
  ]);
  expect(lines.filter((line) => line.startsWith('The methods'))).toHaveLength(1);
});

test('a disturbed campaign says so beside another, too, and in sessions', async () => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan({ name: 'second' }), observeWorked(1.1));
  if (two.analysis.evidence !== 'ledger') throw new Error('it has a ledger');
  const otherUse = { seen: 2, notSeen: 38, notVisible: 0 };
  const disturbed = { ...two, analysis: { ...two.analysis, otherUse } };
  const words = 'second: DISTURBED: others were seen at work on the device in 2 of 40 trials;';
  for (const comparison of [
    compareCampaigns(one, disturbed, []),
    compareSessions([one, disturbed], []),
  ]) {
    const text = formatComparison(comparison, { colour: false, width: 400 });
    expect(text.split('\n').slice(1, 6).join('\n')).toContain(words);
    expect(comparison.disturbances.map(({ otherUse: use }) => use?.seen)).toEqual([0, 2]);
  }
});

test('a sequential campaign says first what the declared rule decided, and that this test is after the fact', async () => {
  const stopping = {
    method: 'S2',
    alpha: 0.05,
    margin: 0.005,
    equivalence: null,
    correction: 'bonferroni',
    comparisons: 'all-against-reference',
  } as const;
  const protocol = buildProtocol({ stopping });
  const plan = buildPlan({ protocol, protocolSha256: identityOf(protocol) });
  const nsOf = ({ sequenceLength, phase }: Trial, call: number) => {
    const isA = sequenceLength === 512 && phase === 'decode';
    const slow = (isA ? 8 : 9) + (call % 7) / 1000;
    return Math.round(slow * 1e6);
  };
  const record = await collectCampaign(chainCampaign(plan, await measureWith(plan, nsOf)));
  const analysis = analyzeCampaign(record, new Map());
  const followed = analysis.sequential!.comparisons.map(({ a: base, b: other, state }) => [
    analysis.items[base]!.phase,
    analysis.items[base]!.architecture,
    analysis.items[other]!.architecture,
    state,
  ]);
  expect(followed).toContainEqual(['decode', 'mid', 'small', 'slower']);
  const question = { a, b, margin: 0.005, equivalence: null };
  const comparison = compareItems(analysis, question);
  expect(comparison.stopping).toMatchObject({ method: 'S2', maximumRounds: 10 });
  expect(comparison.pairs[0]!.declared).toMatchObject({ state: 'slower' });
  const lines = formatComparison(comparison, { colour: false, width: 400 }).split('\n');
  expect(lines[1]).toMatch(
    /^The declared rule \(S2, .*10 rounds\) called B slower after \d+ rounds\. What follows is a test for a fixed number of rounds: after the fact, and not what was declared\.$/,
  );
  const turned = compareItems(analysis, { ...question, a: b, b: a });
  expect(turned.pairs[0]!.declared).toMatchObject({ state: 'faster' });
  const open = {
    ...comparison.pairs[0]!,
    declared: { state: 'open' as const, decidedAfter: null },
  };
  const said = formatComparison({ ...comparison, pairs: [open] }, { colour: false, width: 400 });
  expect(said.split('\n')[1]).toMatch(/ left it open, after \d+ rounds\. /);
  const family = compareItems(analysis, {
    ...question,
    a: 'architecture=mid,quantization=Q8_0,sequenceLength=512',
    b: 'architecture=small,quantization=F16,sequenceLength=128',
  });
  expect(formatComparison(family, { colour: false, width: 400 }).split('\n')[1]).toMatch(
    /^Of these 2 comparisons the declared rule \(S2, .*\) compares 2, as B against A: 1 slower, 1 open\./,
  );
});

test('a withheld verdict is not explained by the margin, and nothing is said to decide', async () => {
  const comparison = await compareWorked();
  const missing = [{ field: 'verdict', reason: 'the campaign may stop by its own data (S2)' }];
  const [pair] = comparison.pairs;
  const held = { ...pair!, verdict: 'inconclusive' as const, methodsAgree: false, missing };
  const one = flat(formatComparison({ ...comparison, pairs: [held] }, plain));
  expect(one).toContain('The verdict is withheld: the campaign may stop by its own data (S2).');
  expect(one).not.toMatch(/decides|Inconclusive|are not called/);
  expect(describeVerdict({ ...held, decision: null }, comparison)).toMatch(
    /^The verdict is withheld/,
  );
  const two = flat(formatComparison({ ...comparison, pairs: [held, held] }, plain));
  expect(two).toContain(
    '2 verdicts withheld: the campaign may stop by its own rule, so that its own decisions count.',
  );
  expect(two).toContain(' withheld ');
  expect(two).not.toMatch(/decides|inconclusive|are not called/);
});

test('an effect of the place is said with care, and not looked for in so few pairs that none can show', async () => {
  const [pair] = (await compareWorked()).pairs;
  const say = (rounds: number, laterSlower: number, pValue: number, ties = 0) =>
    describeOrderEffect({
      ...pair!,
      orderEffect: { rounds, laterSlower, laterFaster: 0, ties, pValue, medianRatio: 1.01 },
    });
  expect(say(6, 6, 0.03125)).toMatch(/^The place in the round seems to matter \(not corrected\): /);
  expect(say(8, 4, 1)).toMatch(/^No effect of the place seen: /);
  expect(say(5, 5, 0.0625)).toMatch(
    /^Whether the place in the round matters cannot be seen: with 5 pairs no p of at most 0\.05 exists: /,
  );
  expect(say(10, 1, 1, 9)).toMatch(/ cannot be seen: with 1 untied pair no p of at most 0\.05 /);
});

test('too few pairs say what it takes in place of a number', async () => {
  const protocol = buildProtocol({ processesPerItem: 5 });
  const plan = buildPlan({ protocol, protocolSha256: identityOf(protocol) });
  const question = { a, b, margin: 0.005, equivalence: null };
  const text = formatComparison(
    compareItems(await analyzeWorked(undefined, plan), question),
    plain,
  );
  expect(text.split('\n')[1]).toBe(
    'Inconclusive: 5 pairs: whatever they show, p is at least 0.0625; 6 pairs are needed for one below 0.05.',
  );
  expect(text).toContain('(c) lies above 1; (g) and (f) have no interval.');
  expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
});

/** F16 and Q8_0 of one architecture in both phases; the last two rounds lack F16. */
async function compareFamily(): Promise<ItemsComparison> {
  const plan = buildPlan();
  const [, mid] = plan.models;
  const models = [mid!, { ...mid!, quantization: 'F16' as const, sha256: 'f'.repeat(64) }];
  const conditions = models.map(({ sha256 }) => ({ modelSha256: sha256, sequenceLength: 512 }));
  const fill = (ledger: LedgerBuilder) => {
    for (const { trial, item, round } of ledger.schedule) {
      const isF16 = item.quantization === 'F16';
      const ns = (isF16 ? 2_000_000 : 2_500_000) + 100 * ((7 * round) % 10);
      if (isF16 && round > 7) ledger.fail(trial);
      else ledger.observe(trial, [ns, ns, ns, ns]);
    }
  };
  const analysis = await analyzeWorked(fill, { ...plan, models, conditions });
  const question = {
    a: 'quantization=F16',
    b: 'quantization=Q8_0',
    margin: 0.005,
    equivalence: 0.1,
  };
  return compareItems(analysis, question);
}

test('several pairs: the family is named, one line a pair', async () => {
  const text = formatComparison(await compareFamily(), { colour: false, width: 160 });
  const lines = text.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'test-campaign: A quantization=F16, B quantization=Q8_0',
    'B is slower in 2 of 2 comparisons, faster in 0, 0 equivalent; 0 inconclusive.',
  ]);
  expect(flat(text)).toContain(
    'One family of 2: intervals at 97.5 % or more each, so that all hold together at 95 % or more, and p of (g) times 2 (both Bonferroni). The interval decides.',
  );
  expect(lines.filter((line) => line.startsWith('mid S512 prefill'))[0]).toMatch(
    /8 of 10 +2\.000\d ms +2\.500\d ms +1\.2499 +1\.249\d–1\.2500 +0\.0156 +slower/,
  );
  expect(flat(text)).toContain('In 2 of 2 comparisons rounds without a valid trial of both');
});

test.each([80, 100, 120, 160])('no line is wider than %d columns', async (width) => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan(), observeWorked(1.1));
  const all = [
    await compareWorked(),
    await compareFamily(),
    compareCampaigns(one, two, []),
    compareSessions([one, two], []),
  ];
  for (const comparison of all) {
    const lines = formatComparison(comparison, { colour: false, width }).split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).not.toMatch(/NaN|Infinity|undefined|null/);
  }
});

test('colour appears only when it is asked for, and changes no word', async () => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan(), observeWorked(1.1));
  for (const comparison of [await compareFamily(), compareCampaigns(one, two, [])]) {
    const uncoloured = formatComparison(comparison, plain);
    const coloured = formatComparison(comparison, { colour: true, width: 120 });
    expect(coloured).not.toBe(uncoloured);
    expect(stripVTControlCharacters(coloured)).toBe(uncoloured);
  }
});

test('two campaigns: how far the times moved, and that it is confounded with the session', async () => {
  const protocol = buildProtocol({
    processesPerItem: 3,
    name: 'short',
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 2, edgeRounds: 1, above: 0.05 },
    },
  });
  const shortPlan = buildPlan({ name: 'first', protocol, protocolSha256: identityOf(protocol) });
  const short = await buildCompared(shortPlan, observeWorked(1));
  const long = await buildCompared(buildPlan(), observeWorked(1.1));
  const text = formatComparison(compareCampaigns(short, long, []), plain);
  const words = flat(text);
  expect(words).toContain(
    'A first: short on Test CPU 3000, 3 rounds with a valid trial of every item, 1 session',
  );
  expect(words).toMatch(
    /The times of 4 items changed by \d+\.\d+ % in the median and \d+\.\d+ % at most/,
  );
  expect(words).toContain('Stable: 4 of 4 items in A, 3 in B.');
  expect(words).toContain(
    'These changes are confounded with session: the two were not interleaved.',
  );
  expect(words).toContain(
    'With only 3 of its 10 rounds B would have had 3 to 4 stable items (all 120 choices, which share samples); the 4 of A in its complete rounds lie in this range.',
  );
  expect(text).toMatch(/protocol +same +the same but for 3 and 10 rounds/);
  expect(text).toMatch(/the very device +not known/);
});

test('sessions: the share, the devices, every session', async () => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan({ name: 'second' }), observeWorked(1.1));
  const words = flat(formatComparison(compareSessions([one, two], []), plain));
  expect(words).toContain(
    '2 sessions: in the median of 4 items 99.9 % of the variance of log time lies between sessions.',
  );
  expect(words).toContain('Whether the sessions ran on the same device is not known.');
  expect(words).toContain('second 0 2026-01-01T');
  expect(words).toContain('between, within: standard deviations of log time');
  expect(words).toMatch(/small F16 S128 prefill 2 20 0\.00\d\d 0\.06\d\d /);
});

test('words from outside cannot steer the terminal', async () => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan(), observeWorked(1.1));
  const comparison = compareCampaigns(one, two, []);
  const hostile = {
    ...comparison,
    a: { ...comparison.a, device: 'CPU\u001b[2J' },
    agreement: [{ what: 'device' as const, state: 'different' as const, details: ['x\u001b[2J'] }],
  };
  expect(formatComparison(hostile, plain)).not.toContain('\u001b');
});
