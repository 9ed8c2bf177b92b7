import type { Analysis, TrialAnalysis } from '../formats/analysis.ts';
import { listItems } from '../protocol/schedule.ts';
import { toNumber } from '../stats/fraction.ts';
import { coefficientOfVariation } from '../stats/variation.ts';
import type { CampaignRecord } from './campaign-record.ts';
import { listCaveats } from './caveats.ts';
import { analyzeCost } from './cost.ts';
import { analyzeDrift } from './drift.ts';
import { describeIdentity, type FrozenProtocols } from './identity.ts';
import { analyzeItem } from './item.ts';
import { itemKey } from './item-key.ts';
import { type JudgedTrial, judgeTrial } from './judge-trial.ts';
import { describeWarmup } from './warmup.ts';

type ObservedTrial = Extract<JudgedTrial, { state: 'observed' }>;

/**
 * Everything a campaign says, finished or not. Items stand in the plan's order, phase by phase;
 * planned items without a trial are among them.
 * @param frozenProtocols names of the shipped protocols by hash: only a hash makes a result v1
 */
export function analyzeCampaign(
  record: CampaignRecord,
  frozenProtocols: FrozenProtocols,
): Analysis {
  const { campaign } = record;
  const { plan } = campaign;
  const { protocol } = plan;
  const { warmup, kept } = protocol.repetitions;
  const planned = protocol.phases.flatMap((phase) =>
    listItems(plan).filter(({ item }) => item.phase === phase),
  );
  const indexOfItem = new Map(
    planned.map(({ item, model }, index) => [itemKey(item, model.sha256), index]),
  );
  const judged = record.trials.map((trial) => judgeTrial(trial, protocol.repetitions));
  const byItem: JudgedTrial[][] = planned.map(() => []);
  const itemOf = ({ record: { item, modelSha256 } }: JudgedTrial) =>
    indexOfItem.get(itemKey(item, modelSha256))!; // collecting has refused all others
  for (const trial of judged) byItem[itemOf(trial)]!.push(trial);
  const observedByItem = byItem.map((trials) =>
    trials.filter((trial): trial is ObservedTrial => trial.state === 'observed'),
  );

  const isReference = planned.map(
    ({ item, model }) =>
      model.sha256 === plan.reference.modelSha256 &&
      item.sequenceLength === plan.reference.sequenceLength,
  );
  const items = planned.map(({ item }, index) =>
    analyzeItem(
      item,
      {
        isReference: isReference[index]!,
        partOfSpace: !isReference[index] || plan.reference.partOfSpace,
      },
      observedByItem[index]!.map((trial) => trial.kept),
      byItem[index]!.filter(({ state }) => state === 'failed').length,
      protocol,
    ),
  );
  const drift = planned.flatMap(({ item }, index) => {
    if (!isReference[index]) return [];
    const byRound = observedByItem[index]!.toSorted((a, b) => a.record.round - b.record.round);
    return [
      analyzeDrift(
        item.phase,
        byRound.map(({ keptSum }) => keptSum),
        protocol,
      ),
    ];
  });

  const described = {
    format: 'rooflaw-analysis' as const,
    formatVersion: 1 as const,
    name: campaign.name,
    startedAt: campaign.time,
    identity: describeIdentity(campaign, frozenProtocols),
    declaration: { ...plan.declaration, representative: protocol.representative },
    protocol,
    progress: countProgress(judged, planned.length * protocol.processesPerItem),
    items,
    drift,
    cost: analyzeCost(judged, warmup),
    trials: judged.map((trial) => describeTrial(trial, itemOf(trial), kept)),
    warmup: observedByItem.map((trials, index) =>
      describeWarmup(
        index,
        trials.map(({ measured }) => measured.wallNs),
        warmup,
      ),
    ),
    failures: judged.flatMap((trial) =>
      trial.state === 'failed'
        ? [
            {
              trial: trial.record.trial,
              item: itemOf(trial),
              code: trial.code,
              message: trial.message,
            },
          ]
        : [],
    ),
    sessions: record.sessions.map(({ session, time, differences, tornLine }) => {
      const trials = judged.filter((trial) => trial.record.session === session).length;
      return { session, time, trials, differences, tornLine };
    }),
    boots: countBoots(record),
    otherUse: countOtherUse(judged),
    notes: record.notes,
  };
  return { ...described, caveats: listCaveats(described) };
}

function countProgress(trials: readonly JudgedTrial[], planned: number): Analysis['progress'] {
  const states = { observed: 0, failed: 0, interrupted: 0, pending: 0 };
  for (const { state } of trials) states[state] += 1;
  const notStarted = planned - trials.length;
  return { planned, ...states, notStarted, complete: states.observed + states.failed === planned };
}

function describeTrial(trial: JudgedTrial, item: number, kept: number): TrialAnalysis {
  const { trial: number, round, position, session, attempts } = trial.record;
  const isObserved = trial.state === 'observed';
  return {
    trial: number,
    item,
    round,
    position,
    session,
    attempts,
    state: trial.state,
    trialMeanNs: isObserved
      ? toNumber({ numerator: trial.keptSum, denominator: BigInt(kept) })
      : null,
    inTrialCv: isObserved ? (coefficientOfVariation(trial.kept)?.value ?? null) : null,
    processNs: isObserved || trial.state === 'failed' ? trial.measured.processNs : null,
  };
}

function countBoots({ sessions }: CampaignRecord): number | null {
  const boots = new Set(sessions.map(({ bootId }) => bootId));
  return boots.has(null) ? null : boots.size;
}

function countOtherUse(trials: readonly JudgedTrial[]): Analysis['otherUse'] {
  const seenIn = (otherUse: string) =>
    trials.filter((trial) => 'measured' in trial && trial.measured.otherUse === otherUse).length;
  return { seen: seenIn('seen'), notSeen: seenIn('not-seen'), notVisible: seenIn('not-visible') };
}
