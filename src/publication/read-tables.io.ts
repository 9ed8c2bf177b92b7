import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PublicTables } from '../analysis/table-faults.ts';
import { RooflawError } from '../errors.ts';
import type { TableAnalysis } from '../formats/analysis.ts';
import { readRepetitionTable } from '../formats/repetition-table.ts';
import { cutText, throwTableFaults } from '../formats/strict-csv.ts';
import { readTrialTable, type TrialLine } from '../formats/trial-table.ts';
import { findTrialTableFaults } from '../formats/trial-table-faults.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { readProtocol } from '../protocol/shipped.io.ts';
import { mostTableBytes, readText, readTextIfThere } from '../read-text.io.ts';
import { analysisFile, planFile, protocolFile, repetitionFile, trialFile } from './file-names.ts';

/** Path of the trial table that a word of the command line names, or null when it names none. */
export function locateTrialTable(path: string): string | null {
  if (!existsSync(path)) return null;
  if (!statSync(path).isDirectory()) return path.toLowerCase().endsWith('.csv') ? path : null;
  const table = join(path, trialFile);
  return existsSync(table) ? table : null;
}

export interface ReadTables extends PublicTables {
  /** What lies beside the table and could not be used, with the reason. */
  absent: TableAnalysis['absent'];
}

/**
 * Reads a trial table and what was published beside it in the same folder: `repetitions.csv`,
 * `protocol.json`, `plan.json`, each where it is there.
 * @param campaign which one, where the table holds several
 * @throws RooflawError `invalid-input` with the faults of both tables, `not-found`
 */
export function readPublicTables(path: string, campaign?: string): ReadTables {
  const { lines, faults } = readTrialTable(readText(path, mostTableBytes));
  const names = [...new Set(lines.map((row) => row.campaign))];
  const trials = campaign === undefined ? lines : lines.filter((row) => row.campaign === campaign);
  if (lines.length === 0 && faults.length === 0) {
    faults.push({ where: 'line 2', what: 'there is no trial' });
  }
  const isAlone = names.length <= 1;
  const beside = (name: string) =>
    isAlone ? readTextIfThere(join(dirname(path), name), mostTableBytes) : null;
  const repetitionText = beside(repetitionFile);
  const repetitions = repetitionText === null ? null : readRepetitionTable(repetitionText);
  for (const fault of repetitions?.faults ?? []) {
    faults.push({ ...fault, where: `${repetitionFile}, ${fault.where}` });
  }
  if (isAlone || campaign !== undefined) {
    for (const fault of findTrialTableFaults(trials, repetitions === null)) faults.push(fault);
  }
  throwTableFaults(path, faults);
  chooseOne(path, trials, names, campaign);

  const planText = beside(planFile);
  const plan = planText === null ? null : parsePlan(planText, join(dirname(path), planFile));
  const protocolPath = join(dirname(path), protocolFile);
  const hasProtocol = beside(protocolFile) !== null;
  return {
    subject: path,
    trials,
    repetitions: repetitions?.trials ?? null,
    protocol: hasProtocol ? readProtocol(protocolPath) : (plan?.protocol ?? null),
    plan,
    absent: isAlone ? listBeside(path) : [severalCampaigns],
  };
}

const severalCampaigns = {
  field: 'protocol',
  reason:
    'the table holds several campaigns, so a protocol, plan or repetitions beside it are not known to belong to this one',
};

/** What was published with the table and is no part of this analysis. */
function listBeside(path: string): TableAnalysis['absent'] {
  if (!existsSync(join(dirname(path), analysisFile))) return [];
  const reason = `others at work on the device, environment, sessions and notes: ${analysisFile} beside the table holds what the ledger says of them, and was not read`;
  return [{ field: 'otherUse', reason }];
}

/** So many are named of what there may be thousands of. */
const namedCampaigns = 5;

function chooseOne(
  path: string,
  trials: readonly TrialLine[],
  names: readonly string[],
  campaign: string | undefined,
): void {
  const rest = names.length > namedCampaigns ? ', …' : '';
  const list = `${names.slice(0, namedCampaigns).join(', ')}${rest}`;
  if (campaign !== undefined && trials.length === 0) {
    throw new RooflawError('not-found', `${path} has no campaign "${cutText(campaign, 80)}"`, {
      hint: `it has ${list}`,
    });
  }
  if (campaign === undefined && names.length > 1) {
    throw new RooflawError('invalid-input', `${path} holds ${names.length} campaigns: ${list}`, {
      hint: 'pick one with --campaign NAME: times of different campaigns are not pooled',
    });
  }
}
