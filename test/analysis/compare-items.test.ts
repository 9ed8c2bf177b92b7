import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { compareItems, type ItemsQuestion } from '../../src/analysis/compare-items.ts';
import { loadRecord } from '../../src/commands/load-record.ts';
import type { SampleAnalysis } from '../../src/formats/analysis.ts';
import { comparisonSchema, type ItemsComparison } from '../../src/formats/comparison.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { isGenerated } from '../../src/formats/plan.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import type { ScheduledTrial } from '../../src/protocol/schedule.ts';
import { buildPlan, buildProtocol, type LedgerBuilder } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll } from '../support/worked-campaign.ts';

const midDecode = 'architecture=mid,quantization=Q8_0,sequenceLength=512,phase=decode';
const smallDecode = 'architecture=small,quantization=F16,sequenceLength=128,phase=decode';

function compare(analysis: SampleAnalysis, changes: Partial<ItemsQuestion> = {}): ItemsComparison {
  const question = { a: midDecode, b: smallDecode, margin: 0.005, equivalence: null, ...changes };
  const comparison = compareItems(analysis, question);
  expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  return comparison;
}

const near = (value: number) => expect.closeTo(value, 9);

test('the worked campaign gives every worked number of A and B', async () => {
  const { pairs, family } = compare(await analyzeWorked());
  expect(family).toEqual({
    size: 1,
    jointLevel: 0.95,
    intervalLevel: 0.95,
    correction: 'none',
    pairsNeeded: 6,
  });
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({
    a: { architecture: 'mid', n: 10, failed: 0, representativeNs: 14_825_000 },
    b: { architecture: 'small', n: 10, failed: 0, representativeNs: 16_305_000 },
    pairs: 10,
    rounds: 10,
    lackingA: 0,
    lackingB: 0,
    medianPairedRatio: near(1.0996628007),
    ratioOfMedians: near(1.0998313659),
    verdict: 'slower',
    decision: {
      statistic: 80,
      pValue: 12 / 1024,
      adjustedPValue: 12 / 1024,
      method: 'exact',
      interval: {
        lower: near(1.0964261632),
        upper: near(1.1024949427),
        isLowerOpen: true, // p is 48/1024 there, 52/1024 just above
        isUpperOpen: true, // 44/1024, and 52/1024 just below
      },
      roundEffects: {
        state: 'raw',
        reason: 'the campaign has 2 other items; 4 are needed to tell the effect of a round',
      },
    },
    pairedInterval: {
      lower: near(1.0956228956),
      upper: near(1.1033085753),
      coverage: 0.978515625,
      coverageFraction: '501/512',
      ranks: [2, 9],
    },
    unpaired: {
      u: 90,
      pValue: near(0.00150468726),
      hodgesLehmann: near(1.0998313768),
      interval: {
        lower: near(1.097100472),
        upper: near(1.102027027),
        coverage: near(0.956742947),
        k: 24,
        differences: 100,
      },
    },
    signTest: { slower: 9, faster: 1, ties: 0, pValue: 0.021484375 },
    methodsAgree: true,
    missing: [],
  });
  expect(pairs[0]!.a.interval).toMatchObject({ lowerNs: 14_790_000, upperNs: 14_860_000 });
});

test('the order effect sets the item measured later against the earlier one, by the schedule', async () => {
  const analysis = await analyzeWorked();
  const positionsOf = (architecture: string) =>
    analysis.trials
      .filter(({ item }) => {
        const { architecture: name, phase } = analysis.items[item]!;
        return name === architecture && phase === 'decode';
      })
      .sort((x, y) => x.round - y.round)
      .map(({ position }) => position);
  const [mid, small] = [positionsOf('mid'), positionsOf('small')];
  // small is the slower one in all rounds but the ninth.
  const laterSlower = mid.filter((position, round) => small[round]! > position !== (round === 8));
  const { orderEffect } = compare(analysis).pairs[0]!;
  expect(orderEffect).toMatchObject({
    rounds: 10,
    laterSlower: laterSlower.length,
    laterFaster: 10 - laterSlower.length,
    ties: 0,
  });
  expect(laterSlower.length).toBeGreaterThan(0);
  expect(laterSlower.length).toBeLessThan(10);
});

