import type { ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { formatCount } from '../units.ts';

/** What the campaign's own stopping rule says of a pair; null where the rounds are fixed. */
export function describeDeclared(pair: ComparedPair, comparison: ItemsComparison): string | null {
  const { stopping } = comparison;
  if (stopping === null) return null;
  const { declared } = pair;
  const isUnderWay = !stopping.stopped && stopping.rounds < stopping.maximumRounds;
  const said =
    declared === null
      ? 'does not compare these two'
      : declared.state === 'open'
        ? `${isUnderWay ? 'has left it open so far' : 'left it open'}, after ${formatCount(stopping.rounds, 'round')}`
        : declared.state === 'equivalent'
          ? `called the two equivalent after ${formatCount(declared.decidedAfter!, 'round')}`
          : `called B ${declared.state} after ${formatCount(declared.decidedAfter!, 'round')}`;
  return `The declared rule (${describeRule(stopping)}) ${said}. ${afterTheFact}`;
}

/** The same over a family of pairs. */
export function describeDeclaredFamily({ stopping, pairs }: ItemsComparison): string | null {
  if (stopping === null) return null;
  const states = (['slower', 'faster', 'equivalent', 'open'] as const).flatMap((state) => {
    const count = pairs.filter(({ declared }) => declared?.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const others = pairs.filter(({ declared }) => declared === null).length;
  const said = states.length === 0 ? '' : `, as B against A: ${states.join(', ')}`;
  const unsaid = others === 0 ? '' : `; ${others} it does not compare`;
  return `Of these ${pairs.length} comparisons the declared rule (${describeRule(stopping)}) compares ${pairs.length - others}${said}${unsaid}. ${afterTheFact}`;
}

const afterTheFact =
  'What follows is a test for a fixed number of rounds: after the fact, and not what was declared.';

function describeRule({ method, rounds, maximumRounds, stopped }: Stopping): string {
  const end = stopped
    ? `stopped after ${rounds} of at most ${maximumRounds} rounds`
    : `${rounds} of at most ${maximumRounds} rounds`;
  return `${method}, ${end}`;
}

type Stopping = NonNullable<ItemsComparison['stopping']>;
