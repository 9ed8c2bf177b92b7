import type { BudgetRequest } from './budget.ts';
import type { BudgetCounts } from './budget-expectation.ts';
import { adviseWarmup, expectProcessNs, type PilotSummary } from './budget-pilot.ts';

/** Where the number of kept repetitions comes from. */
export type KeptReason = 'fixed' | 'rule' | 'even-split' | 'as-many-as-fit' | 'most-allowed';

export interface CountsChoice {
  counts: BudgetCounts;
  keptReason: KeptReason;
  expectedNs: number;
  /** Of the fewest processes with 1 kept repetition, or with what the user fixed. */
  leastNs: number;
}

/** Of a count that is whole but for rounding, so that 9.000000000000002 stays 9. */
const roundingSlack = 1e-12;

/** One process of every item, with so many repetitions each. */
export function expectRoundNs(pilots: readonly PilotSummary[], repetitions: number): number {
  return pilots.reduce((sum, pilot) => sum + expectProcessNs(pilot, repetitions), 0);
}

/**
 * The longest warm-up that any item needs, since one protocol serves all; within the limit of
 * repetitions a process, of which at least one is kept. A change seen where there is none makes it
 * longer than needed, which costs time and no truth.
 */
function chooseWarmup(pilots: readonly PilotSummary[], { fixed, limits }: BudgetRequest): number {
  if (fixed.warmup !== null) return fixed.warmup;
  const most = Math.max(1, limits.maxRepetitions - (fixed.kept ?? 1));
  return Math.min(most, Math.max(...pilots.map(adviseWarmup)));
}

/**
 * Kept repetitions a process. With p the time of a round without its kept repetitions, r that of one
 * more repetition of every item, and T1^2, T2^2 the sums over items of the relative variances inside and
 * between processes, n processes of k repetitions cost n (p + k r) and leave the mean square relative
 * error (T2^2 + T1^2 / k) / n. For a given time it is least at k = sqrt((p / r) (T1^2 / T2^2)): the rule
 * of Kalibera & Jones (2013, doi:10.1145/2464157.2464160) for all items at once.
 *
 * It is held to p / r, at which repetitions take as long as all else. There the time times the error is
 * 2 (p T2^2 + r T1^2), never more than twice the least, (sqrt(p T2^2) + sqrt(r T1^2))^2, whatever the
 * variances are. A pilot of few processes may well show a T2^2 near 0, or none; so many repetitions
 * as the rule then asks for would leave few processes, which alone show what lies between them. p / r
 * is also the choice where T2^2 is not known. Repetitions that do not vary need 1.
 * @returns `best` held to p / r, `optimum` not held: infinite when T2^2 is 0
 */
export function chooseKept(
  pilots: readonly PilotSummary[],
  warmup: number,
): { best: number; optimum: number; reason: 'rule' | 'even-split' } {
  const repetitionNs = pilots.reduce((sum, pilot) => sum + pilot.repetitionNs, 0);
  const costRatio = expectRoundNs(pilots, warmup) / repetitionNs;
  const evenSplit = atLeastOne(costRatio);
  const known = pilots.flatMap(({ variance: { withinVariance, betweenComponent } }) =>
    withinVariance === null || betweenComponent === null
      ? []
      : [[withinVariance, betweenComponent]],
  );
  if (known.length === 0) return { best: evenSplit, optimum: evenSplit, reason: 'even-split' };
  const within = known.reduce((sum, [variance]) => sum + variance!, 0);
  const between = known.reduce((sum, [, variance]) => sum + variance!, 0);
  const optimum = within === 0 ? 1 : atLeastOne(Math.sqrt((costRatio * within) / between));
  return optimum <= evenSplit
    ? { best: optimum, optimum, reason: 'rule' }
    : { best: evenSplit, optimum, reason: 'even-split' };
}

function atLeastOne(repetitions: number): number {
  return Math.max(1, Math.ceil(repetitions * (1 - roundingSlack)));
}

/**
 * As many processes as fit the budget, with the kept repetitions that serve them best. Repetitions
 * give way when the fewest processes do not fit with them; they grow to the rule's optimum when no
 * more processes are allowed. So more budget never gives fewer processes, nor the same number with
 * fewer repetitions.
 */
export function chooseCounts(
  pilots: readonly PilotSummary[],
  request: BudgetRequest,
): CountsChoice {
  const { fixed, limits, budgetNs } = request;
  const warmup = chooseWarmup(pilots, request);
  const keptMost = Math.max(1, limits.maxRepetitions - warmup);
  const { best, optimum, reason } = chooseKept(pilots, warmup);
  const fewest = fixed.processes ?? limits.minProcesses;
  const most = fixed.processes ?? limits.maxProcesses;
  const fitKept = (processes: number, atMost: number) =>
    findLargest(atMost, (kept) => processes * expectRoundNs(pilots, warmup + kept) <= budgetNs);

  const wanted = fixed.kept ?? Math.min(best, keptMost);
  let kept = fixed.kept ?? Math.max(1, fitKept(fewest, wanted));
  const processes = Math.min(
    most,
    Math.max(fewest, Math.floor(budgetNs / expectRoundNs(pilots, warmup + kept))),
  );
  if (fixed.kept === null && processes === most) {
    kept = Math.max(kept, fitKept(processes, Math.min(optimum, keptMost)));
  }
  return finish(pilots, { processes, warmup, kept }, request, () => {
    if (kept < wanted) return 'as-many-as-fit';
    if (kept === keptMost && keptMost < optimum) return 'most-allowed';
    return kept > best ? (kept === optimum ? 'rule' : 'as-many-as-fit') : reason;
  });
}

/** The fewest processes, and as many kept repetitions as fit beside the warm-up. */
export function chooseFewLoads(
  pilots: readonly PilotSummary[],
  request: BudgetRequest,
): CountsChoice {
  const { fixed, limits, budgetNs } = request;
  const warmup = chooseWarmup(pilots, request);
  const keptMost = Math.max(1, limits.maxRepetitions - warmup);
  const processes = fixed.processes ?? limits.minProcesses;
  const fitting = findLargest(
    keptMost,
    (kept) => processes * expectRoundNs(pilots, warmup + kept) <= budgetNs,
  );
  const kept = fixed.kept ?? Math.max(1, fitting);
  return finish(pilots, { processes, warmup, kept }, request, () =>
    kept === keptMost ? 'most-allowed' : 'as-many-as-fit',
  );
}

function finish(
  pilots: readonly PilotSummary[],
  counts: BudgetCounts,
  { fixed, limits }: BudgetRequest,
  nameReason: () => KeptReason,
): CountsChoice {
  const { processes, warmup, kept } = counts;
  return {
    counts,
    keptReason: fixed.kept === null ? nameReason() : 'fixed',
    expectedNs: processes * expectRoundNs(pilots, warmup + kept),
    leastNs:
      (fixed.processes ?? limits.minProcesses) * expectRoundNs(pilots, warmup + (fixed.kept ?? 1)),
  };
}

/** The largest count from 1 to `most` that holds, 0 when 1 does not; larger ones hold no more. */
function findLargest(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
