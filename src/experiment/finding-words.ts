import { formatLimit } from '../analysis/format-limit.ts';
import { formatShare } from '../analysis/format-percent.ts';
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
import { isClear } from './pair.ts';

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
    const lengths = activities.map((data) => `${describeActivity(data)} in ${data.arm.name}`);
    sentences.push(
      `The activity before the timer (${[...new Set(lengths)].join(', ')}) is not in this time: nothing is said of a whole request.`,
    );
  }
  const files = arms.filter(({ arm }) => (arm.treatment?.pageCache ?? 'as-is') !== 'as-is');
  if (files.length > 0) {
    const shares = files.map((data) => `${formatResident(data)} in ${data.arm.name}`);
    sentences.push(
      `Of the model’s file in the page cache just before loading: ${shares.join(', ')}.`,
    );
  }
  for (const { arm } of new Set(arms)) {
    const idleMs = arm.launch?.idleMilliseconds ?? 0;
    if (idleMs > 0)
      sentences.push(
        `The ${idleMs / 1000} s in which nothing was done before ${arm.name} are not in this time.`,
      );
  }
  if (verdict !== 'not distinguishable here') sentences.push(...describeOutside([a, b]));
  return sentences;
}

/** Whether the timed work is slower too is another comparison. */
function describeOutside(sides: readonly Finding['a'][]): string[] {
  if (sides.some(({ metric }) => metric === 'process'))
    return [
      'The time of a process holds its start, loading and warm-up too: nothing is said of the timed work alone.',
    ];
  return sides.some(({ metric }) => isOutsideTimer(metric))
    ? ['It lies outside the timer: nothing is said of the timed work itself.']
    : [];
}

const isForced = ({ treatment }: Arm) =>
  (treatment?.mainThread ?? null) !== null || (treatment?.activity ?? null) !== null;

/** What the system kept, whatever was asked; the median over the processes. */
function formatResident({ processes }: GroupData['arms'][number]): string {
  const shares = processes.flatMap((run) =>
    run.state === 'observed' ? (run.entry.load?.treatment?.residentShare ?? []) : [],
  );
  const middle = medianOfNumbers(shares);
  return middle === null ? 'not measured' : formatShare(middle);
}

function describeActivity({ processes, kept }: GroupData['arms'][number]): string {
  const lengths = processes.flatMap((run) =>
    run.state === 'observed'
      ? run.entry.repetitions.slice(-kept).flatMap(({ activity }) => activity?.elapsedNs ?? [])
      : [],
  );
  const middle = medianOfNumbers(lengths);
  return middle === null ? 'of a length that was not measured' : formatTime(middle);
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
    `Slow repetitions remain in ${faster.arm.name}: ${slow} of ${formatCount(repetitions.length, 'kept repetition')} took more than 5 % longer than its median. What differs between the arms is not all that makes work slow.`,
  ];
}