test('each verdict is called by its interval and the limits', async () => {
  const analysis = await analyzeWorked();
  const verdictOf = (changes: Partial<ItemsQuestion>) =>
    compare(analysis, changes).pairs[0]!.verdict;
  expect(verdictOf({ a: smallDecode, b: midDecode })).toBe('faster');
  expect(verdictOf({ margin: 0.0964 })).toBe('slower');
  expect(verdictOf({ margin: 0.0965 })).toBe('inconclusive');
  expect(verdictOf({ margin: 0.0965, equivalence: 0.1024 })).toBe('inconclusive');
  expect(verdictOf({ margin: 0.0965, equivalence: 0.1025 })).toBe('equivalent');
});

/** Two architectures in two quantizations: eight items in two phases. */
function eightItems(rounds: number): Plan {
  const { models, ...plan } = buildPlan();
  const protocol = buildProtocol({ processesPerItem: rounds });
  const [first] = models.filter(isGenerated);
  const all = ['small', 'mid'].flatMap((name) =>
    (['F16', 'Q8_0'] as const).map((quantization) => ({
      ...first!,
      architecture: { ...first!.architecture, name },
      quantization,
      sha256: sha256Hex(`model ${name} ${quantization}`),
    })),
  );
  const conditions = all.map(({ sha256 }) => ({ modelSha256: sha256, sequenceLength: 512 }));
  const reference = { ...conditions[3]!, partOfSpace: true };
  const parts = { protocol, protocolSha256: identityOf(protocol), models: all, conditions };
  return { ...plan, ...parts, reference };
}

/** A time in ns to each item and round. */
function analyzeTimes(plan: Plan, timeOf: (scheduled: ScheduledTrial) => number | null) {
  const fill = (ledger: LedgerBuilder) => {
    for (const scheduled of ledger.schedule) {
      const ns = timeOf(scheduled);
      if (ns === null) ledger.fail(scheduled.trial);
      else ledger.observe(scheduled.trial, [ns, ns, ns - 1000, ns + 1000]);
    }
  };
  return analyzeWorked(fill, plan);
}

const quantizations = { a: 'quantization=F16', b: 'quantization=Q8_0' };

/** Q8_0 takes 1.1 times F16; each round multiplies everything by its own factor. */
const drifting = ({ item, round }: ScheduledTrial) => {
  const own = item.architecture === 'mid' ? 20_000_000 : 10_000_000;
  const factor = item.quantization === 'Q8_0' ? 1.1 : 1;
  const spread = [0, 3000, -2000, 5000, -4000, 1000, 2000, -1000, 4000, -3000][round]!;
  return Math.round((own * factor + spread) * (1 + round * 0.05));
};

test('several pairs are one family: wider intervals, p-values by Holm, effects of rounds removed', async () => {
  const { pairs, family, unmatched } = compare(
    await analyzeTimes(eightItems(10), drifting),
    quantizations,
  );
  expect(family).toEqual({
    size: 4,
    jointLevel: 0.95,
    intervalLevel: 0.9875,
    correction: 'bonferroni-intervals-and-holm-p',
    pairsNeeded: 8, // 2/2^7 is .0156, above .05/4
  });
  expect(unmatched).toEqual({ a: [], b: [] });
  expect(
    pairs.map(({ a, b }) => [a.architecture, a.phase, a.quantization, b.quantization]),
  ).toEqual([
    ['small', 'prefill', 'F16', 'Q8_0'],
    ['mid', 'prefill', 'F16', 'Q8_0'],
    ['small', 'decode', 'F16', 'Q8_0'],
    ['mid', 'decode', 'F16', 'Q8_0'],
  ]);
  for (const { decision, verdict, medianPairedRatio, pairedInterval } of pairs) {
    // The drift of 45 % is gone from (g): Q8_0 is slower in every round, so p is 2/2^10, times 4.
    expect(decision).toMatchObject({
      pValue: 2 / 1024,
      adjustedPValue: 8 / 1024,
      bonferroniPValue: 8 / 1024,
      roundEffects: { state: 'removed', otherArms: 6 },
    });
    expect(decision!.interval!.lower).toBeGreaterThan(1.098);
    expect(decision!.interval!.upper).toBeLessThan(1.102);
    expect(medianPairedRatio).toBeCloseTo(1.1, 3);
    expect(pairedInterval?.ranks).toEqual([1, 10]); // ranks 2 and 9 cover .9785, less than .9875
    expect(verdict).toBe('slower');
  }
});

