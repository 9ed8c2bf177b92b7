import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { itemKey } from '../analysis/item-key.ts';
import type { Plan } from '../formats/plan.ts';
import { testOf } from '../llama-bench/item-name.ts';
import { nameTest } from '../llama-bench/options/tests.ts';
import { listItems } from '../protocol/schedule.ts';
import { formatCount } from '../units.ts';

/** An item of which no trial worked, though some were tried. */
export interface FailedItem {
  /** `itemKey` */
  key: string;
  /** Of its model and variant. */
  pair: string;
  model: string;
  variant: string | null;
  test: string;
  trials: number;
  /** Of its last trial, as the runner gave it. */
  reason: string;
}

/** In the plan's order; empty when every item gave a time or was not tried. */
export function listFailedItems(plan: Plan, { trials }: CampaignRecord): FailedItem[] {
  const tried = Map.groupBy(trials, ({ item, modelSha256 }) => itemKey(item, modelSha256));
  return listItems(plan).flatMap(({ item, model }) => {
    const key = itemKey(item, model.sha256);
    const outcomes = (tried.get(key) ?? []).map(({ outcome }) => outcome);
    const failures = outcomes.filter((outcome) => outcome.state === 'failed');
    const last = failures.at(-1);
    if (last === undefined || outcomes.some(({ state }) => state === 'observed')) return [];
    const variant = item.variant ?? null;
    return [
      {
        key,
        pair: pairOf(model.sha256, variant),
        model: 'file' in model ? model.file : model.sha256,
        variant,
        test: nameTest(testOf(item, plan.protocol.decodeSteps)),
        trials: failures.length,
        reason: last.message,
      },
    ];
  });
}

/** The keys of every item that shares its model and variant with one of these. */
export function keysOfPairs(plan: Plan, failed: readonly FailedItem[]): Set<string> {
  const pairs = new Set(failed.map(({ pair }) => pair));
  return new Set(
    listItems(plan).flatMap(({ item, model }) =>
      pairs.has(pairOf(model.sha256, item.variant ?? null)) ? [itemKey(item, model.sha256)] : [],
    ),
  );
}

const pairOf = (sha256: string, variant: string | null) => `${sha256} ${variant ?? ''}`;

/** More than these are counted, not named. */
const mostNamed = 6;

/**
 * A line for each reason: `bad.gguf [fa0] (pp512, tg128); bad.gguf [fa1] (pp512, tg128): 8 of 8 trials
 * failed, model-not-loaded: …`.
 * @param namesTests whether the tests are told apart, or stand for the model and variant
 */
export function describeFailedItems(failed: readonly FailedItem[], namesTests = true): string[] {
  const reasons = Map.groupBy(failed, ({ reason }) => reason);
  return [...reasons].map(([reason, items]) => {
    const pairs = [...Map.groupBy(items, ({ pair }) => pair).values()];
    const names = pairs.slice(0, mostNamed).map((ofPair) => {
      const { model, variant } = ofPair[0]!;
      const tests = namesTests ? ` (${ofPair.map(({ test }) => test).join(', ')})` : '';
      return `${model}${variant === null ? '' : ` [${variant}]`}${tests}`;
    });
    const more = pairs.length > mostNamed ? [`${pairs.length - mostNamed} more`] : [];
    const trials = items.reduce((sum, item) => sum + item.trials, 0);
    const subject = [...names, ...more].join('; ');
    return `${subject}: ${trials} of ${formatCount(trials, 'trial')} failed, ${reason}`;
  });
}
