import type { z } from 'zod';
import { analyzeTable } from '../analysis/analyze-table.ts';
import { measureTable } from '../analysis/measure-table.ts';
import { findDisagreements, type PublicTables } from '../analysis/table-faults.ts';
import { type Fault, RooflawError } from '../errors.ts';
import { type Analysis, analysisSchema, type SampleAnalysis } from '../formats/analysis.ts';
import { parseText } from '../formats/parse.ts';
import type { Plan } from '../formats/plan.ts';
import { type Protocol, protocolSchema } from '../formats/protocol.ts';
import { type RepetitionLines, readRepetitionTable } from '../formats/repetition-table.ts';
import { readStepTable, type StepLines } from '../formats/step-table.ts';
import { cutText } from '../formats/strict-csv.ts';
import { tableVersionOf } from '../formats/table-place.ts';
import { readTrialTable, type TrialLine } from '../formats/trial-table.ts';
import { findTrialTableFaults } from '../formats/trial-table-faults.ts';
import { identityOf } from '../hash.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { checkDescriptions, croissantSchema } from './check-descriptions.ts';
import { checkSteps } from './check-steps.ts';
import { checkSums, type FolderFiles } from './check-sums.ts';
import { compareDescribed } from './compare-described.ts';
import { comparePlan } from './compare-plan.ts';
import { type DataPackage, dataPackageSchema, type Provenance } from './data-package.ts';
import {
  analysisFile,
  croissantFile,
  dataFilesOf,
  dataPackageFile,
  planFile,
  protocolFile,
  publishedFilesOf,
  readmeFile,
  repetitionFile,
  stepFile,
  trialFile,
} from './file-names.ts';
import { findDifferences } from './find-differences.ts';
import { timesSteps } from './tabulate-steps.ts';

/** What a published folder holds, as far as it can be read, and everything wrong with it. */
export interface CheckedFolder {
  faults: Fault[];
  trials: TrialLine[];
  repetitions: Map<string, RepetitionLines>;
  /** Empty where no steps were timed. */
  steps: Map<string, StepLines>;
  analysis: SampleAnalysis | null;
  provenance: Provenance | null;
  /** What this version of the program cannot compare, in sentences. */
  notCompared: string[];
}

/** Sentences, which another version of the program may put differently. */
const sentences = ['reason', 'why', 'sentences', 'doesNotShow', 'caveats', 'label'];

/** What is not compared: sentences that another version of the program wrote. */
export function wordsThatVersionsChange(
  provenance: Provenance | null,
  programVersion: string,
): ReadonlySet<string> {
  return new Set(provenance?.programVersion === programVersion ? [] : sentences);
}

/** The program that checks: what it wrote itself it can write anew. */
export interface Checker {
  programVersion: string;
  /** The lines of the README on the hours of measuring. */
  describeCourse(analysis: Analysis): readonly string[];
}

/**
 * Checks a published folder by itself: its files and their hashes, the tables against one another,
 * against protocol and plan, the analysis against the tables, and the descriptions against all of it.
 * Sentences and descriptions are compared when this version of the program wrote them.
 */
export function checkFolder(files: FolderFiles, checker: Checker): CheckedFolder {
  const faults = checkSums(files);
  const read = <Value>(name: string, parse: (text: string) => Value): Value | null => {
    const bytes = files.get(name);
    if (bytes === undefined) return null;
    try {
      return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      for (const fault of faultsOfFile(error, name)) faults.push(fault);
      return null;
    }
  };
  const readAs = <Schema extends z.ZodType>(schema: Schema, name: string) =>
    read(name, (text) => parseText(schema, text, name));
  const trials = read(trialFile, readTrialTable) ?? { lines: [], faults: [] };
  const repetitions = read(repetitionFile, readRepetitionTable);
  const plan = read(planFile, (text) => parsePlan(text, planFile));
  const protocol = readAs(protocolSchema, protocolFile);
  const hasSteps = protocol !== null && timesSteps(protocol);
  for (const fault of findMissing(files, hasSteps, faults)) faults.push(fault);
  const steps = read(stepFile, readStepTable);
  const analysis = readAs(analysisSchema, analysisFile);
  const dataPackage = readAs(dataPackageSchema, dataPackageFile);
  const croissant = readAs(croissantSchema, croissantFile);
  const provenance = dataPackage?.rooflaw ?? null;

  const tables: PublicTables = {
    ...{ subject: trialFile, trials: trials.lines, protocol, plan },
    repetitions: repetitions?.trials ?? null,
  };
  const tableFaults = [
    ...trials.faults.map(inFile(trialFile)),
    ...findTrialTableFaults(trials.lines, repetitions === null).map(inFile(trialFile)),
    ...(repetitions?.faults ?? []).map(inFile(repetitionFile)),
    ...(trials.lines.length > 0 ? findDisagreements(tables).map(inFile(trialFile)) : []),
    ...(steps?.faults ?? []).map(inFile(stepFile)),
    ...(hasSteps && steps?.faults.length === 0
      ? checkSteps(steps.trials, trials.lines, repetitions?.trials ?? new Map(), protocol)
      : []),
  ];
  const canAnalyze = analysis !== null && tableFaults.length === 0 && trials.lines.length > 0;
  const words = wordsThatVersionsChange(provenance, checker.programVersion);
  const found = [
    ...faults,
    ...checkDescriptions(files, dataPackage, croissant, dataFilesOf(hasSteps)),
    ...tableFaults,
    ...compareIdentities(provenance, { planSha256: plan, protocolSha256: protocol }),
    ...(canAnalyze ? compareAnalysis(analysis, tables, words) : []),
    ...(analysis?.evidence === 'ledger' && plan !== null
      ? comparePlan(analysis, plan).map(inAnalysis)
      : []),
    ...compareDevice(trials.lines, analysis),
    ...compareTableVersion(files, provenance),
    ...compareWithWritten(files, analysis, dataPackage, checker),
  ];
  return {
    ...{ faults: found, analysis, provenance, trials: trials.lines },
    repetitions: repetitions?.trials ?? new Map(),
    steps: steps?.trials ?? new Map(),
    notCompared: listNotCompared(provenance, checker.programVersion),
  };
}