test('as many pairs as one comparison needs are too few for a family: no interval, no verdict', async () => {
  const { pairs, family } = compare(await analyzeTimes(eightItems(7), drifting), quantizations);
  expect(family.pairsNeeded).toBe(8);
  const reason =
    '7 pairs: an interval in a family of 4 comparisons needs 8 rounds in which both have a valid trial';
  for (const { decision, verdict, pairedInterval, missing } of pairs) {
    expect(decision).toMatchObject({ pValue: 2 / 128, adjustedPValue: 8 / 128, interval: null });
    expect(pairedInterval).toBeNull();
    expect(verdict).toBe('inconclusive');
    expect(missing).toContainEqual({ field: 'decision.interval', reason });
    expect(missing).toContainEqual({ field: 'pairedInterval', reason });
  }
});

test('five pairs decide nothing, and it is said what it takes', async () => {
  const plan = buildPlan({ protocol: buildProtocol({ processesPerItem: 5 }) });
  const [pair] = compare(await analyzeWorked(observeAll, plan)).pairs;
  expect(pair).toMatchObject({
    pairs: 5,
    medianPairedRatio: near(1.102027027), // 16.31 / 14.80: the third of the five ratios
    decision: null,
    pairedInterval: null,
    methodsAgree: null,
    verdict: 'inconclusive',
    signTest: { slower: 5, faster: 0, pValue: 0.0625 },
  });
  expect(pair!.missing).toContainEqual({
    field: 'decision',
    reason:
      '5 pairs: whatever they show, p is at least 0.0625; 6 pairs are needed for one below 0.05',
  });
});

test('one pair has every estimate, no interval', async () => {
  const plan = buildPlan({ protocol: buildProtocol({ processesPerItem: 1 }) });
  const [pair] = compare(await analyzeWorked(observeAll, plan)).pairs;
  expect(pair).toMatchObject({ pairs: 1, unpaired: { interval: null } });
  expect(pair!.unpaired!.hodgesLehmann).toBeCloseTo(pair!.medianPairedRatio!, 12);
});

test('tied times: an end on 1 that the test rejects is clear of 1', async () => {
  const times = {
    mid: [102, 100, 100, 100, 101, 100, 100],
    small: [101, 103, 101, 102, 104, 101, 101],
  };
  const fill = ({ schedule, observe }: LedgerBuilder) => {
    for (const { trial, item, round } of schedule) {
      const ns = times[item.architecture as 'mid' | 'small'][round]! * 100_000;
      observe(trial, [ns, ns, ns, ns]);
    }
  };
  const plan = buildPlan({ protocol: buildProtocol({ processesPerItem: 7 }) });
  const analysis = await analyzeWorked(fill, plan);
  const [pair] = compare(analysis).pairs;
  expect(pair).toMatchObject({
    decision: {
      pValue: 0.03125,
      interval: { lower: 1, upper: near(1.03), isLowerOpen: true },
    },
    pairedInterval: { lower: near(101 / 102) },
    methodsAgree: false,
    verdict: 'inconclusive',
  });
  expect(compare(analysis, { margin: 0 }).pairs[0]!.verdict).toBe('slower');
  const turned = compare(analysis, { a: smallDecode, b: midDecode, margin: 0 }).pairs[0]!;
  expect(turned.verdict).toBe('faster');
  expect(turned.decision!.interval).toMatchObject({ upper: 1, isUpperOpen: true });
});

