import type { TokenProcess } from '../formats/token-analysis.ts';
import { medianOfSorted } from '../stats/number-median.ts';
import { countBeyond, rankOfQuantile } from './steps-quantiles.ts';
import { findSlowSteps } from './steps-slow.ts';
import { type ProcessSteps, sumOf } from './steps-times.ts';

/** Steps at each end that growth is looked for in: an eighth, and 0 where that is none. */
export const stepsOfEighth = (steps: number): number => Math.floor(steps / 8);

/** A process's own statistics; sums are exact, quotients rounded once. */
export function describeProcess(process: ProcessSteps): TokenProcess {
  const { trial, round, steps, stepNs, prefillNs, own, loadNs, clockNs } = process;
  const sorted = stepNs.toSorted();
  const count = sorted.length;
  const at = (quantile: number) => sorted[rankOfQuantile(quantile, count) - 1]!;
  const medianStepNs = medianOfSorted(sorted)!;
  const slow = findSlowSteps(process, medianStepNs);
  const eighth = stepsOfEighth(steps);
  const isComputed = prefillNs.every((ns) => ns !== null);
  const prefillSum = isComputed ? prefillNs.reduce((sum, ns) => sum! + ns!, 0)! : null;
  const firstSum = stepNs.reduce((sum, ns, index) => (index % steps === 0 ? sum + ns : sum), 0);
  const kept = prefillNs.length;
  const firstTokenNs = prefillSum === null ? null : (prefillSum + firstSum) / kept;
  return {
    trial,
    round,
    meanStepNs: sumOf(stepNs) / count,
    medianStepNs,
    p90Ns: at(0.9),
    p99Ns: at(0.99),
    p999Ns: countBeyond(0.999, count) < 1 ? null : at(0.999),
    slowestStepNs: sorted.at(-1)!,
    firstEighthNs: medianOfSorted(takePlaces(process, 0, eighth)),
    lastEighthNs: medianOfSorted(takePlaces(process, steps - eighth, steps)),
    prefillNs: prefillSum === null ? null : prefillSum / kept,
    firstTokenNs,
    loadNs,
    firstTokenWithLoadNs: firstTokenNs === null ? null : loadNs + firstTokenNs,
    ownFirstTokenNs:
      isComputed && own.prefillNs !== null ? loadNs + own.prefillNs + own.firstStepNs : null,
    clockNs,
    slowSteps: slow.length,
    slowNs: slow.reduce((sum, step) => sum + step.stepNs, 0),
  };
}

/** Times of the steps at places `from` to before `to` of every repetition, ascending. */
function takePlaces({ steps, stepNs }: ProcessSteps, from: number, to: number): Float64Array {
  return stepNs.filter((_, index) => index % steps >= from && index % steps < to).sort();
}
