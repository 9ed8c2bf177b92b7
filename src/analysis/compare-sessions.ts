import { RooflawError } from '../errors.ts';
import { itemOf } from '../formats/architecture.ts';
import type { Across, SessionsComparison } from '../formats/comparison.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { separateSessions } from '../stats/session-variance.ts';
import { formatCount } from '../units.ts';
import { type ComparedCampaign, compareConditions, refuseDifferences } from './comparability.ts';
import { matchItems } from './compare-campaigns-match.ts';
import { refuseSameCampaign } from './compare-campaigns-same.ts';
import { describeDisturbance } from './compare-disturbance.ts';
import {
  type Block,
  describeSpecimens,
  listBlocks,
  numberDevices,
} from './compare-sessions-blocks.ts';
import { listSessionsCaveats } from './compare-sessions-caveats.ts';

type ItemVariance = SessionsComparison['items'][number];

/**
 * Sessions of one plan as blocks, from one campaign or several: how much of each item's variance of
 * log time lies between them (one-way random effects).
 * @throws RooflawError `invalid-input` for a single session, for campaigns that share no item, and
 * naming each undeclared difference of protocol, backend or device
 */
export function compareSessions(
  campaigns: readonly [ComparedCampaign, ...ComparedCampaign[]],
  across: readonly Across[],
): SessionsComparison {
  const [first, ...others] = campaigns;
  const matches = others.map((other) => matchItems(first, other));
  campaigns.forEach((campaign, place) => {
    for (const other of campaigns.slice(place + 1)) refuseSameCampaign(campaign, other);
  });
  const agreement = others.map((other, index) => {
    const rows = [...compareConditions(first, other), matches[index]!.models];
    refuseDifferences([first.analysis.name, other.analysis.name], rows, across);
    return { campaign: other.analysis.name, rows };
  });
  /** Index of each shared item in every campaign. */
  const shared = first.analysis.items.flatMap((_, index) => {
    const inOthers = matches.map(({ pairs }) => pairs.find(({ a }) => a === index)?.b);
    return inOthers.includes(undefined) ? [] : [[index, ...(inOthers as number[])]];
  });
  const blocks = numberDevices(campaigns.flatMap(listBlocks));
  refuseTooFew(campaigns, blocks, shared);

  const items = shared.map((indices) => {
    const times = blocks.map((block) => block.timesOf(indices[block.place]!));
    return { ...itemOf(first.analysis.items[indices[0]!]!), ...describeVariance(times) };
  });
  const medianSessionShare = medianShare(items);
  const compared = {
    format: 'rooflaw-comparison' as const,
    formatVersion: 1 as const,
    disturbances: campaigns.map(({ analysis }, place) =>
      describeDisturbance(
        analysis,
        shared.map((indices) => indices[place]!),
      ),
    ),
    kind: 'sessions' as const,
    campaigns: campaigns.map(({ analysis }) => analysis.name),
    across: [...across],
    agreement,
    sessions: blocks.map(({ campaign, session, time, trials, device }) => {
      return { campaign, session, time, trials, device };
    }),
    specimens: describeSpecimens(blocks),
    items,
    medianSessionShare,
    devices: describeDevices(blocks, shared),
    missing: items.flatMap(({ sessionShare, ...item }, index) =>
      sessionShare === null
        ? [{ field: `items[${index}].sessionShare`, reason: explain(item) }]
        : [],
    ),
  };
  return { ...compared, doesNotShow: listSessionsCaveats(compared) };
}

function explain({ sessions, trials }: Pick<ItemVariance, 'sessions' | 'trials'>): string {
  return `${formatCount(trials, 'valid trial')} in ${formatCount(sessions, 'session')}: two sessions with two trials each are needed, and times that differ`;
}

function describeVariance(times: readonly (readonly number[])[]) {
  const counted = times.filter(({ length }) => length > 0);
  const variance = separateSessions(counted);
  return {
    sessions: counted.length,
    trials: counted.flat().length,
    fewestTrials: Math.min(...counted.map(({ length }) => length), counted.flat().length),
    sessionShare: variance?.sessionShare ?? null,
    betweenSessions: variance && Math.sqrt(variance.sessionComponent),
    withinSessions: variance && Math.sqrt(variance.withinComponent),
    isSessionNegative: variance?.isSessionNegative ?? null,
  };
}

function medianShare(items: readonly Pick<ItemVariance, 'sessionShare'>[]): number | null {
  return medianOfNumbers(
    items.flatMap(({ sessionShare }) => (sessionShare === null ? [] : [sessionShare])),
  );
}

/** What is left between sessions when the device stays the same. */
function describeDevices(
  blocks: readonly Block[],
  shared: readonly (readonly number[])[],
): SessionsComparison['devices'] {
  const devices = new Set(blocks.flatMap(({ device }) => (device === null ? [] : [device])));
  return [...devices].flatMap((device) => {
    const sessions = blocks.flatMap((block, index) => (block.device === device ? [index] : []));
    if (sessions.length < 2) return [];
    const items = shared.map((indices) =>
      describeVariance(sessions.map((at) => blocks[at]!.timesOf(indices[blocks[at]!.place]!))),
    );
    const known = items.filter(({ sessionShare }) => sessionShare !== null).length;
    return [{ device, sessions, items: known, medianSessionShare: medianShare(items) }];
  });
}

function refuseTooFew(
  campaigns: readonly ComparedCampaign[],
  blocks: readonly Block[],
  shared: readonly unknown[],
): void {
  const names = campaigns.map(({ analysis }) => analysis.name).join(', ');
  if (shared.length === 0) {
    throw new RooflawError('invalid-input', `no item was measured in all of ${names}`, {
      hint: 'name campaigns of one plan',
    });
  }
  if (blocks.length >= 2) return;
  throw new RooflawError('invalid-input', `${names} has trials of one session only`, {
    hint: 'name a second campaign of the same plan, measured at another time',
  });
}