test('a table without its plan says why the decisions of a stopping rule are not there', async () => {
  const {
    cost: _cost,
    identity: _identity,
    failures: _failures,
    ...samples
  } = await analyzeWorked();
  const reason = 'no plan came with the table';
  const table: SampleAnalysis = {
    ...samples,
    evidence: 'trial-table',
    protocolName: 'v2',
    device: 'Test CPU 3000',
    absent: [{ field: 'sequential', reason }],
  } as never;
  const { missing, pairs, stopping } = compare(table);
  const said = `${reason}; the ledger holds it, and so does analysis.json of a published folder`;
  expect(stopping).toBeNull();
  expect(missing).toEqual([{ field: 'stopping', reason: said }]);
  expect(pairs[0]!.missing).toContainEqual({ field: 'declared', reason: said });
  expect(compare(await analyzeWorked()).missing).toEqual([]);
});

test('rounds that lack one of the two are counted and left out', async () => {
  const timeOf = (scheduled: ScheduledTrial) => {
    const { item, round } = scheduled;
    const isF16 = item.architecture === 'small' && item.quantization === 'F16';
    if (isF16 && (round === 2 || round === 3)) return null;
    return item.quantization === 'Q8_0' && round === 3 ? null : drifting(scheduled);
  };
  const analysis = await analyzeTimes(eightItems(10), timeOf);
  const [small, mid] = compare(analysis, quantizations).pairs;
  expect(small).toMatchObject({ pairs: 8, rounds: 10, lackingA: 2, lackingB: 1 });
  expect(small!.a).toMatchObject({ n: 8, failed: 2 });
  expect(small!.pairedInterval?.ranks).toEqual([1, 8]);
  expect(mid).toMatchObject({ pairs: 9, rounds: 10, lackingA: 0, lackingB: 1 });
  expect(compare(analysis, quantizations).doesNotShow.join('\n')).toContain(
    'In 4 of 4 comparisons rounds without a valid trial of both are not compared.',
  );
});

test('a campaign that stopped in a round compares the rounds it has', async () => {
  const analysis = await analyzeWorked((ledger) => {
    const last = ledger.schedule.findIndex(({ round }) => round === 7);
    for (const { trial, round, item } of ledger.schedule.slice(0, last + 1)) {
      const ns = (item.architecture === 'mid' ? 20_000_000 : 22_000_000) + 1000 * round;
      ledger.observe(trial, [ns, ns, ns, ns]);
    }
  });
  const { pairs, doesNotShow } = compare(analysis);
  expect(pairs[0]).toMatchObject({ pairs: 7, rounds: 8, verdict: 'slower' });
  expect(pairs[0]!.lackingA + pairs[0]!.lackingB).toBeGreaterThan(0);
  expect(doesNotShow[0]).toContain('The campaign is not complete.');
});

test('an arm without a valid trial gives nulls with reasons, never a number', async () => {
  const analysis = await analyzeTimes(eightItems(10), (scheduled) =>
    scheduled.item.quantization === 'F16' ? null : drifting(scheduled),
  );
  const [pair] = compare(analysis, quantizations).pairs;
  expect(pair).toMatchObject({
    pairs: 0,
    lackingA: 10,
    lackingB: 0,
    medianPairedRatio: null,
    ratioOfMedians: null,
    decision: null,
    pairedInterval: null,
    unpaired: null,
    signTest: null,
    orderEffect: null,
    methodsAgree: null,
    verdict: 'inconclusive',
  });
  const fields = pair!.missing.map(({ field }) => field);
  expect(fields).toEqual([
    'a.representativeNs',
    'a.interval',
    'medianPairedRatio',
    'ratioOfMedians',
    'decision',
    'pairedInterval',
    'unpaired',
    'signTest',
    'orderEffect',
  ]);
  expect(pair!.missing[0]!.reason).toBe('A has no valid trial');
  expect(pair!.missing[4]!.reason).toBe('there is no round in which both have a valid trial');
});

