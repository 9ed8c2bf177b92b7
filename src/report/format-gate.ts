import { formatLimit } from '../analysis/format-limit.ts';
import type { AbPair, Gate, GateTest } from '../formats/ab.ts';
import { escapeMarkdown } from '../markdown.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatDuration } from '../units.ts';
import {
  describeAssumption,
  describeFailed,
  describeSideShortly,
  describeSpan,
  listDoubts,
  listWarnings,
  medianOutsideWords,
  nameFirstItems,
  sameBatchWords,
} from './format-ab.ts';
import { absent } from './item-row.ts';
import { formatRate, formatTime } from './quantities.ts';
import {
  createTerminal,
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
} from './terminal.ts';
import { wrapText } from './text-layout.ts';

type Measured = NonNullable<Gate['measured']>;

/** The verdict in a word or two, as a heading. */
const verdictWords: Readonly<Record<Gate['verdict'], string>> = {
  pass: 'pass',
  regression: 'REGRESSION',
  inconclusive: 'inconclusive',
  unfit: 'UNFIT MACHINE',
  broken: 'BROKEN',
};

/** The answer of `rooflaw gate` for a terminal. */
export function formatGate(gate: Gate, options: { colour: boolean; width: number }): string {
  const terminal = createTerminal(options);
  const { width, paint } = terminal;
  const say = (text: string) => wrapText(toPrintable(text), width);
  const { measured, maxSlowdown } = gate;
  const head = say(`${verdictWords[gate.verdict]}: ${explain(gate)}.`).map((line) =>
    paint(gate.verdict === 'pass' ? 'bold' : 'red', line),
  );
  if (measured === null || maxSlowdown === null) return `${head.join('\n')}\n`;
  const { tests } = measured;
  const cells = cellsOf(gate);
  const lines = [
    ...head,
    ...listNotes(measured).flatMap((words) => say(words).map((line) => paint('red', line))),
    ...say(`base: ${describeSideShortly(measured.base)}`),
    ...say(`candidate: ${describeSideShortly(measured.candidate)}`),
    '',
    ...formatColumns(
      terminal,
      { heading: 'test', align: 'left', cells: tests.map(({ name }) => name) },
      [
        columnsOf(tests, cells, ['base', 'candidate', 'base tokens/s', 'candidate tokens/s']),
        columnsOf(tests, cells, ['change', 'interval', 'verdict']),
        columnsOf(tests, cells, ['A/A interval', 'A/A']),
      ],
    ),
    ...formatLegend(terminal, describeBasis(gate, measured)),
    ...formatBlock(
      terminal,
      'The same on both sides',
      [
        ...measured.same,
        { what: 'device', value: `${measured.device.name} (${measured.device.description})` },
      ].flatMap(({ what, value }) => formatPoint(terminal, `${what}: ${value}`)),
    ),
    ...formatBlock(
      terminal,
      'Different',
      measured.different.flatMap(({ what, a, b }) =>
        formatPoint(terminal, `${what}: base ${a}; candidate ${b}`),
      ),
    ),
    '',
    ...say(`Everything is kept: \`rooflaw analyze ${measured.campaign}\` says more.`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for a pull request, as GitHub's Markdown; it ends with an empty line, to be appended. */
export function formatGateSummary(gate: Gate): string {
  const { measured, maxSlowdown } = gate;
  const head = [
    `## rooflaw gate: ${verdictWords[gate.verdict]}`,
    '',
    `Why: ${escapeMarkdown(explain(gate))}.`,
    '',
  ];
  if (measured === null || maxSlowdown === null) return `${head.join('\n')}\n`;
  const { tests } = measured;
  const names = [
    'base',
    'candidate',
    'change',
    'interval',
    'verdict',
    'A/A interval',
    'A/A',
  ] as const;
  const columns = columnsOf(tests, cellsOf(gate), names);
  const row = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    ...head,
    ...listNotes(measured).map((words) => `**${escapeMarkdown(words)}**\n`),
    row(['test', ...names]),
    `|---|${names.map(() => '---:').join('|')}|`,
    ...tests.map(({ name }, at) => row([name, ...columns.map(({ cells }) => cells[at]!)])),
    '',
    `Base: ${escapeMarkdown(describeSideShortly(measured.base))}. Candidate: ${escapeMarkdown(describeSideShortly(measured.candidate))}. Device: ${escapeMarkdown(measured.device.description)}.`,
    '',
    `<details><summary>What this rests on</summary>\n\n${escapeMarkdown(describeBasis(gate, measured))}`,
    '',
    ...tests.map((test) => `- A/A, ${escapeMarkdown(describeAgain(test, maxSlowdown))}`),
    ...measured.different.map(
      ({ what, a, b }) =>
        `- different: ${escapeMarkdown(what)}: base ${escapeMarkdown(a)}; candidate ${escapeMarkdown(b)}`,
    ),
    '',
    '</details>',
    '',
    '',
  ].join('\n');
}

/** `pp512: regression: +3.90 % to +6.10 % where +3 % is allowed.` */
export function describeCandidate(
  { name, verdict, candidate }: GateTest,
  maxSlowdown: number,
): string {
  return `${name}: ${verdict}: ${describeInterval(candidate)} where +${formatLimit(maxSlowdown)} is allowed${describeOutside(candidate)}.`;
}

const fitnessWords: Readonly<Record<GateTest['fitness'], string>> = {
  fit: 'fit',
  differs: 'differs from itself',
  'not-shown': 'not shown to be fit',
};

/** `pp512: fit: -0.40 % to +0.60 % where ±3 % is allowed.` */
export function describeAgain({ name, fitness, again }: GateTest, maxSlowdown: number): string {
  return `${name}: ${fitnessWords[fitness]}: ${describeInterval(again)} where ±${formatLimit(maxSlowdown)} is allowed${describeOutside(again)}.`;
}

function describeInterval({ interval, reason }: AbPair): string {
  return interval === null ? `no interval (${reason ?? 'not known why'})` : describeSpan(interval);
}

function describeOutside({ ratio, isMedianOutside }: AbPair): string {
  return isMedianOutside ? `; ${medianOutsideWords} (median ${formatChangeOf(ratio!)})` : '';
}

/** What must be read beside the verdict. */
function listNotes(measured: Measured): string[] {
  const { isCutShort, rounds, plannedRounds, failedTrials, different, tests } = measured;
  const same = tests.filter(({ isSame }) => isSame).map(({ name }) => name);
  return [
    ...warnOf(measured),
    ...(failedTrials === 0 ? [] : [describeFailed(failedTrials)]),
    ...(isCutShort
      ? [
          `The time was up after ${rounds} of ${plannedRounds} rounds; the intervals hold all the same.`,
        ]
      : []),
    ...(different.length === 0
      ? ['Base and candidate are the same: libraries, model and options.']
      : []),
    ...(same.length === 0
      ? []
      : [`Base and candidate are the same in ${same.join(', ')}, ${sameBatchWords}.`]),
  ];
}

/** What was seen of the machine, in full. */
export function warnOf({ disturbance, tests }: Measured): string[] {
  return listWarnings(disturbance, nameFirstItems('base', tests));
}

/** Why, with what casts doubt on a verdict that was given. */
function explain(gate: Gate): string {
  const doubts = listGateDoubts(gate);
  if (doubts.length === 0) return gate.reason;
  return `${gate.reason}; in doubt, see ${doubts.join(', ')} below: ${describeAssumption(gate.measured!.alpha)}`;
}

/** What casts doubt on a verdict that was given, by the first words of its warning. */
export function listGateDoubts({ verdict, measured }: Gate): string[] {
  if (measured === null || verdict === 'unfit' || verdict === 'broken') return [];
  return listDoubts(measured.disturbance);
}

/** Why no test has a verdict of its own; null when they have. */
export function withholdVerdicts({ verdict }: Pick<Gate, 'verdict'>): string | null {
  if (verdict === 'unfit') return 'the machine is unfit';
  return verdict === 'broken' ? 'trials failed' : null;
}

type Cells = Readonly<Record<string, (test: GateTest) => string>>;

const cellsOf = (gate: Gate): Cells => ({
  base: ({ candidate: { aNs } }) => timeOf(aNs),
  candidate: ({ candidate: { bNs } }) => timeOf(bNs),
  'base tokens/s': ({ candidate: { aTokensPerSecond } }) => rateOf(aTokensPerSecond),
  'candidate tokens/s': ({ candidate: { bTokensPerSecond } }) => rateOf(bTokensPerSecond),
  change: ({ candidate: { ratio } }) => (ratio === null ? absent : formatChangeOf(ratio)),
  interval: ({ candidate: { interval } }) => (interval === null ? absent : describeSpan(interval)),
  verdict: ({ verdict, candidate }) => {
    if (withholdVerdicts(gate) !== null) return absent;
    const isInDoubt = candidate.isMedianOutside || listGateDoubts(gate).length > 0;
    return isInDoubt ? `${verdict} (in doubt)` : verdict;
  },
  'A/A interval': ({ again: { interval } }) =>
    interval === null ? absent : describeSpan(interval),
  'A/A': ({ fitness }) => fitnessWords[fitness],
});

function columnsOf(tests: readonly GateTest[], cellOf: Cells, names: readonly string[]) {
  return names.map((heading) => {
    return { heading, align: 'right' as const, cells: tests.map(cellOf[heading]!) };
  });
}

const timeOf = (ns: number | null) => (ns === null ? absent : formatTime(ns));
const rateOf = (rate: number | null) => (rate === null ? absent : formatRate(rate));

function formatChangeOf(ratio: number): string {
  const text = ((ratio - 1) * 100).toFixed(2);
  return `${ratio > 1 ? '+' : ''}${text} %`;
}

function describeBasis(gate: Gate, measured: Measured): string {
  const { maxSlowdown, tookNs, timeLimitNs } = gate;
  const { alpha, family, rounds, plannedRounds, repetitions } = measured;
  const limit = formatLimit(maxSlowdown!);
  const withheld = withholdVerdicts(gate);
  const without =
    withheld === null ? '' : `Verdict ${absent}: ${withheld}, so that no test is judged. `;
  return (
    without +
    `Change: median over the rounds of the candidate’s time over base’s, less 1. Pass: the whole interval is at most +${limit}; regression: all of it is above; else inconclusive. ` +
    `A/A: base against itself, which must lie within ±${limit}. A wrong pass or regression in any test has a probability of at most ${formatLimit(alpha)} ` +
    `(method S2, shared by ${formatCount(family, 'interval')}), if rounds are independent and have one median ratio. ` +
    `${rounds} of at most ${plannedRounds} rounds, in each a fresh process of base, of base again and of the candidate for every test, with ${repetitions.warmup} warm-up and ${repetitions.kept} kept repetitions; ` +
    `${formatDuration(tookNs)} of ${formatDuration(timeLimitNs!)} in all.`
  );
}
