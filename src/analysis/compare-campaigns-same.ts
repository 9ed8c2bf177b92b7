import { RooflawError } from '../errors.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import type { ComparedCampaign } from './comparability.ts';
import { matchItems } from './compare-campaigns-match.ts';

/**
 * Refuses a campaign beside itself or a copy of it. Times in nanoseconds do not repeat by themselves:
 * where all that both have are equal, they are the same trials.
 * @throws RooflawError `invalid-input`
 */
export function refuseSameCampaign(a: ComparedCampaign, b: ComparedCampaign): void {
  const [first, second] = [meansOf(a.analysis), meansOf(b.analysis)];
  let shared = 0;
  for (const pair of matchItems(a, b).pairs) {
    for (const [round, mean] of first[pair.a]!) {
      const other = second[pair.b]!.get(round);
      if (other === undefined) continue;
      if (other !== mean) return;
      shared += 1;
    }
  }
  if (shared === 0) return;
  const [nameA, nameB] = [a.analysis.name, b.analysis.name];
  throw new RooflawError(
    'invalid-input',
    `${nameA} and ${nameB} are one campaign, or one is a copy of the other: all ${shared} trials that both have are equal`,
    { hint: 'name two campaigns, or two items of this one' },
  );
}

function meansOf({ items, trials }: SampleAnalysis): Map<number, number>[] {
  const means = items.map(() => new Map<number, number>());
  for (const { item, round, trialMeanNs } of trials) {
    if (trialMeanNs !== null) means[item]!.set(round, trialMeanNs);
  }
  return means;
}
