import type { Fault } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import { decodeJson } from '../formats/parse.ts';
import { cutText } from '../formats/strict-csv.ts';
import type { FolderFiles } from './check-sums.ts';
import { describeCroissant } from './croissant.ts';
import { type DataPackage, describePackage } from './data-package.ts';
import type { PublicationFacts } from './facts.ts';
import { croissantFile, dataFilesOf, dataPackageFile, readmeFile } from './file-names.ts';
import { findDifferences } from './find-differences.ts';
import { describeFolder } from './readme.ts';
import { timesSteps } from './tabulate-steps.ts';

/** Sizes and hashes, which `checkDescriptions` compares with the files. */
const ofFiles = new Set(['bytes', 'hash', 'contentSize', 'sha256']);
/** What the publisher alone knows, and Croissant asks for. */
const addedByPublisher = ['url', 'creator'];

/**
 * Writes data descriptions and README anew, from the folder's own data and from what only they say:
 * title, licence, time, and which lines of which ledger. @returns where those of the folder differ
 */
export function compareDescribed(
  files: FolderFiles,
  analysis: Analysis,
  dataPackage: DataPackage,
  describeCourse: (analysis: Analysis) => readonly string[],
): Fault[] {
  const { title, created, licenses, rooflaw } = dataPackage;
  const facts: PublicationFacts = {
    ...{ analysis, course: describeCourse(analysis), title, publishedAt: created },
    license: licenses?.[0]?.name ?? null,
    programVersion: rooflaw.programVersion,
    planSha256: rooflaw.planSha256,
    protocolSha256: rooflaw.protocolSha256,
    ledger: { lines: rooflaw.ledgerLines, lastLineSha256: rooflaw.ledgerLastLineSha256 },
  };
  const described = dataFilesOf(timesSteps(analysis.protocol)).map((name) => ({ name, text: '' }));
  return [
    ...compareJson(files, dataPackageFile, describePackage(described, facts)),
    ...compareJson(files, croissantFile, describeCroissant(described, facts), addedByPublisher),
    ...compareReadme(files, describeFolder(facts)),
  ];
}

function textOf(files: FolderFiles, name: string): string | null {
  const bytes = files.get(name);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
}

/** A file that is missing or no JSON has its fault already. */
function compareJson(
  files: FolderFiles,
  name: string,
  expected: object,
  free: readonly string[] = [],
): Fault[] {
  const text = textOf(files, name);
  if (text === null) return [];
  let stated: Record<string, unknown>;
  try {
    stated = { ...(decodeJson(text, name) as object) };
  } catch {
    return [];
  }
  for (const member of free) delete stated[member];
  const written: unknown = JSON.parse(JSON.stringify(expected));
  return findDifferences(stated, written, ofFiles).map(({ where, what }) => ({
    ...{ where: `${name} ${where}`, what: `${what} from the data beside it` },
  }));
}

function compareReadme(files: FolderFiles, expected: string): Fault[] {
  const text = textOf(files, readmeFile);
  if (text === null || text === expected) return [];
  const stated = text.split('\n');
  const due = expected.split('\n');
  const line = stated.findIndex((words, index) => words !== due[index]);
  const index = line === -1 ? stated.length : line;
  const quote = (words: string | undefined) =>
    words === undefined ? 'nothing' : JSON.stringify(cutText(words, 80));
  return [
    {
      where: `${readmeFile} line ${index + 1}`,
      what: `is ${quote(stated[index])} where ${quote(due[index])} follows from the data beside it`,
    },
  ];
}
