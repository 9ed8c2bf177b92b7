import type { Fault } from '../errors.ts';
import { formatItem, type Item, phaseSchema, quantizationSchema } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { RepetitionLines } from '../formats/repetition-table.ts';
import { throwTableFaults } from '../formats/strict-csv.ts';
import { type TrialLine, trialKey } from '../formats/trial-table.ts';
import { listItemsByPhase, planTrials } from '../protocol/schedule.ts';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from '../stats/fraction.ts';
import { variationIsAtMost } from '../stats/stability.ts';
import { coefficientOfVariation } from '../stats/variation.ts';
import type { MeasuredItem, MeasuredTrial, Measurements } from './measurements.ts';
import { countPlannedTrials } from './sequential.ts';
import { countRepetitions, findDisagreements, type PublicTables } from './table-faults.ts';

/** The rules of v1, for a table that brings none. */
const rulesOfV1: Measurements['rules'] = {
  source: 'v1-defaults',
  stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
  drift: { minRounds: 10, edgeRounds: 5, above: 0.05 },
};

/**
 * What public tables have to be analysed. Where the number of kept repetitions is known (from the
 * protocol or from the repetitions themselves) a mean times it is a whole number of ns and sums are
 * exact, as in a ledger; else decimals count as they are written, in a power of ten of a ns.
 *
 * Items stand phase by phase in the plan's order, or without a plan sorted by architecture,
 * quantization, S and other work. The reference is known from the plan or the protocol, else there is none.
 * @throws RooflawError `invalid-input` with everything in which the tables do not agree
 */
export function measureTable(tables: PublicTables, targetDifference: number | null): Measurements {
  const { subject, trials, repetitions, protocol, plan } = tables;
  const faults = findDisagreements(tables);
  const counts = protocol?.repetitions ?? (repetitions && countRepetitions(repetitions));
  const unitsPerNs = counts === null ? commonDenominator(trials) : BigInt(counts.kept);
  const sums = trials.map((row) => {
    if (row.trialMeanNs === null) return null;
    const sum = recoverSum(row.trialMeanNs, unitsPerNs);
    if (sum === null) faults.push(noSum(row, unitsPerNs));
    return sum;
  });
  throwTableFaults(subject, faults);

  const items = listTableItems(trials, protocol, plan);
  const indexOfItem = new Map(items.map(({ item }, index) => [formatItem(item), index]));
  const rules: Measurements['rules'] =
    protocol === null
      ? rulesOfV1
      : { source: 'protocol', stable: protocol.flags.stable, drift: protocol.flags.drift };
  const numberOf = numberTrials(trials, plan);
  const measured = trials.map((row, index) => {
    const raw = repetitions?.get(trialKey(row.item, row.round)) ?? null;
    const item = indexOfItem.get(formatItem(row.item))!;
    const place = { trial: numberOf(row), item, round: row.round, position: row.position };
    return measureRow(row, place, sums[index]!, raw, rules.stable.maxInTrialCv);
  });
  return {
    name: trials[0]!.campaign,
    items,
    trials: measured.sort((a, b) => a.trial - b.trial),
    unitsPerNs,
    phases:
      protocol?.phases ??
      phaseSchema.options.filter((phase) => items.some(({ item }) => item.phase === phase)),
    decodeSteps: protocol?.decodeSteps ?? null,
    declaration: plan?.declaration ?? null,
    targetDifference,
    rules,
    repetitions: counts,
    planned: plan === null ? null : countPlannedTrials(plan, measured),
    environmentDifferences: null,
    watchesFirstItem: protocol?.reference === 'first-condition',
  };
}

/** Denominators are powers of ten, so the largest is common to all. */
function commonDenominator(trials: readonly TrialLine[]): bigint {
  return trials.reduce((largest, { trialMeanNs }) => {
    const denominator = trialMeanNs?.denominator ?? 1n;
    return denominator > largest ? denominator : largest;
  }, 1n);
}

/**
 * The whole number whose quotient by `units` is written like this: exact where the decimal ends,
 * else the one that rounds to the same double.
 */
function recoverSum({ numerator, denominator }: Fraction, units: bigint): bigint | null {
  const scaled = numerator * units;
  if (scaled % denominator === 0n) return scaled / denominator;
  const nearest = (2n * scaled + denominator) / (2n * denominator);
  const written = fractionOfDecimal(toNumber({ numerator: nearest, denominator: units }));
  return compareFractions(written, { numerator, denominator }) === 0 ? nearest : null;
}

