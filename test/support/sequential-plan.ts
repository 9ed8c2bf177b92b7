import type { Plan } from '../../src/formats/plan.ts';
import type { Protocol, Stopping } from '../../src/formats/protocol.ts';
import { identityOf } from '../../src/hash.ts';
import { smallPlan, smallProtocol } from './small-plan.ts';

/** Two comparisons (F16 against the reference Q8_0, in each phase) that share 10 %: from round 6 on. */
export const stoppingRule: Stopping = {
  method: 'S2',
  alpha: 0.1,
  margin: 0.005,
  equivalence: null,
  correction: 'bonferroni',
  comparisons: 'all-against-reference',
};

export function sequentialProtocol(
  changes: Partial<Protocol> = {},
  rule: Partial<Stopping> = {},
): Protocol {
  const stopping = { ...stoppingRule, ...rule };
  return smallProtocol({ name: 'small-sequential', processesPerItem: 8, stopping, ...changes });
}

/** `smallPlan` with a stopping rule and at most 8 rounds: items tiny Q8_0 (a...) and F16 (b...). */
export function sequentialPlan(
  protocol: Protocol = sequentialProtocol(),
  changes: Partial<Plan> = {},
): Plan {
  return smallPlan({ protocol, protocolSha256: identityOf(protocol), ...changes });
}
