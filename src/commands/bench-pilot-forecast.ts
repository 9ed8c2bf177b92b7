import { createRemainingTime } from '../campaign/remaining-time.ts';
import type { Item } from '../formats/architecture.ts';
import type { ObservedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { listItems, planTrials } from '../protocol/schedule.ts';
import { formatCount, formatDuration } from '../units.ts';
import type { Progress } from './progress.ts';

/** The times of a trial that this reads. */
type TrialTimes = Pick<ObservedEntry, 'trial' | 'processNs' | 'harnessNs' | 'idleWaitNs'>;

/**
 * Says once, after the first round, how long the rest of a pilot takes: nothing else does before it
 * ends, and no budget limits it.
 * @returns what hears of each trial that worked, in the order in which they are measured
 */
export function createPilotForecast(
  plan: Plan,
  progress: Progress,
  hasBudget = false,
): (item: Item, entry: TrialTimes) => void {
  const trials = planTrials(plan);
  const lastOfRound = listItems(plan).length - 1;
  const seen: { item: Item; ns: number }[] = [];
  let isSaid = false;
  const budget = hasBudget ? '; --budget is for the campaign after it' : '';
  return (item, { trial, processNs, harnessNs, idleWaitNs }) => {
    seen.push({ item, ns: processNs + harnessNs + idleWaitNs });
    const rest = trials.slice(trial + 1).map((planned) => planned.item);
    if (isSaid || trial < lastOfRound || rest.length === 0) return;
    isSaid = true;
    // a campaign that goes on has not seen its first trials here
    const remaining = createRemainingTime([...rest, ...seen.map((one) => one.item)]);
    for (const one of seen) remaining.record(one.item, one.ns);
    const time = formatDuration(remaining.estimateNs()!);
    const others = formatCount(rest.length, 'trial');
    progress.say(`the pilot takes about ${time} more for ${others}${budget}`);
  };
}
