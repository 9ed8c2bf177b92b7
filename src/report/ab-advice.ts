import { formatLimit } from '../analysis/format-limit.ts';
import type { Ab, AbTest } from '../formats/ab.ts';
import { formatCount, formatWhole } from '../units.ts';
import { formatChange, formatPercent } from './quantities.ts';

/** `--max-rounds` takes no more. */
const mostRounds = 1000;

/** What it would take where something stayed inconclusive, as far as the data show it. */
export function adviseInconclusive({ tests, rounds, rule }: Ab): string[] {
  const silent = tests.filter(({ pairs }) => pairs === 0);
  const undecided = tests.filter(({ verdict, pairs }) => verdict === 'inconclusive' && pairs > 0);
  const moved = undecided.filter(
    ({ isMedianOutside, interval, pairs }) =>
      isMedianOutside || (interval === null && pairs >= rule.earliestRounds),
  );
  const names = moved.map(({ name }) => name).join(', ');
  return [
    ...silent.map(
      ({ name }) =>
        `Of ${name} no round has a valid trial of both sides: more rounds do not change that; what failed stands above and in the logs.`,
    ),
    ...(moved.length === 0
      ? []
      : [
          `More rounds do not decide ${names} while the ratio changes: a new campaign on a quieter machine may.`,
        ]),
    ...adviseRounds(
      undecided.filter((test) => !moved.includes(test)),
      rounds,
      rule,
    ),
  ];
}

/** What the interval of a test that stayed open must come to. */
interface Need {
  name: string;
  ratio: number;
  width: number;
  /** Not above 0: at this ratio no width decides it. */
  wantedWidth: number;
  /** What is decided then. */
  what: string;
}

function adviseRounds(open: readonly AbTest[], rounds: number, rule: Ab['rule']): string[] {
  if (open.length === 0) return [];
  const needs = open.flatMap((test) => findNeed(test, rule) ?? []);
  if (needs.length === 0) {
    return ['To decide it: a new campaign with a larger --max-rounds, or with a larger --kept.'];
  }
  const stuck = needs.filter(({ wantedWidth }) => wantedWidth <= 0);
  const [hardest] = needs
    .filter(({ wantedWidth }) => wantedWidth > 0)
    .toSorted((one, other) => other.width / other.wantedWidth - one.width / one.wantedWidth);
  return [
    ...stuck.map((need) => describeStuck(need, rule)),
    ...(hardest === undefined ? [] : [describeRounds(hardest, rounds, rule)]),
  ];
}

/** The wider of the two widths that would decide, were the estimate in the middle of the interval. */
function findNeed({ name, ratio, interval }: AbTest, rule: Ab['rule']): Need | null {
  if (interval === null || ratio === null) return null;
  const { margin, equivalence } = rule;
  const distance = Math.abs(ratio - 1);
  const known = { name, ratio, width: interval.upper - interval.lower };
  const clear = {
    ...known,
    wantedWidth: 2 * (distance - margin),
    what: `clear of ${margin === 0 ? '1' : `1 ± ${formatLimit(margin)}`}`,
  };
  if (equivalence === null || equivalence - distance < distance - margin) return clear;
  const what = `within 1 ± ${formatLimit(equivalence)}`;
  return { ...known, wantedWidth: 2 * (equivalence - distance), what };
}

function describeStuck({ name, ratio }: Need, { margin, equivalence }: Ab['rule']): string {
  const beyond = margin === 0 ? 'clear of 1' : `beyond the margin of ${formatLimit(margin)}`;
  const estimate = `The estimate of ${name}, ${formatChange(ratio - 1)}, is`;
  return equivalence === null
    ? `${estimate} not ${beyond}, and equivalence was not asked: more rounds do not decide it while it stays there; a new campaign with --equivalence may.`
    : `${estimate} neither within ${formatLimit(equivalence)} nor ${beyond}: more rounds do not decide it while it stays there; a new campaign with a wider --equivalence or a smaller --margin may.`;
}

function describeRounds(need: Need, rounds: number, { equivalence }: Ab['rule']): string {
  const { name, ratio, width, wantedWidth, what } = need;
  const enough = Math.max(rounds + 1, roundUp(rounds * (width / wantedWidth) ** 2));
  const start =
    `To decide it: the interval of ${name} is ${formatPercent(width)} of a’s time wide after ${formatCount(rounds, 'round')} ` +
    `and narrows roughly with the square root of the rounds. To be ${what} while the estimate stays at ${formatChange(ratio - 1)} ` +
    `it may be ${formatPercent(wantedWidth)} wide, which takes`;
  if (enough <= mostRounds) {
    return `${start} about ${formatCount(enough, 'round')}: a new campaign with --max-rounds ${enough}, or with a larger --kept.`;
  }
  const wider = equivalence === null ? 'with --equivalence' : 'with a wider --equivalence';
  return `${start} more than the ${formatWhole(mostRounds)} rounds that --max-rounds may be. That is out of reach here: a new campaign on a quieter machine, with a larger --kept, or ${wider} may decide it.`;
}

/** To two digits, since no more of it is known; a hair above a whole number is that number. */
function roundUp(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / step - 1e-9) * step;
}
