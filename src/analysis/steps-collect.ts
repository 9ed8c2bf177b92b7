import { type Fault, RooflawError } from '../errors.ts';
import type { LedgerEntry, ObservedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import type { CampaignRecord } from './campaign-record.ts';
import { createCollector } from './collect.ts';
import type { ProcessSteps } from './steps-times.ts';

/** A campaign's record, and the steps of its decode trials that were observed. */
export interface StepRecord {
  record: CampaignRecord;
  /** By trial. Of those with a wrong number of repetitions too: they are judged with the record. */
  steps: ReadonlyMap<number, ProcessSteps>;
}

/** Gathers a ledger entry by entry; of the times of steps only the kept ones are held, 8 bytes each. */
export interface StepCollector {
  /** @throws RooflawError `invalid-input` when the campaign did not time each step; `ledger-broken` */
  take(entry: LedgerEntry): void;
  /** @throws RooflawError `ledger-broken` */
  finish(): StepRecord;
}

export function createStepCollector(): StepCollector {
  const collector = createCollector();
  const stepsOfTrial = new Map<number, number>();
  const steps = new Map<number, ProcessSteps>();
  const roundOfTrial = new Map<number, number>();
  const faults: Fault[] = [];
  let plan: Plan | null = null;
  return {
    take(entry) {
      collector.take(entry);
      if (entry.type === 'campaign' && plan === null) {
        plan = entry.plan;
        refuseUntimed(plan);
      }
      if (entry.type === 'intended' && entry.item.phase === 'decode') {
        roundOfTrial.set(entry.trial, entry.round);
        stepsOfTrial.set(entry.trial, entry.item.decodeSteps ?? plan!.protocol.decodeSteps);
      }
      const count = entry.type === 'observed' ? stepsOfTrial.get(entry.trial) : undefined;
      if (entry.type !== 'observed' || count === undefined) return;
      const fault = findFault(entry, count);
      if (fault !== null) {
        faults.push({ where: `entry ${entry.seq}`, what: fault });
        return;
      }
      const { warmup, kept } = plan!.protocol.repetitions;
      if (entry.repetitions.length !== warmup + kept) return; // judged as failed
      const round = roundOfTrial.get(entry.trial)!;
      steps.set(entry.trial, takeSteps(entry, { round, steps: count, warmup }));
    },
    finish() {
      const record = collector.finish();
      if (faults.length === 0) return { record, steps };
      throw new RooflawError('ledger-broken', 'the ledger has other times of steps than its plan', {
        faults: faults.slice(0, mostFaultsShown),
        hint: 'rooflaw verify shows whether it was changed',
      });
    },
  };
}

const mostFaultsShown = 10;

/** @throws RooflawError `invalid-input` */
function refuseUntimed({ name, protocol }: Plan): void {
  if (protocol.phases.includes('decode') && protocol.observation.decodeSteps === 'each') return;
  throw new RooflawError('invalid-input', `${name} has no times of single decode steps`, {
    hint: `its protocol, ${protocol.name}, times them together; \`rooflaw tokens -m FILE.gguf\` measures each, \`rooflaw analyze\` reads this one`,
  });
}

function findFault({ repetitions }: ObservedEntry, count: number): string | null {
  for (const [index, { stepNs, wallNs, prefillNs }] of repetitions.entries()) {
    const where = `repetition ${index}`;
    if (stepNs?.length !== count) return `${where} has ${stepNs?.length ?? 0} of ${count} steps`;
    if (prefillNs === undefined) return `${where} does not say what its prefill took`;
    const sum = stepNs.reduce((total, ns) => total + ns, 0);
    if (sum !== wallNs) return `the steps of ${where} add up to ${sum} ns, not to ${wallNs} ns`;
  }
  return null;
}

function takeSteps(
  { trial, load, repetitions }: ObservedEntry,
  { round, steps, warmup }: { round: number; steps: number; warmup: number },
): ProcessSteps {
  const kept = repetitions.slice(warmup);
  const stepNs = new Float64Array(kept.length * steps);
  kept.forEach((repetition, index) => {
    stepNs.set(repetition.stepNs!, index * steps);
  });
  const [first] = repetitions;
  return {
    trial,
    round,
    steps,
    stepNs,
    prefillNs: kept.map(({ prefillNs }) => prefillNs ?? null),
    own: { prefillNs: first!.prefillNs ?? null, firstStepNs: first!.stepNs![0]! },
    loadNs: load === null ? 0 : load.loadNs + load.contextNs,
    clockNs: load?.clockNs ?? null,
  };
}
