import type { Analysis } from '../formats/analysis.ts';
import { analyzeSamples } from './analyze-samples.ts';
import type { CampaignRecord } from './campaign-record.ts';
import { listCaveats } from './caveats.ts';
import { analyzeCost } from './cost.ts';
import { describeIdentity, type FrozenProtocols } from './identity.ts';
import { type JudgedTrial, judgeTrial } from './judge-trial.ts';
import { markUnwatched } from './left-out.ts';
import { measureCampaign } from './measure-campaign.ts';
import { analyzeSequential } from './sequential.ts';

/**
 * Everything a campaign says, finished or not. Items stand in the plan's order, phase by phase;
 * planned items without a trial are among them.
 * @param frozenProtocols names of the shipped protocols by hash: only a hash makes a result v1
 * @param options.targetDifference asked for afterwards in place of the plan's; labelled so
 */
export function analyzeCampaign(
  record: CampaignRecord,
  frozenProtocols: FrozenProtocols,
  options: { targetDifference?: number } = {},
): Analysis {
  const { campaign } = record;
  const { protocol, declaration } = campaign.plan;
  const judged = record.trials.map((trial) => judgeTrial(trial, protocol.repetitions));
  const measurements = measureCampaign(record, judged, options.targetDifference ?? null);
  const sequential = analyzeSequential(campaign.plan, measurements);
  const samples = analyzeSamples(measurements);
  const described = {
    ...samples,
    drift: markUnwatched(samples.drift, samples.items, sequential),
    evidence: 'ledger' as const,
    startedAt: campaign.time,
    identity: describeIdentity(campaign, frozenProtocols),
    declaration: { ...declaration, representative: protocol.representative },
    protocol,
    sequential,
    cost: analyzeCost(judged, protocol.repetitions.warmup),
    failures: judged.flatMap((trial, index) =>
      trial.state === 'failed'
        ? [
            {
              trial: trial.record.trial,
              item: measurements.trials[index]!.item,
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

function countBoots({ sessions }: CampaignRecord): number | null {
  const boots = new Set(sessions.map(({ bootId }) => bootId));
  return boots.has(null) ? null : boots.size;
}

function countOtherUse(trials: readonly JudgedTrial[]): Analysis['otherUse'] {
  const seenIn = (otherUse: string) =>
    trials.filter((trial) => 'measured' in trial && trial.measured.otherUse === otherUse).length;
  return { seen: seenIn('seen'), notSeen: seenIn('not-seen'), notVisible: seenIn('not-visible') };
}
