import type { DecisionEntry } from '../formats/ledger.ts';
import { countDecided } from './count-decided.ts';
import type { Progress } from './progress.ts';

/** Lines about the rounds of a campaign under a stopping rule; disposing says the last round if it was not said. */
export interface DecisionLines extends Disposable {
  /** Hears of every round, in their order. */
  tell(entry: Pick<DecisionEntry, 'round' | 'comparisons' | 'stop'>): void;
}

/**
 * Says some rounds, not all: every so many, each that changes what is decided, and the last.
 * @param rounds at most
 */
export function createDecisionLines(
  rounds: number,
  everySoManyRounds: number,
  progress: Pick<Progress, 'say'>,
): DecisionLines {
  let unsaid: string | null = null;
  let states: string | null = null;
  return {
    tell(entry) {
      const count = entry.round + 1;
      const line = `round ${count} of at most ${rounds}, ${countDecided(entry)}`;
      const statesNow = entry.comparisons.map(({ state }) => state).join();
      const isChanged = states === null ? hasDecided(entry) : statesNow !== states;
      states = statesNow;
      const isSaid = isChanged || entry.stop || count % everySoManyRounds === 0;
      if (isSaid) progress.say(line);
      unsaid = isSaid ? null : line;
    },
    [Symbol.dispose]() {
      if (unsaid !== null) progress.say(unsaid);
      unsaid = null;
    },
  };
}

const hasDecided = ({ comparisons }: Pick<DecisionEntry, 'comparisons'>) =>
  comparisons.some(({ state }) => state !== 'open');
