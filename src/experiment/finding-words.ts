import { formatLimit } from '../analysis/format-limit.ts';
import { formatShare } from '../analysis/format-percent.ts';
import type { Experiment } from '../formats/experiment.ts';
import type { Finding } from '../formats/experiment-result.ts';
import { formatCount } from '../units.ts';
import type { GroupData } from './collect.ts';
import { describeLimits } from './finding-limits.ts';
import { formatChange, formatChanges, formatMetric, metricWords } from './number-words.ts';
import { isClear } from './pair.ts';

export type Judged = Omit<Finding, 'sentences'>;

/** What may be said of a finding, and what its reader would else conclude without ground. */
export function describeFinding(
  finding: Judged,
  experiment: Experiment,
  group: GroupData,
): string[] {
  if (finding.verdict === 'not measured') {
    const what = `${nameSides(finding)}: not measured (${finding.missing}). Withheld: whatever would rest on it.`;
    return [what];
  }
  return [
    describeResult(finding, experiment),
    ...describeFamily(finding),
    ...describeSize(finding, experiment),
    ...describeLost(finding),
    ...describeLimits(finding, group),
  ];
}

function nameSides({ a, b }: Judged): string {
  if (a.arm === b.arm) return `${metricWords[b.metric]} over ${metricWords[a.metric]}, of ${a.arm}`;
  if (a.metric === b.metric) return `${metricWords[a.metric]}, ${b.arm} over ${a.arm}`;
  return `${metricWords[b.metric]} of ${b.arm} over ${metricWords[a.metric]} of ${a.arm}`;
}

function describeResult(finding: Judged, { order }: Experiment): string {
  const { a, b, verdict, larger, smaller, equal, pairs } = finding;
  const counts = `b is larger in ${larger} of ${pairs} pairs, smaller in ${smaller}${equal > 0 ? `, equal in ${equal}` : ''}`;
  const what = nameSides(finding);
  if (verdict === 'not distinguishable here') {
    const open =
      finding.interval === null ? '' : `; interval of the median change: ${formatEnds(finding)}`;
    return `${what}: not distinguishable here (${counts}${open}).`;
  }
  const size = formatEffect(finding);
  if (verdict === 'associated')
    return `${what}: ${size}, associated (${counts}). ${a.arm === b.arm ? 'Nothing was assigned between the two: the order inside a process is always the same.' : 'The arms differ and so do the two numbers: which of both brings the difference is not known.'}`;
  return `${what}: ${size}, caused by the intervention in this experiment: ${b.arm} in place of ${a.arm}, in ${order === 'random' ? 'random' : 'balanced random'} order (${counts}).`;
}

function formatEffect(finding: Judged): string {
  const { scale, effect, b } = finding;
  const sign = effect! > 0 ? '+' : '';
  const size =
    scale === 'ratio' ? formatChange(effect!) : `${sign}${formatMetric(b.metric, effect!)}`;
  return `${size} (${formatEnds(finding)})`;
}

/** With its actual coverage, which is at least 95 %. */
function formatEnds({ scale, interval, b }: Judged): string {
  const { lower, upper, coverage } = interval!;
  const ends =
    scale === 'ratio'
      ? formatChanges({ lower, upper })
      : `${formatMetric(b.metric, lower)} to ${formatMetric(b.metric, upper)}`;
  return `${ends}, coverage ${formatShare(coverage)}`;
}

/** What alone would be called found is said, so that nobody picks it out. */
function describeFamily(finding: Judged): string[] {
  const { verdict, pValue, adjustedPValue, family } = finding;
  if (verdict !== 'not distinguishable here' || pValue === null || pValue > 0.05) return [];
  if (!isClear(finding))
    return [
      `The sign test alone would call it found (p ${pValue.toPrecision(2)}); with the equal pairs the interval reaches no change.`,
    ];
  const [alone, among] = [pValue, adjustedPValue!].map((p) => p.toPrecision(2));
  return [
    `Alone it would be called found (p ${alone}); among ${family} comparisons it is not (${among}).`,
  ];
}

/** Against the effect that was declared to matter, by the interval of the whole family. */
function describeSize(finding: Judged, { effectThatMatters }: Experiment): string[] {
  const { matters, verdict, family, familyInterval, pairs } = finding;
  if (matters === null) return [];
  const declared = `the ${formatLimit(effectThatMatters)} that was declared to matter`;
  if (familyInterval === null)
    return [
      `${pairs} pairs give no interval that holds for all ${family} comparisons: whether it reaches ${declared} is open.`,
    ];
  const isWider = familyInterval.coverage !== finding.interval!.coverage;
  const ends = isWider
    ? ` that holds for all ${family} comparisons (${formatChanges(familyInterval)})`
    : '';
  if (verdict === 'not distinguishable here')
    return [
      matters === 'no'
        ? `The interval${ends} has no room for ${declared}.`
        : `The interval${ends} leaves room for ${declared}: more blocks would narrow it.`,
    ];
  const by = isWider ? `, by the interval${ends}` : '';
  return [
    {
      yes: `That is more than ${declared}${by}.`,
      no: `That is less than ${declared}${by}.`,
      undecided: `Whether it reaches ${declared} is open${by}.`,
    }[matters],
  ];
}

function describeLost({ lostPairs, a, b, pairs }: Judged): string[] {
  if (lostPairs === 0) return [];
  const lost = `${formatCount(lostPairs, 'block')} without a pair`;
  return [
    `${lost}: ${a.processes} numbers of ${a.arm}, ${b.processes} of ${b.arm}, ${formatCount(pairs, 'pair')}.`,
  ];
}
