import type { CampaignRecord } from '../analysis/campaign-record.ts';
import type { Fault } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { type CheckedFolder, wordsThatVersionsChange } from './check-folder.ts';
import { compareSteps } from './check-steps.ts';
import { compareRepetitions, compareTrials } from './compare-tables.ts';
import type { Provenance } from './data-package.ts';
import { type LedgerPart, withheld } from './facts.ts';
import { analysisFile, dataPackageFile } from './file-names.ts';
import { findDifferences } from './find-differences.ts';
import { tabulateCampaign } from './tabulate.ts';
import { tabulateSteps } from './tabulate-steps.ts';

/**
 * The entries of a ledger that a publication was made of, and whether they are the same today: a
 * ledger that has grown since still begins with them.
 */
export function takePublishedPart(
  entries: readonly LedgerEntry[],
  head: LedgerPart,
  { ledgerLines, ledgerLastLineSha256 }: Provenance,
): { part: LedgerEntry[]; faults: Fault[] } {
  const where = dataPackageFile;
  const hash = ledgerLines === head.lines ? head.lastLineSha256 : entries[ledgerLines]?.prev;
  if (hash === ledgerLastLineSha256) return { part: entries.slice(0, ledgerLines), faults: [] };
  const what =
    hash === undefined
      ? `it was made of ${ledgerLines} lines; the ledger has ${head.lines}`
      : `line ${ledgerLines} of the ledger has the hash ${hash}, not ${ledgerLastLineSha256}`;
  const hint = 'is this the ledger that was published?';
  return { part: [...entries], faults: [{ where, what, hint }] };
}

/**
 * Recomputes all that was published from the ledger's raw repetitions.
 * @param entries that the record was gathered from
 * @param analysis of the same entries, by this program
 */
export function checkAgainstLedger(
  folder: CheckedFolder,
  record: CampaignRecord,
  entries: readonly LedgerEntry[],
  analysis: Analysis,
  programVersion: string,
): Fault[] {
  const { campaign } = record;
  const { trials, repetitions } = tabulateCampaign(record);
  const faults = [
    ...compareTrials(folder.trials, trials),
    ...compareRepetitions(folder.repetitions, repetitions),
    ...compareSteps(folder.steps, tabulateSteps(record, entries)),
  ];
  const { provenance } = folder;
  for (const name of ['planSha256', 'protocolSha256'] as const) {
    if (provenance === null || provenance[name] === campaign[name]) continue;
    faults.push({ where: dataPackageFile, what: `${name} is not the ledger’s, ${campaign[name]}` });
  }
  const since = campaign.program.version;
  if (provenance !== null && isOlder(provenance.programVersion, since)) {
    const what = `names rooflaw ${provenance.programVersion}, which is older than ${since}, which began the campaign`;
    faults.push({ where: dataPackageFile, what });
  }
  if (folder.analysis?.evidence === 'ledger') {
    const expected = withholdAlike(folder.analysis, analysis);
    const ignored = wordsThatVersionsChange(provenance, programVersion);
    for (const { where, what } of findDifferences(folder.analysis, expected, ignored)) {
      faults.push({ where: `${analysisFile} ${where}`, what: `${what} from the ledger` });
    }
  }
  return faults;
}

/** By the three numbers of a version. */
function isOlder(version: string, than: string): boolean {
  const numbersOf = (text: string) =>
    (/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '').split('.').map(Number);
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const index = a.findIndex((number, place) => number !== b[place]);
  return index !== -1 && a[index]! < (b[index] ?? 0);
}

/** Words that the publisher withheld are no difference. */
function withholdAlike(stated: Analysis, analysis: Analysis): Analysis {
  return {
    ...analysis,
    notes: analysis.notes.map((note, index) =>
      stated.notes[index]?.text === withheld ? { ...note, text: withheld } : note,
    ),
    failures: analysis.failures.map((failure, index) =>
      stated.failures[index]?.message === withheld ? { ...failure, message: withheld } : failure,
    ),
  };
}
