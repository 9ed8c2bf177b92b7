import { formatItem } from '../formats/architecture.ts';
import type { Agreement } from '../formats/comparison.ts';
import { listItems } from '../protocol/schedule.ts';
import type { ComparedCampaign } from './comparability.ts';

/** Items that two campaigns share, as indices into their analyses, and those they do not. */
export interface MatchedItems {
  pairs: { a: number; b: number }[];
  unmatched: { a: number[]; b: number[] };
  /** Whether the models are the same files. */
  models: Agreement;
}

/**
 * The same items in two campaigns: of one name and, where both ledgers tell, of one model file. Items
 * whose name stands in a campaign twice (models with different weights) are left unmatched.
 */
export function matchItems(a: ComparedCampaign, b: ComparedCampaign): MatchedItems {
  const [inA, inB] = [indexItems(a), indexItems(b)];
  const pairs: MatchedItems['pairs'] = [];
  const details: string[] = [];
  for (const [name, first] of inA) {
    const second = inB.get(name);
    if (second === undefined) continue;
    const isOther =
      first.modelSha256 !== null &&
      second.modelSha256 !== null &&
      first.modelSha256 !== second.modelSha256;
    if (isOther) details.push(`${name}: another model file`);
    else pairs.push({ a: first.index, b: second.index });
  }
  const isKnown = a.origin !== null && b.origin !== null;
  const state = details.length > 0 ? 'different' : isKnown ? 'same' : 'not-known';
  const lacking = (side: 'a' | 'b', { analysis }: ComparedCampaign) => {
    const matched = new Set(pairs.map((pair) => pair[side]));
    return analysis.items.map((_, index) => index).filter((index) => !matched.has(index));
  };
  return {
    pairs,
    unmatched: { a: lacking('a', a), b: lacking('b', b) },
    models: {
      what: 'models',
      state,
      details: isKnown ? details : ['a public table does not say which files they were'],
    },
  };
}

/** Items whose name stands there once, in the campaign's order. */
function indexItems({ analysis, origin }: ComparedCampaign) {
  const modelOf = new Map(
    origin === null
      ? []
      : listItems(origin.campaign.plan).map(({ item, model }) => [formatItem(item), model.sha256]),
  );
  const names = analysis.items.map(formatItem);
  const unique = names.flatMap((name, index) => {
    if (names.filter((other) => other === name).length > 1) return [];
    return [[name, { index, modelSha256: modelOf.get(name) ?? null }] as const];
  });
  return new Map(unique);
}
