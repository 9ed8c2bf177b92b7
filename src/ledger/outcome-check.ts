import type { Item } from '../formats/architecture.ts';
import type { CampaignEntry, FailedEntry, ObservedEntry } from '../formats/ledger.ts';
import { buildTrial, repetitionsOf } from '../protocol/build-trial.ts';
import type { ScheduledTrial } from '../protocol/schedule.ts';
import { findTreatmentFaults } from '../protocol/treatment-faults.ts';

/**
 * What no trial can be that was observed, or that failed: the campaign would have said otherwise.
 * @param planned null where the plan is not sound or has no such trial
 * @returns sentences
 */
export function findOutcomeFaults(
  entry: ObservedEntry | FailedEntry,
  planned: ScheduledTrial | null,
  campaign: CampaignEntry | null,
): string[] {
  const faults = findLogFaults(entry, planned);
  if (entry.type === 'failed') return [...faults, ...findFailureFaults(entry)];
  const { length } = entry.repetitions;
  if (campaign !== null) {
    const { warmup, kept } = repetitionsOf(campaign.plan.protocol, planned ?? {});
    if (length !== warmup + kept)
      faults.push(`${length} repetitions where the protocol has ${warmup + kept}`);
  }
  if (entry.load === null) faults.push('a trial that was observed and never loaded its model');
  if (entry.repetitions.some(({ wallNs }) => wallNs === 0)) faults.push('a repetition of 0 ns');
  faults.push(...findTooShortLife(entry));
  if (planned === null || campaign === null) return faults;
  return [
    ...faults,
    ...findStepFaults(entry, planned, campaign),
    ...findTreatmentFaults(
      { treatment: planned.variant?.treatment },
      entry.load,
      entry.repetitions,
    ),
    ...(entry.whoRan !== undefined && !planned.variant?.launch?.whoRuns
      ? ['a record of who ran, which nobody asked for']
      : []),
    ...findOtherSettings(entry, planned, campaign),
  ];
}

/** A log is that of its trial, and where llama.cpp's log goes to a file there is one. */
function findLogFaults(
  { type, trial, attempt, log }: ObservedEntry | FailedEntry,
  planned: ScheduledTrial | null,
): string[] {
  if (log === null) {
    const isDue = type === 'observed' && planned?.execution.logSink === 'file';
    return isDue ? ['a trial that was observed and left no log'] : [];
  }
  const own = `${String(trial).padStart(6, '0')}-${attempt}.log`;
  return log.file === own ? [] : [`its log is ${log.file}, that of another trial`];
}

/** How a process ended, and what it is said to have failed of. */
function findFailureFaults(entry: FailedEntry): string[] {
  const { code, exitStatus, signal } = entry;
  const faults: string[] = [];
  if (exitStatus !== null && signal !== null) faults.push('both an exit status and a signal');
  if (signal !== null && !/^SIG[A-Z0-9]{1,12}$/.test(signal)) faults.push('a signal of no system');
  if (code === 'signal' && signal === null) faults.push('ended by a signal, and by none');
  return faults; // its times are what a broken runner said
}

function findTooShortLife({ load, repetitions, processNs }: ObservedEntry): string[] {
  const startNs = (load?.loadNs ?? 0) + (load?.contextNs ?? 0);
  const saidNs = repetitions.reduce(
    (sum, { wallNs, prepareNs }) => sum + wallNs + prepareNs,
    startNs,
  );
  if (saidNs <= processNs) return [];
  return [`its times add up to ${saidNs} ns, its process lived ${processNs} ns`];
}

/** Steps where the protocol times each: all of them, in every repetition; elsewhere none. */
function findStepFaults(
  { repetitions, load }: ObservedEntry,
  { item }: ScheduledTrial,
  campaign: CampaignEntry,
): string[] {
  const { observation, decodeSteps } = campaign.plan.protocol;
  const isTimed = observation.decodeSteps === 'each' && item.phase === 'decode';
  const count = isTimed ? (item.decodeSteps ?? decodeSteps) : 0;
  const faults: string[] = [];
  if (repetitions.some(({ stepNs }) => (stepNs?.length ?? 0) !== count)) {
    faults.push(
      isTimed
        ? `a repetition without the times of its ${count} steps`
        : 'a repetition with the times of steps, which nobody asked for',
    );
  }
  if (repetitions.some(({ stepNs, wallNs }) => stepNs !== undefined && sum(stepNs) !== wallNs)) {
    faults.push('steps that do not add up to their repetition');
  }
  const hasStray =
    load?.clockNs !== undefined || repetitions.some(({ prefillNs }) => prefillNs !== undefined);
  if (!isTimed && hasStray) faults.push('readings that belong to the times of steps');
  return faults;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

type Settings = Pick<
  NonNullable<ObservedEntry['load']>['applied'],
  'threads' | 'threadsBatch' | 'flashAttention' | 'batch' | 'ubatch'
>;
interface Expected {
  settings: Settings;
  contextSize: number;
}

/** By the item, which is one object in all rounds of a schedule. */
const expectedOfItems = new WeakMap<Item, Expected>();

/** What the runner takes, and compares with the trial before it measures, as far as the ledger holds it. */
function expectSettings(
  planned: ScheduledTrial,
  { plan, device, backend }: CampaignEntry,
): Expected {
  const known = expectedOfItems.get(planned.item);
  if (known !== undefined) return known;
  const type = backend.description.devices.find(({ name }) => name === device)?.type ?? 'cpu';
  const asked = buildTrial(plan.protocol, planned, 'a model', { name: device, type });
  const { threads, threadsBatch, flashAttention, contextSize } = asked;
  // llama.cpp cuts batches to the context that was asked for, and rounds that up
  const settings = {
    threads,
    threadsBatch,
    flashAttention,
    batch: Math.min(asked.batch, contextSize),
    ubatch: Math.min(asked.ubatch, contextSize),
  };
  const expected = { settings, contextSize };
  expectedOfItems.set(planned.item, expected);
  return expected;
}

const settingNames = ['threads', 'threadsBatch', 'flashAttention', 'batch', 'ubatch'] as const;

function findOtherSettings(
  { load }: ObservedEntry,
  planned: ScheduledTrial,
  campaign: CampaignEntry,
): string[] {
  if (load === null) return [];
  const { applied } = load;
  const { settings, contextSize } = expectSettings(planned, campaign);
  const faults = settingNames
    .filter((name) => applied[name] !== settings[name])
    .map((name) => `${name} was ${applied[name]}, the plan says ${settings[name]}`);
  if (applied.contextSize < contextSize)
    faults.push(`contextSize was ${applied.contextSize}, the plan needs ${contextSize}`);
  if (applied.layersOffloaded > applied.layersTotal)
    faults.push(`${applied.layersOffloaded} of ${applied.layersTotal} layers on the device`);
  if (applied.cpus?.length === 0) faults.push('it might run on no CPU');
  return faults;
}
