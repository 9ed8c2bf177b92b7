import { createTerminal, formatLegend, type Terminal } from '../terminal.ts';
import { wrapText } from '../text-layout.ts';
import { subjects } from './all-terms.ts';
import type { Term } from './term.ts';

/** The first sentence of a meaning. */
export function firstSentence({ meaning }: Term): string {
  return /^.*?[.](?= |$)/.exec(meaning)?.[0] ?? meaning;
}

/** One term in full, for a terminal. */
export function formatTerm(term: Term, options: { colour: boolean; width: number }): string {
  const terminal = createTerminal(options);
  const { name, aliases, meaning, senses = {}, isNot, rule, source, related } = term;
  const lines = [
    terminal.paint('bold', name),
    ...wrapText(meaning, terminal.width, '  '),
    '',
    ...formatSenses(terminal, senses),
    ...formatPart(terminal, 'is not', isNot),
    ...(rule === null ? [] : formatPart(terminal, 'rule', rule)),
    ...formatPart(terminal, 'from', source),
    ...formatPart(terminal, 'see', related.join(', ')),
    ...(aliases.length === 0 ? [] : formatPart(terminal, 'also', aliases.join(', '))),
  ];
  return `${lines.join('\n')}\n`;
}

function formatSenses(terminal: Terminal, senses: NonNullable<Term['senses']>): string[] {
  const parts = Object.entries(senses);
  if (parts.length === 0) return [];
  const wide = Math.max(...parts.map(([command]) => command.length)) + 5;
  return [
    ...parts.flatMap(([command, text]) => formatPart(terminal, `in ${command}`, text, wide)),
    '',
  ];
}

function formatPart({ width, paint }: Terminal, label: string, text: string, wide = 8): string[] {
  const indent = ' '.repeat(wide + 2);
  const [first, ...later] = wrapText(text, width, indent);
  return [`  ${paint('dim', label.padEnd(wide))}${first!.slice(indent.length)}`, ...later];
}

/** All terms by subject, each with the first sentence of its meaning. */
export function formatAllTerms(options: { colour: boolean; width: number }): string {
  const terminal = createTerminal(options);
  const names = subjects.flatMap(({ terms }) => terms.map(({ name }) => name));
  const wide = Math.max(...names.map((name) => [...name].length));
  const indent = ' '.repeat(wide + 4);
  const lines = subjects.flatMap(({ title, terms }) => [
    '',
    terminal.paint('bold', title),
    ...terms.flatMap((term) =>
      wrapText(firstSentence(term), terminal.width, `  ${term.name.padEnd(wide + 2)}`, indent),
    ),
  ]);
  const closing = 'rooflaw explain TERM says more: what it is not, its rule, where it comes from.';
  return `${[...lines.slice(1), '', ...formatLegend(terminal, closing)].join('\n')}\n`;
}
