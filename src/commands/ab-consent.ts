import { createInterface } from 'node:readline';
import { exitStatus, RooflawError } from '../errors.ts';
import { formatDuration } from '../units.ts';
import type { Progress } from './progress.ts';

/** Longer than this is not begun without being asked, as in bench. */
export const longNs = 900e9;

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
 * Asks before a measurement that may take long.
 * @returns false when a person said no
 * @throws RooflawError `invalid-input` where nobody can be asked
 */
export async function agreesToTime(longest: LongestTime, progress: Progress): Promise<boolean> {
  const longestNs = longest.maxRounds * longest.roundNs;
  if (longestNs <= longNs) return true;
  const what = `this takes up to ${formatDuration(longestNs)}, less where everything is decided before round ${longest.maxRounds}`;
  const offer = offerFewerRounds(longest);
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new RooflawError('invalid-input', `${what}, and nobody can be asked`, {
      hint: `--yes to go on${offer === null ? '' : `, or ${offer}`}`,
    });
  }
  const answer = await ask(`${what}. Go on? [y/N] `);
  if (answer === null) process.exitCode = exitStatus.interrupted;
  const isYes = answer !== null && /^y(es)?$/i.test(answer.trim());
  if (!isYes) progress.say(`not begun${offer === null ? '' : `; ${offer} for less`}`);
  return isYes;
}

/** @returns null on Ctrl-C, or at the end of what can be read */
async function ask(question: string): Promise<string | null> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string | null>((resolve) => {
    reader.once('close', () => resolve(null));
    reader.question(question, resolve);
  });
  reader.close();
  return answer;
}
