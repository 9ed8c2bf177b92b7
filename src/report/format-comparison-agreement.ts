import { agreementWords } from '../analysis/comparability-words.ts';
import type { Agreement } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { formatBlock, type Terminal } from './terminal.ts';
import { type Column, layOutTable, wrapText } from './text-layout.ts';

const stateWords: Record<Agreement['state'], string> = {
  same: 'same',
  different: 'DIFFERENT',
  'not-known': 'not known',
};

/** Whether two campaigns agree in what is not their numbers, one line each. */
export function formatAgreement(
  terminal: Terminal,
  title: string,
  rows: readonly Agreement[],
): string[] {
  const { paint, width } = terminal;
  const columns: Column[] = [
    { heading: '', align: 'left', cells: rows.map(({ what }) => `  ${agreementWords[what]}`) },
    { heading: '', align: 'left', cells: rows.map(({ state }) => stateWords[state]) },
  ];
  const [, ...lines] = layOutTable(columns);
  const indent = Math.max(...lines.map((line) => line.length)) + 2;
  return formatBlock(
    terminal,
    title,
    rows.flatMap(({ state, details }, index) => {
      const line = lines[index]!.padEnd(indent);
      const words = details.map(toPrintable).join('; ');
      const wrapped = wrapText(words, width, line, ' '.repeat(indent)).map((text) =>
        text.trimEnd(),
      );
      return state === 'different' ? wrapped.map((text) => paint('yellow', text)) : wrapped;
    }),
  );
}
