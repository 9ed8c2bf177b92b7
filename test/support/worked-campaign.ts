import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { identityOf } from '../../src/hash.ts';
import type { ScheduledTrial } from '../../src/protocol/schedule.ts';
import { buildPlan, createLedger, type LedgerBuilder } from './ledger-builder.ts';

/** Trial means in ms by round: A with one slow trial, B steady. */
const timesA = [14.82, 14.79, 14.85, 14.8, 14.83, 14.78, 14.84, 14.81, 16.94, 14.86];
const timesB = [16.29, 16.33, 16.27, 16.31, 16.35, 16.26, 16.3, 16.34, 16.28, 16.32];

/** Decode of mid takes A, everything else B; warm-up is slower. */
export function workedTimes({ item, round }: ScheduledTrial): number[] {
  const isA = item.architecture === 'mid' && item.phase === 'decode';
  const ns = Math.round((isA ? timesA : timesB)[round % 10]! * 1e6);
  return [9 * ns, 2 * ns, ns - 1000, ns + 1000];
}

/** Analyses the ledger that `fill` writes into; every trial as worked when it is left out. */
export async function analyzeWorked(
  fill: (ledger: LedgerBuilder) => void = observeAll,
  plan: Plan = buildPlan(),
  campaignChanges: Parameters<typeof createLedger>[1] = {},
): Promise<Analysis> {
  const ledger = createLedger(plan, campaignChanges);
  fill(ledger);
  const frozen = plan.protocol.name === 'v1' ? [[identityOf(plan.protocol), 'v1'] as const] : [];
  return analyzeCampaign(await collectCampaign(ledger.entries), new Map(frozen));
}

export function observeAll(ledger: LedgerBuilder): void {
  for (const scheduled of ledger.schedule) ledger.observe(scheduled.trial, workedTimes(scheduled));
}
