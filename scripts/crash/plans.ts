import type { Plan } from '../../src/formats/plan.ts';
import { identityOf } from '../../src/hash.ts';
import { sequentialPlan, sequentialProtocol } from '../../test/support/sequential-plan.ts';
import { smallPlan, smallProtocol } from '../../test/support/small-plan.ts';

/**
 * `fixed`: 12 trials. `sequential`: stopped by its rule after 6 of 8 rounds of 4 trials, when nothing
 * fails. `four`: so many trials, for faults at every call.
 */
export type PlanKind = 'fixed' | 'sequential' | 'four';

/** @param timeLimitSeconds of a trial */
export function makeCrashPlan(kind: PlanKind, timeLimitSeconds = 20): Plan {
  const changes = { trialTimeLimitSeconds: timeLimitSeconds };
  if (kind === 'sequential') return sequentialPlan(sequentialProtocol(changes));
  const processesPerItem = { fixed: 3, four: 2 }[kind];
  const protocol = smallProtocol({ ...changes, processesPerItem });
  const identity = { protocol, protocolSha256: identityOf(protocol) };
  const plan = smallPlan(identity);
  if (kind === 'fixed') return plan;
  const conditions = plan.conditions.slice(0, 1);
  const models = plan.models.slice(0, 1);
  return { ...plan, models, conditions };
}
