import { type Command, InvalidArgumentError } from 'commander';
import { RooflawError } from '../errors.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatJson } from '../printable.ts';
import { formatReplay } from '../report/format-replay.ts';
import { formatTable } from '../report/format-table.ts';
import { type LoadOptions, loadSamples } from './load-analysis.ts';
import { describeOutput } from './output-terminal.ts';
import { loadReplay } from './replay.ts';

interface AnalyzeOptions extends LoadOptions {
  json: boolean;
  brief: boolean;
  replay?: string;
  compare?: string[];
}

export function registerAnalyze(program: Command): void {
  program
    .command('analyze')
    .description('Say what a campaign’s numbers are, and what they do and do not support.')
    .argument(
      '<samples>',
      'a campaign (name, folder or ledger), a trials.csv or a published folder',
    )
    .option('--json', 'the whole analysis as JSON (docs/formats.md)', false)
    .option('--brief', 'only the table and the answer', false)
    .option(
      '--target-difference <fraction>',
      'ask about another difference than the plan declares; the answer says that it was asked afterwards',
      parseFraction,
    )
    .option('--campaign <name>', 'which one, where a trials.csv holds several')
    .option(
      '--replay <protocol>',
      'when the stopping rule of this protocol (a name or a file) would have ended the campaign',
    )
    .option(
      '--compare <pair>',
      'with --replay: two items, A vs B, where the rule is about declared comparisons; may be repeated',
      (text: string, earlier: string[] = []) => [...earlier, text],
    )
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw analyze pocket
  $ rooflaw analyze results/h200-pilot-a/trials.csv --target-difference 0.05
  $ rooflaw analyze results/h200-pilot-v1 --replay v2
  $ rooflaw analyze pocket --json | jq '.items[] | {architecture, quantization, sequenceLength, phase, representativeNs}'

What lies beside a trials.csv is used with it: repetitions.csv, protocol.json, plan.json. Its
columns stand in docs/formats.md.

Exit status: 0 analysed, 2 no such campaign or a faulty table, 5 the ledger is not as it was written`,
    )
    .action(async (samples: string, all: AnalyzeOptions) => {
      const { json, brief, replay: rule, compare = [], ...options } = all;
      if (rule !== undefined) {
        const replay = await loadReplay(samples, rule, compare);
        const text = json ? formatJson(replay) : formatReplay(replay, describeOutput());
        process.stdout.write(`${text.trimEnd()}\n`);
        return;
      }
      if (compare.length > 0) {
        throw new RooflawError('invalid-input', '--compare belongs to --replay', {
          hint: '`rooflaw compare` compares items of a campaign',
        });
      }
      const analysis = await loadSamples(samples, options);
      process.stdout.write(json ? formatJson(analysis) : describe(analysis, brief));
    });
}

/** The table as the terminal takes it. */
export function describe(analysis: SampleAnalysis, brief = false): string {
  return formatTable(analysis, { ...describeOutput(), brief });
}

function parseFraction(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && value < 1) return value;
  throw new InvalidArgumentError('must be a decimal fraction between 0 and 1: 0.05 is 5 %');
}
