import type { Command } from 'commander';
import { formatTable } from '../report/format-table.ts';
import { loadAnalysis } from './load-analysis.ts';

export function registerAnalyze(program: Command): void {
  program
    .command('analyze')
    .description('Say what a campaign’s numbers are, and what they do and do not support.')
    .argument('<campaign>', 'name, folder or ledger')
    .option('--json', 'the whole analysis as JSON (docs/formats.md)', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw analyze pocket
  $ rooflaw analyze pocket --json | jq '.items[] | {architecture, quantization, sequenceLength, phase, representativeNs}'

Exit status: 0 analysed, 2 no such campaign, 5 the ledger is not as it was written`,
    )
    .action(async (campaign: string, { json }: { json: boolean }) => {
      const { analysis } = await loadAnalysis(campaign);
      process.stdout.write(json ? `${JSON.stringify(analysis, null, 2)}\n` : describe(analysis));
    });
}

/** The table as the terminal takes it. */
export function describe(analysis: Parameters<typeof formatTable>[0]): string {
  const { isTTY, columns } = process.stdout;
  return formatTable(analysis, { colour: isTTY === true, width: columns ?? 120 });
}
