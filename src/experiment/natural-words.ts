import { formatPercent, formatShare } from '../analysis/format-percent.ts';
import { listWords } from '../analysis/list-words.ts';
import type { Natural, NaturalCase, SlowCaseKind } from '../formats/experiment-result.ts';
import type { TreatmentReport } from '../formats/treatment.ts';
import type { WhoRan } from '../formats/who-ran.ts';
import type { Timing } from '../stats/slow-repetition.ts';
import { formatCount } from '../units.ts';
import { formatTime } from './number-words.ts';

type Facts = Omit<NaturalCase, 'observed' | 'unknown'>;
interface Report {
  readings: TreatmentReport['readings'];
  whoRan: WhoRan | null;
}

export const kindWords: Record<SlowCaseKind, string> = {
  'cpu-time-grew': 'CPU time grew',
  'time-off-cpu-grew': 'time off the CPU grew',
  mixed: 'both grew',
  invalid: 'invalid: more CPU time than time',
  'not-measured': 'CPU time not measured',
};

/** A frequency within this of the usual one is as usual: half of what makes a repetition slow. */
const usualFrequencyShare = 0.025;

/** One row of what was observed and one of what remains unknown. */
export function describeCase(
  facts: Facts,
  baseline: Timing,
  extraOffNs: number | null,
  report: Report,
): Pick<NaturalCase, 'observed' | 'unknown'> {
  return {
    observed: [
      describeTimes(facts, baseline),
      ...describeOff(facts, extraOffNs),
      ...describePlaces(facts),
      ...describeSwitches(facts),
      ...describeFrequency(facts),
    ],
    unknown: listUnknown(facts, extraOffNs, report),
  };
}

function describeTimes({ elapsedNs, mainCpuNs, kind }: Facts, baseline: Timing): string {
  const elapsed = `${formatTime(elapsedNs)} where ${formatTime(baseline.elapsed)} is usual (${formatPercent(elapsedNs / baseline.elapsed - 1)} more)`;
  if (mainCpuNs === null || baseline.cpu === null) return elapsed;
  return `${elapsed}, CPU time ${formatTime(mainCpuNs)} where ${formatTime(baseline.cpu)} is usual: ${kindWords[kind]}`;
}

function describeOff({ extraWaitingNs, extraOtherNs }: Facts, extraOffNs: number | null): string[] {
  if (extraOffNs === null) return [];
  const off = describeMore(extraOffNs, 'off the CPU');
  if (extraWaitingNs === null || extraOtherNs === null || extraOffNs <= 0) return [off];
  const [waiting, other] = [extraWaitingNs, extraOtherNs].map((ns) => formatTime(Math.max(0, ns)));
  return [`${off}: of it ${waiting} waiting for a CPU, ${other} other waiting`];
}

const describeMore = (ns: number, what: string) =>
  ns < 0 ? `no more time ${what}` : `${formatTime(ns)} more ${what}`;

function describePlaces({ startCpu, endCpu, migrations }: Facts): string[] {
  const places =
    startCpu === null || endCpu === null
      ? null
      : `CPU ${startCpu} at the start, ${endCpu} at the end`;
  if (migrations !== null) {
    const counted = migrations === 0 ? 'no move' : formatCount(migrations, 'move');
    return [`${counted} by the kernel’s counter${places === null ? '' : ` (${places})`}`];
  }
  if (places === null) return [];
  return [`${startCpu === endCpu ? 'no move' : 'a move'} seen in two looks (${places})`];
}

const describeSwitches = ({ involuntarySwitches }: Facts): string[] =>
  involuntarySwitches === null
    ? []
    : [formatCount(involuntarySwitches, 'involuntary switch').replace(/switchs$/, 'switches')];

function describeFrequency({ frequencyRatio }: Facts): string[] {
  if (frequencyRatio === null) return [];
  return [`frequency ${formatPercent(frequencyRatio)} of the usual one of this work`];
}

