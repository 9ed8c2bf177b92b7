import { changesRules, findChanges } from '../analysis/identity.ts';
import type { Fault } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { Plan } from '../formats/plan.ts';
import { identityOf } from '../hash.ts';
import { findDifferences } from './find-differences.ts';

/**
 * Differences between what an analysis says was planned and the plan beside it. Which builds the
 * backends’ labels stand for is the ledger’s to say.
 */
export function comparePlan({ identity, declaration, protocol }: Analysis, plan: Plan): Fault[] {
  const { shippedAs, ...ofProtocol } = identity.protocol;
  const { space, models, isV1 } = identity;
  const variants = identity.variants?.map(({ sha256: _build, ...variant }) => variant);
  const backends = identity.otherBackends?.map(({ label }) => label);
  const stated = {
    identity: {
      plan: identity.plan,
      protocol: ofProtocol,
      space,
      models,
      isV1,
      variants,
      backends,
    },
    declaration,
    protocol,
  };
  const { name, representative, execution } = plan.protocol;
  const labels = new Set(plan.variants?.map(({ backend }) => backend));
  const follows = {
    identity: {
      plan: { sha256: identityOf(plan), scheduleSeed: plan.scheduleSeed },
      protocol: { name, sha256: identityOf(plan.protocol) },
      space: plan.space,
      models: plan.models,
      isV1: shippedAs === 'v1' && name === 'v1' && !changesRules(plan),
      variants: plan.variants?.map((variant) => ({
        name: variant.name,
        backend: variant.backend,
        changes: findChanges(execution, variant.execution),
      })),
      backends: labels.size > 1 ? [...labels].slice(1) : undefined,
    },
    declaration: { ...plan.declaration, representative },
    protocol: plan.protocol,
  };
  return findDifferences(stated, follows, new Set());
}
