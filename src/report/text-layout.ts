import { toPrintable } from '../printable.ts';

/** A column of a table for terminals. */
export interface Column {
  heading: string;
  align: 'left' | 'right';
  cells: readonly string[];
  /** Colours a cell's text; its padding stays as it is. */
  paint?: (text: string) => string;
}

const gap = '  ';

function widthOf({ heading, cells }: Column): number {
  return Math.max(...[heading, ...cells].map((text) => [...toPrintable(text)].length));
}

export function tableWidth(columns: readonly Column[]): number {
  const content = columns.reduce((sum, column) => sum + widthOf(column), 0);
  return content + gap.length * (columns.length - 1);
}

/** Aligned lines, the headings first, nothing at the ends of lines; words from outside are made printable. */
export function layOutTable(columns: readonly Column[]): string[] {
  const widths = columns.map(widthOf);
  const rowCount = columns[0]?.cells.length ?? 0;
  return Array.from({ length: rowCount + 1 }, (_, row) =>
    columns
      .map(({ heading, align, cells, paint }, index) => {
        const text = toPrintable(row === 0 ? heading : cells[row - 1]!);
        const padding = ' '.repeat(widths[index]! - [...text].length);
        const painted = row === 0 || !paint ? text : paint(text);
        return align === 'left' ? painted + padding : padding + painted;
      })
      .join(gap)
      .trimEnd(),
  );
}

/**
 * A table in as few pieces as the width allows, one below the other; each begins with `first`, and
 * no group of columns is torn apart.
 */
export function splitTable(
  first: Column,
  groups: readonly (readonly Column[])[],
  width: number,
): string[][] {
  const pieces: Column[][] = [[first]];
  for (const group of groups) {
    const piece = pieces.at(-1)!;
    const isFull = piece.length > 1 && tableWidth([...piece, ...group]) > width;
    if (isFull) pieces.push([first, ...group]);
    else piece.push(...group);
  }
  return pieces.map(layOutTable);
}

/** Printable text, broken between words; later lines are indented. A longer word keeps its length. */
export function wrapText(text: string, width: number, first = '', later = first): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of toPrintable(text).split(/\s+/)) {
    if (!isEmpty && [...line].length + 1 + [...word].length > width) {
      lines.push(line);
      line = later;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
