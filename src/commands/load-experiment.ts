import { RooflawError } from '../errors.ts';
import { analyzeExperiment } from '../experiment/analyze.ts';
import { createExperimentCollector } from '../experiment/collect.ts';
import { readLedger } from '../ledger/read.io.ts';
import { formatJson } from '../printable.ts';
import { formatExperiment } from '../report/format-experiment.ts';
import { describeOutput } from './output-terminal.ts';

/**
 * Reads, checks and analyses the ledger of an experiment, and prints what it found.
 * @throws RooflawError `not-found`, `ledger-broken`, `invalid-input` for a campaign that is none
 */
export async function printExperiment(ledger: string, isJson: boolean): Promise<void> {
  const collector = createExperimentCollector();
  await readLedger(ledger, collector.take);
  const collected = collector.finish();
  if (collected === null) {
    throw new RooflawError('invalid-input', `${ledger} holds no experiment`, {
      hint: '`rooflaw analyze` reads the ledgers of campaigns',
    });
  }
  const result = analyzeExperiment(collected);
  process.stdout.write(isJson ? formatJson(result) : formatExperiment(result, describeOutput()));
}
