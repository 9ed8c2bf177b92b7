import { formatLimit } from '../analysis/format-limit.ts';
import type { Ab, AbPair, AbSide, AbTest } from '../formats/ab.ts';
import type { Phase } from '../formats/architecture.ts';
import type { Disturbance } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { formatCount } from '../units.ts';
import { adviseInconclusive } from './ab-advice.ts';
import { describeDisturbance } from './disturbance-words.ts';
import { absent } from './item-row.ts';
import { formatChange, formatPercent, formatRate, formatTime } from './quantities.ts';
import {
  createTerminal,
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
} from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** The answer of `rooflaw ab` for a terminal: the verdicts first, then what they rest on. */
export function formatAb(ab: Ab, options: { colour: boolean; width: number }): string {
  const terminal = createTerminal(options);
  const { width, paint } = terminal;
  const say = (text: string) => wrapText(toPrintable(text), width);
  const lines = [
    ...say(`${ab.campaign}: b against a`).map((line) => paint('bold', line)),
    ...say(`a: ${ab.a.label}`),
    ...say(`b: ${ab.b.label}`),
    ...listSame(ab).flatMap((words) => say(words).map((line) => paint('yellow', line))),
    ...[
      ...listWarnings(ab.disturbance, nameFirstItems('a', ab.tests)),
      ...(listDoubts(ab.disturbance).length === 0
        ? []
        : [`All verdicts are in doubt: ${describeAssumption(ab.rule.alpha)}.`]),
    ].flatMap((words) => say(words).map((line) => paint('red', line))),
    ...(ab.failedTrials === 0
      ? []
      : say(describeFailed(ab.failedTrials)).map((line) => paint('red', line))),
    '',
    ...ab.tests.flatMap((test) => say(describeTest(test, ab)).map((line) => paint('bold', line))),
    ...adviseInconclusive(ab).flatMap(say),
    '',
    ...formatColumns(
      terminal,
      { heading: 'test', align: 'left', cells: ab.tests.map(({ name }) => name) },
      [
        [
          column('time a', ab.tests, ({ aNs }) => timeOf(aNs)),
          column('time b', ab.tests, ({ bNs }) => timeOf(bNs)),
        ],
        [
          column('tokens/s a', ab.tests, (test) => rateOf(test.aTokensPerSecond)),
          column('tokens/s b', ab.tests, (test) => rateOf(test.bTokensPerSecond)),
        ],
        [
          column('b / a', ab.tests, ({ ratio }) => (ratio === null ? absent : ratio.toFixed(4))),
          column('interval', ab.tests, ({ interval }) => formatRatios(interval)),
          column('pairs', ab.tests, ({ pairs }) => `${pairs}`),
        ],
        [
          column('decided', ab.tests, ({ decidedAfter }) =>
            decidedAfter === null ? absent : `${decidedAfter}`,
          ),
          column('verdict', ab.tests, ({ verdict, isMedianOutside }) =>
            isMedianOutside || listDoubts(ab.disturbance).length > 0
              ? `${verdict} (in doubt)`
              : verdict,
          ),
        ],
      ],
    ),
    ...formatLegend(terminal, describeRule(ab)),
    ...formatBlock(
      terminal,
      'The same on both sides',
      [
        ...ab.same,
        { what: 'device', value: `${ab.device.name} (${ab.device.description})` },
      ].flatMap(({ what, value }) => formatPoint(terminal, `${what}: ${value}`)),
    ),
    ...formatBlock(
      terminal,
      'Different',
      ab.different.flatMap(({ what, a, b }) => formatPoint(terminal, `${what}: a ${a}; b ${b}`)),
    ),
    '',
    ...say(`Everything is kept: \`rooflaw analyze ${ab.campaign}\` says more.`),
  ];
  return `${lines.join('\n')}\n`;
}

