import type { DriftAnalysis, SampleAnalysis } from '../formats/analysis.ts';
import { itemOf } from '../formats/architecture.ts';
import type { Disturbance } from '../formats/comparison.ts';

/**
 * What a campaign saw while it measured, to stand beside whatever is compared of it.
 * @param compared indices of the items that are compared
 */
export function describeDisturbance(
  analysis: SampleAnalysis,
  compared: readonly number[],
): Disturbance {
  const { name, items } = analysis;
  return {
    campaign: name,
    otherUse: analysis.evidence === 'ledger' ? analysis.otherUse : null,
    drift: analysis.drift.map((drift) => ({
      ...summarise(drift),
      ...findFirstItem(analysis, drift),
      ...(drift.leftOutAfter === undefined ? {} : { leftOutAfter: drift.leftOutAfter }),
    })),
    twoSpeed: [...new Set(compared)].flatMap((index) => {
      const item = items[index]!;
      return item.twoSpeed?.isTwoSpeed ? [itemOf(item)] : [];
    }),
    environment:
      analysis.evidence === 'ledger'
        ? analysis.sessions
            .filter(({ differences }) => differences.length > 0)
            .map(({ session, differences }) => ({ session, differences }))
        : null,
  };
}

function summarise(drift: DriftAnalysis): Disturbance['drift'][number] {
  const { phase, state } = drift;
  if (state === 'not-evaluable') return { phase, state, change: null, threshold: null };
  const { change, threshold, exceeded } = drift;
  return { phase, state: exceeded ? 'marked' : 'not-marked', change, threshold };
}

/** Named where the protocol has no reference of its own. */
function findFirstItem(
  { items, protocol }: SampleAnalysis,
  { phase }: DriftAnalysis,
): Pick<Disturbance['drift'][number], 'firstItem'> {
  if (protocol?.reference !== 'first-condition') return {};
  const first = items.find((item) => item.isReference && item.phase === phase);
  return first === undefined ? {} : { firstItem: itemOf(first) };
}
