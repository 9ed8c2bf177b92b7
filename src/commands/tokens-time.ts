import { itemKey } from '../analysis/item-key.ts';
import type { ObservedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { planTrials } from '../protocol/schedule.ts';
import { formatDuration, formatWhole } from '../units.ts';
import { longNs } from './consent.ts';
import type { OnObserved } from './measure.ts';
import type { Progress } from './progress.ts';

type Timed = Pick<ObservedEntry, 'trial' | 'processNs' | 'harnessNs' | 'idleWaitNs'>;

/**
 * Says how long the rest will take, from the first process on, and once more when every item has had
 * one where there are several: they may be of very different length.
 * @param howToGoOn said where it is long, after a stop
 */
export function sayTimeLeft(plan: Plan, howToGoOn: string, progress: Progress): OnObserved {
  const trials = planTrials(plan);
  const keyOf = ({ item, model }: (typeof trials)[number]) => itemKey(item, model.sha256);
  const items = new Set(trials.map(keyOf)).size;
  const tookNs = new Map<string, number>();
  let saidOf = 0;
  return (_item, { trial, processNs, harnessNs, idleWaitNs }: Timed) => {
    const key = keyOf(trials[trial]!);
    if (!tookNs.has(key)) tookNs.set(key, processNs + harnessNs + idleWaitNs);
    const isNew = saidOf === 0 || (tookNs.size === items && saidOf < items);
    const left = trials.slice(trial + 1);
    if (!isNew || left.length === 0) return;
    saidOf = tookNs.size;
    const known = [...tookNs.values()];
    const meanNs = known.reduce((sum, ns) => sum + ns, 0) / known.length;
    const leftNs = left.reduce((sum, one) => sum + (tookNs.get(keyOf(one)) ?? meanNs), 0);
    const like = saidOf === 1 ? 'the first one' : 'the first of each item';
    const stop = leftNs > longNs ? `; Ctrl-C stops, ${howToGoOn}` : '';
    progress.say(
      `${formatWhole(left.length)} ${left.length === 1 ? 'process' : 'processes'} left: about ${formatDuration(leftNs)} if they are like ${like}${stop}`,
    );
  };
}
