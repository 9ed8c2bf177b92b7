import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { judgeTrial } from '../analysis/judge-trial.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { TrialSteps } from '../formats/step-table.ts';

/** Whether a campaign under it has times of single decode steps. */
export function timesSteps({ phases, observation }: Protocol): boolean {
  return observation.decodeSteps === 'each' && phases.includes('decode');
}

/** The steps of every observed decode trial, in the order of measuring. @param entries of the record */
export function tabulateSteps(
  { campaign, trials }: CampaignRecord,
  entries: readonly LedgerEntry[],
): TrialSteps[] {
  const { protocol } = campaign.plan;
  if (!timesSteps(protocol)) return [];
  const observed = new Map(
    entries.flatMap((entry) => (entry.type === 'observed' ? [[entry.trial, entry]] : [])),
  );
  return trials
    .toSorted((a, b) => a.trial - b.trial)
    .flatMap((record) => {
      const entry = observed.get(record.trial);
      const isDecode = record.item.phase === 'decode';
      const { state } = judgeTrial(record, protocol.repetitions);
      if (entry === undefined || !isDecode || state !== 'observed') return [];
      const repetitions = entry.repetitions.map(({ prefillNs = null, stepNs = [] }) => ({
        prefillNs,
        stepNs,
      }));
      return [{ round: record.round, position: record.position, repetitions }];
    });
}
