import type { Fault } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { Plan } from '../formats/plan.ts';
import { identityOf } from '../hash.ts';
import { findDifferences } from './find-differences.ts';

/** Differences between what an analysis says was planned and the plan beside it. */
export function comparePlan({ identity, declaration, protocol }: Analysis, plan: Plan): Fault[] {
  const { shippedAs, ...ofProtocol } = identity.protocol;
  const { space, models, isV1 } = identity;
  const stated = {
    identity: { plan: identity.plan, protocol: ofProtocol, space, models, isV1 },
    declaration,
    protocol,
  };
  const { name, representative } = plan.protocol;
  const follows = {
    identity: {
      plan: { sha256: identityOf(plan), scheduleSeed: plan.scheduleSeed },
      protocol: { name, sha256: identityOf(plan.protocol) },
      space: plan.space,
      models: plan.models,
      isV1: shippedAs === 'v1' && name === 'v1',
    },
    declaration: { ...plan.declaration, representative },
    protocol: plan.protocol,
  };
  return findDifferences(stated, follows, new Set());
}
