import type { ExperimentResult, Natural } from '../formats/experiment-result.ts';
import { nameGroup } from './format-experiment.ts';
import { formatBlock, formatPoint, type Terminal } from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** More rows are counted; `--json` has all. */
const mostCases = 8;

/** Slow repetitions that nobody forced: how many, which kinds, and row by row what is known and what not. */
export function formatNatural(result: ExperimentResult, terminal: Terminal): string[] {
  const lines = result.natural.flatMap((natural) => formatArm(result, natural, terminal));
  return formatBlock(terminal, 'Slow repetitions, as they came', lines);
}

function formatArm(result: ExperimentResult, natural: Natural, terminal: Terminal): string[] {
  const { group, sentences, cases, associations, slow } = natural;
  const [first, ...others] = sentences;
  const hidden = cases.length - mostCases;
  return [
    ...formatPoint(terminal, `${nameGroup(result, group)}: ${first}`),
    ...others.flatMap((sentence) => wrapText(sentence, terminal.width, '    ')),
    ...cases
      .slice(0, mostCases)
      .flatMap(({ block, repetition, observed, unknown }) => [
        ...wrapText(
          `block ${block + 1}, repetition ${repetition + 1}. Observed: ${observed.join('; ')}.`,
          terminal.width,
          '    ',
          '      ',
        ),
        ...wrapText(
          unknown.length === 0 ? 'Unknown: why.' : `Unknown: ${unknown.join('; ')}.`,
          terminal.width,
          '      ',
          '      ',
        ),
      ]),
    ...(hidden > 0 ? [`    ${hidden} more: --json`] : []),
    ...(slow === 0
      ? []
      : associations.flatMap(({ sentence }) => wrapText(`${sentence}.`, terminal.width, '    '))),
  ];
}
