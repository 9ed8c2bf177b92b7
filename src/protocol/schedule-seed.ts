import { sha256Hex } from '../hash.ts';

/** Another campaign, another order of measuring; the same name again, the same order. */
export function seedOf(campaign: string): number {
  return Number.parseInt(sha256Hex(`schedule of ${campaign}`).slice(0, 8), 16);
}