test('times that are all equal are ties: no difference, equivalent only when that was asked', async () => {
  const analysis = await analyzeTimes(eightItems(10), () => 5_000_000);
  const [pair] = compare(analysis, quantizations).pairs;
  expect(pair).toMatchObject({
    medianPairedRatio: 1,
    decision: { statistic: 0, pValue: 1, adjustedPValue: 1, interval: { lower: 1, upper: 1 } },
    pairedInterval: { lower: 1, upper: 1 },
    unpaired: { u: 50, pValue: 1, hodgesLehmann: 1 },
    signTest: { slower: 0, faster: 0, ties: 10, pValue: 1 },
    orderEffect: { laterSlower: 0, laterFaster: 0, ties: 10, pValue: 1, medianRatio: 1 },
    methodsAgree: true,
    verdict: 'inconclusive',
  });
  const [asked] = compare(analysis, { ...quantizations, equivalence: 0.001 }).pairs;
  expect(asked!.verdict).toBe('equivalent');
});

test('a campaign that may stop by its data is not judged by a test for a fixed number of rounds', async () => {
  const stopping = {
    method: 'S2',
    alpha: 0.05,
    margin: 0.005,
    equivalence: null,
    correction: 'bonferroni',
    comparisons: 'all-against-reference',
  } as const;
  const judge = async (processesPerItem: number) => {
    const protocol = buildProtocol({ processesPerItem, stopping });
    const tenRounds = ({ entries, schedule, observe }: LedgerBuilder) => {
      expect(entries).toHaveLength(2);
      for (const { trial, item } of schedule.filter(({ round }) => round < 10)) {
        const ns = item.architecture === 'mid' ? 20_000_000 : 22_000_000;
        observe(trial, [ns, ns, ns - trial, ns]);
      }
    };
    return compare(await analyzeWorked(tenRounds, buildPlan({ protocol })));
  };
  const stopped = await judge(30);
  expect(stopped.pairs[0]).toMatchObject({
    verdict: 'inconclusive',
    decision: { pValue: 2 / 1024 },
  });
  expect(stopped.pairs[0]!.missing[0]).toEqual({
    field: 'verdict',
    reason:
      'the campaign may stop by its own data (S2) and has 10 of at most 30 rounds; this test is for a number of rounds that is fixed before',
  });
  expect(stopped.doesNotShow.join(' ')).not.toMatch(/wholly beyond|Inconclusive/);
  const full = await judge(10);
  expect(full.pairs[0]!.verdict).toBe('slower');
  expect(full.doesNotShow[0]).toContain('may stop early by its own data (S2)');
});

const published = fileURLToPath(
  new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url),
);

test('the published campaign gives what was worked out apart: one pair', async () => {
  const analysis = analyzeCampaign(await loadRecord(published), new Map());
  const condition = 'architecture=mid,sequenceLength=512,phase=decode';
  const [pair] = compare(analysis, {
    a: `${condition},quantization=F16`,
    b: `${condition},quantization=Q8_0`,
  }).pairs;
  expect(pair).toMatchObject({
    verdict: 'faster',
    medianPairedRatio: near(0.9593982905752811),
    ratioOfMedians: near(0.9621682988970968),
    decision: {
      statistic: -90,
      pValue: 3 / 512,
      interval: { lower: near(0.9440325067419387), upper: near(0.9807246040534413) },
      roundEffects: { state: 'removed', otherArms: 22 },
    },
    pairedInterval: {
      lower: near(0.9393807886639085),
      upper: near(0.998826186808271),
      coverageFraction: '501/512',
    },
    unpaired: {
      hodgesLehmann: near(0.9617490699843502),
      interval: { lower: near(0.9482430895723886), upper: near(0.9741058540877403) },
    },
    signTest: { slower: 1, faster: 9, pValue: 11 / 512 },
    orderEffect: {
      laterSlower: 6,
      laterFaster: 4,
      pValue: 193 / 256,
      medianRatio: near(1.0059134812244395),
    },
  });
});

