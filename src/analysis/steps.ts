import type { TokenAnalysis } from '../formats/token-analysis.ts';
import { listItemsByPhase } from '../protocol/schedule.ts';
import { analyzeDrift } from './drift.ts';
import { describeIdentity, type FrozenProtocols } from './identity.ts';
import { itemKey } from './item-key.ts';
import { sampleItems } from './item-sample.ts';
import { type JudgedTrial, judgeTrial } from './judge-trial.ts';
import { measureCampaign } from './measure-campaign.ts';
import { listStepCaveats, listStepWarnings } from './steps-caveats.ts';
import type { StepRecord } from './steps-collect.ts';
import { describeTokenItem } from './steps-item.ts';

/** The view token by token of a campaign that timed each decode step, finished or not. */
export function analyzeSteps(
  { record, steps }: StepRecord,
  frozenProtocols: FrozenProtocols,
): TokenAnalysis {
  const { campaign } = record;
  const { plan } = campaign;
  const { protocol } = plan;
  const { repetitions, decodeSteps, cachePreparation = 'compute' } = protocol;
  const all = record.trials.map((trial) => judgeTrial(trial, repetitions));
  const measurements = measureCampaign(record, all, null);
  const drift = analyzeDrift(sampleItems(measurements), measurements);
  const judged = all.filter((trial) => trial.record.item.phase === 'decode');
  const trialsOf = Map.groupBy(judged, ({ record: { item, modelSha256 } }) =>
    itemKey(item, modelSha256),
  );
  const planned = listItemsByPhase(plan).filter(({ item }) => item.phase === 'decode');
  const first = planned.find(({ isReference }) => isReference);
  const items = planned.map((one) => {
    const trials = trialsOf.get(itemKey(one.item, one.model.sha256)) ?? [];
    const processes = trials.flatMap((trial) => {
      const found = trial.state === 'observed' ? steps.get(trial.record.trial) : undefined;
      return found === undefined ? [] : [found];
    });
    return describeTokenItem(one, processes, countState(trials, 'failed'), {
      ...repetitions,
      decodeSteps,
      cachePreparation,
    });
  });
  const analysis: Omit<TokenAnalysis, 'warnings' | 'caveats'> = {
    format: 'rooflaw-token-analysis',
    formatVersion: 1,
    name: campaign.name,
    startedAt: campaign.time,
    identity: describeIdentity(campaign, frozenProtocols),
    repetitions,
    cachePreparation,
    progress: {
      planned: planned.length * protocol.processesPerItem,
      observed: countState(judged, 'observed'),
      failed: countState(judged, 'failed'),
    },
    otherUse: countOtherUse(judged),
    sessions: record.sessions.length,
    environmentDifferences: measurements.environmentDifferences ?? [],
    drift: drift.filter(({ phase }) => phase === 'decode'),
    ...(measurements.watchesFirstItem && first !== undefined ? { firstItem: first.item } : {}),
    items,
  };
  return { ...analysis, warnings: listStepWarnings(analysis), caveats: listStepCaveats(analysis) };
}

const countState = (trials: readonly JudgedTrial[], state: JudgedTrial['state']): number =>
  trials.filter((trial) => trial.state === state).length;

function countOtherUse(trials: readonly JudgedTrial[]): TokenAnalysis['otherUse'] {
  const seenIn = (otherUse: string) =>
    trials.filter((trial) => 'measured' in trial && trial.measured.otherUse === otherUse).length;
  return { seen: seenIn('seen'), notSeen: seenIn('not-seen'), notVisible: seenIn('not-visible') };
}
