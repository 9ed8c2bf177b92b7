import { analyzeCampaign } from '../analysis/analyze.ts';
import { analyzeTable } from '../analysis/analyze-table.ts';
import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { measureTable } from '../analysis/measure-table.ts';
import { type CampaignFolder, hasLedger, locateCampaign } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import type { Analysis, SampleAnalysis, TableAnalysis } from '../formats/analysis.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';
import { locateTrialTable, readPublicTables } from '../publication/read-tables.io.ts';
import { loadRecord } from './load-record.ts';

export interface LoadOptions {
  /** Asked for afterwards in place of the declared one; the analysis labels it so. */
  targetDifference?: number;
  /** Which campaign, where a trial table holds several. */
  campaign?: string;
}

/** Reads, checks and analyses a campaign. @throws RooflawError `not-found`, `ledger-broken` */
export async function loadAnalysis(
  nameOrPath: string,
  { targetDifference }: Pick<LoadOptions, 'targetDifference'> = {},
): Promise<{ folder: CampaignFolder; record: CampaignRecord; analysis: Analysis }> {
  const folder = locateCampaign(nameOrPath);
  const record = await loadRecord(folder.ledger);
  const options = targetDifference === undefined ? {} : { targetDifference };
  return { folder, record, analysis: analyzeCampaign(record, hashShippedProtocols(), options) };
}

/**
 * Analyses whatever holds samples: a campaign by name, folder or ledger, a trial table, or a folder
 * that was published. Where a folder holds both, the ledger counts.
 * @throws RooflawError `not-found`, `ledger-broken`, `invalid-input` with every fault of the tables
 */
export async function loadSamples(
  nameOrPath: string,
  options: LoadOptions = {},
): Promise<SampleAnalysis> {
  const { analysis, origin } = await loadSamplesAndOrigin(nameOrPath, options);
  if (origin !== null && options.campaign !== undefined && options.campaign !== analysis.name) {
    throw new RooflawError('invalid-input', `the ledger is of the campaign "${analysis.name}"`, {
      hint: '--campaign picks one of a trials.csv with several; a ledger holds one',
    });
  }
  return analysis;
}

/** The same with the ledger's own words on where the samples came from; null for a table. */
export async function loadSamplesAndOrigin(
  nameOrPath: string,
  options: LoadOptions = {},
): Promise<{ analysis: SampleAnalysis; origin: CampaignRecord | null }> {
  const table = hasLedger(nameOrPath) ? null : locateTrialTable(nameOrPath);
  if (table !== null) return { analysis: analyzePublished(table, options), origin: null };
  const { analysis, record } = await loadAnalysis(nameOrPath, options);
  return { analysis, origin: record };
}

/** @param table path of a `trials.csv` */
export function analyzePublished(table: string, options: LoadOptions = {}): TableAnalysis {
  const tables = readPublicTables(table, options.campaign);
  const { protocol: protocolName, device } = tables.trials[0]!;
  return analyzeTable(measureTable(tables, options.targetDifference ?? null), {
    protocolName,
    device,
    protocol: tables.protocol,
    plan: tables.plan,
    absent: tables.absent,
  });
}
