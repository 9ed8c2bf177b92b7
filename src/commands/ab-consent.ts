import { formatDuration } from '../units.ts';
import { agreesToGoOn, longNs } from './consent.ts';
import type { Progress } from './progress.ts';

/** How long two sides may take, and what would be shorter. */
export interface LongestTime {
  roundNs: number;
  maxRounds: number;
  /** With fewer rounds nothing can be decided. */
  fewestRounds: number;
}

/** `--max-rounds 12`, as many as fit into what is not asked about; null where they could decide nothing. */
export function offerFewerRounds({ roundNs, fewestRounds }: LongestTime): string | null {
  const rounds = Math.floor(longNs / roundNs);
  return rounds < fewestRounds ? null : `--max-rounds ${rounds}`;
}

/**
 * Asks before rounds that may take long.
 * @returns false when a person said no
 * @throws RooflawError `invalid-input` where nobody can be asked
 */
export async function agreesToTime(longest: LongestTime, progress: Progress): Promise<boolean> {
  const longestNs = longest.maxRounds * longest.roundNs;
  if (longestNs <= longNs) return true;
  const what = `this takes up to ${formatDuration(longestNs)}, less where everything is decided before round ${longest.maxRounds}`;
  const offer = offerFewerRounds(longest);
  const shorter = offer === null ? null : `${offer} for less`;
  return await agreesToGoOn({ what, otherwise: offer, shorter }, progress);
}
