import { RooflawError } from '../errors.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatItem, itemOf } from '../formats/architecture.ts';
import type { Across, CampaignsComparison } from '../formats/comparison.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import {
  type ComparedCampaign,
  compareConditions,
  nameOfDevice,
  nameOfProtocol,
  refuseDifferences,
} from './comparability.ts';
import { listCampaignsCaveats } from './compare-campaigns-caveats.ts';
import { type MatchedItems, matchItems } from './compare-campaigns-match.ts';
import { refuseSameCampaign } from './compare-campaigns-same.ts';
import { countStableSubsets, findCompleteRounds } from './compare-campaigns-stable.ts';
import { describeDisturbance } from './compare-disturbance.ts';

type ComparedItem = CampaignsComparison['items'][number];

/**
 * The same items measured twice, as changes from A to B. The two were not interleaved, so what the
 * session did and what the difference does cannot be told apart: there are no p-values and no verdict.
 * @param across differences that are declared to be the question
 * @throws RooflawError `invalid-input` naming each undeclared difference of protocol, backend or
 * device, when no item is in both, or when both are one campaign
 */
export function compareCampaigns(
  a: ComparedCampaign,
  b: ComparedCampaign,
  across: readonly Across[],
): CampaignsComparison {
  const matched = matchItems(a, b);
  const agreement = [...compareConditions(a, b), matched.models];
  refuseSameCampaign(a, b);
  refuseDifferences([a.analysis.name, b.analysis.name], agreement, across);
  refuseNothingShared(a, b, matched);

  const items = matched.pairs.map((pair) => compareItem(a, b, pair));
  const subsets = countStableSubsets(a.analysis, b.analysis, matched.pairs);
  const change = summariseChanges(items);
  const missing = subsets.state === 'counted' ? [] : [missingOf('stable.subsets', subsets.reason)];
  if (change === null) missing.push(missingOf('change', 'no item has a time in both campaigns'));
  const countStable = (side: 'a' | 'b', flag: boolean | null) =>
    items.filter((item) => item[side].stable === flag).length;
  const compared = {
    format: 'rooflaw-comparison' as const,
    formatVersion: 1 as const,
    disturbances: [
      describeDisturbance(
        a.analysis,
        matched.pairs.map((pair) => pair.a),
      ),
      describeDisturbance(
        b.analysis,
        matched.pairs.map((pair) => pair.b),
      ),
    ],
    kind: 'campaigns' as const,
    label: 'confounded with session: the two were not interleaved' as const,
    a: describeCampaign(a, 'a', matched),
    b: describeCampaign(b, 'b', matched),
    across: [...across],
    agreement,
    items,
    unmatched: {
      a: matched.unmatched.a.map((index) => nameOf(a.analysis, index)),
      b: matched.unmatched.b.map((index) => nameOf(b.analysis, index)),
    },
    change,
    stable: {
      items: items.length,
      a: countStable('a', true),
      b: countStable('b', true),
      unknownA: countStable('a', null),
      unknownB: countStable('b', null),
      subsets: subsets.state === 'counted' ? subsets.subsets : null,
    },
    missing,
  };
  return { ...compared, doesNotShow: listCampaignsCaveats(compared) };
}

const missingOf = (field: string, reason: string) => ({ field, reason });

function nameOf({ items }: SampleAnalysis, index: number) {
  return itemOf(items[index]!);
}

function describeCampaign(
  { analysis, origin }: ComparedCampaign,
  side: 'a' | 'b',
  { pairs }: MatchedItems,
): CampaignsComparison['a'] {
  const indices = pairs.map((pair) => pair[side]);
  return {
    name: analysis.name,
    evidence: analysis.evidence,
    protocol: nameOfProtocol(analysis),
    device: nameOfDevice(analysis),
    startedAt: origin?.campaign.time ?? null,
    sessions: origin?.sessions.length ?? null,
    completeRounds: findCompleteRounds(analysis, indices).length,
  };
}

function compareItem(
  a: ComparedCampaign,
  b: ComparedCampaign,
  pair: { a: number; b: number },
): ComparedItem {
  const [sideA, sideB] = [describeSide(a.analysis, pair.a), describeSide(b.analysis, pair.b)];
  const [timeA, timeB] = [sideA.representativeNs, sideB.representativeNs];
  return {
    ...nameOf(a.analysis, pair.a),
    a: sideA,
    b: sideB,
    change: timeA === null || timeB === null ? null : timeB / timeA - 1,
  };
}

function describeSide({ items }: SampleAnalysis, index: number): ComparedItem['a'] {
  const { n, representativeNs, interval, stable } = items[index]!;
  return { n, representativeNs, interval, stable };
}

function summariseChanges(items: readonly ComparedItem[]): CampaignsComparison['change'] {
  const changes = items.flatMap(({ change }, index) =>
    change === null ? [] : [{ change, index }],
  );
  const [first] = changes;
  if (first === undefined) return null;
  const largest = changes.reduce((most, candidate) =>
    Math.abs(candidate.change) > Math.abs(most.change) ? candidate : most,
  );
  const values = changes.map(({ change }) => change);
  return {
    items: changes.length,
    medianAbsolute: medianOfNumbers(values.map(Math.abs))!,
    maximumAbsolute: Math.abs(largest.change),
    largest: largest.index,
    median: medianOfNumbers(values)!,
    slower: values.filter((change) => change > 0).length,
    faster: values.filter((change) => change < 0).length,
  };
}

function refuseNothingShared(
  a: ComparedCampaign,
  b: ComparedCampaign,
  { pairs, models }: MatchedItems,
): void {
  if (pairs.length > 0) return;
  const exampleOf = ({ analysis }: ComparedCampaign) => {
    const names = analysis.items.slice(0, 4).map(formatItem).join('; ');
    return { where: analysis.name, what: `has ${names}${analysis.items.length > 4 ? ' …' : ''}` };
  };
  const others = models.details.map((what) => ({ where: 'models', what }));
  throw new RooflawError('invalid-input', 'no item was measured in both campaigns', {
    faults: [exampleOf(a), exampleOf(b), ...(models.state === 'different' ? others : [])],
  });
}
