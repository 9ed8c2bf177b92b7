import type { CampaignRecord } from '../analysis/campaign-record.ts';
import type { Ab, AbPair, AbSide } from '../formats/ab.ts';
import type { Analysis } from '../formats/analysis.ts';
import { describeLoweredBatches } from '../llama-bench/options/lowered-batches.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { nameTest } from '../llama-bench/options/tests.ts';
import { disturbanceOf, readPairs, sequentialOf } from './ab-pairs.ts';
import { compareSides, describeSide } from './ab-sides.ts';

/** What a campaign of two sides says, from its ledger alone. */
export function assembleAb(
  record: CampaignRecord,
  analysis: Analysis,
  tests: readonly BenchTest[],
  labels: { a: string; b: string },
): Ab {
  const [a, b] = (['a', 'b'] as const).map((side) => describeSide(record, side, labels[side])) as [
    Ab['a'],
    Ab['b'],
  ];
  const { same, different } = compareSides(a, b);
  const sequential = sequentialOf(analysis);
  const { alpha, margin, equivalence } = sequential.rule;
  const [pairs] = readPairs(analysis, tests);
  return {
    format: 'rooflaw-ab',
    formatVersion: 1,
    campaign: analysis.name,
    isSame: different.length === 0,
    a,
    b,
    same,
    different,
    device: deviceOf(analysis),
    rule: {
      method: 'S2',
      alpha,
      family: sequential.family,
      margin,
      equivalence,
      earliestRounds: sequential.earliestRounds,
      maximumRounds: sequential.maximumRounds,
    },
    repetitions: analysis.protocol.repetitions,
    rounds: sequential.rounds,
    failedTrials: analysis.progress.failed,
    tests: tests.map((test, index) => {
      const { pair, followed } = pairs![index]!;
      return {
        name: nameTest(test),
        phase: test.phase,
        tokens: test.tokens,
        depth: test.depth,
        ...markSame(test, a, b, different),
        ...markMedian(pair),
        verdict: followed.state === 'open' ? 'inconclusive' : followed.state,
        decidedAfter: followed.decidedAfter,
      };
    }),
    disturbance: disturbanceOf(analysis),
  };
}

/** The median comes from means and the interval from sums, so that equal ratios may differ in the last digits. */
const roundingShare = 1e-9;

/** A pair with the mark that its median lies outside of its interval, where it does. */
export function markMedian(pair: AbPair): AbPair {
  const { ratio, interval } = pair;
  if (ratio === null || interval === null) return pair;
  const isOutside =
    ratio < interval.lower * (1 - roundingShare) || ratio > interval.upper * (1 + roundingShare);
  return isOutside ? { ...pair, isMedianOutside: true } : pair;
}

/**
 * The mark of a test in which sides of different batches come to the same.
 * @param different what differs between the sides; anything but a batch differs in every test
 */
export function markSame(
  test: BenchTest,
  a: Pick<AbSide, 'execution'>,
  b: Pick<AbSide, 'execution'>,
  different: readonly { what: string }[],
): { isSame?: true } {
  const areBatches = different.every(({ what }) => what === 'batch' || what === 'ubatch');
  if (different.length === 0 || !areBatches) return {};
  const variants = [a, b].map(({ execution }, place) => {
    return { label: `${place}`, changes: execution, mainDevice: null };
  });
  const isSame = describeLoweredBatches(variants, a.execution, [test]).length > 0;
  return isSame ? { isSame } : {};
}

export function deviceOf({ identity }: Analysis): Ab['device'] {
  return { name: identity.device, description: identity.fingerprint.deviceDescription };
}
