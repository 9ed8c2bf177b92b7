import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { judgeTrial } from '../analysis/judge-trial.ts';
import type { Fault } from '../errors.ts';
import { formatItem } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import type { TrialRepetitions } from '../formats/repetition-table.ts';
import type { TrialRow } from '../formats/trial-table.ts';
import { listItems } from '../protocol/schedule.ts';
import { toNumber } from '../stats/fraction.ts';
import { coefficientOfVariation } from '../stats/variation.ts';

/** What the public tables say of a campaign, in the order of measuring. */
export interface Tabulated {
  trials: TrialRow[];
  /** Of the observed trials alone: what came of a failed one stays in the ledger. */
  repetitions: TrialRepetitions[];
}

/** Works the tables out of the raw repetitions. */
export function tabulateCampaign({ campaign, trials: records }: CampaignRecord): Tabulated {
  const { name, plan, fingerprint } = campaign;
  const { warmup, kept } = plan.protocol.repetitions;
  const trials: TrialRow[] = [];
  const repetitions: TrialRepetitions[] = [];
  for (const record of records.toSorted((a, b) => a.trial - b.trial)) {
    const { item, round, position } = record;
    const trial = judgeTrial(record, plan.protocol.repetitions);
    const place = {
      ...{ campaign: name, protocol: plan.protocol.name, device: fingerprint.deviceDescription },
      ...{ item, round, position, state: trial.state },
    };
    if (trial.state !== 'observed') {
      trials.push({ ...place, trialMeanNs: null, inTrialCv: null, processNs: null });
      continue;
    }
    const { wallNs, prepareNs, processNs } = trial.measured;
    trials.push({
      ...place,
      trialMeanNs: toNumber({ numerator: trial.keptSum, denominator: BigInt(kept) }),
      inTrialCv: coefficientOfVariation(trial.kept)?.value ?? null,
      processNs,
    });
    repetitions.push({ item, round, position, warmup, wallNs, prepareNs });
  }
  return { trials, repetitions };
}

/** Items that the public table, which knows names and no hashes, could not tell apart. */
export function findAmbiguousItems(plan: Plan): Fault[] {
  const known = new Set<string>();
  return listItems(plan).flatMap(({ item }) => {
    const name = formatItem(item);
    if (!known.has(name)) {
      known.add(name);
      return [];
    }
    const what = 'two models of the plan have this name (their weight seeds or files differ)';
    return [
      { where: name, what, hint: 'publish the ledger itself, which tells them apart by hash' },
    ];
  });
}
