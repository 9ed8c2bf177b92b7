import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { itemKey } from '../analysis/item-key.ts';
import { RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import type { PilotItem } from '../protocol/budget.ts';
import { listItems } from '../protocol/schedule.ts';

/**
 * What a short pilot shows of each item of a plan, in the plan's order.
 * @throws RooflawError `trials-failed` when an item has no trial that was observed
 */
export function readPilot(plan: Plan, { trials }: CampaignRecord): PilotItem[] {
  const items = new Map<string, PilotItem>(
    listItems(plan).map(({ item, model }) => [itemKey(item, model.sha256), { processes: [] }]),
  );
  for (const { item, modelSha256, outcome } of trials) {
    if (outcome.state !== 'observed') continue;
    const { wallNs, prepareNs, processNs, harnessNs, deviceReadNs, idleWaitNs } = outcome.measured;
    const repetitionsNs = sum(wallNs) + sum(prepareNs);
    const overheadNs = processNs - repetitionsNs + harnessNs + deviceReadNs + idleWaitNs;
    items.get(itemKey(item, modelSha256))?.processes.push({ overheadNs, wallNs, prepareNs });
  }
  const pilots = [...items.values()];
  if (pilots.some(({ processes }) => processes.length === 0)) {
    throw new RooflawError('invalid-input', 'the pilot has items without a trial that worked', {
      hint: 'what failed stands above and in its logs; leave it out, or change its options',
    });
  }
  return pilots;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