/** What of it is A/A: all, or tests in which options that differ come to the same. */
function listSame({ isSame, tests }: Ab): string[] {
  const consequence = 'so that a difference that is called is a false alarm, or the machine’s.';
  if (isSame) return [`A/A: both sides are the same, ${consequence}`];
  const same = tests.filter((test) => test.isSame);
  if (same.length === 0) return [];
  const names = same.map(({ name }) => name).join(', ');
  return [`A/A in ${names}: both sides are the same there, ${sameBatchWords}, ${consequence}`];
}

/** Why sides of different batches are the same in a test. */
export const sameBatchWords =
  'since llama.cpp lowers a batch to the context, which is as long as the test';

const column = <Row>(heading: string, rows: readonly Row[], cell: (row: Row) => string) => {
  return { heading, align: 'right' as const, cells: rows.map(cell) };
};
const timeOf = (ns: number | null) => (ns === null ? absent : formatTime(ns));
const rateOf = (rate: number | null) => (rate === null ? absent : formatRate(rate));

/** `0.9962–1.0034` */
export function formatRatios(interval: AbPair['interval']): string {
  return interval === null ? absent : `${interval.lower.toFixed(4)}–${interval.upper.toFixed(4)}`;
}

/** The item that drift is looked for in, in words, by its phase. */
export type FirstItems = (phase: Phase) => string;

/** The first test of a side in each phase: what drift is looked for in. */
export function nameFirstItems(
  side: string,
  tests: readonly Pick<AbTest, 'name' | 'phase'>[],
): FirstItems {
  return (phase) => `${tests.find((test) => test.phase === phase)?.name ?? phase} of ${side}`;
}

/** `pp512 of a took 13.3 % less time in the last rounds than in the first` */
function listDrifts({ drift }: Disturbance, firstItems: FirstItems): string[] {
  return drift.flatMap(({ phase, state, change }) => {
    if (state !== 'marked') return [];
    const more = change! > 0 ? 'more' : 'less';
    return [
      `${firstItems(phase)} took ${formatPercent(Math.abs(change!))} ${more} time in the last rounds than in the first`,
    ];
  });
}

/** What casts doubt on every verdict, by the first words of its warning in `listWarnings`. */
export function listDoubts({ otherUse, drift, twoSpeed }: Disturbance): string[] {
  return [
    ...(otherUse === null || otherUse.seen === 0 ? [] : ['DISTURBED']),
    ...(drift.some(({ state }) => state === 'marked') ? ['DRIFT'] : []),
    ...(twoSpeed.length === 0 ? [] : ['Two speeds']),
  ];
}

/** @param alpha the probability of a wrong decision that is claimed */
export function describeAssumption(alpha: number): string {
  return `the ${formatLimit(alpha)} holds only for independent rounds with one median ratio`;
}

/** Of a pair whose `isMedianOutside` is set. */
export const medianOutsideWords =
  'the median lies outside of its interval: the ratio changed during the run (chance alone does this rarely), so neither of the two describes it';

/** What must be read before any verdict. */
export function listWarnings(disturbance: Disturbance, firstItems: FirstItems): string[] {
  const { otherUse, drift, twoSpeed, environment } = disturbance;
  const drifts = listDrifts(disturbance, firstItems);
  const above = drift.find(({ state }) => state === 'marked')?.threshold;
  const marks =
    drifts.length === 0
      ? null
      : `DRIFT, MARKED FOR REVIEW: ${drifts.join(' and ')} (more than ${formatLimit(above!)}).`;
  const changed = [...new Set(environment?.flatMap(({ differences }) => differences))];
  return [
    otherUse === null ? null : describeDisturbance({ otherUse }),
    marks,
    twoSpeed.length === 0
      ? null
      : `Two speeds: the trials of ${formatCount(twoSpeed.length, 'item')} fall into a fast and a slow group, so that one ratio does not describe them.`,
    changed.length === 0 ? null : `The environment changed: ${changed.join('; ')}.`,
  ].filter((words) => words !== null);
}

