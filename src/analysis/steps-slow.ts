import type { SlowSteps, TokenProcess } from '../formats/token-analysis.ts';
import { type ProcessSteps, sumOf } from './steps-times.ts';

/**
 * A step that takes longer than this many median steps of its process is slow. Chosen, not estimated:
 * from 2 on, the time of a whole further token is lost, which a reader of a stream can see; smaller
 * differences are what the percentiles show.
 */
export const slowTimesMedian = 2;

/**
 * How many tokens of the cache llama.cpp v0.4.0 goes over together (`llama_kv_cache::get_n_kv`): with
 * another 256 its computation is planned anew.
 */
const cachePadding = 256;

/** Whether a step, from 0, is the first one with another piece of the cache; the very first step counts as itself. */
export function isCacheBorder(sequenceLength: number, step: number): boolean {
  return step > 0 && (sequenceLength + step) % cachePadding === 0;
}

/** More are counted, and not listed. */
const mostListed = 1000;

/** Its place among the kept repetitions and in its own, both from 0. */
interface SlowStep {
  keptRepetition: number;
  step: number;
  stepNs: number;
}

/** In the order of measuring. @param medianNs of the process's steps */
export function findSlowSteps(
  { steps, stepNs }: Pick<ProcessSteps, 'steps' | 'stepNs'>,
  medianNs: number,
): SlowStep[] {
  const found: SlowStep[] = [];
  stepNs.forEach((ns, index) => {
    if (ns <= slowTimesMedian * medianNs) return;
    const step = index % steps;
    found.push({ keptRepetition: (index - step) / steps, step, stepNs: ns });
  });
  return found;
}

/**
 * The slow steps of an item: how many, when in a repetition, and what they cost.
 * @param processes with `described`, one for each
 * @param sequenceLength tokens in the cache before the first step
 */
export function describeSlowSteps(
  processes: readonly ProcessSteps[],
  described: readonly TokenProcess[],
  { steps, sequenceLength, warmup }: { steps: number; sequenceLength: number; warmup: number },
): SlowSteps {
  const counts = new Uint32Array(steps);
  let listed: SlowSteps['listed'] = [];
  processes.forEach((process, index) => {
    const { trial, medianStepNs } = described[index]!;
    const found = findSlowSteps(process, medianStepNs);
    for (const { step } of found) counts[step]! += 1;
    const named = found.map(({ keptRepetition, step, stepNs }) => {
      const repetition = warmup + keptRepetition;
      return { trial, repetition, step, stepNs, processMedianNs: medianStepNs };
    });
    listed = keepLongest([...listed, ...named]);
  });
  const all = counts.reduce((sum, one) => sum + one, 0);
  const totalNs = processes.reduce((sum, { stepNs }) => sum + sumOf(stepNs), 0);
  const slowNs = described.reduce((sum, { slowNs }) => sum + slowNs, 0);
  const most = Math.max(...counts);
  const isBorder = (step: number) => isCacheBorder(sequenceLength, step);
  const { expected: mean, standardDeviation } = expectAt(1, steps, all);
  return {
    timesMedian: slowTimesMedian,
    count: all,
    ofSteps: processes.reduce((sum, { stepNs }) => sum + stepNs.length, 0),
    shareOfTime: totalNs === 0 ? 0 : slowNs / totalNs,
    processes: described.filter(({ slowSteps }) => slowSteps > 0).length,
    byStep: [...counts].flatMap((count, step) => (count === 0 ? [] : [{ step, count }])),
    expectedPerStep: { mean, standardDeviation },
    most: all === 0 ? null : { step: counts.indexOf(most), count: most },
    firstStep: describePlace(counts, all, (step) => step === 0),
    cacheBorders: describePlace(counts, all, isBorder),
    listed,
    notListed: all - listed.length,
  };
}

function keepLongest(steps: SlowSteps['listed']): SlowSteps['listed'] {
  const byTime = steps.sort(
    (a, b) =>
      b.stepNs - a.stepNs || a.trial - b.trial || a.repetition - b.repetition || a.step - b.step,
  );
  return byTime.slice(0, mostListed);
}

function describePlace(counts: Uint32Array, all: number, isPlace: (step: number) => boolean) {
  const there = counts.filter((_, step) => isPlace(step));
  const count = there.reduce((sum, one) => sum + one, 0);
  return { steps: there.length, count, ...expectAt(there.length, counts.length, all) };
}

/** Of `all` slow steps those at `places` of the `steps` places, if each were as likely. */
function expectAt(places: number, steps: number, all: number) {
  const share = places / steps;
  return { expected: all * share, standardDeviation: Math.sqrt(all * share * (1 - share)) };
}