test('the published campaign gives what was worked out apart: a family of six', async () => {
  const analysis = analyzeCampaign(await loadRecord(published), new Map());
  const { pairs, unmatched } = compare(analysis, quantizations);
  const shown = pairs.map(({ a, decision, verdict }) => [
    `${a.architecture} ${a.phase}`,
    decision!.pValue * 512,
    decision!.adjustedPValue * 512,
    decision!.interval,
    verdict,
  ]);
  const interval = (lower: number, upper: number) =>
    expect.objectContaining({ lower: near(lower), upper: near(upper) });
  expect(shown).toEqual([
    ['small prefill', 2, near(10), interval(1.109477395602172, 1.3578830987823798), 'slower'],
    ['mid prefill', 5, near(15), interval(0.9113309899480677, 1.2837463885187126), 'inconclusive'],
    ['large prefill', 1, near(6), interval(1.2893575211515353, 1.3926927737819317), 'slower'],
    ['small decode', 20, near(40), interval(0.978494056949998, 1.0119070181594823), 'inconclusive'],
    ['mid decode', 3, near(12), interval(0.9344716322501884, 0.996040964842717), 'inconclusive'],
    [
      'large decode',
      164,
      near(164),
      interval(0.9754723324417978, 1.0084745430871127),
      'inconclusive',
    ],
  ]);
  // Bonferroni's p and interval say the same of 1, Holm's p would not have to
  expect(pairs.map(({ decision }) => decision!.bonferroniPValue * 512)).toEqual(
    [12, 30, 6, 120, 18, 512].map(near),
  );
  for (const { decision } of pairs) {
    const { lower, upper } = decision!.interval!;
    expect(decision!.bonferroniPValue <= 0.05).toBe(lower > 1 || upper < 1);
  }
  expect(unmatched.a).toEqual([]);
  expect(unmatched.b.map(({ sequenceLength }) => sequenceLength)).toEqual([
    128, 1024, 2048, 128, 1024, 2048,
  ]);
});

const opposite = {
  slower: 'faster',
  faster: 'slower',
  equivalent: 'equivalent',
  inconclusive: 'inconclusive',
} as const;

test('exchanging A and B inverts every ratio and the verdict', async () => {
  const rounds = fc.array(fc.integer({ min: 900_000, max: 1_100_000 }), {
    minLength: 8,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(rounds, { minLength: 8, maxLength: 8 }),
      fc.nat(30),
      async (times, slower) => {
        const order = new Map<string, number>();
        const analysis = await analyzeTimes(eightItems(8), ({ item, round }) => {
          const key = `${item.architecture} ${item.quantization} ${item.phase}`;
          if (!order.has(key)) order.set(key, order.size);
          const factor = item.quantization === 'Q8_0' ? 1 + slower / 100 : 1;
          return Math.round(times[order.get(key)!]![round]! * factor);
        });
        const forth = compare(analysis, { ...quantizations, margin: 0 });
        const back = compare(analysis, { a: quantizations.b, b: quantizations.a, margin: 0 });
        forth.pairs.forEach((pair, index) => {
          const other = back.pairs[index]!;
          expect(other.verdict).toBe(opposite[pair.verdict]);
          expect(other.ratioOfMedians).toBeCloseTo(1 / pair.ratioOfMedians!, 12);
          // The median of eight is the mean of two, and the inverse of a mean is no mean of inverses.
          expect(other.medianPairedRatio! * pair.medianPairedRatio!).toBeGreaterThan(1 - 1e-12);
          expect(other.medianPairedRatio! * pair.medianPairedRatio!).toBeLessThan(1.02);
          expect(other.decision!.pValue).toBe(pair.decision!.pValue);
          for (const method of ['decision', 'unpaired'] as const) {
            const [one, two] = [pair[method]!.interval!, other[method]!.interval!];
            expect(two.lower).toBeCloseTo(1 / one.upper, 12);
            expect(two.upper).toBeCloseTo(1 / one.lower, 12);
          }
          expect(other.pairedInterval!.lower).toBeCloseTo(1 / pair.pairedInterval!.upper, 12);
          expect(other.orderEffect).toEqual({
            ...pair.orderEffect,
            medianRatio: expect.closeTo(pair.orderEffect!.medianRatio, 12),
          });
        });
      },
    ),
    { numRuns: 40 },
  );
});
