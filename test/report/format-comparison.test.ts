import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { compareCampaigns } from '../../src/analysis/compare-campaigns.ts';
import { compareItems, type ItemsQuestion } from '../../src/analysis/compare-items.ts';
import { compareSessions } from '../../src/analysis/compare-sessions.ts';
import type { ItemsComparison } from '../../src/formats/comparison.ts';
import { identityOf } from '../../src/hash.ts';
import { formatComparison } from '../../src/report/format-comparison.ts';
import { buildCompared, observeWorked } from '../support/compared-campaign.ts';
import { buildPlan, buildProtocol, type LedgerBuilder } from '../support/ledger-builder.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

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
    'Slower and faster are said from 0.5 % on.',
    '',
    '                           n       time          interval  covers',
    'A  mid Q8_0 S512 decode   10  14.825 ms  14.790–14.860 ms  97.9 %',
    'B  small F16 S128 decode  10  16.305 ms  16.270–16.340 ms  97.9 %',
    '',
    'ratio B / A                        estimate       interval  covers       p',
    '(g) randomisation test; decides      1.0997  1.0964–1.1025  95.0 %  0.0117  S = 80',
    '(f) order statistics of the pairs    1.0997  1.0956–1.1033  97.9 %          ranks 2 and 9 of 10',
    '(c) Mann-Whitney, unpaired           1.0998  1.0971–1.1020  95.7 %  0.0015  U = 90, k = 24 of 100',
    'sign test                                                           0.0215  B slower in 9, faster in 1',
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
    'B and A are equivalent within 15 %: B takes 9.6 % more to 10.2 % more time than A (95 % interval of the randomisation test, 10 pairs, p = 0.0117).',
  );
  expect(await say({ margin: 0.1 })).toBe(
    'Inconclusive: B takes 9.6 % more to 10.2 % more time than A (95 % interval of the randomisation test, 10 pairs, p = 0.0117). Larger differences are excluded, smaller ones are not.',
  );
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
    'One family of 2: intervals at 97.5 % each, so that all hold together at 95 % (Bonferroni); p-values of (g) corrected by Holm.',
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
  expect(words).toContain('A first: short on Test CPU 3000, 3 complete rounds, 1 session');
  expect(words).toMatch(
    /The times of 4 items changed by \d+\.\d+ % in the median and \d+\.\d+ % at most/,
  );
  expect(words).toContain('Stable: 4 of 4 items in A, 3 in B.');
  expect(words).toContain(
    'These changes are confounded with session: the two were not interleaved.',
  );
  expect(words).toContain(
    'With only 3 of its 10 rounds B would have had 3 to 4 stable items (all 120 choices, which share samples); the 4 of A lie in this range.',
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
