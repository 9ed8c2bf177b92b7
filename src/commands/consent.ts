import { createInterface } from 'node:readline';
import { exitStatus, RooflawError } from '../errors.ts';
import { toPrintable } from '../printable.ts';
import type { Progress } from './progress.ts';

/** Longer than this is not begun without being asked. */
export const longNs = 900e9;

/** A measurement that may take long. */
export interface LongWork {
  /** How long, as a sentence without its full stop. */
  what: string;
  /** Other ways than `--yes` where nobody can be asked: `--budget 1200s`; null for none. */
  otherwise: string | null;
  /** What would be shorter, for whoever says no: `--budget for another time`; null for nothing. */
  shorter: string | null;
}

/**
 * Asks before a measurement that may take long. Ctrl-C is no, and sets the exit status.
 * @returns false when a person said no
 * @throws RooflawError `invalid-input` where nobody can be asked
 */
export async function agreesToGoOn(
  { what, otherwise, shorter }: LongWork,
  progress: Progress,
): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new RooflawError('invalid-input', `${what}, and nobody can be asked`, {
      hint: `--yes to go on${otherwise === null ? '' : `, or ${otherwise}`}`,
    });
  }
  const answer = await ask(`${what}. Go on? [y/N] `);
  if (answer === null) process.exitCode = exitStatus.interrupted;
  const isYes = answer !== null && /^y(es)?$/i.test(answer.trim());
  if (!isYes) progress.say(`not begun${shorter === null ? '' : `; ${shorter}`}`);
  return isYes;
}

/** @returns null on Ctrl-C, or at the end of what can be read */
async function ask(question: string): Promise<string | null> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string | null>((resolve) => {
    reader.once('close', () => resolve(null));
    reader.question(toPrintable(question), resolve);
  });
  reader.close();
  if (answer === null) process.stderr.write('\n'); // the cursor stands behind the question
  return answer;
}
