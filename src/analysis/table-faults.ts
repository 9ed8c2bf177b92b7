import type { Fault } from '../errors.ts';
import { formatItem } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { RepetitionLines } from '../formats/repetition-table.ts';
import { type TrialLine, trialKey } from '../formats/trial-table.ts';
import { identityOf } from '../hash.ts';
import { planTrials } from '../protocol/schedule.ts';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from '../stats/fraction.ts';
import { coefficientOfVariation } from '../stats/variation.ts';

/** What was published together, read and checked each for itself; null for what is not there. */
export interface PublicTables {
  /** Path of the trial table, for messages. */
  subject: string;
  /** Rows of one campaign, at least one. */
  trials: readonly TrialLine[];
  /** By `trialKey`. */
  repetitions: ReadonlyMap<string, RepetitionLines> | null;
  protocol: Protocol | null;
  plan: Plan | null;
}

/** Everything in which files that were published together do not agree. */
export function findDisagreements({ trials, repetitions, protocol, plan }: PublicTables): Fault[] {
  return [
    ...findNameFaults(trials, protocol),
    ...(plan === null ? [] : findPlanFaults(trials, plan, protocol)),
    ...(repetitions === null
      ? []
      : findRepetitionFaults(trials, repetitions, protocol, plan !== null)),
  ];
}

function findNameFaults(trials: readonly TrialLine[], protocol: Protocol | null): Fault[] {
  const { protocol: named, line } = trials[0]!;
  if (protocol === null || named === protocol.name) return [];
  return [
    {
      where: `line ${line}`,
      what: `protocol is ${named}, but the rules beside the table (protocol.json or plan.json) are ${protocol.name}`,
      hint: 'put the files there by which it was measured, or none',
    },
  ];
}

/** The plan says by which protocol, and which item is measured when. */
function findPlanFaults(
  trials: readonly TrialLine[],
  plan: Plan,
  protocol: Protocol | null,
): Fault[] {
  if (protocol !== null && identityOf(protocol) !== plan.protocolSha256) {
    return [{ where: 'protocol.json', what: 'is not the protocol that plan.json holds' }];
  }
  const due = new Map(
    planTrials(plan).map(({ round, position, item }) => [`${round}/${position}`, item]),
  );
  return trials.flatMap(({ line, item, round, position }) => {
    const planned = due.get(`${round}/${position}`);
    if (planned !== undefined && formatItem(planned) === formatItem(item)) return [];
    const what =
      planned === undefined
        ? `plan.json has no position ${position} in round ${round}`
        : `${formatItem(item)} where plan.json has ${formatItem(planned)} at position ${position} of round ${round}`;
    return [{ where: `line ${line}`, what }];
  });
}

/** Relative; a CV that another program computed differs in its last digits. */
const cvTolerance = 1e-9;

/**
 * @param isOurs there is a plan beside the tables, so that this program wrote them: a CV is then the
 *   shortest decimal of a quotient rounded once and its root rounded once, the same everywhere
 */
function findRepetitionFaults(
  trials: readonly TrialLine[],
  repetitions: ReadonlyMap<string, RepetitionLines>,
  protocol: Protocol | null,
  isOurs: boolean,
): Fault[] {
  const faults: Fault[] = [];
  const known = new Set<string>();
  for (const row of trials) {
    const key = trialKey(row.item, row.round);
    const raw = repetitions.get(key);
    const complain = (what: string) => faults.push({ where: `line ${row.line}`, what });
    if (raw !== undefined) known.add(key);
    if (row.state !== 'observed') {
      if (raw !== undefined) {
        complain(`the trial is ${row.state}, but repetitions.csv has it (line ${raw.lines[0]})`);
      }
    } else if (raw === undefined) {
      complain('repetitions.csv has no repetitions of this trial');
    } else {
      for (const what of compareWithRaw(row, raw, isOurs)) complain(what);
    }
  }
  for (const [key, { lines }] of repetitions) {
    if (known.has(key)) continue;
    faults.push({ where: `repetitions.csv, line ${lines[0]}`, what: `${key} is not in the table` });
  }
  return [...faults, ...findCountFaults(repetitions, protocol)];
}

/** How a row differs from what its repetitions give. */
function compareWithRaw(row: TrialLine, raw: RepetitionLines, isOurs: boolean): string[] {
  const differences: string[] = [];
  const [first, last] = raw.lines;
  const place = `repetitions.csv, lines ${first} to ${last}`;
  if (row.position !== raw.position) {
    differences.push(`position is ${row.position}, but ${raw.position} in ${place}`);
  }
  const kept = raw.wallNs.slice(raw.warmup).map(BigInt);
  if (kept.length === 0) return [...differences, `no kept repetition in ${place}`];
  const sum = kept.reduce((total, ns) => total + ns, 0n);
  const mean = toNumber({ numerator: sum, denominator: BigInt(kept.length) });
  if (compareFractions(row.trialMeanNs!, fractionOfDecimal(mean)) !== 0) {
    differences.push(
      `trialMeanNs is ${toNumber(row.trialMeanNs!)}, the kept repetitions give ${mean} (${place})`,
    );
  }
  const cv = coefficientOfVariation(kept)?.value ?? null;
  if (!isSameVariation(row.inTrialCv, cv, isOurs)) {
    const stated = row.inTrialCv && toNumber(row.inTrialCv);
    differences.push(
      stated === cv
        ? `inTrialCv has other digits than ${cv}, which the kept repetitions give (${place})`
        : `inTrialCv is ${stated ?? 'empty'}, the kept repetitions give ${cv ?? 'none'} (${place})`,
    );
  }
  return differences;
}

function isSameVariation(stated: Fraction | null, cv: number | null, isOurs: boolean): boolean {
  if (stated === null || cv === null) return stated === cv;
  if (isOurs) return compareFractions(stated, fractionOfDecimal(cv)) === 0;
  return Math.abs(cv - toNumber(stated)) <= cvTolerance * cv;
}

function findCountFaults(
  repetitions: ReadonlyMap<string, RepetitionLines>,
  protocol: Protocol | null,
): Fault[] {
  const counts = countRepetitions(repetitions);
  if (protocol === null || counts === null) return [];
  const { warmup, kept } = protocol.repetitions;
  if (counts.warmup === warmup && counts.kept === kept) return [];
  return [
    {
      where: 'repetitions.csv',
      what: `${counts.warmup} warm-up and ${counts.kept} kept repetitions a trial where protocol.json has ${warmup} and ${kept}`,
    },
  ];
}

/** The same in every trial: the reader of the table has seen to that. */
export function countRepetitions(
  repetitions: ReadonlyMap<string, RepetitionLines>,
): Protocol['repetitions'] | null {
  const [first] = repetitions.values();
  if (first === undefined || first.wallNs.length === first.warmup) return null;
  return { warmup: first.warmup, kept: first.wallNs.length - first.warmup };
}
