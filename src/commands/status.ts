import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { countDueTrials } from '../analysis/count-due-trials.ts';
import { campaignsFolder, locateCampaign } from '../campaign/locate.io.ts';
import { readLockOwner } from '../campaign/lock.io.ts';
import { createRemainingTime } from '../campaign/remaining-time.ts';
import { advanceState, type CampaignState, emptyState } from '../campaign/resume.ts';
import { RooflawError } from '../errors.ts';
import type { CampaignEntry, LedgerEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { formatJson, toPrintable } from '../printable.ts';
import { listComparisons } from '../protocol/comparisons.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { planTrials } from '../protocol/schedule.ts';
import { formatCount, formatDuration, formatWhole } from '../units.ts';

interface CampaignStatus {
  name: string;
  /** A pilot or probe: measured by bench, ab or gate before another campaign, for its plan. */
  isPilot: boolean;
  /** `broken`: the ledger is not as it was written; `unreadable`: it cannot be opened. */
  state: 'running' | 'complete' | 'incomplete' | 'broken' | 'unreadable';
  observed: number;
  failed: number;
  /** Of a campaign with a stopping rule: at most, until it has stopped or ended. */
  planned: number | null;
  /** null where the rounds are fixed, or nothing is known of them. */
  sequential: {
    rounds: number;
    maximumRounds: number;
    decided: number;
    comparisons: number;
    stopped: boolean;
  } | null;
  sessions: number;
  protocol: string | null;
  device: string | null;
  /** When the last line was written, by the clock of the machine that measured. */
  lastLineAt: string | null;
  /** As long as the trials so far took; at most, under a stopping rule. null: none yet, or none is left. */
  remainingNs: number | null;
}

async function readStatus(nameOrPath: string): Promise<CampaignStatus> {
  const folder = locateCampaign(nameOrPath);
  const state = emptyState();
  let campaign: CampaignEntry | undefined;
  let rest: ReturnType<typeof followTimes> | undefined;
  let lastLineAt: string | null = null;
  const { faults } = await verifyLedger(folder.ledger, (entry) => {
    if (entry.type === 'campaign' && campaign === undefined) {
      campaign = entry;
      rest = followTimes(entry.plan);
    }
    rest?.take(entry);
    lastLineAt = entry.time;
    advanceState(state, entry);
  });
  const running = (await readLockOwner(folder.lock)) !== null;
  const broken = faults.length > 0;
  const status: CampaignStatus = {
    name: folder.name,
    isPilot: campaign !== undefined && isPilot(campaign),
    state: broken ? 'broken' : state.ended ? 'complete' : running ? 'running' : 'incomplete',
    observed: state.observed,
    failed: state.failed,
    planned: broken || campaign === undefined ? null : countDueTrials(campaign.plan, state),
    sequential: broken || campaign === undefined ? null : describeRule(campaign.plan, state),
    sessions: state.sessionCount,
    protocol: campaign?.plan.protocol.name ?? null,
    device: campaign?.fingerprint.deviceDescription ?? null,
    lastLineAt,
    remainingNs: null,
  };
  const { planned } = status;
  const isDone = broken || state.ended || state.decision?.stop === true || planned === null;
  return { ...status, remainingNs: isDone ? null : (rest?.estimateNs(planned) ?? null) };
}

/** How long the trials took that are there, and so those that are not. */
function followTimes(plan: Plan) {
  const trials = findPlanFaults(plan).length === 0 ? planTrials(plan) : [];
  const remaining = createRemainingTime(trials.map(({ item }) => item));
  let concluded = 0;
  return {
    take(entry: LedgerEntry) {
      if (entry.type !== 'observed' && entry.type !== 'failed') return;
      const planned = trials[entry.trial];
      if (planned === undefined) return;
      concluded += 1;
      remaining.record(planned.item, entry.processNs + entry.harnessNs);
    },
    /** @param due trials in all, without those that a stopping rule has left out */
    estimateNs(due: number): number | null {
      const restNs = remaining.estimateNs();
      const left = trials.length - concluded;
      return restNs === null || left === 0 ? null : (restNs * (due - concluded)) / left;
    },
  };
}

/** By the rounds that each of them has as well as by its name: a person may name a campaign like one. */
function isPilot({ name, plan }: CampaignEntry): boolean {
  const rounds = name.endsWith('-pilot') ? 2 : name.endsWith('-probe') ? 1 : null;
  return plan.space === null && plan.protocol.processesPerItem === rounds;
}

function describeRule(plan: Plan, { decision }: CampaignState): CampaignStatus['sequential'] {
  if (plan.protocol.stopping === undefined) return null;
  return {
    rounds: decision === null ? 0 : decision.round + 1,
    maximumRounds: plan.protocol.processesPerItem,
    decided: decision?.comparisons.filter(({ state }) => state !== 'open').length ?? 0,
    comparisons: listComparisons(plan).length,
    stopped: decision?.stop ?? false,
  };
}

/** One campaign that cannot be read does not hide the others. */
async function readStatusOrNot(name: string): Promise<CampaignStatus> {
  try {
    return await readStatus(name);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    const nothing = {
      isPilot: false,
      observed: 0,
      failed: 0,
      planned: null,
      sequential: null,
      sessions: 0,
      protocol: null,
      device: null,
      lastLineAt: null,
      remainingNs: null,
    };
    return { name, state: 'unreadable', ...nothing };
  }
}

function listCampaigns(): string[] {
  if (!existsSync(campaignsFolder) || !statSync(campaignsFolder).isDirectory()) return [];
  return readdirSync(campaignsFolder)
    .filter((name) => existsSync(join(campaignsFolder, name, 'ledger.ndjson')))
    .sort();
}

function formatStatus(status: CampaignStatus): string {
  const { name, state, observed, failed, planned, sequential, sessions, protocol, device } = status;
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  const times = formatCount(sessions, 'session');
  const what = `${protocol ?? 'unknown protocol'} on ${device ?? 'unknown device'}`;
  const goesOn = sequential !== null && !sequential.stopped && state !== 'complete';
  const atMost = goesOn ? 'at most ' : '';
  const trials = `${observed + failed} of ${atMost}${planned ?? '?'} trials${failures}`;
  return `${name}: ${state}, ${trials}${formatRule(sequential)}${formatRest(status)}, ${times}, ${what}`;
}

/** How far it is, of what is running or could go on. */
function formatRest({ state, sequential, lastLineAt, remainingNs }: CampaignStatus): string {
  if (state !== 'running' && state !== 'incomplete') return '';
  const atMost = sequential === null ? 'about' : 'at most';
  const rest = remainingNs === null ? '' : `, ${atMost} ${formatDuration(remainingNs)} left`;
  return `${rest}${lastLineAt === null ? '' : `, last line ${lastLineAt.slice(0, 19)}Z`}`;
}

function formatRule(sequential: CampaignStatus['sequential']): string {
  if (sequential === null) return '';
  const { rounds, maximumRounds, decided, comparisons, stopped } = sequential;
  const word = stopped ? 'stopped after round' : 'round';
  return `, ${word} ${rounds} of at most ${maximumRounds} with ${decided} of ${comparisons} comparisons decided`;
}

export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('Say how far the campaigns of this folder are.')
    .argument(
      '[campaign]',
      'name, folder or ledger; without it all in campaigns/, of pilots and probes how many',
    )
    .option('--all', 'with the pilots and probes that bench, ab and gate have measured', false)
    .option('--json', 'as JSON, pilots among them', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw status
  $ rooflaw status pocket
  $ rooflaw status --all
  $ rooflaw status --json | jq -r '.[] | select(.state == "incomplete") | .name'

Exit status: 0 told, whatever the state; 2 no such campaign`,
    )
    .action(async (campaign: string | undefined, { all: isAll, json }: StatusOptions) => {
      if (campaign !== undefined) return tell([await readStatus(campaign)], true, json);
      tell(await Promise.all(listCampaigns().map(readStatusOrNot)), isAll, json);
    });
}

interface StatusOptions {
  all: boolean;
  json: boolean;
}

/** A pilot that is complete has done what it was for, and would only hide the others. */
function tell(all: readonly CampaignStatus[], isAll: boolean, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(formatJson(all));
    return;
  }
  if (all.length === 0) {
    process.stderr.write('no campaign in this folder yet\n');
    return;
  }
  const isFolded = (status: CampaignStatus) =>
    !isAll && status.isPilot && status.state === 'complete';
  const lines = all.filter((status) => !isFolded(status)).map(formatStatus);
  const folded = all.length - lines.length;
  if (folded > 0) lines.push(describeFolded(folded));
  process.stdout.write(`${lines.map(toPrintable).join('\n')}\n`);
}

function describeFolded(count: number): string {
  return count === 1
    ? '1 pilot or probe that is complete is not listed: `rooflaw status --all` lists it'
    : `${formatWhole(count)} pilots and probes that are complete are not listed: \`rooflaw status --all\` lists them`;
}
