import type { CampaignState } from '../campaign/resume.ts';
import type { Plan } from '../formats/plan.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { listItemsByPhase, nameItem } from '../protocol/schedule.ts';

/**
 * How many trials a campaign has in all by what its ledger says so far; at most, while a stopping rule
 * goes on. What the rule leaves out is not among them. For who reads a ledger entry by entry and
 * keeps no trials; the decisions are taken as they stand there.
 */
export function countDueTrials(
  plan: Plan,
  { ended, decision, finished }: Pick<CampaignState, 'ended' | 'decision' | 'finished'>,
): number {
  if (ended || decision?.stop) return finished.size;
  const { stopping, processesPerItem } = plan.protocol;
  const items = listItemsByPhase(plan);
  if (decision === null) return items.length * processesPerItem;
  const keys = (some: typeof decision.comparisons) =>
    new Set(some.flatMap(({ a, b }) => [keyOfItem(a), keyOfItem(b)]));
  const compared = keys(decision.comparisons);
  const open = keys(decision.comparisons.filter(({ state }) => state === 'open'));
  const due = items.filter((planned) => {
    const key = keyOfItem(nameItem(planned));
    return stopping?.measured !== 'open' || open.has(key) || !compared.has(key);
  });
  const decidedRounds = decision.round + 1;
  const endOfThem = decidedRounds * items.length; // trials are numbered by the whole schedule
  const concluded = [...finished].filter((trial) => trial < endOfThem).length;
  return concluded + (processesPerItem - decidedRounds) * due.length;
}
