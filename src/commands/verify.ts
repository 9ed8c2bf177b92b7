import { existsSync, readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { countDueTrials } from '../analysis/count-due-trials.ts';
import { type CampaignFolder, hasLedger, locateCampaign } from '../campaign/locate.io.ts';
import { findLogFaults, findUnknownLogs, logNameOf } from '../campaign/log-file.io.ts';
import { advanceState, emptyState } from '../campaign/resume.ts';
import { exitStatus, type Fault, RooflawError } from '../errors.ts';
import type { FailedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { toPrintable } from '../printable.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { formatCount } from '../units.ts';

export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description(
      'Check a ledger from the first byte to the last: nothing edited, moved or removed. Or check a published folder.',
    )
    .argument('<campaign>', 'name, folder or ledger, or a folder that was published')
    .option(
      '--against <ledger>',
      'recompute all that a folder publishes from this campaign or ledger',
    )
    .option('--json', 'the verdict as JSON', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw verify pocket
  $ rooflaw verify pocket-public --against pocket

The hash of the last line stands for the whole ledger: write it down elsewhere, and nobody can
change the ledger unseen, not even by making the chain anew.

Exit status: 0 sound, 2 no such ledger, 5 not as it was written`,
    )
    .action(async (campaign: string, { json, against }: { json: boolean; against?: string }) => {
      if (against !== undefined || !hasLedger(campaign)) {
        if (await examinePublished(campaign, against, json)) return;
        if (against !== undefined) throw notPublished(campaign);
      }
      const folder = locateCampaign(campaign);
      const verdict = await examine(folder);
      process.stdout.write(
        json ? `${JSON.stringify(verdict, null, 2)}\n` : describeVerdict(verdict),
      );
      if (!verdict.sound) process.exitCode = exitStatus.integrity;
    });
}

/** @returns false when this is no published folder */
async function examinePublished(
  name: string,
  against: string | undefined,
  json: boolean,
): Promise<boolean> {
  const { locatePublished, verifyPublished, describePublished } = await import(
    './verify-published.ts' // tables take long to load
  );
  const folder = locatePublished(name);
  if (folder === null) return false;
  const verdict = await verifyPublished(folder, against);
  process.stdout.write(json ? `${JSON.stringify(verdict, null, 2)}\n` : describePublished(verdict));
  if (!verdict.sound) process.exitCode = exitStatus.integrity;
  return true;
}

function notPublished(campaign: string): RooflawError {
  return new RooflawError('invalid-input', `"${campaign}" is no published folder`, {
    hint: 'name the folder that `rooflaw publish` wrote, and the campaign with --against',
  });
}

interface Verdict {
  ledger: string;
  sound: boolean;
  lines: number;
  lastLineSha256: string;
  tornBytes: number;
  /** Whether the campaign has come to its end. */
  complete: boolean;
  trials: { concluded: number; planned: number | null };
  /** Logs are evidence beside the ledger, which holds their hashes; a published one may lack them. */
  logs: { state: 'checked' | 'not-there'; count: number };
  faults: Fault[];
}

async function examine({ ledger, logs }: CampaignFolder): Promise<Verdict> {
  const state = emptyState();
  const expected: NonNullable<FailedEntry['log']>[] = [];
  const known = new Set<string>();
  let plan: Plan | undefined;
  const { faults, head, tornBytes } = await verifyLedger(ledger, (entry) => {
    advanceState(state, entry);
    if (entry.type === 'campaign' && findPlanFaults(entry.plan).length === 0) {
      plan ??= entry.plan;
    }
    if (entry.type === 'intended') known.add(logNameOf(entry.trial, entry.attempt));
    if ((entry.type === 'observed' || entry.type === 'failed') && entry.log)
      expected.push(entry.log);
  });
  const there = existsSync(logs) && readdirSync(logs).length > 0;
  if (there) {
    for (const log of expected) faults.push(...(await findLogFaults(logs, log)));
    for (const fault of await findUnknownLogs(logs, known)) faults.push(fault);
  }
  const concluded = state.observed + state.failed;
  return {
    ledger,
    sound: faults.length === 0,
    lines: head.length,
    lastLineSha256: head.sha256,
    tornBytes,
    complete: state.ended,
    trials: { concluded, planned: plan === undefined ? null : countDueTrials(plan, state) },
    logs: { state: there ? 'checked' : 'not-there', count: expected.length },
    faults,
  };
}

function describeVerdict(verdict: Verdict): string {
  const { ledger, sound, lines, lastLineSha256, tornBytes, complete, trials, logs, faults } =
    verdict;
  const text = faults.map(
    ({ where, what, hint }) => `${where}: ${what}${hint ? ` (${hint})` : ''}`,
  );
  if (tornBytes > 0) {
    text.push(`${tornBytes} bytes after the last line were cut off by a crash; they are no data`);
  }
  if (!complete) {
    const count = `${trials.concluded} of ${trials.planned ?? '?'} trials`;
    text.push(
      `incomplete: ${count} and no end; whether lines are missing after the last cannot be seen`,
    );
  }
  text.push(
    logs.state === 'checked'
      ? `${logs.count} logs checked against their hashes`
      : 'the logs are not here; their hashes were not checked',
  );
  const count = formatCount(faults.length, 'fault');
  text.push(
    sound
      ? `${ledger}: sound, ${lines} lines, last line ${lastLineSha256}`
      : `${ledger}: NOT as it was written, ${count} in ${lines} lines`,
  );
  return `${text.map(toPrintable).join('\n')}\n`;
}
