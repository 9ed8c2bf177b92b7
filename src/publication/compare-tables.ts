import type { Fault } from '../errors.ts';
import type { RepetitionLines, TrialRepetitions } from '../formats/repetition-table.ts';
import { type TrialLine, type TrialRow, trialKey } from '../formats/trial-table.ts';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from '../stats/fraction.ts';
import { repetitionFile, trialFile } from './file-names.ts';

/** Everything in which a published trial table differs from what the ledger's repetitions give. */
export function compareTrials(
  stated: readonly TrialLine[],
  expected: readonly TrialRow[],
): Fault[] {
  const due = new Map(expected.map((row) => [trialKey(row.item, row.round), row]));
  const faults: Fault[] = [];
  for (const row of stated) {
    const key = trialKey(row.item, row.round);
    const where = `${trialFile} line ${row.line}`;
    const wanted = due.get(key);
    if (wanted === undefined) {
      faults.push({ where, what: `${key} is not in the ledger, or stands in the table twice` });
      continue;
    }
    due.delete(key);
    for (const what of compareRow(row, wanted)) faults.push({ where, what });
  }
  for (const key of due.keys()) {
    faults.push({ where: trialFile, what: `${key} is missing; the ledger has it` });
  }
  return faults;
}

function compareRow(stated: TrialLine, expected: TrialRow): string[] {
  const differences: string[] = [];
  for (const name of ['campaign', 'protocol', 'device', 'position', 'state'] as const) {
    if (stated[name] === expected[name]) continue;
    differences.push(`${name} is ${stated[name]}, in the ledger ${expected[name]}`);
  }
  for (const name of ['trialMeanNs', 'inTrialCv'] as const) {
    if (isWrittenAs(stated[name], expected[name])) continue;
    const text = stated[name] === null ? 'empty' : String(toNumber(stated[name]));
    differences.push(
      `${name} is ${text}, the ledger’s repetitions give ${expected[name] ?? 'none'}`,
    );
  }
  if (stated.processNs !== expected.processNs) {
    differences.push(
      `processNs is ${stated.processNs ?? 'empty'}, in the ledger ${expected.processNs ?? 'empty'}`,
    );
  }
  return differences;
}

function isWrittenAs(stated: Fraction | null, expected: number | null): boolean {
  if (stated === null || expected === null) return stated === expected;
  return compareFractions(stated, fractionOfDecimal(expected)) === 0;
}

/** The same for the repetitions: each time, in its order, none missing and none added. */
export function compareRepetitions(
  stated: ReadonlyMap<string, RepetitionLines>,
  expected: readonly TrialRepetitions[],
): Fault[] {
  const faults: Fault[] = [];
  const due = new Map(expected.map((trial) => [trialKey(trial.item, trial.round), trial]));
  for (const [key, trial] of stated) {
    const [first, last] = trial.lines;
    const wanted = due.get(key);
    if (wanted === undefined) {
      faults.push({
        where: `${repetitionFile} lines ${first} to ${last}`,
        what: `${key} is not in the ledger`,
      });
      continue;
    }
    due.delete(key);
    for (const { offset, what } of compareSeries(trial, wanted)) {
      faults.push({ where: `${repetitionFile} line ${first + offset}`, what });
    }
  }
  for (const key of due.keys()) {
    faults.push({ where: repetitionFile, what: `${key} is missing; the ledger has it` });
  }
  return faults;
}

function compareSeries(
  stated: TrialRepetitions,
  expected: TrialRepetitions,
): { offset: number; what: string }[] {
  const counts = ({ position, warmup, wallNs }: TrialRepetitions) =>
    `position ${position}, ${warmup} warm-up and ${wallNs.length - warmup} kept repetitions`;
  if (counts(stated) !== counts(expected)) {
    return [{ offset: 0, what: `${counts(stated)}, in the ledger ${counts(expected)}` }];
  }
  return expected.wallNs.flatMap((wallNs, offset) => {
    const differences: { offset: number; what: string }[] = [];
    const compare = (name: string, a: number | null, b: number | null) => {
      if (a === b) return;
      differences.push({
        offset,
        what: `${name} is ${a ?? 'empty'}, in the ledger ${b ?? 'empty'}`,
      });
    };
    compare('wallNs', stated.wallNs[offset]!, wallNs);
    compare('prepareNs', stated.prepareNs[offset]!, expected.prepareNs[offset]!);
    return differences;
  });
}
