import { styleText } from 'node:util';
import { toPrintable } from '../printable.ts';
import { type Column, splitTable, wrapText } from './text-layout.ts';

export type Paint = (format: 'bold' | 'dim' | 'yellow' | 'red', text: string) => string;

/** Where text is shown: how wide it may be and whether it may be coloured. */
export interface Terminal {
  width: number;
  paint: Paint;
}

export function createTerminal(options: { colour: boolean; width: number }): Terminal {
  return {
    width: options.width,
    paint: (format, text) =>
      options.colour ? styleText(format, text, { validateStream: false }) : text,
  };
}

/** An empty line, a heading, and what stands under it. Nothing at all when that is nothing. */
export function formatBlock({ width, paint }: Terminal, title: string, lines: readonly string[]) {
  if (lines.length === 0) return [];
  return ['', ...wrapText(title, width).map((line) => paint('bold', line)), ...lines];
}

/** A sentence under a heading. Words from outside are made printable. */
export function formatSentence({ width }: Terminal, sentence: string): string[] {
  return wrapText(toPrintable(sentence), width, '  ', '    ');
}

/** One of several points under a heading. */
export function formatPoint({ width }: Terminal, sentence: string): string[] {
  return wrapText(toPrintable(sentence), width, '  - ', '    ');
}

/** A table with dimmed headings, in pieces where the width asks for it. */
export function formatColumns(
  { width, paint }: Terminal,
  first: Column,
  groups: readonly (readonly Column[])[],
): string[] {
  return splitTable(first, groups, width).flatMap(([headings, ...rows], index) => [
    ...(index === 0 ? [] : ['']),
    paint('dim', headings!),
    ...rows,
  ]);
}

/** What the columns above mean, dimmed. */
export function formatLegend({ width, paint }: Terminal, legend: string): string[] {
  return wrapText(toPrintable(legend), width).map((line) => paint('dim', line));
}
