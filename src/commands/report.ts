import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { RooflawError } from '../errors.ts';
import { loadAnalysis } from './load-analysis.ts';

/** Writes a campaign's report. @returns where it lies. */
export async function writeReport(campaign: string, out?: string): Promise<string> {
  const { folder, analysis } = await loadAnalysis(campaign);
  const { renderReport } = await import('../report/render-report.ts'); // figures take long to load
  const path = out ?? folder.report;
  try {
    writeFileSync(path, renderReport(analysis));
  } catch (cause) {
    throw new RooflawError('not-writable', `cannot write ${path}: ${(cause as Error).message}`, {
      hint: 'choose another place with --out',
      cause,
    });
  }
  return path;
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

Exit status: 0 written, 2 no such campaign, 4 not writable, 5 the ledger is not as it was written`,
    )
    .action(async (campaign: string, { out }: { out?: string }) => {
      process.stdout.write(`${await writeReport(campaign, out)}\n`);
    });
}
