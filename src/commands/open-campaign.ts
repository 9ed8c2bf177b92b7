import { existsSync } from 'node:fs';
import {
  type Environment,
  findEnvironmentDifferences,
  findIdentityDifferences,
} from '../campaign/environment.ts';
import type { CampaignFolder } from '../campaign/locate.io.ts';
import { findUnknownLogs, logNameOf } from '../campaign/log-file.io.ts';
import { advanceState, type CampaignState, emptyState } from '../campaign/resume.ts';
import { readBootId } from '../device/boot-id.io.ts';
import { RooflawError } from '../errors.ts';
import type { CampaignEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { identityOf } from '../hash.ts';
import {
  createLedger,
  type LedgerWriter,
  listTornLines,
  reopenLedger,
  type TornLine,
} from '../ledger/append.io.ts';
import { formatJson } from '../printable.ts';
import { planTrials } from '../protocol/schedule.ts';
import { makeFolders } from './make-folders.ts';
import type { Progress } from './progress.ts';
import { writeOutput } from './write-file.ts';

export function makeFolder(folder: CampaignFolder): void {
  makeFolders(folder.logs, 'run this in a folder that you may write to');
}

export interface OpenCampaign {
  writer: LedgerWriter;
  state: CampaignState;
  /** The campaign as it began; the same environment for a new one. */
  began: Environment;
  tornLine: TornLine | null;
  /** Further ones: set aside by sessions that died before they could say so. */
  otherTornLines: readonly TornLine[];
  /** Texts of the notes that are there. */
  notes: ReadonlySet<string>;
}

/** Begins the ledger, or checks and reopens it. Refuses to mix plans, backends or devices. */
export async function openCampaign(
  plan: Plan,
  folder: CampaignFolder,
  environment: Environment,
  progress: Progress,
): Promise<OpenCampaign> {
  const state = emptyState(plan);
  if (!existsSync(folder.ledger)) {
    await refuseUnknownLogs(folder, new Set());
    writeOutput(folder.plan, formatJson(plan));
    const writer = await createLedger(folder.ledger, {
      type: 'campaign',
      format: 'rooflaw-ledger',
      formatVersion: 1,
      name: folder.name,
      plan,
      planSha256: identityOf(plan),
      protocolSha256: plan.protocolSha256,
      scheduleSeed: plan.scheduleSeed,
      ...environment,
    });
    progress.say(`campaign ${folder.name} begins in ${folder.folder}`);
    return {
      writer,
      state,
      began: environment,
      tornLine: null,
      otherTornLines: [],
      notes: new Set(),
    };
  }
  let began: CampaignEntry | undefined;
  const knownLogs = new Set<string>();
  const notes = new Set<string>();
  const recorded = new Set<string>();
  const { writer, tornLine } = await reopenLedger(folder.ledger, (entry) => {
    if (entry.type === 'campaign') began = entry;
    if (entry.type === 'session' && entry.tornLine !== null) recorded.add(entry.tornLine.file);
    if (entry.type === 'note') notes.add(entry.text);
    if (entry.type === 'intended') knownLogs.add(logNameOf(entry.trial, entry.attempt));
    advanceState(state, entry);
  });
  if (began === undefined) throw new Error('a sound ledger begins with its campaign');
  await refuseUnknownLogs(folder, knownLogs);
  const differences =
    began.planSha256 === identityOf(plan)
      ? findIdentityDifferences(began, environment)
      : ['it was begun with another plan'];
  if (differences.length > 0) {
    await writer.close();
    throw new RooflawError('already-exists', `campaign ${folder.name} cannot be resumed`, {
      faults: differences.map((what) => ({ where: folder.ledger, what })),
      hint: 'measure under another name: `rooflaw run PLAN --name OTHER`',
    });
  }
  const { size } = state.finished;
  const count = planTrials(plan).length;
  const atMost = plan.protocol.stopping === undefined ? '' : 'at most ';
  progress.say(
    state.ended
      ? `campaign ${folder.name} is complete: all ${size} trials are there`
      : `campaign ${folder.name} goes on: ${size} of ${atMost}${count} trials are there`,
  );
  const isTold = ({ file }: TornLine) =>
    recorded.has(file) || [...notes].some((text) => text.includes(file));
  const lines = await listTornLines(folder.ledger);
  const untold = lines.filter((line) => !isTold(line) && line.file !== tornLine?.file);
  const toTell = tornLine ?? untold.shift() ?? null;
  return { writer, state, began, tornLine: toTell, otherTornLines: untold, notes };
}

/** @throws RooflawError `ledger-broken` before a line is written. */
async function refuseUnknownLogs(
  folder: CampaignFolder,
  known: ReadonlySet<string>,
): Promise<void> {
  const faults = await findUnknownLogs(folder.logs, known);
  if (faults.length === 0) return;
  throw new RooflawError('ledger-broken', `${folder.ledger} is not as it was written`, {
    faults: faults.slice(0, 10),
    hint: 'measure in a new campaign: `rooflaw run PLAN --name OTHER`',
  });
}

/** @param takenOver locks of dead processes that this session took over, in words */
export async function startSession(
  opened: OpenCampaign,
  environment: Environment,
  takenOver: readonly string[] = [],
): Promise<void> {
  const entry = await opened.writer.append({
    type: 'session',
    session: opened.state.sessionCount,
    bootId: await readBootId(),
    specimenSha256: environment.specimenSha256 ?? null,
    differences: findEnvironmentDifferences(opened.began, environment),
    tornLine: opened.tornLine,
  });
  advanceState(opened.state, entry);
  for (const { file, bytes, sha256 } of opened.otherTornLines) {
    const text = `${file} (${bytes} bytes, SHA-256 ${sha256}): a torn line, set aside by a session that died before it could say so`;
    await opened.writer.append({ type: 'note', author: 'rooflaw', text });
  }
  for (const text of takenOver) {
    await opened.writer.append({ type: 'note', author: 'rooflaw', text });
  }
}