function listUnknown(
  facts: Facts,
  extraOffNs: number | null,
  { readings, whoRan }: Report,
): string[] {
  const { kind, extraWaitingNs, extraOtherNs, migrations, startCpu, frequencyRatio } = facts;
  const unknown: string[] = [];
  const why = (reading: string) => {
    const said = readings[reading];
    return said !== undefined && 'notMeasured' in said
      ? said.notMeasured
      : 'not asked for in this arm';
  };
  if (kind === 'not-measured')
    unknown.push('whether CPU time or time off the CPU grew (no CPU time was read)');
  if (kind === 'invalid') unknown.push('which time grew: the two clocks contradict each other');
  const isOff = kind === 'time-off-cpu-grew' || kind === 'mixed';
  const isCpu = kind === 'cpu-time-grew' || kind === 'mixed';
  if (isOff && extraWaitingNs === null)
    unknown.push(`what it waited for: a CPU or something else (${why('scheduler-wait')})`);
  if (isOff && extraWaitingNs !== null && extraOffNs !== null && extraWaitingNs > extraOffNs / 10)
    unknown.push(describeWhoRan(whoRan));
  if (isOff && extraOtherNs !== null && extraOffNs !== null && extraOtherNs > extraOffNs / 10)
    unknown.push('what it waited for where it did not wait for a CPU (a device, a lock, a page)');
  if (frequencyRatio === null)
    unknown.push(
      `whether the frequency fell (${readings.frequency && 'source' in readings.frequency ? 'the thread moved, so that the reading is not valid' : why('frequency')})`,
    );
  if (isCpu && frequencyRatio === null) unknown.push('what made the CPU time grow');
  else if (isCpu && frequencyRatio !== null && Math.abs(frequencyRatio - 1) <= usualFrequencyShare)
    unknown.push('what made the CPU time grow at the usual frequency');
  else if (isCpu && frequencyRatio !== null && frequencyRatio < 1)
    unknown.push('whether the lower frequency made the CPU time grow, and what lowered it');
  else if (isCpu) unknown.push('what made the CPU time grow at a higher frequency');
  if (migrations === null && startCpu !== null)
    unknown.push('whether it moved there and back between the two looks');
  if (migrations === null && startCpu === null)
    unknown.push(`whether it moved (${why('placement')})`);
  return unknown;
}

/** A trace is of a whole process, and need not have seen who ran in one repetition of it. */
function describeWhoRan(whoRan: WhoRan | null): string {
  if (whoRan === null) return 'who had the CPU while it waited for it';
  const { waitNs, attributedNs } = whoRan;
  const share = formatShare(waitNs === 0 ? 0 : Math.min(1, attributedNs / waitNs));
  return `who had the CPU in this repetition (the trace is of its whole process and accounts for ${share} of its waiting)`;
}

/** What the cases of an arm amount to; nothing about delays that were not seen. */
export function describeNatural(natural: Omit<Natural, 'sentences'>): string[] {
  const { slow, repetitions, processes, slowProcesses, cases, arm } = natural;
  const among = `${formatCount(repetitions, 'kept repetition')} of ${formatCount(processes, 'process').replace(/processs$/, 'processes')} in ${arm}`;
  if (slow === 0)
    return [
      `Among ${among} none took more than 5 % longer than the median; rarer ones may be there.`,
    ];
  const kinds = Map.groupBy(cases, ({ kind }) => kind);
  const parts = [...kinds].map(([kind, list]) => `${list.length} ${kindWords[kind]}`);
  const sentences = [
    `Among ${among} ${slow} took more than 5 % longer than the median, in ${slowProcesses} of the processes: ${listWords(parts, 6)}.`,
  ];
  const withheld = cases.filter(({ frequencyRatio }) => frequencyRatio === null).length;
  if (withheld > 0) {
    sentences.push(
      withheld === cases.length
        ? 'Frequency: withheld for all of them, in which it was not measured.'
        : `Frequency: withheld for ${withheld} of the ${cases.length}, in which it was not measured; the others’ rows say nothing about these.`,
    );
  }
  const looks = cases.filter(
    ({ migrations, startCpu }) => migrations === null && startCpu !== null,
  ).length;
  if (looks > 0)
    sentences.push(
      `Moves were seen by two looks in ${looks} of them; a move there and back between the looks is missed.`,
    );
  return sentences;
}
