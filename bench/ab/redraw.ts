/** What `ab` would have called in a recorded campaign of two identical sides, had chance ordered its rounds otherwise. */
import type { CampaignRecord } from '../../src/analysis/campaign-record.ts';
import type { Phase } from '../../src/formats/architecture.ts';
import { keyOfItem } from '../../src/protocol/comparisons.ts';
import { nameItem, planRounds } from '../../src/protocol/schedule.ts';
import { createSequentialTest } from '../../src/protocol/stopping.ts';
import { createRandom } from '../../src/random.ts';

/**
 * Times stay in their rounds and only their sides are drawn anew, each as likely as the other: as the
 * sides are the same, each order was as likely as the one that was measured, whatever disturbed it.
 * @returns the share of `redraws` in which any test is called slower or faster
 */
export function countRedrawnAlarms(
  { campaign: { plan }, trials }: CampaignRecord,
  redraws: number,
  seed: string,
): number {
  const random = createRandom(`redraw/${seed}`);
  const rounds = planRounds(plan);
  const times = rounds.map(() => new Map<Phase, bigint[]>());
  for (const { round, item, outcome } of trials) {
    if (outcome.state !== 'observed') continue;
    const kept = outcome.measured.wallNs.slice(plan.protocol.repetitions.warmup);
    const ns = kept.reduce((sum, value) => sum + BigInt(value), 0n);
    const ofRound = times[round]!;
    ofRound.set(item.phase, [...(ofRound.get(item.phase) ?? []), ns]);
  }
  let alarms = 0;
  for (let redraw = 0; redraw < redraws; redraw++) {
    const test = createSequentialTest(plan)!;
    let isCalled = false;
    for (const [number, planned] of rounds.entries()) {
      const isExchanged = new Map([...times[number]!.keys()].map((key) => [key, flip()]));
      const sums = planned.flatMap(({ item, model }): [string, bigint][] => {
        const [first, second] = times[number]!.get(item.phase) ?? [];
        if (first === undefined || second === undefined) return [];
        const takesFirst = (item.variant === 'a') !== isExchanged.get(item.phase);
        return [[keyOfItem(nameItem({ item, model })), takesFirst ? first : second]];
      });
      const { comparisons, stop } = test.next(new Map(sums));
      isCalled ||= comparisons.some(({ state }) => state === 'slower' || state === 'faster');
      if (isCalled || stop) break;
    }
    if (isCalled) alarms += 1;
  }
  return alarms / redraws;

  function flip(): boolean {
    return random.nextBelow(2) === 1;
  }
}
