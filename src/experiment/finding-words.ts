import { formatLimit } from '../analysis/format-limit.ts';
import type { Arm, Experiment } from '../formats/experiment.ts';
import type { Finding } from '../formats/experiment-result.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { formatCount } from '../units.ts';
import type { GroupData } from './collect.ts';
import { findBaseline, isSlowBeside } from './natural-baseline.ts';
import {
  formatChange,
  formatChanges,
  formatMetric,
  formatTime,
  isOutsideTimer,
  metricWords,
} from './number-words.ts';

type Judged = Omit<Finding, 'sentences'>;

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
      finding.interval === null ? '' : `; the median change lies within ${formatEnds(finding)}`;
    return `${what}: not distinguishable here (${counts}${open}).`;
  }
  const size = formatEffect(finding);
  if (verdict === 'associated')
    return `${what}: ${size}, associated (${counts}). Nothing was assigned between the two: the order inside a process is always the same.`;
  return `${what}: ${size}, caused by the intervention in this experiment: ${b.arm} in place of ${a.arm}, in ${order === 'random' ? 'random' : 'balanced random'} order (${counts}).`;
}

function formatEffect({ scale, effect, interval, b }: Judged): string {
  if (scale === 'ratio') return `${formatChange(effect!)} (${formatChanges(interval!)})`;
  const sign = effect! > 0 ? '+' : '';
  return `${sign}${formatMetric(b.metric, effect!)} (${formatMetric(b.metric, interval!.lower)} to ${formatMetric(b.metric, interval!.upper)})`;
}

function formatEnds({ scale, interval, b }: Judged): string {
  if (scale === 'ratio') return formatChanges(interval!);
  return `${formatMetric(b.metric, interval!.lower)} to ${formatMetric(b.metric, interval!.upper)}`;
}

/** What alone would be called found is said, so that nobody picks it out. */
function describeFamily({ verdict, pValue, adjustedPValue, family }: Judged): string[] {
  if (verdict !== 'not distinguishable here' || pValue === null || pValue > 0.05) return [];
  const [alone, among] = [pValue, adjustedPValue!].map((p) => p.toPrecision(2));
  return [
    `Alone it would be called found (p ${alone}); among ${family} comparisons it is not (${among}).`,
  ];
}

/** Against the effect that was declared to matter. */
function describeSize({ matters, verdict }: Judged, { effectThatMatters }: Experiment): string[] {
  const declared = `the ${formatLimit(effectThatMatters)} that was declared to matter`;
  const isFound = verdict !== 'not distinguishable here';
  if (matters === 'yes') return [`That is more than ${declared}.`];
  if (matters === 'no')
    return [
      isFound ? `That is less than ${declared}.` : `The interval has no room for ${declared}.`,
    ];
  if (matters === 'undecided')
    return [
      isFound
        ? `Whether it reaches ${declared} is open.`
        : `The interval leaves room for ${declared}: more blocks would narrow it.`,
    ];
  return [];
}

function describeLost({ lostPairs, a, b, pairs }: Judged): string[] {
  if (lostPairs === 0) return [];
  const lost = `${formatCount(lostPairs, 'block')} without a pair`;
  return [
    `${lost}: ${a.processes} numbers of ${a.arm}, ${b.processes} of ${b.arm}, ${formatCount(pairs, 'pair')}.`,
  ];
}

/** Sentences that keep an effect from being taken for more than it is. */
function describeLimits(finding: Judged, group: GroupData): string[] {
  const { a, b, verdict } = finding;
  const arms = [a, b].map(({ arm }) => group.arms.find((one) => one.arm.name === arm)!);
  const sentences: string[] = [];
  const isCaused = verdict === 'caused by the intervention in this experiment';
  if (isCaused && arms.some(({ arm }) => isForced(arm))) {
    sentences.push(
      'A forced move or activity: whether slow repetitions that nobody forced have this cause is not shown by it.',
    );
  }
  if (isCaused) sentences.push(...describeRemaining(arms, finding));
  const activities = arms.filter(({ arm }) => arm.treatment?.activity);
  if (activities.length > 0) {
    const lengths = activities.map(
      (data) => `${formatTime(activityNsOf(data))} in ${data.arm.name}`,
    );
    sentences.push(
      `The activity before the timer (${[...new Set(lengths)].join(', ')}) is not in this time: nothing is said of a whole request.`,
    );
  }
  const idle = arms.find(({ arm }) => arm.launch?.idleMilliseconds);
  if (idle !== undefined) {
    const seconds = idle.arm.launch!.idleMilliseconds! / 1000;
    sentences.push(
      `The ${seconds} s in which nothing was done before ${idle.arm.name} are not in this time.`,
    );
  }
  if (
    verdict !== 'not distinguishable here' &&
    (isOutsideTimer(a.metric) || isOutsideTimer(b.metric))
  ) {
    sentences.push(
      'It lies outside the timer: the timed work itself is not faster or slower by it.',
    );
  }
  return sentences;
}

const isForced = ({ treatment }: Arm) =>
  (treatment?.mainThread ?? null) !== null || (treatment?.activity ?? null) !== null;

function activityNsOf({ processes, kept }: GroupData['arms'][number]): number {
  const lengths = processes.flatMap((run) =>
    run.state === 'observed'
      ? run.entry.repetitions.slice(-kept).flatMap(({ activity }) => activity?.elapsedNs ?? [])
      : [],
  );
  return medianOfNumbers(lengths) ?? 0;
}

/** An arm that is faster may have its slow repetitions all the same. */
function describeRemaining(arms: GroupData['arms'], { a, b, effect, scale }: Judged): string[] {
  if (a.metric !== 'time' || b.metric !== 'time' || scale !== 'ratio' || a.arm === b.arm) return [];
  const faster = effect! < 1 ? arms[1]! : arms[0]!;
  const baseline = findBaseline(faster);
  if (baseline === null) return [];
  const repetitions = faster.processes.flatMap((run) =>
    run.state === 'observed' ? run.entry.repetitions.slice(-faster.kept) : [],
  );
  const slow = repetitions.filter(({ wallNs }) => isSlowBeside(wallNs, baseline.elapsed)).length;
  if (slow === 0)
    return [
      `In ${faster.arm.name} none of ${formatCount(repetitions.length, 'kept repetition')} was slow; how many others would be is not known from that.`,
    ];
  return [
    `Slow repetitions remain in ${faster.arm.name}: ${slow} of ${formatCount(repetitions.length, 'kept repetition')} took more than 5 % longer than its median. This intervention is not their only cause.`,
  ];
}
