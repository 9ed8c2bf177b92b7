import { type Fault, RooflawError } from '../errors.ts';
import { formatItem } from '../formats/architecture.ts';
import type { DeviceState, FailedEntry, LedgerEntry, ObservedEntry } from '../formats/ledger.ts';
import { listItems } from '../protocol/schedule.ts';
import type { CampaignRecord, Measured, TrialOutcome, TrialRecord } from './campaign-record.ts';
import { itemKey } from './item-key.ts';

type IntendedEntry = Extract<LedgerEntry, { type: 'intended' }>;
type OutcomeEntry = Extract<LedgerEntry, { type: 'observed' | 'failed' | 'interrupted' }>;

/** Gathers a ledger's entries trial by trial. The chain is not looked at: that is `verify`'s. */
export interface CampaignCollector {
  /** @throws RooflawError `ledger-broken` when the first entry is none of a campaign, `invalid-input` for an experiment's */
  take(entry: LedgerEntry): void;
  /** @throws RooflawError `ledger-broken` listing every entry that contradicts the ones before it */
  finish(): CampaignRecord;
}

export function createCollector(): CampaignCollector {
  let collection: Collection | null = null;
  const faults: Fault[] = [];
  return {
    take(entry) {
      if (collection === null) {
        collection = startCollecting(entry);
        return;
      }
      const what = takeEntry(collection, entry);
      if (what !== null) faults.push({ where: `entry ${entry.seq}`, what });
    },
    finish() {
      if (collection === null) {
        throw new RooflawError('ledger-broken', 'the ledger has no entries', {
          hint: 'run the plan first',
        });
      }
      if (faults.length > 0) {
        throw new RooflawError('ledger-broken', 'the ledger contradicts itself', {
          faults,
          hint: 'rooflaw verify shows whether it was changed',
        });
      }
      const { campaign, sessions, notes, trials } = collection;
      return { campaign, sessions, notes, trials: [...trials.values()] };
    },
  };
}

/** All entries of a ledger, gathered. @throws RooflawError `ledger-broken` */
export function collectCampaign(entries: Iterable<LedgerEntry>): CampaignRecord {
  const collector = createCollector();
  for (const entry of entries) collector.take(entry);
  return collector.finish();
}

interface Collection extends Omit<CampaignRecord, 'trials'> {
  trials: Map<number, TrialRecord>;
  planned: ReadonlySet<string>;
  finished: number;
}

function startCollecting(campaign: LedgerEntry): Collection {
  if (campaign.type !== 'campaign') {
    throw new RooflawError('ledger-broken', `the ledger begins with ${campaign.type}`, {
      hint: 'its first line must be the campaign entry; look for a copy that has it',
    });
  }
  if (campaign.plan.experiment !== undefined) {
    throw new RooflawError(
      'invalid-input',
      `${campaign.name} is the experiment ${campaign.plan.experiment.name}, no baseline data: it is never pooled or compared`,
      { hint: `\`rooflaw diagnose ${campaign.name}\` says what it found` },
    );
  }
  const planned = listItems(campaign.plan).map(({ item, model }) => itemKey(item, model.sha256));
  return {
    campaign,
    sessions: [],
    notes: [],
    trials: new Map(),
    planned: new Set(planned),
    finished: 0,
  };
}

/** @returns what is wrong with the entry in its place, or null */
function takeEntry(collection: Collection, entry: LedgerEntry): string | null {
  switch (entry.type) {
    case 'campaign':
      return 'a second campaign entry';
    case 'session': {
      const { session, time, bootId, specimenSha256 = null, differences, tornLine } = entry;
      const said = { session, time, bootId, specimenSha256, differences };
      collection.sessions.push({ ...said, tornLine: tornLine !== null });
      return null;
    }
    case 'note':
      collection.notes.push({
        time: entry.time,
        text: entry.text,
        afterTrials: collection.finished,
        ...(entry.author === undefined ? {} : { author: entry.author }),
      });
      return null;
    case 'intended':
      return takeIntention(collection, entry);
    case 'observed':
    case 'failed':
    case 'interrupted':
      return takeOutcome(collection, entry);
    case 'decision': // follows from the trials, which `verify` has checked
    case 'end':
      return null;
  }
}

function takeIntention(collection: Collection, entry: IntendedEntry): string | null {
  const { trial, attempt, session, round, position, item, modelSha256 } = entry;
  if (!collection.planned.has(itemKey(item, modelSha256))) {
    return `${formatItem(item)} is not in the plan`;
  }
  const earlier = collection.trials.get(trial);
  const attempts = earlier?.attempts ?? 0;
  if (earlier !== undefined && earlier.outcome.state !== 'interrupted') {
    return `trial ${trial} is begun again although it is ${earlier.outcome.state}`;
  }
  if (attempt !== attempts) return `trial ${trial}: attempt ${attempt} where ${attempts} was due`;
  collection.trials.set(trial, {
    trial,
    item,
    modelSha256,
    round,
    position,
    session,
    attempts: attempts + 1,
    outcome: { state: 'pending' },
    interruptedNs: earlier?.interruptedNs ?? [],
  });
  return null;
}

function takeOutcome(collection: Collection, entry: OutcomeEntry): string | null {
  const trial = collection.trials.get(entry.trial);
  if (trial?.outcome.state !== 'pending' || trial.attempts !== entry.attempt + 1) {
    return `trial ${entry.trial}, attempt ${entry.attempt} is ${entry.type} but was not begun`;
  }
  trial.outcome = outcomeOf(entry);
  if (entry.type === 'interrupted') trial.interruptedNs.push(entry.costNs);
  else collection.finished += 1;
  return null;
}

function outcomeOf(entry: OutcomeEntry): TrialOutcome {
  if (entry.type === 'interrupted') return { state: 'interrupted' };
  const measured = takeMeasured(entry);
  if (entry.type === 'observed') return { state: 'observed', measured };
  return { state: 'failed', measured, code: entry.code, message: entry.message };
}

function takeMeasured(entry: ObservedEntry | FailedEntry): Measured {
  const { load, repetitions, deviceBefore, deviceAfter } = entry;
  return {
    loadNs: load === null ? 0 : load.loadNs + load.contextNs,
    wallNs: repetitions.map(({ wallNs }) => wallNs),
    prepareNs: repetitions.map(({ prepareNs }) => prepareNs),
    processNs: entry.processNs,
    harnessNs: entry.harnessNs,
    deviceReadNs: deviceBefore.readNs + deviceAfter.readNs,
    idleWaitNs: entry.idleWaitNs,
    otherUse: combineOtherUse(deviceBefore.otherUse, deviceAfter.otherUse),
  };
}

function combineOtherUse(
  before: DeviceState['otherUse'],
  after: DeviceState['otherUse'],
): DeviceState['otherUse'] {
  if (before === 'seen' || after === 'seen') return 'seen';
  return before === 'not-visible' || after === 'not-visible' ? 'not-visible' : 'not-seen';
}
