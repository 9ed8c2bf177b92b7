import { analyzeCampaign } from '../analysis/analyze.ts';
import { collectCampaign } from '../analysis/collect.ts';
import { type CampaignFolder, locateCampaign } from '../campaign/locate.io.ts';
import type { Analysis } from '../formats/analysis.ts';
import { readLedger } from '../ledger/read.io.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';

/** Reads, checks and analyses a campaign. @throws RooflawError `not-found`, `ledger-broken` */
export async function loadAnalysis(
  nameOrPath: string,
): Promise<{ folder: CampaignFolder; analysis: Analysis }> {
  const folder = locateCampaign(nameOrPath);
  const record = await collectCampaign(readLedger(folder.ledger));
  return { folder, analysis: analyzeCampaign(record, hashShippedProtocols()) };
}
