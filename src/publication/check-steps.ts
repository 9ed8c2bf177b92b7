import type { Fault } from '../errors.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { RepetitionLines } from '../formats/repetition-table.ts';
import { type StepLines, stepKey, type TrialSteps } from '../formats/step-table.ts';
import { type TrialLine, trialKey } from '../formats/trial-table.ts';
import { repetitionFile, stepFile, trialFile } from './file-names.ts';

/** Whether the steps are those of the observed decode trials, as many as planned, and add up to them. */
export function checkSteps(
  steps: ReadonlyMap<string, StepLines>,
  trials: readonly TrialLine[],
  repetitions: ReadonlyMap<string, RepetitionLines>,
  { decodeSteps }: Protocol,
): Fault[] {
  const left = new Map(steps);
  const faults: Fault[] = [];
  for (const row of trials) {
    if (row.state !== 'observed' || row.item.phase !== 'decode') continue;
    const key = stepKey(row);
    const found = left.get(key);
    left.delete(key);
    const raw = repetitions.get(trialKey(row.item, row.round));
    if (found === undefined) {
      const what = `${stepFile} has no steps of this trial`;
      faults.push({ where: `${trialFile} line ${row.line}`, what });
    } else if (raw !== undefined) {
      const due = row.item.decodeSteps ?? decodeSteps;
      const what = compareWithRepetitions(found, raw, due);
      if (what !== null) faults.push({ where: `${stepFile} line ${found.line}`, what });
    }
  }
  for (const [key, { line }] of left) {
    const what = `${key} is no observed decode trial of ${trialFile}`;
    faults.push({ where: `${stepFile} line ${line}`, what });
  }
  return faults;
}

/** The first thing that is wrong with a trial's steps. */
function compareWithRepetitions(
  found: StepLines,
  { wallNs, prepareNs }: RepetitionLines,
  due: number,
): string | null {
  const { repetitions } = found;
  const key = stepKey(found);
  if (repetitions.length !== wallNs.length) {
    return `${key} has steps of ${repetitions.length} repetitions, ${repetitionFile} has ${wallNs.length}`;
  }
  for (const [index, { prefillNs, stepNs }] of repetitions.entries()) {
    const where = `repetition ${index} of ${key}`;
    const prepared = prepareNs[index]!;
    if (prefillNs !== null && prepared !== null && prefillNs > prepared) {
      return `the prefill of ${where} takes ${prefillNs} ns, all that came before it in ${repetitionFile} ${prepared} ns`;
    }
    if (stepNs.length !== due) return `${where} has ${stepNs.length} steps where ${due} are due`;
    const sum = stepNs.reduce((total, ns) => total + ns, 0);
    if (sum !== wallNs[index]) {
      return `the steps of ${where} add up to ${sum} ns, in ${repetitionFile} it took ${wallNs[index]} ns`;
    }
  }
  return null;
}

/** Everything in which published steps differ from the ledger's. */
export function compareSteps(
  stated: ReadonlyMap<string, StepLines>,
  expected: readonly TrialSteps[],
): Fault[] {
  const left = new Map(stated);
  const faults: Fault[] = [];
  for (const trial of expected) {
    const key = stepKey(trial);
    const found = left.get(key);
    left.delete(key);
    if (found === undefined) {
      faults.push({ where: stepFile, what: `${key} is missing; the ledger has it` });
      continue;
    }
    const what = findDifference(found, trial);
    if (what !== null) {
      faults.push({ where: `${stepFile} line ${found.line}`, what: `${key}: ${what}` });
    }
  }
  for (const [key, { line }] of left) {
    faults.push({ where: `${stepFile} line ${line}`, what: `${key} is not in the ledger` });
  }
  return faults;
}

function findDifference(stated: TrialSteps, expected: TrialSteps): string | null {
  const [a, b] = [stated.repetitions, expected.repetitions];
  if (a.length !== b.length) return `${a.length} repetitions, in the ledger ${b.length}`;
  for (const [index, repetition] of b.entries()) {
    const { prefillNs, stepNs } = a[index]!;
    const where = `repetition ${index}`;
    if (prefillNs !== repetition.prefillNs) {
      return `the prefill of ${where} is ${prefillNs ?? 'left out'}, in the ledger ${repetition.prefillNs ?? 'none'}`;
    }
    const step = repetition.stepNs.findIndex((ns, place) => ns !== stepNs[place]);
    if (step !== -1) {
      return `step ${step} of ${where} is ${stepNs[step] ?? 'missing'}, in the ledger ${repetition.stepNs[step]}`;
    }
    if (stepNs.length !== repetition.stepNs.length) return `${where} has steps that were added`;
  }
  return null;
}
