import type { AbPair, Gate, GateTest } from '../formats/ab.ts';
import { medianOutsideWords } from '../report/format-ab.ts';
import { formatCount, formatDuration } from '../units.ts';

type Measured = NonNullable<Gate['measured']>;

/** What of a measurement its reason rests on. */
type Explained = Pick<
  Measured,
  'tests' | 'rounds' | 'plannedRounds' | 'isCutShort' | 'failedTrials'
>;

/** What bounded the rounds. */
interface Bounds {
  tookNs: number;
  timeLimitNs: number;
  /** Before so many nothing can be decided. */
  earliestRounds: number;
  /** More are not planned, however much time there is. */
  mostRounds: number;
}

/** A gate that planned well ends with nearly all of its time used; 5 % are left for surprises. */
const usedShare = 0.9;

/** Why this verdict: one sentence without its full stop. */
export function explainVerdict(
  verdict: Gate['verdict'],
  measured: Explained,
  bounds: Bounds,
): string {
  const { tests } = measured;
  const reason = explainAlone(verdict, measured, bounds);
  return [reason, ...listMoved(tests, bounds)].join('; ');
}

function explainAlone(verdict: Gate['verdict'], measured: Explained, bounds: Bounds): string {
  const { tests, failedTrials } = measured;
  switch (verdict) {
    case 'broken':
      return `${formatCount(failedTrials, 'trial')} failed, and what fails may be what is slow`;
    case 'unfit': {
      const differing = tests.filter(({ fitness }) => fitness === 'differs');
      const unsure = tests.filter(({ fitness }) => fitness === 'not-shown');
      if (differing.length > 0) {
        return `on this machine base differs from itself by more than was allowed (${nameTests(differing)}), so nothing is said about the candidate`;
      }
      const others = ['a quieter machine', 'a larger --max-slowdown'];
      const advice = advise(unsure, ({ again }) => again, measured, bounds, others);
      return `on this machine base is not shown to be as fast as itself within what was allowed (${nameTests(unsure)}), so nothing is said about the candidate${advice}`;
    }
    case 'regression':
      return `the candidate is slower than was allowed in ${nameTests(tests.filter((test) => test.verdict === verdict))}`;
    case 'inconclusive': {
      const open = tests.filter((test) => test.verdict === verdict);
      const advice = advise(open, ({ candidate }) => candidate, measured, bounds, []);
      return `whether the candidate is slower than was allowed is not known in ${nameTests(open)}${advice}`;
    }
    case 'pass':
      return 'the candidate is not slower than was allowed in any test';
  }
}

const nameTests = (tests: readonly Pick<GateTest, 'name'>[]) =>
  tests.map(({ name }) => name).join(', ');

/** Further rounds help neither a median outside of its interval nor intervals that have nothing in common. */
function hasMoved(pair: AbPair, { earliestRounds }: Bounds): boolean {
  const isEmpty = pair.interval === null && pair.pairs >= earliestRounds;
  return isEmpty || pair.isMedianOutside === true;
}

/**
 * What would make an interval narrower, by what ended the rounds.
 * @param others what helps however it ended
 */
function advise(
  open: readonly GateTest[],
  pairOf: (test: GateTest) => AbPair,
  { rounds, plannedRounds, isCutShort }: Explained,
  bounds: Bounds,
  others: readonly string[],
): string {
  const narrowable = open.filter((test) => !hasMoved(pairOf(test), bounds));
  const { tookNs, timeLimitNs, mostRounds } = bounds;
  const where = narrowable.length === open.length ? '' : ` in ${nameTests(narrowable)}`;
  const help = (options: readonly string[]) => {
    const first = options.slice(0, -1).join(', ');
    const all = first === '' ? options.at(-1) : `${first} or ${options.at(-1)}`;
    return `; ${all} would help${where}`;
  };
  const otherHelp = others.length === 0 ? '' : help(others);
  if (narrowable.length === 0)
    return open.length > 0 && others.length > 0 ? `; ${others[0]} would help` : '';
  if (isCutShort || tookNs >= usedShare * timeLimitNs) return help(['more --time', ...others]);
  if (rounds < plannedRounds) return otherHelp;
  if (plannedRounds >= mostRounds) {
    return `; more than ${plannedRounds} rounds are not planned${help(['a larger --kept', ...others])}`;
  }
  return `; the planned rounds ran out after ${formatDuration(tookNs)} of ${formatDuration(timeLimitNs)} (the pilot was slower): run it again${otherHelp}`;
}

/** Where one number cannot stand for the whole run. */
function listMoved(tests: readonly GateTest[], bounds: Bounds): string[] {
  const kinds = [
    { of: '', pairOf: ({ candidate }: GateTest) => candidate },
    { of: ' (A/A)', pairOf: ({ again }: GateTest) => again },
  ];
  const pairs = tests.flatMap((test) =>
    kinds.map(({ of, pairOf }) => ({ name: `${test.name}${of}`, pair: pairOf(test) })),
  );
  const outside = pairs.filter(({ pair }) => pair.isMedianOutside);
  const empty = pairs.filter(({ pair }) => !pair.isMedianOutside && hasMoved(pair, bounds));
  return [
    ...(outside.length === 0 ? [] : [`in ${nameTests(outside)} ${medianOutsideWords}`]),
    ...(empty.length === 0 ? [] : [`in ${nameTests(empty)} ${empty[0]!.pair.reason}`]),
  ];
}