export function describeFailed(failedTrials: number): string {
  return `${formatCount(failedTrials, 'trial')} failed and gave no pairs. If failing and being slow go together, what fails looks faster than it is.`;
}

/** What of an answer the sentence of a verdict needs. */
type Told = Pick<Ab, 'rule' | 'rounds' | 'disturbance'>;

/** One verdict as a sentence, with what casts doubt on it. */
export function describeTest(test: AbTest, ab: Told): string {
  const { rule, rounds } = ab;
  const { name, verdict, interval, ratio, decidedAfter, reason, isMedianOutside } = test;
  if (interval === null) return `${name}: inconclusive: ${reason ?? 'there is no interval'}.`;
  const when = `interval ${describeSpan(interval)}, ${formatCount(decidedAfter ?? rounds, 'round')}`;
  const doubts = listDoubts(ab.disturbance);
  const inDoubt = doubts.length === 0 ? '' : `; in doubt: see ${doubts.join(', ')} above`;
  const outside = isMedianOutside
    ? `; ${medianOutsideWords} (median ${formatChange(ratio! - 1)})`
    : '';
  const doubt = `${outside}${inDoubt}`;
  const by =
    ratio === null || isMedianOutside
      ? ''
      : ` by ${formatPercent(Math.abs(ratio - 1))} of a’s time`;
  switch (verdict) {
    case 'slower':
      return `${name}: b is slower than a${by} (${when})${doubt}.`;
    case 'faster':
      return `${name}: b is faster than a${by} (${when})${doubt}.`;
    case 'equivalent':
      return `${name}: b is equivalent to a within ${formatLimit(rule.equivalence!)} (${when})${doubt}.`;
    case 'inconclusive':
      return isMedianOutside
        ? `${name}: inconclusive (${when})${doubt}.`
        : `${name}: inconclusive${describeDirection(interval, rule)} (${when}); differences outside of that are excluded${doubt}.`;
  }
}

/** What is shown all the same where only the margin is in the way. */
function describeDirection(
  { lower, upper }: NonNullable<AbPair['interval']>,
  { margin }: Ab['rule'],
): string {
  if (margin === 0 || (lower <= 1 && upper >= 1)) return '';
  return `: b is ${lower > 1 ? 'slower' : 'faster'} than a, but perhaps by less than the margin of ${formatLimit(margin)}`;
}

/** `-0.40 % to +1.20 %`: an interval of a ratio as changes. */
export function describeSpan({ lower, upper }: { lower: number; upper: number }): string {
  return `${formatChange(lower - 1)} to ${formatChange(upper - 1)}`;
}

function describeRule({ rule, rounds, repetitions }: Ab): string {
  const { alpha, family, margin, equivalence, earliestRounds, maximumRounds } = rule;
  const beyond = margin === 0 ? '1' : `1 ± ${formatLimit(margin)}`;
  const within =
    equivalence === null
      ? 'equivalence is not asked'
      : `equivalent when within 1 ± ${formatLimit(equivalence)}`;
  return `b / a: median over the rounds of time of b over time of a; interval: what the intervals after all rounds have in common (S2), which decides: slower or faster when clear of ${beyond}, ${within}. A wrong decision${family === 1 ? '' : ` in any of ${family} tests`} has a probability of at most ${formatLimit(alpha)}, if rounds are independent and have one median ratio. ${rounds} of at most ${maximumRounds} rounds were measured, a decided test in no further one; nothing can be decided before round ${earliestRounds}; each round has a fresh process of either side with ${repetitions.warmup} warm-up and ${repetitions.kept} kept repetitions.`;
}

/** A side in one line: what was given, and what of its file and build that does not say. */
export function describeSideShortly({ label, model, backend }: AbSide): string {
  const build = backend.commit === null ? '' : ` (${backend.commit.slice(0, 12)})`;
  const file = label === model.file ? '' : `: ${model.file}`;
  const library = label === backend.label ? '' : ` on ${backend.label}`;
  return `${label}${file}${library}${build}`;
}
