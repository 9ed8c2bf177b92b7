import type { Experiment, ExperimentComparison } from '../formats/experiment.ts';
import type { ExperimentVerdict, Finding } from '../formats/experiment-result.ts';
import { adjustByHolm } from '../stats/holm.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import type { ArmData, CollectedExperiment, GroupData } from './collect.ts';
import { describeFinding } from './finding-words.ts';
import { type Measured, measureProcess } from './metrics.ts';
import { comparePairs, fewestPairs, isClear, judgeSize, type PairedResult } from './pair.ts';
import { explainTooEarly } from './too-early.ts';

/** Probability of any wrong word in the family of all comparisons. */
const alpha = 0.05;

type Side = ExperimentComparison['a'];

/** Everything about one comparison in one condition but what its family makes of it. */
interface Compared {
  comparison: ExperimentComparison;
  group: number;
  sides: { a: Finding['a']; b: Finding['b'] };
  pairs: number;
  lostPairs: number;
  result: PairedResult;
  missing: string | null;
}

/** The declared comparisons in every condition, as one family; none is tested before the last block. */
export function findFindings(collected: CollectedExperiment): Finding[] {
  const { experiment, groups } = collected;
  const tooEarly = explainTooEarly(collected);
  const family = experiment.comparisons.length * groups.length;
  const together = experiment.correction === 'holm' ? family : 1;
  const compared = experiment.comparisons
    .flatMap((comparison) =>
      groups.map((group, index) => compareIn(group, index, comparison, together)),
    )
    .map((one) => (tooEarly === null ? one : withhold(one, tooEarly)));
  const pValues = compared.flatMap(({ result: { pValue } }) => (pValue === null ? [] : [pValue]));
  const adjusted = experiment.correction === 'holm' ? adjustByHolm(pValues, family) : pValues;
  let next = 0;
  return compared.map((one) => {
    const adjustedPValue = one.result.pValue === null ? null : adjusted[next++]!;
    return conclude(one, adjustedPValue, family, experiment, groups[one.group]!);
  });
}

function compareIn(
  group: GroupData,
  index: number,
  comparison: ExperimentComparison,
  together: number,
): Compared {
  const [a, b] = [measureSide(group, comparison.a), measureSide(group, comparison.b)];
  const blocks = [...new Set([...a.values.keys(), ...b.values.keys()])].sort((x, y) => x - y);
  const pairs = blocks.flatMap((block) => {
    const [left, right] = [a.values.get(block)!, b.values.get(block)!];
    return left !== undefined && right !== undefined && 'value' in left && 'value' in right
      ? [{ a: left.value, b: right.value }]
      : [];
  });
  return {
    comparison,
    group: index,
    sides: { a: a.side, b: b.side },
    pairs: pairs.length,
    lostPairs: blocks.length - pairs.length,
    result: comparePairs(pairs, together),
    missing: pairs.length >= fewestPairs ? null : explainMissing(pairs.length, [a, b]),
  };
}

/** Sign tests of 24 pairs, looked at after every block, find something where nothing is in 11 % of cases. */
const withhold = (one: Compared, missing: string): Compared => ({
  ...one,
  result: { ...one.result, pValue: null },
  missing,
});

interface MeasuredSide {
  side: Finding['a'];
  values: Map<number, Measured>;
}

function measureSide({ arms }: GroupData, { arm, metric }: Side): MeasuredSide {
  const data = arms.find((one) => one.arm.name === arm)!;
  const values = new Map(data.processes.map((run) => [run.block, measureOne(run, metric, data)]));
  const numbers = [...values.values()].flatMap((one) => ('value' in one ? [one.value] : []));
  const side = { arm, metric, processes: numbers.length, median: medianOfNumbers(numbers) };
  return { side, values };
}

function measureOne(
  run: ArmData['processes'][number],
  metric: Side['metric'],
  { kept }: ArmData,
): Measured {
  if (run.state === 'observed') return measureProcess(metric, run.entry, kept);
  return { missing: `a process failed: ${run.message}` };
}

function explainMissing(pairs: number, sides: readonly MeasuredSide[]): string {
  const reasons = sides.flatMap(({ side, values }) =>
    [...values.values()].flatMap((one) =>
      'missing' in one ? [`${side.metric} of ${side.arm}: ${one.missing}`] : [],
    ),
  );
  const few = `${pairs} of the ${fewestPairs} pairs that an interval needs`;
  return [few, ...new Set(reasons)].join('; ');
}

/** An effect of the arms needs that they were assigned and that nothing else differs. */
const isAssigned = ({ a, b }: Pick<ExperimentComparison, 'a' | 'b'>): boolean =>
  a.arm !== b.arm && a.metric === b.metric;

function conclude(
  { comparison, group, sides, pairs, lostPairs, result, missing }: Compared,
  adjustedPValue: number | null,
  family: number,
  experiment: Experiment,
  data: GroupData,
): Finding {
  const { name } = comparison;
  const { larger, smaller, equal, scale, effect, interval, familyInterval, pValue } = result;
  const isFound = adjustedPValue !== null && adjustedPValue <= alpha && isClear(result);
  const verdict: ExperimentVerdict =
    missing !== null
      ? 'not measured'
      : !isFound
        ? 'not distinguishable here'
        : isAssigned(comparison)
          ? 'caused by the intervention in this experiment'
          : 'associated';
  const finding = {
    comparison: name,
    role: comparison === experiment.comparisons[0] ? ('primary' as const) : ('secondary' as const),
    group,
    ...sides,
    pairs,
    lostPairs,
    larger,
    smaller,
    equal,
    scale,
    effect,
    interval: missing === null ? interval : null,
    familyInterval: missing === null ? familyInterval : null,
    pValue,
    adjustedPValue,
    family,
    verdict,
    matters:
      missing === null
        ? judgeSize({ scale, interval: familyInterval }, experiment.effectThatMatters)
        : null,
    missing,
  };
  return { ...finding, sentences: describeFinding(finding, experiment, data) };
}
