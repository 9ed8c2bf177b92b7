import { formatShare } from '../analysis/format-percent.ts';
import type { Arm } from '../formats/experiment.ts';
import type { Finding } from '../formats/experiment-result.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { formatCount } from '../units.ts';
import type { GroupData } from './collect.ts';
import type { Judged } from './finding-words.ts';
import { findBaseline, isSlowBeside } from './natural-baseline.ts';
import { formatTime, isOutsideTimer } from './number-words.ts';

/** Sentences that keep an effect from being taken for more than it is. */
export function describeLimits(finding: Judged, group: GroupData): string[] {
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
  if (a.metric === 'migrations' && arms.some(isMovedByLooks))
    sentences.push(
      'Moves are told from two looks at the CPU number, at start and end, where the kernel’s counter was not read: one there and back is missed.',
    );
  return sentences;
}

const isMovedByLooks = ({ processes, kept }: GroupData['arms'][number]): boolean =>
  processes.some(
    (run) =>
      run.state === 'observed' &&
      run.entry.repetitions.slice(-kept).some(({ counters }) => counters?.migrations === undefined),
  );

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
