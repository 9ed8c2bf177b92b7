import { existsSync, readdirSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { countDueTrials } from '../analysis/count-due-trials.ts';
import { type CampaignFolder, hasLedger, locateCampaign } from '../campaign/locate.io.ts';
import { findLogFaults, findUnknownLogs, logNameOf } from '../campaign/log-file.io.ts';
import { advanceState, emptyState } from '../campaign/resume.ts';
import { exitStatus, type Fault, RooflawError } from '../errors.ts';
import type { FailedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { examineSeals, type SealStanding } from '../ledger/examine-seals.io.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { sealFile } from '../ledger/seal-file.io.ts';
import { readFingerprint } from '../ledger/seal-key.io.ts';
import { formatJson, toPrintable } from '../printable.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { formatCount } from '../units.ts';

interface VerifyOptions {
  json: boolean;
  against?: string;
  key?: string;
  head?: string;
  complete: boolean;
}

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
    .option(
      '--key <file|fingerprint>',
      'require a seal of this public key that holds (docs/seal.md)',
    )
    .option('--head <sha256>', 'require a line with this hash, as you wrote it down', parseHash)
    .option('--complete', 'require the end of the campaign', false)
    .option('--json', 'the verdict as JSON', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw verify pocket
  $ rooflaw verify pocket --key rooflaw-key.pub
  $ rooflaw verify pocket-public --against pocket

A fault names the line that was changed or the one after it. The hash of the last line stands for
the whole ledger: write it down elsewhere, or seal it (rooflaw seal), and nobody can change the
ledger unseen, not even by making the chain anew. Seals that are beside it are checked.

Exit status: 0 sound, 2 no such ledger or key, 5 not as it was written or sealed`,
    )
    .action(async (campaign: string, { json, against, key, head, complete }: VerifyOptions) => {
      if (against !== undefined || !hasLedger(campaign)) {
        if (key !== undefined || head !== undefined || complete) refuseForTables(campaign);
        if (await examinePublished(campaign, against, json)) return;
        if (against !== undefined) throw notPublished(campaign);
      }
      const folder = locateCampaign(campaign);
      const requiredKey = key === undefined ? null : readFingerprint(key);
      const verdict = await examine(folder, {
        requiredKey,
        requiredHead: head ?? null,
        requiresEnd: complete,
      });
      process.stdout.write(json ? formatJson(verdict) : describeVerdict(verdict));
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
  process.stdout.write(json ? formatJson(verdict) : describePublished(verdict));
  if (!verdict.sound) process.exitCode = exitStatus.integrity;
  return true;
}

/** @throws RooflawError `invalid-input` unless the campaign is not there at all */
function refuseForTables(campaign: string): void {
  if (!existsSync(campaign)) return;
  throw new RooflawError(
    'invalid-input',
    '--key, --head and --complete are about a ledger, not about tables',
    {
      hint: 'verify the ledger with them; its last line’s hash is also in README.md of what was published',
    },
  );
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('a hash of a line has 64 hexadecimal digits');
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
  /** In the order of `seal.json`; none where there is no such file. */
  seals: SealStanding[];
  /** Up to which line a seal that holds, or the hash of --head, vouches for the ledger; 0: nothing does. */
  vouchedLines: number;
  /** The line that has the hash of --head; null when none has it, or none was asked for. */
  headLine: number | null;
  faults: Fault[];
}

/** What must be there beside a sound ledger; null: nothing. */
interface Requirements {
  requiredKey: string | null;
  requiredHead: string | null;
  requiresEnd: boolean;
}

async function examine(
  { ledger, logs }: CampaignFolder,
  { requiredKey, requiredHead, requiresEnd }: Requirements,
): Promise<Verdict> {
  const state = emptyState();
  const seals = examineSeals(ledger, requiredKey);
  let campaign: string | null = null;
  let headLine: number | null = null;
  let lastMeasuredLine = 0;
  const expected: NonNullable<FailedEntry['log']>[] = [];
  const known = new Set<string>();
  let plan: Plan | undefined;
  const { faults, head, tornBytes } = await verifyLedger(
    ledger,
    (entry) => {
      advanceState(state, entry);
      if (entry.type !== 'note' && entry.type !== 'session') lastMeasuredLine = entry.seq + 1;
      if (entry.type === 'campaign') {
        campaign ??= entry.name;
        if (findPlanFaults(entry.plan).length === 0) plan ??= entry.plan;
      }
      if (entry.type === 'intended') known.add(logNameOf(entry.trial, entry.attempt));
      if ((entry.type === 'observed' || entry.type === 'failed') && entry.log)
        expected.push(entry.log);
    },
    (point) => {
      seals.next(point);
      if (point.sha256 === requiredHead) headLine = point.lines;
    },
  );
  const sealed = seals.finish(campaign, faults.length === 0);
  faults.push(...sealed.faults);
  if (requiredKey !== null) {
    faults.push(...findUnsealed(sealed.standings, requiredKey, lastMeasuredLine));
  }
  if (requiredHead !== null && headLine === null) {
    faults.push({
      where: ledger,
      what: `no line has the hash ${requiredHead} that was written down`,
    });
  }
  if (requiresEnd && !state.ended) {
    faults.push({
      where: `line ${head.length}`,
      what: 'is the last, and not the end of the campaign',
      hint: '`rooflaw run` with its plan goes on; of somebody else’s ledger, ask for the rest',
    });
  }
  const isFolder = statSync(logs, { throwIfNoEntry: false })?.isDirectory() ?? null;
  if (isFolder === false) faults.push({ where: logs, what: 'is no folder' });
  const there = isFolder === true && readdirSync(logs).length > 0;
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
    seals: sealed.standings,
    vouchedLines: countVouched(sealed.standings, headLine),
    headLine,
    faults,
  };
}

function countVouched(seals: readonly SealStanding[], headLine: number | null): number {
  const holding = seals.filter(({ holds }) => holds);
  return Math.max(headLine ?? 0, ...holding.map((seal) => seal.lines));
}

/** A seal of the beginning does not vouch for what was measured after it: a later one may have been removed. */
function findUnsealed(seals: readonly SealStanding[], key: string, measuredLines: number): Fault[] {
  const own = seals.filter(({ keySha256 }) => keySha256 === key);
  const vouched = countVouched(own, null);
  if (vouched === 0 || vouched >= measuredLines) return []; // without any, that is a fault of its own
  return [
    {
      where: sealFile,
      what: `key ${key} vouches for ${formatCount(vouched, 'line')}, and not for what was measured up to line ${measuredLines}`,
      hint: 'ask the holder of the key for a seal of the whole; a later seal may have been removed',
    },
  ];
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
      `incomplete: ${count} and no end: \`rooflaw run\` with its plan goes on; the chain alone cannot show whether lines are missing after the last`,
    );
  }
  text.push(
    logs.state === 'checked'
      ? `${logs.count} logs checked against their hashes`
      : 'the logs are not here; their hashes were not checked',
  );
  text.push(...describeEnd(verdict));
  const count = formatCount(faults.length, 'fault');
  text.push(
    sound
      ? `${ledger}: sound, ${lines} lines, last line ${lastLineSha256}`
      : `${ledger}: NOT as it was written, ${count} in ${lines} lines`,
  );
  return `${text.map(toPrintable).join('\n')}\n`;
}

/** What vouches for the end of the ledger, which its chain cannot. */
function describeEnd({ sound, lines, seals, headLine, vouchedLines }: Verdict): string[] {
  if (!sound) return [];
  const holding = seals.filter(({ holds }) => holds);
  const text = holding.map(
    (seal) =>
      `sealed up to line ${seal.lines} of ${lines} by key ${seal.keySha256} (at ${seal.sealedAt} by its holder’s clock)`,
  );
  if (headLine !== null)
    text.push(`line ${headLine} of ${lines} has the hash that was written down`);
  if (vouchedLines === 0) {
    return ['no seal: a change of the last line, or lines cut off after it, cannot be seen'];
  }
  if (vouchedLines < lines) {
    text.push(
      `${formatCount(lines - vouchedLines, 'line')} after line ${vouchedLines} that nothing vouches for`,
    );
  }
  return text;
}
