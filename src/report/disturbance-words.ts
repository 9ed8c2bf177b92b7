import type { Analysis } from '../formats/analysis.ts';

/** The first line of every output when others used the device meanwhile; null when none were seen. */
export function describeDisturbance({ otherUse }: Pick<Analysis, 'otherUse'>): string | null {
  if (otherUse.seen === 0) return null;
  const looked = otherUse.seen + otherUse.notSeen + otherUse.notVisible;
  return `DISTURBED: others were seen at work on the device in ${otherUse.seen} of ${looked} trials; nothing was removed for it.`;
}
