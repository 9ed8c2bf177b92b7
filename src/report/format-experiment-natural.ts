import { kindWords } from '../experiment/natural-words.ts';
import { formatTime } from '../experiment/number-words.ts';
import type { ExperimentResult, Natural, NaturalCase } from '../formats/experiment-result.ts';
import { nameGroup } from './format-experiment.ts';
import { formatBlock, formatPoint, type Terminal } from './terminal.ts';
import { type Column, splitTable, wrapText } from './text-layout.ts';

/** More rows are counted; `--json` has all. */
const mostCases = 8;
const indent = '    ';

/** Slow repetitions that nobody forced: how many, which kinds, and row by row what is known and what not. */
export function formatNatural(result: ExperimentResult, terminal: Terminal): string[] {
  const lines = result.natural.flatMap((natural) => formatArm(result, natural, terminal));
  return formatBlock(terminal, 'Slow repetitions, as they came', lines);
}

function formatArm(result: ExperimentResult, natural: Natural, terminal: Terminal): string[] {
  const { group, sentences, cases, associations } = natural;
  const [first, ...others] = sentences;
  const say = (text: string) => wrapText(text, terminal.width, indent);
  const measured = associations.filter(({ verdict }) => verdict !== 'not measured');
  const withheld = associations.filter(({ verdict }) => verdict === 'not measured');
  return [
    ...formatPoint(terminal, `${nameGroup(result, group)}: ${first}`),
    ...others.flatMap(say),
    ...formatCases(cases.slice(0, mostCases), terminal.width),
    ...(cases.length > mostCases ? [`${indent}and ${cases.length - mostCases} more: --json`] : []),
    ...listUnknown(cases).flatMap((text) => wrapText(text, terminal.width, indent, `${indent}  `)),
    ...(cases.length === 0 ? [] : measured.flatMap(({ sentence }) => say(`${sentence}.`))),
    ...(cases.length === 0 || withheld.length === 0
      ? []
      : say(
          `Withheld, since ${result.complete ? 'it was not measured' : 'it was not measured or the experiment is not complete'}: whether slow repetitions go with ${withheld.map(({ event }) => event).join(', ')}.`,
        )),
  ];
}

/** What was observed, a row for each; a column that has nothing to say is left out. */
function formatCases(cases: readonly NaturalCase[], width: number): string[] {
  if (cases.length === 0) return [];
  // less than usual is nothing more
  const time = (ns: number | null) => (ns === null ? '-' : formatTime(Math.max(0, ns)));
  const number = (value: number | null) => (value === null ? '-' : String(value));
  const column = (heading: string, of: (one: NaturalCase) => string): Column => ({
    heading,
    align: heading === 'observed' ? 'left' : 'right',
    cells: cases.map(of),
  });
  const columns = [
    column('observed', ({ kind }) => kindWords[kind]),
    column('elapsed', ({ elapsedNs }) => formatTime(elapsedNs)),
    column('CPU time', ({ mainCpuNs }) => time(mainCpuNs)),
    column('more waiting', ({ extraWaitingNs }) => time(extraWaitingNs)),
    column('other waiting', ({ extraOtherNs }) => time(extraOtherNs)),
    column('CPUs', ({ startCpu, endCpu }) => (startCpu === null ? '-' : `${startCpu}, ${endCpu}`)),
    column('moves', ({ migrations }) => number(migrations)),
    column('inv. switches', ({ involuntarySwitches }) => number(involuntarySwitches)),
    column('frequency', ({ frequencyRatio }) =>
      frequencyRatio === null ? '-' : frequencyRatio.toFixed(3),
    ),
  ];
  const pieces = splitTable(
    column('block, repetition', ({ block, repetition }) => `${block + 1}, ${repetition + 1}`),
    columns.filter(({ cells }) => cells.some((cell) => cell !== '-')).map((one) => [one]),
    width - indent.length,
  );
  return pieces.flatMap((piece, index) =>
    [...(index === 0 ? [] : ['']), ...piece].map((line) => (line === '' ? '' : indent + line)),
  );
}

/** The same gap of several rows is told once, with their number. */
function listUnknown(cases: readonly NaturalCase[]): string[] {
  const gaps = Map.groupBy(
    cases.flatMap(({ unknown }) => unknown),
    (text) => text,
  );
  const largestFirst = [...gaps].sort(([, a], [, b]) => b.length - a.length);
  return largestFirst.map(([text, list]) => {
    const which =
      list.length === cases.length
        ? cases.length === 1
          ? ''
          : ' in all'
        : ` in ${list.length} of ${cases.length}`;
    return `Remains unknown${which}: ${text}.`;
  });
}
