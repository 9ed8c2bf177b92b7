import { type Item, workKey } from '../formats/architecture.ts';
import type { Arm, Experiment } from '../formats/experiment.ts';
import type { CampaignEntry, LedgerEntry, ObservedEntry } from '../formats/ledger.ts';
import { listGroups } from '../protocol/blocks.ts';
import { repetitionsOf } from '../protocol/build-trial.ts';
import { type PlannedItem, planTrials } from '../protocol/schedule.ts';

/** One process of an arm. */
export type ArmProcess =
  | { block: number; state: 'observed'; entry: ObservedEntry }
  | { block: number; state: 'failed'; message: string };

/** An arm in one condition. */
export interface ArmData {
  arm: Arm;
  /** How many repetitions of each process, the last, are kept. */
  kept: number;
  /** In the order of the blocks; a block that was not measured yet is not there. */
  processes: ArmProcess[];
}

/** One condition under every arm. */
export interface GroupData {
  /** Without its variant. */
  item: Item;
  arms: ArmData[];
}

export interface CollectedExperiment {
  campaign: CampaignEntry;
  experiment: Experiment;
  groups: GroupData[];
  complete: boolean;
  /** What the program noted before the first trial. */
  notes: string[];
}

export interface ExperimentCollector {
  take(entry: LedgerEntry): void;
  /** null where the ledger is of no experiment. */
  finish(): CollectedExperiment | null;
}

/** Gathers the ledger of an experiment; its chain and story are looked at by whoever reads it. */
export function createExperimentCollector(): ExperimentCollector {
  let collected: CollectedExperiment | null = null;
  let places: { group: number; arm: number; block: number }[] = [];
  return {
    take(entry) {
      if (entry.type === 'campaign' && collected === null) {
        [collected, places] = begin(entry) ?? [null, []];
        return;
      }
      if (collected === null) return;
      if (entry.type === 'end') collected.complete = true;
      if (entry.type === 'note' && entry.author === 'rooflaw') collected.notes.push(entry.text);
      if (entry.type !== 'observed' && entry.type !== 'failed') return;
      const place = places[entry.trial];
      if (place === undefined) return;
      const { group, arm, block } = place;
      collected.groups[group]!.arms[arm]!.processes.push(
        entry.type === 'observed'
          ? { block, state: 'observed', entry }
          : { block, state: 'failed', message: entry.message },
      );
    },
    finish: () => collected,
  };
}

function begin(campaign: CampaignEntry) {
  const { plan } = campaign;
  const { experiment, protocol } = plan;
  if (experiment === undefined) return null;
  const planned = listGroups(plan);
  const groups = planned.map((items): GroupData => {
    const { variant: _arm, ...item } = items[0]!.item;
    const arms = items.map((one, index) => {
      const { kept } = repetitionsOf(protocol, one);
      return { arm: experiment.arms[index]!, kept, processes: [] };
    });
    return { item, arms };
  });
  const placeOf = new Map(
    planned.flatMap((items, group) => items.map((one, arm) => [keyOf(one), { group, arm }])),
  );
  const places = planTrials(plan).map((trial) => ({
    ...placeOf.get(keyOf(trial))!,
    block: trial.round,
  }));
  const collected = { campaign, experiment, groups, complete: false, notes: [] };
  return [collected, places] as [CollectedExperiment, typeof places];
}

/** No plan has two items with the same of these. */
const keyOf = ({ item, model }: Pick<PlannedItem, 'item' | 'model'>): string =>
  `${model.sha256} ${workKey(item)} ${item.phase}`;
