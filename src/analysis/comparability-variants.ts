import type { Backend, CampaignEntry } from '../formats/ledger.ts';
import type { Variant } from '../formats/plan.ts';
import { canonicalJson } from '../hash.ts';
import type { Row } from './comparability.ts';
import { backendsByLabel } from './identity.ts';

/** The variants of one name in two campaigns. */
export interface SharedVariant {
  a: Variant;
  b: Variant;
}

/** Variants that both plans have by name; null where one plan has none, or no ledger tells. */
export function matchVariants(
  a: CampaignEntry | undefined,
  b: CampaignEntry | undefined,
): SharedVariant[] | null {
  const [first, second] = [a?.plan.variants, b?.plan.variants];
  if (first === undefined || second === undefined) return null;
  const byName = new Map(second.map((variant) => [variant.name, variant]));
  return first.flatMap((variant) => {
    const other = byName.get(variant.name);
    return other === undefined ? [] : [{ a: variant, b: other }];
  });
}

/** Each setting that differs under one name: `variant t4: threads is 4 in A and 2 in B`. */
export function findExecutionDifferences(shared: readonly SharedVariant[]): string[] {
  return shared.flatMap(({ a, b }) => {
    const settings = Object.keys(a.execution) as (keyof Variant['execution'])[];
    return settings.flatMap((setting) => {
      const [inA, inB] = [canonicalJson(a.execution[setting]), canonicalJson(b.execution[setting])];
      return inA === inB ? [] : [`variant ${a.name}: ${setting} is ${inA} in A and ${inB} in B`];
    });
  });
}

/**
 * The backends of two campaigns; with variants, those of each variant that both have by name.
 * @param compare sentences about what makes two builds differ
 */
export function compareBackends(
  compare: (a: Backend, b: Backend) => string[],
): (a: CampaignEntry, b: CampaignEntry) => Row {
  return (a, b) => {
    const shared = matchVariants(a, b);
    const details =
      shared === null ? compare(a.backend, b.backend) : compareShared(a, b, shared, compare);
    return { state: details.length === 0 ? 'same' : 'different', details };
  };
}

/** Each pair of builds once, with the variants that run on it. */
function compareShared(
  a: CampaignEntry,
  b: CampaignEntry,
  shared: readonly SharedVariant[],
  compare: (a: Backend, b: Backend) => string[],
): string[] {
  const [inA, inB] = [backendsByLabel(a), backendsByLabel(b)];
  const pairs = Map.groupBy(shared, (pair) => JSON.stringify([pair.a.backend, pair.b.backend]));
  return [...pairs.values()].flatMap((variants) => {
    const [{ a: one, b: other }] = variants as [SharedVariant];
    const [first, second] = [inA.get(one.backend), inB.get(other.backend)];
    if (first === undefined || second === undefined) return [];
    const names = variants.map((pair) => pair.a.name);
    const who = names.length === 1 ? `variant ${names[0]}` : `variants ${names.join(', ')}`;
    return compare(first, second).map((detail) => `${who}: ${detail}`);
  });
}
