import { analyzeTable } from '../analysis/analyze-table.ts';
import { measureTable } from '../analysis/measure-table.ts';
import { findDisagreements, type PublicTables } from '../analysis/table-faults.ts';
import { type Fault, RooflawError } from '../errors.ts';
import { analysisSchema, type SampleAnalysis } from '../formats/analysis.ts';
import { parseText } from '../formats/parse.ts';
import { protocolSchema } from '../formats/protocol.ts';
import { type RepetitionLines, readRepetitionTable } from '../formats/repetition-table.ts';
import { readTrialTable, type TrialLine } from '../formats/trial-table.ts';
import { findTrialTableFaults } from '../formats/trial-table-faults.ts';
import { identityOf } from '../hash.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { checkDescriptions } from './check-descriptions.ts';
import { checkSums, type FolderFiles } from './check-sums.ts';
import { dataPackageSchema, type Provenance } from './data-package.ts';
import {
  analysisFile,
  dataPackageFile,
  planFile,
  protocolFile,
  repetitionFile,
  trialFile,
} from './file-names.ts';
import { findDifferences } from './find-differences.ts';

/** What a published folder holds, as far as it can be read, and everything wrong with it. */
export interface CheckedFolder {
  faults: Fault[];
  trials: TrialLine[];
  repetitions: Map<string, RepetitionLines>;
  analysis: SampleAnalysis | null;
  provenance: Provenance | null;
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

/**
 * Checks a published folder by itself: the hashes, the tables against one another, against
 * protocol and plan, and the analysis against the tables.
 * @param programVersion of this program: sentences of the analysis are compared when it wrote them
 */
export function checkFolder(files: FolderFiles, programVersion: string): CheckedFolder {
  const faults = [...checkSums(files), ...checkDescriptions(files)];
  const read = <Value>(name: string, parse: (text: string) => Value): Value | null => {
    const bytes = files.get(name);
    if (bytes === undefined) {
      if (!faults.some(({ where }) => where === name)) {
        faults.push({ where: name, what: 'is missing' });
      }
      return null;
    }
    try {
      return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      faults.push(...faultsOfFile(error, name));
      return null;
    }
  };
  const trials = read(trialFile, readTrialTable) ?? { lines: [], faults: [] };
  const repetitions = read(repetitionFile, readRepetitionTable);
  const plan = read(planFile, (text) => parsePlan(text, planFile));
  const protocol = read(protocolFile, (text) => parseText(protocolSchema, text, protocolFile));
  const analysis = read(analysisFile, (text) => parseText(analysisSchema, text, analysisFile));
  const provenance =
    read(dataPackageFile, (text) => parseText(dataPackageSchema, text, dataPackageFile))?.rooflaw ??
    null;

  const tableFaults = [
    ...trials.faults,
    ...findTrialTableFaults(trials.lines, repetitions === null),
  ].map(inFile(trialFile));
  tableFaults.push(...(repetitions?.faults ?? []).map(inFile(repetitionFile)));
  const tables: PublicTables = {
    ...{ subject: trialFile, trials: trials.lines, protocol, plan },
    repetitions: repetitions?.trials ?? null,
  };
  if (trials.lines.length > 0) {
    tableFaults.push(...findDisagreements(tables).map(inFile(trialFile)));
  }
  faults.push(...tableFaults);
  if (provenance !== null) {
    const stated = { planSha256: plan, protocolSha256: protocol };
    for (const [name, value] of Object.entries(stated)) {
      if (value === null || identityOf(value) === provenance[name as keyof typeof stated]) continue;
      const what = `${name} is not that of the file beside it`;
      faults.push({ where: dataPackageFile, what });
    }
  }
  if (analysis !== null && tableFaults.length === 0 && trials.lines.length > 0) {
    const words = wordsThatVersionsChange(provenance, programVersion);
    faults.push(...compareAnalysis(analysis, tables, words));
  }
  return {
    ...{ faults, analysis, provenance, trials: trials.lines },
    repetitions: repetitions?.trials ?? new Map(),
  };
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
    ...{ protocolName: protocol, device, protocol: tables.protocol },
  });
  const ignored = new Set(['session', 'attempts', ...words]);
  return findDifferences(takeTabular(analysis), takeTabular(follows), ignored).map((fault) => ({
    ...fault,
    where: `${analysisFile} ${fault.where}`,
  }));
}

/** Without what only the ledger can say: what differed between sessions, what failures cost. */
function takeTabular(analysis: SampleAnalysis) {
  const { name, progress, rules, items, drift, roundSubsets, orderEffect, warmup, allocation } =
    analysis;
  const { reopening: _reopening, ...closure } = analysis.closure;
  const trials = analysis.trials.map((trial) =>
    trial.state === 'observed' ? trial : { ...trial, processNs: null },
  );
  const samples = { items, drift, roundSubsets, orderEffect, trials, warmup, allocation };
  return { name, rules, progress, closure, ...samples };
}
