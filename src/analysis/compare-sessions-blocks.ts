import type { SessionsComparison } from '../formats/comparison.ts';
import type { ComparedCampaign } from './comparability.ts';

type Session = SessionsComparison['sessions'][number];

/** One session of one campaign, with its valid trials. */
export interface Block extends Session {
  /** Which of the compared campaigns it belongs to. */
  place: number;
  specimenSha256: string | null;
  /** Trial means of an item, by its index in that campaign. */
  timesOf(item: number): number[];
}

/**
 * The sessions of a campaign that have a valid trial. A public table does not tell them apart: it is
 * one session.
 */
export function listBlocks({ analysis, origin }: ComparedCampaign, place: number): Block[] {
  const valid = analysis.trials.filter(({ trialMeanNs }) => trialMeanNs !== null);
  const numbers = [...new Set(valid.map(({ session }) => session ?? 0))].sort((a, b) => a - b);
  return numbers.map((session) => {
    const trials = valid.filter((trial) => (trial.session ?? 0) === session);
    const record = origin?.sessions.find((candidate) => candidate.session === session);
    return {
      campaign: analysis.name,
      session,
      time: record?.time ?? null,
      trials: trials.length,
      device: null,
      place,
      specimenSha256: record?.specimenSha256 ?? null,
      timesOf: (item) =>
        trials.flatMap((trial) => (trial.item === item ? [trial.trialMeanNs!] : [])),
    };
  });
}

/** Numbers the devices in the order of their appearance; the hash itself goes no further. */
export function numberDevices(blocks: readonly Block[]): Block[] {
  const known = new Map<string, number>();
  return blocks.map((block) => {
    const { specimenSha256 } = block;
    if (specimenSha256 === null) return block;
    const device = known.get(specimenSha256) ?? known.size + 1;
    known.set(specimenSha256, device);
    return { ...block, device };
  });
}

/** `other`: at least two devices are known to differ, whatever the rest is. */
export function describeSpecimens(blocks: readonly Block[]): SessionsComparison['specimens'] {
  const known = new Set(blocks.flatMap(({ device }) => (device === null ? [] : [device])));
  if (known.size > 1) return 'other';
  return blocks.some(({ device }) => device === null) ? 'not-known' : 'same';
}
