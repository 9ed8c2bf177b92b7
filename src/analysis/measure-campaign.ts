import { listItemsByPhase } from '../protocol/schedule.ts';
import { compareFractions, type Fraction, toNumber } from '../stats/fraction.ts';
import { squareLimit } from '../stats/stability.ts';
import { squaredVariation } from '../stats/variation.ts';
import type { CampaignRecord } from './campaign-record.ts';
import { itemKey } from './item-key.ts';
import type { JudgedTrial } from './judge-trial.ts';
import type { MeasuredTrial, Measurements } from './measurements.ts';
import { countPlannedTrials } from './sequential.ts';

/**
 * What a ledger has to be analysed: exact sums of the kept repetitions, so `unitsPerNs` is their
 * number. Items stand in the plan's order, phase by phase; those without a trial are among them.
 * @param judged the record's trials, each after the protocol's rules for validity
 */
export function measureCampaign(
  { campaign, sessions }: CampaignRecord,
  judged: readonly JudgedTrial[],
  targetDifference: number | null,
): Measurements {
  const { plan } = campaign;
  const { protocol, reference } = plan;
  const planned = listItemsByPhase(plan);
  const items = planned.map(({ item, isReference }) => {
    return { item, isReference, partOfSpace: !isReference || reference.partOfSpace };
  });
  const indexOfItem = new Map(
    planned.map(({ item, model }, index) => [itemKey(item, model.sha256), index]),
  );
  const maxSquaredCv = squareLimit(protocol.flags.stable.maxInTrialCv);
  const trials = judged.map((trial) => {
    const { item, modelSha256 } = trial.record;
    const index = indexOfItem.get(itemKey(item, modelSha256))!; // collecting has refused all others
    return measureTrial(trial, index, maxSquaredCv);
  });
  return {
    name: campaign.name,
    items,
    trials,
    unitsPerNs: BigInt(protocol.repetitions.kept),
    phases: protocol.phases,
    decodeSteps: protocol.decodeSteps,
    declaration: plan.declaration,
    targetDifference,
    rules: {
      source: 'protocol',
      stable: protocol.flags.stable,
      drift: protocol.flags.drift,
    },
    repetitions: protocol.repetitions,
    planned: countPlannedTrials(plan, trials),
    environmentDifferences: sessions.flatMap(({ session, differences }) =>
      differences.map((difference) => `session ${session}: ${difference}`),
    ),
    watchesFirstItem: protocol.reference === 'first-condition',
  };
}

function measureTrial(trial: JudgedTrial, item: number, maxSquaredCv: Fraction): MeasuredTrial {
  const { trial: number, round, position, session, attempts } = trial.record;
  const place = { trial: number, item, round, position, session, attempts, state: trial.state };
  if (trial.state !== 'observed') {
    const processNs = trial.state === 'failed' ? trial.measured.processNs : null;
    return {
      ...place,
      processNs,
      sum: null,
      inTrialCv: null,
      inTrialPasses: null,
      wallNs: null,
      prepareNs: null,
    };
  }
  const { kept, keptSum, measured } = trial;
  const squaredCv = squaredVariation(kept);
  return {
    ...place,
    processNs: measured.processNs,
    sum: keptSum,
    inTrialCv: squaredCv && Math.sqrt(toNumber(squaredCv)),
    inTrialPasses: squaredCv && compareFractions(squaredCv, maxSquaredCv) <= 0,
    wallNs: measured.wallNs,
    prepareNs: measured.prepareNs,
  };
}
