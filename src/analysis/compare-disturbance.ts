import type { SampleAnalysis } from '../formats/analysis.ts';
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
    drift: analysis.drift.map((drift) =>
      drift.state === 'not-evaluable'
        ? { phase: drift.phase, state: drift.state, change: null, threshold: null }
        : {
            phase: drift.phase,
            state: drift.exceeded ? ('marked' as const) : ('not-marked' as const),
            change: drift.change,
            threshold: drift.threshold,
          },
    ),
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
