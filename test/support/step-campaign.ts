import type { LedgerEntry, ObservedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import type { Protocol } from '../../src/formats/protocol.ts';
import type { ScheduledTrial } from '../../src/protocol/schedule.ts';
import { appliedIn, buildPlan, buildProtocol, createLedger } from './ledger-builder.ts';

/** A repetition whose steps were timed: what its prompt took, and each step. */
export type TimedRepetition = [prefillNs: number | null, ...stepNs: number[]];

/** Six processes of 1 warm-up and 2 kept repetitions of 8 timed steps, of two models. */
export function stepProtocol(changes: Partial<Protocol> = {}): Protocol {
  return buildProtocol({
    name: 'tokens',
    phases: ['decode'],
    decodeSteps: 8,
    processesPerItem: 6,
    repetitions: { warmup: 1, kept: 2 },
    observation: {
      deviceState: 'trial-boundaries',
      hostCounters: 'none',
      profiler: 'none',
      decodeSteps: 'each',
    },
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 6, edgeRounds: 3, above: 0.05 },
    },
    ...changes,
  });
}

/** A plan of small F16 S128 and mid Q8_0 S512, in decode alone. */
export const stepPlan = (changes: Partial<Protocol> = {}): Plan =>
  buildPlan({ protocol: stepProtocol(changes) });

/** Loads take 1000 + 500 ns, a reading of the clock `clockNs`. A trial of null fails. */
export function buildStepLedger(
  plan: Plan,
  repetitionsOf: (scheduled: ScheduledTrial) => readonly TimedRepetition[] | null,
  clockNs = 0.5,
): LedgerEntry[] {
  const ledger = createLedger(plan);
  for (const scheduled of ledger.schedule) {
    const repetitions = repetitionsOf(scheduled);
    if (repetitions === null) ledger.fail(scheduled.trial);
    else observeSteps(ledger, plan, scheduled, repetitions, clockNs);
  }
  return ledger.entries;
}

function observeSteps(
  ledger: ReturnType<typeof createLedger>,
  plan: Plan,
  scheduled: ScheduledTrial,
  repetitions: readonly TimedRepetition[],
  clockNs: number,
): void {
  const wallNs = repetitions.map(([, ...stepNs]) => stepNs.reduce((sum, ns) => sum + ns, 0));
  const prepareNs = repetitions.map(([prefillNs]) => (prefillNs ?? 0) + 10);
  const changes: Partial<ObservedEntry> = {
    processNs: [...wallNs, ...prepareNs].reduce((sum, ns) => sum + ns, 1000 + 500 + 300),
    load: { loadNs: 1000, contextNs: 500, clockNs, applied: appliedIn(plan, scheduled) },
    repetitions: repetitions.map(([prefillNs, ...stepNs], index) => ({
      wallNs: wallNs[index]!,
      prepareNs: prepareNs[index]!,
      stepNs,
      prefillNs,
    })),
  };
  ledger.observe(scheduled.trial, wallNs, changes);
}
