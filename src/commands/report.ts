import type { Command } from 'commander';
import { analyzeSteps } from '../analysis/steps.ts';
import { bandSteps } from '../analysis/steps-band.ts';
import { createStepCollector } from '../analysis/steps-collect.ts';
import { hasLedger } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import { readLedger } from '../ledger/read.io.ts';
import { toPrintable } from '../printable.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';
import { timesSteps } from '../publication/tabulate-steps.ts';
import type { ReportedSteps } from '../report/sections/steps.ts';
import { loadAnalysis } from './load-analysis.ts';
import { refuseOther, writeOutput } from './write-file.ts';

/** Writes a campaign's report. @returns where it lies. */
export async function writeReport(campaign: string, out?: string): Promise<string> {
  await refuseTable(campaign);
  const { folder, record, analysis } = await loadAnalysis(campaign);
  const steps = timesSteps(record.campaign.plan.protocol) ? await loadSteps(folder.ledger) : null;
  const { renderReport } = await import('../report/render-report.ts'); // figures take long to load
  const path = out ?? folder.report;
  refuseOther(path, '<meta name="generator" content="rooflaw ');
  writeOutput(path, renderReport(analysis, steps));
  return path;
}

/** @throws RooflawError `ledger-broken` */
async function loadSteps(ledger: string): Promise<ReportedSteps> {
  const collector = createStepCollector();
  await readLedger(ledger, collector.take);
  const gathered = collector.finish();
  const analysis = analyzeSteps(gathered, hashShippedProtocols());
  return { analysis, bands: analysis.items.map((item) => bandSteps(item, gathered.steps)) };
}

/** @throws RooflawError `invalid-input` for a published folder or table */
async function refuseTable(campaign: string): Promise<void> {
  if (hasLedger(campaign)) return;
  const { locateTrialTable } = await import('../publication/read-tables.io.ts'); // rarely needed
  if (locateTrialTable(campaign) === null) return;
  throw new RooflawError('invalid-input', `${campaign} holds tables, and a report needs a ledger`, {
    hint: '`rooflaw analyze` reads tables; name the campaign for its report',
  });
}

export function registerReport(program: Command): void {
  program
    .command('report')
    .description('Write a campaign’s report: one HTML file that needs nothing else.')
    .argument('<campaign>', 'name, folder or ledger')
    .option('--out <file>', 'where it is written (default: report.html in the campaign’s folder)')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw report pocket
  $ rooflaw report pocket --out pocket.html

Exit status: 0 written, 2 no such campaign or one without a ledger, 4 not writable, 5 the ledger is not
as it was written`,
    )
    .action(async (campaign: string, { out }: { out?: string }) => {
      process.stdout.write(`${toPrintable(await writeReport(campaign, out))}\n`);
    });
}