/** Files that this campaign must have, and the one of steps where it must not. */
function findMissing(files: FolderFiles, hasSteps: boolean, known: readonly Fault[]): Fault[] {
  const missing = publishedFilesOf(hasSteps).filter(
    (name) => !files.has(name) && !known.some(({ where }) => where === name),
  );
  return [
    ...missing.map((name) => ({ where: name, what: 'is missing' })),
    ...(files.has(stepFile) && !hasSteps
      ? [{ where: stepFile, what: `is here, and by ${protocolFile} no step was timed by itself` }]
      : []),
  ];
}

function compareDevice(trials: readonly TrialLine[], analysis: SampleAnalysis | null): Fault[] {
  const [first] = trials;
  if (first === undefined || analysis?.evidence !== 'ledger') return [];
  const { deviceDescription } = analysis.identity.fingerprint;
  if (first.device === deviceDescription) return [];
  const what = `device is ${cutText(first.device)}, in ${analysisFile} ${cutText(deviceDescription)}`;
  return [{ where: `${trialFile} line ${first.line}`, what }];
}

/** Both tables are of the version that the data package states. */
function compareTableVersion(files: FolderFiles, provenance: Provenance | null): Fault[] {
  if (provenance === null) return [];
  return [trialFile, repetitionFile].flatMap((name) => {
    const bytes = files.get(name);
    if (bytes === undefined) return [];
    const version = tableVersionOf(new TextDecoder().decode(bytes.subarray(0, longestHeader)));
    if (version === provenance.formatVersion) return [];
    const what = `has the columns of version ${version}, in ${dataPackageFile} it is of version ${provenance.formatVersion}`;
    return [{ where: `${name} line 1`, what }];
  });
}

/** Bytes; a header of the known columns is shorter. */
const longestHeader = 4096;

function compareWithWritten(
  files: FolderFiles,
  analysis: SampleAnalysis | null,
  dataPackage: DataPackage | null,
  { programVersion, describeCourse }: Checker,
): Fault[] {
  if (analysis === null) return [];
  if (analysis.evidence !== 'ledger') {
    return [{ where: analysisFile, what: 'is not the analysis of a ledger' }];
  }
  if (dataPackage?.rooflaw.programVersion !== programVersion) return [];
  return compareDescribed(files, analysis, dataPackage, describeCourse);
}

/** Whoever writes a folder says which version wrote it: what that switches off is said aloud. */
function listNotCompared(provenance: Provenance | null, programVersion: string): string[] {
  if (provenance === null || provenance.programVersion === programVersion) return [];
  return [
    `written by rooflaw ${provenance.programVersion}, as it says, and this is ${programVersion}: the sentences of ${analysisFile}, ${readmeFile} and the words of ${dataPackageFile} and ${croissantFile} were not compared`,
  ];
}

function compareIdentities(
  provenance: Provenance | null,
  files: { planSha256: Plan | null; protocolSha256: Protocol | null },
): Fault[] {
  if (provenance === null) return [];
  return (['planSha256', 'protocolSha256'] as const).flatMap((name) => {
    const value = files[name];
    if (value === null || identityOf(value) === provenance[name]) return [];
    return [{ where: dataPackageFile, what: `${name} is not that of the file beside it` }];
  });
}

const inFile =
  (file: string) =>
  (fault: Fault): Fault =>
    /^lines? \d/.test(fault.where) ? { ...fault, where: `${file} ${fault.where}` } : fault;

function faultsOfFile(error: unknown, name: string): Fault[] {
  if (!(error instanceof RooflawError)) return [{ where: name, what: 'is not text in UTF-8' }];
  if (error.faults.length === 0) return [{ where: name, what: error.message }];
  return error.faults.map((fault) => ({ ...fault, where: `${name}, ${fault.where}` }));
}

/** What of an analysis follows from the tables alone. */
function compareAnalysis(
  analysis: SampleAnalysis,
  tables: PublicTables,
  words: ReadonlySet<string>,
): Fault[] {
  const { protocol, device } = tables.trials[0]!;
  const { targetDifference, targetSource } = analysis.closure;
  const asked = targetSource === 'command-line' ? targetDifference : null;
  const follows = analyzeTable(measureTable(tables, asked), {
    ...{ protocolName: protocol, device, protocol: tables.protocol, plan: tables.plan },
  });
  const ignored = new Set(['session', 'attempts', ...words]);
  return findDifferences(takeTabular(analysis), takeTabular(follows), ignored).map(inAnalysis);
}

const inAnalysis = (fault: Fault): Fault => ({ ...fault, where: `${analysisFile} ${fault.where}` });

/** Without what only the ledger can say: what differed between sessions, what failures cost. */
function takeTabular(analysis: SampleAnalysis) {
  const { name, progress, rules, items, drift, roundSubsets, orderEffect, warmup, allocation } =
    analysis;
  const { sequential } = analysis;
  const { reopening: _reopening, ...closure } = analysis.closure;
  const trials = analysis.trials.map((trial) =>
    trial.state === 'observed' ? trial : { ...trial, processNs: null },
  );
  const samples = { items, drift, roundSubsets, orderEffect, trials, warmup, allocation };
  return { name, rules, progress, closure, sequential, ...samples };
}