function noSum({ line, trialMeanNs }: TrialLine, kept: bigint): Fault {
  return {
    where: `line ${line}`,
    what: `trialMeanNs ${toNumber(trialMeanNs!)} is no mean of ${kept} repetitions of whole nanoseconds`,
    hint: 'write the shortest decimal that reads back as the same number',
  };
}

function listTableItems(
  trials: readonly TrialLine[],
  protocol: Protocol | null,
  plan: Plan | null,
): MeasuredItem[] {
  const reference = protocol?.reference ?? null;
  const isReference = (item: Item) =>
    reference !== null &&
    reference !== 'first-condition' &&
    item.architecture === reference.architecture.name &&
    item.quantization === reference.quantization &&
    item.sequenceLength === reference.sequenceLength &&
    [item.depth, item.decodeSteps, item.variant].every((other) => other === undefined);
  if (plan === null) {
    const items = new Map(trials.map(({ item }) => [formatItem(item), item]));
    return [...items.values()]
      .sort(compareItems)
      .map((item) => ({ item, isReference: isReference(item), partOfSpace: true }));
  }
  return listItemsByPhase(plan).map(({ item, isReference: isPlanned }) => ({
    item,
    isReference: isPlanned,
    partOfSpace: !isPlanned || plan.reference.partOfSpace,
  }));
}

function compareItems(a: Item, b: Item): number {
  const phase = phaseSchema.options.indexOf(a.phase) - phaseSchema.options.indexOf(b.phase);
  if (phase !== 0) return phase;
  if (a.architecture !== b.architecture) return a.architecture < b.architecture ? -1 : 1;
  return (
    placeOfQuantization(a) - placeOfQuantization(b) ||
    compareTexts(a.quantization, b.quantization) ||
    a.sequenceLength - b.sequenceLength ||
    (a.depth ?? 0) - (b.depth ?? 0) ||
    (a.decodeSteps ?? 0) - (b.decodeSteps ?? 0) ||
    compareTexts(a.variant ?? '', b.variant ?? '')
  );
}

/** Those of generated models first, in their order; then the labels of files. */
function placeOfQuantization({ quantization }: Item): number {
  const options: readonly string[] = quantizationSchema.options;
  const place = options.indexOf(quantization);
  return place === -1 ? options.length : place;
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Place in the whole schedule where there is a plan, else in the table's own order of measuring. */
function numberTrials(
  trials: readonly TrialLine[],
  plan: Plan | null,
): (row: Pick<TrialLine, 'round' | 'position'>) => number {
  const places: readonly Pick<TrialLine, 'round' | 'position'>[] =
    plan === null
      ? trials.toSorted((a, b) => a.round - b.round || a.position - b.position)
      : planTrials(plan);
  const numbers = new Map(places.map(({ round, position }, at) => [`${round}/${position}`, at]));
  return ({ round, position }) => numbers.get(`${round}/${position}`)!;
}

function measureRow(
  { state, trialMeanNs, inTrialCv, processNs }: TrialLine,
  place: Pick<MeasuredTrial, 'trial' | 'item' | 'round' | 'position'>,
  sum: bigint | null,
  raw: RepetitionLines | null,
  maxInTrialCv: number,
): MeasuredTrial {
  const facts = { ...place, session: null, attempts: 1, state, processNs, sum };
  if (trialMeanNs === null) {
    return { ...facts, inTrialCv: null, inTrialPasses: null, wallNs: null, prepareNs: null };
  }
  const kept = raw?.wallNs.slice(raw.warmup).map(BigInt) ?? null;
  const prepareNs = raw?.prepareNs.filter((ns) => ns !== null) ?? [];
  return {
    ...facts,
    inTrialCv:
      kept === null
        ? inTrialCv && toNumber(inTrialCv)
        : (coefficientOfVariation(kept)?.value ?? null),
    inTrialPasses:
      kept === null
        ? inTrialCv && compareFractions(inTrialCv, fractionOfDecimal(maxInTrialCv)) <= 0
        : variationIsAtMost(kept, maxInTrialCv),
    wallNs: raw?.wallNs ?? null,
    prepareNs: raw !== null && prepareNs.length === raw.wallNs.length ? prepareNs : null,
  };
}
