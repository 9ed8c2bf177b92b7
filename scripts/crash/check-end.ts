import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { findLogFaults, findUnknownLogs, logNameOf } from '../../src/campaign/log-file.io.ts';
import { advanceState, emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { canonicalJson, sha256Hex } from '../../src/hash.ts';
import { verifyLedger } from '../../src/ledger/read.io.ts';
import { fakePorts } from '../../test/support/fake-ports.ts';
import { runnerLines, soundRecord } from '../../test/support/fake-runner.ts';
import { listProcessesOf } from './processes.ts';

export interface FinishedCampaign {
  folder: string;
  plan: Plan;
  runner: string;
  /** What all its harnesses together promised. */
  acknowledged: ReadonlyMap<number, string>;
}

type Outcome = Extract<LedgerEntry, { type: 'observed' | 'failed' }>;

/**
 * What is wrong with a campaign that was disturbed and has come to its end, one sentence each: every
 * promised line is there, byte for byte; every trial has one outcome; the order and the decisions are
 * those of a campaign that nothing disturbs and whose trials end the same; ledger and logs verify; no
 * process and no lock is left.
 */
export async function findEndFaults(campaign: FinishedCampaign): Promise<string[]> {
  const { folder: parent, plan, runner, acknowledged } = campaign;
  const folder = folderOfCampaign('crash', parent);
  const faults: string[] = [];
  const bytes = readFileSync(folder.ledger);
  const lines = bytes.toString('utf8').split('\n');
  if (lines.pop() !== '') faults.push('the ledger ends in half a line');
  for (const [seq, sha256] of acknowledged) {
    const line = lines[seq];
    if (line === undefined) faults.push(`line ${seq} was acknowledged and is not there`);
    else if (sha256Hex(line) !== sha256) faults.push(`line ${seq} is not what was acknowledged`);
  }
  const entries = lines.map((line) => JSON.parse(line) as LedgerEntry);
  faults.push(...(await findStoryFaults(plan, entries)));

  const verdict = await verifyLedger(folder.ledger);
  faults.push(...verdict.faults.map(({ where, what }) => `verify: ${where}: ${what}`));
  const known = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'intended') known.add(logNameOf(entry.trial, entry.attempt));
    if (entry.type !== 'observed' && entry.type !== 'failed') continue;
    if (entry.log === null) faults.push(`trial ${entry.trial} has no log`);
    else
      for (const { where, what } of await findLogFaults(folder.logs, entry.log))
        faults.push(`${where} ${what}`);
  }
  for (const { where, what } of await findUnknownLogs(folder.logs, known))
    faults.push(`${where} ${what}`);
  faults.push(...findTornFaults(folder.folder, entries));
  const drafts = [...readdirSync(folder.folder), ...readdirSync(folder.logs)];
  faults.push(
    ...drafts
      .filter((name) => /\.(?:part|out)$/.test(name))
      .map((name) => `${name} is left behind`),
  );
  const locks = [folder.lock, join(parent, 'rooflaw-crash.lock')].filter(existsSync);
  faults.push(...locks.map((lock) => `${lock} is left behind`));
  faults.push(...listProcessesOf(runner).map((pid) => `runner ${pid} is still there`));
  if (existsSync(folder.plan) === false) faults.push('plan.json is missing');
  else if (canonicalJson(JSON.parse(readFileSync(folder.plan, 'utf8'))) !== canonicalJson(plan))
    faults.push('plan.json is another plan');
  return faults;
}

const tornNote = /(ledger\.torn-[0-9a-f]{12}) .*SHA-256 ([0-9a-f]{64})/g;

/** Every torn line that lies there is told of by a session, with its bytes. */
function findTornFaults(folder: string, entries: readonly LedgerEntry[]): string[] {
  const told = new Map(
    entries.flatMap((entry) =>
      entry.type === 'session' && entry.tornLine !== null
        ? [[entry.tornLine.file, entry.tornLine.sha256] as const]
        : entry.type === 'note'
          ? [...entry.text.matchAll(tornNote)].map(
              ([, file = '', sha256 = '']) => [file, sha256] as const,
            )
          : [],
    ),
  );
  const there = readdirSync(folder).filter((name) => /^ledger\.torn-[0-9a-f]+$/.test(name));
  return [
    ...there.filter((name) => !told.has(name)).map((name) => `no session tells of ${name}`),
    ...[...told]
      .filter(
        ([file, sha256]) =>
          !there.includes(file) || sha256Hex(readFileSync(join(folder, file))) !== sha256,
      )
      .map(([file]) => `${file} is not what was set aside`),
  ];
}

/** One outcome a trial, in the order in which an undisturbed campaign comes to them. */
async function findStoryFaults(plan: Plan, entries: readonly LedgerEntry[]): Promise<string[]> {
  const outcomes = new Map<number, Outcome>();
  const faults: string[] = [];
  for (const entry of entries) {
    if (entry.type !== 'observed' && entry.type !== 'failed') continue;
    if (outcomes.has(entry.trial)) faults.push(`trial ${entry.trial} has two outcomes`);
    outcomes.set(entry.trial, entry);
  }
  if (entries.filter(({ type }) => type === 'end').length !== 1)
    faults.push('there is not one end');
  const undisturbed = await measureUndisturbed(plan, outcomes);
  const found = tellStory(entries);
  const due = tellStory(undisturbed);
  if (canonicalJson(found) !== canonicalJson(due)) {
    const at = due.findIndex((step, index) => canonicalJson(step) !== canonicalJson(found[index]));
    faults.push(
      `not as undisturbed: step ${at} is ${JSON.stringify(found[at])}, due is ${JSON.stringify(due[at])}`,
    );
  }
  return faults;
}

/** The order of items, outcomes and decisions without what interruptions add. */
function tellStory(entries: readonly UnchainedEntry[]): unknown[] {
  const places = new Map<number, unknown>();
  return entries.flatMap((entry): unknown[] => {
    if (entry.type === 'intended') {
      const { trial, round, position, item, modelSha256 } = entry;
      places.set(trial, { trial, round, position, item, modelSha256 });
    }
    if (entry.type === 'observed' || entry.type === 'failed')
      return [{ is: entry.type, place: places.get(entry.trial) }];
    if (entry.type === 'decision') {
      const { round, comparisons, stop } = entry;
      return [{ round, comparisons, stop }];
    }
    return entry.type === 'end' ? [{ observed: entry.observed, failed: entry.failed }] : [];
  });
}

/** The same plan in memory and without a pause, its trials ending as they are known to have ended. */
async function measureUndisturbed(
  plan: Plan,
  outcomes: ReadonlyMap<number, Outcome>,
): Promise<UnchainedEntry[]> {
  const state = emptyState(plan);
  const entries: UnchainedEntry[] = [];
  let trial = -1;
  const campaign = runCampaign(
    plan,
    state,
    0,
    fakePorts({
      runner: {
        async run(input) {
          const outcome = outcomes.get(trial);
          if (outcome?.type !== 'observed')
            return { ...soundRecord(input), lines: [], exitStatus: 1 };
          const { repetitions } = outcome;
          return {
            ...soundRecord(input),
            lines: runnerLines(input, (at) => repetitions[at]!.wallNs),
          };
        },
      },
    }),
  );
  for await (const entry of campaign) {
    if (entry.type === 'intended') trial = entry.trial;
    entries.push(entry);
    advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
  }
  return entries;
}
