import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { analyzeCampaign } from '../analysis/analyze.ts';
import { collectCampaign } from '../analysis/collect.ts';
import { hasLedger, locateCampaign } from '../campaign/locate.io.ts';
import { type Fault, RooflawError } from '../errors.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { toPrintable } from '../printable.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';
import { checkAgainstLedger, takePublishedPart } from '../publication/check-against-ledger.ts';
import { type CheckedFolder, checkFolder } from '../publication/check-folder.ts';
import { dataPackageFile, sumsFile } from '../publication/file-names.ts';
import { readFolder } from '../publication/read-folder.io.ts';
import { locateTrialTable } from '../publication/read-tables.io.ts';
import { describeCourse } from '../report/course-words.ts';
import { formatCount } from '../units.ts';
import { describeProgram } from './program-version.ts';

export interface PublishedVerdict {
  folder: string;
  sound: boolean;
  trials: number;
  repetitions: number;
  /** The ledger that everything was recomputed from, its lines, and those that were published. */
  against: { ledger: string; lines: number; publishedLines: number | null } | null;
  /** What this version of the program cannot compare, in sentences: `sound` says nothing of it. */
  notCompared: string[];
  faults: Fault[];
}

/** The published folder that a word names, or null when it names a campaign or nothing. */
export function locatePublished(nameOrPath: string): string | null {
  if (hasLedger(nameOrPath)) return null;
  const table = locateTrialTable(nameOrPath);
  if (table !== null) return dirname(table);
  const isFolder = existsSync(nameOrPath) && statSync(nameOrPath).isDirectory();
  const holds = (name: string) => existsSync(join(nameOrPath, name));
  return isFolder && holds(sumsFile) && holds(dataPackageFile) ? nameOrPath : null;
}

/**
 * Checks a published folder by itself, and against its ledger when one is named.
 * @throws RooflawError `invalid-input` for a folder that was not published
 */
export async function verifyPublished(
  folder: string,
  ledger: string | undefined,
): Promise<PublishedVerdict> {
  const { version } = await describeProgram();
  const { files, faults: folderFaults } = readFolder(folder);
  if (![sumsFile, dataPackageFile].some((name) => files.has(name))) {
    throw new RooflawError('invalid-input', `${folder} holds tables that nobody published`, {
      hint: `without ${sumsFile} there is nothing to check them by; \`rooflaw analyze\` refuses tables that contradict one another`,
    });
  }
  const checked = checkFolder(files, { programVersion: version, describeCourse });
  const faults = [...folderFaults, ...checked.faults];
  const against = ledger === undefined ? null : await compare(checked, ledger, version, faults);
  return {
    folder,
    sound: faults.length === 0,
    trials: checked.trials.length,
    repetitions: [...checked.repetitions.values()].reduce((sum, t) => sum + t.wallNs.length, 0),
    against,
    notCompared: checked.notCompared,
    faults,
  };
}

async function compare(
  checked: CheckedFolder,
  nameOrPath: string,
  version: string,
  faults: Fault[],
): Promise<PublishedVerdict['against']> {
  const { ledger } = locateCampaign(nameOrPath);
  const entries: LedgerEntry[] = [];
  const verdict = await verifyLedger(ledger, (entry) => entries.push(entry));
  const { provenance } = checked;
  const against = { ledger, lines: verdict.head.length, publishedLines: null };
  if (verdict.faults.length > 0) {
    const what = `is not as it was written (${formatCount(verdict.faults.length, 'fault')}), so nothing was compared`;
    faults.push({ where: ledger, what, hint: '`rooflaw verify` on it lists them' });
    return against;
  }
  const head = { lines: verdict.head.length, lastLineSha256: verdict.head.sha256 };
  const published = provenance === null ? null : takePublishedPart(entries, head, provenance);
  for (const fault of published?.faults ?? []) faults.push(fault);
  const part = published?.part ?? entries;
  const record = collectCampaign(part);
  const analysis = analyzeCampaign(record, hashShippedProtocols());
  for (const fault of checkAgainstLedger(checked, record, part, analysis, version)) {
    faults.push(fault);
  }
  const isPart = published !== null && published.faults.length === 0;
  return { ...against, publishedLines: isPart ? published.part.length : null };
}

const printedFaults = 20;

export function describePublished(verdict: PublishedVerdict): string {
  const { folder, sound, trials, repetitions, against, notCompared, faults } = verdict;
  const text = faults
    .slice(0, printedFaults)
    .map(({ where, what, hint }) => `${where}: ${what}${hint ? ` (${hint})` : ''}`);
  if (faults.length > printedFaults) {
    text.push(`and ${faults.length - printedFaults} more; --json lists all`);
  }
  for (const words of notCompared) text.push(words);
  const { lines = 0, publishedLines = null } = against ?? {};
  if (publishedLines !== null && lines > publishedLines) {
    const further = formatCount(lines - publishedLines, 'line');
    text.push(`the ledger has gone on since: ${further} after what was published`);
  }
  const counts = `${formatCount(trials, 'trial')}, ${formatCount(repetitions, 'repetition')}`;
  const source =
    against === null
      ? 'hashes, tables and analysis agree; no ledger was compared'
      : `all recomputed from ${against.ledger}`;
  text.push(
    sound
      ? `${folder}: sound${notCompared.length > 0 ? ' as far as it was compared' : ''}, ${counts}; ${source}`
      : `${folder}: NOT what it should be, ${formatCount(faults.length, 'fault')} in ${counts}`,
  );
  return `${text.map(toPrintable).join('\n')}\n`;
}
