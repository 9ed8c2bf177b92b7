import type { UnchainedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { nameItem, type ScheduledTrial } from '../protocol/schedule.ts';
import { createSequentialTest } from '../protocol/stopping.ts';
import { takeTrialSample } from '../stats/trial-sample.ts';
import type { CampaignState } from './resume.ts';

interface RuleFollower {
  /** After a finished round. @returns the entry of the decision */
  decide(round: readonly ScheduledTrial[]): Extract<UnchainedEntry, { type: 'decision' }>;
  /** Whether what has been decided makes this trial needless. */
  leavesOut(scheduled: ScheduledTrial): boolean;
}

/**
 * Follows a plan's stopping rule through its rounds, those of earlier sessions first; null when the
 * rounds are fixed.
 */
export function followRule(plan: Plan, state: CampaignState): RuleFollower | null {
  const test = createSequentialTest(plan);
  if (test === null) return null;
  const { wallNs } = state;
  if (wallNs === null) throw new Error('the state was not made for this plan');
  return {
    decide(round) {
      const sums = new Map<string, bigint>();
      for (const scheduled of round) {
        const measured = wallNs.get(scheduled.trial) ?? [];
        const sample = takeTrialSample(measured, plan.protocol.repetitions);
        if (sample.state !== 'valid') continue;
        sums.set(keyOfItem(nameItem(scheduled)), sample.keptSum);
      }
      return { type: 'decision', round: round[0]!.round, ...test.next(sums) };
    },
    leavesOut: (scheduled) => test.leavesOut(keyOfItem(nameItem(scheduled))),
  };
}
