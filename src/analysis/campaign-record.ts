import type { Item } from '../formats/architecture.ts';
import type { CampaignEntry, DeviceState, FailedEntry } from '../formats/ledger.ts';

/** What a finished process took, in ns; repetitions in the order of measuring. */
export interface Measured {
  loadNs: number;
  wallNs: number[];
  prepareNs: number[];
  processNs: number;
  harnessNs: number;
  deviceReadNs: number;
  idleWaitNs: number;
  /** The more telling of the states before and after. */
  otherUse: DeviceState['otherUse'];
}

export type TrialOutcome =
  | { state: 'observed'; measured: Measured }
  | { state: 'failed'; measured: Measured; code: FailedEntry['code']; message: string }
  | { state: 'interrupted' }
  | { state: 'pending' };

/** A trial of the schedule that was begun at least once. */
export interface TrialRecord {
  trial: number;
  item: Item;
  modelSha256: string;
  round: number;
  position: number;
  /** Of the last attempt. */
  session: number;
  attempts: number;
  outcome: TrialOutcome;
  /** Whole cost of each interrupted attempt; null where nobody knows. */
  interruptedNs: (number | null)[];
}

export interface SessionRecord {
  session: number;
  time: string;
  bootId: string | null;
  /** null: which device of its kind it was is not known. */
  specimenSha256: string | null;
  differences: string[];
  tornLine: boolean;
}

export interface NoteRecord {
  time: string;
  text: string;
  /** Trials that were finished when it was written. */
  afterTrials: number;
  /** Absent: a person, or not recorded. */
  author?: 'rooflaw';
}

/** A ledger without its chain: everything an analysis needs, the raw times included. */
export interface CampaignRecord {
  campaign: CampaignEntry;
  sessions: SessionRecord[];
  notes: NoteRecord[];
  /** In the order in which they were first begun. */
  trials: TrialRecord[];
}
