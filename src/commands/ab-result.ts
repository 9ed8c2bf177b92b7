import type { CampaignRecord } from '../analysis/campaign-record.ts';
import type { Ab } from '../formats/ab.ts';
import type { Analysis } from '../formats/analysis.ts';
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
        ...pair,
        verdict: followed.state === 'open' ? 'inconclusive' : followed.state,
        decidedAfter: followed.decidedAfter,
      };
    }),
    disturbance: disturbanceOf(analysis),
  };
}

export function deviceOf({ identity }: Analysis): Ab['device'] {
  return { name: identity.device, description: identity.fingerprint.deviceDescription };
}
