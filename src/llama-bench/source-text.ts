import type { DecodedText } from './decode-text.ts';

/** A decoded file that can say where a place in it is and how many bytes a piece of it has. */
export interface SourceText {
  text: string;
  /** The line, from 1, that the character at an offset is on. */
  lineAt(offset: number): number;
  /** The size of `text.slice(from, to)` in the file. */
  byteLength(from: number, to: number): number;
}

export function createSourceText({ text, encoding }: DecodedText): SourceText {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const encoder = new TextEncoder();
  return {
    text,
    lineAt: (offset) => countUpTo(starts, offset),
    byteLength: (from, to) =>
      encoding === 'utf-8' ? encoder.encode(text.slice(from, to)).length : 2 * (to - from),
  };
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A line without its end, and where it begins. */
export interface SourceLine {
  text: string;
  start: number;
  number: number;
  /** Whether a newline ends it: the last line of a file that was cut has none. */
  isEnded: boolean;
}

/** The lines of a text, whatever ends them; nothing after the last newline is no line. */
export function* splitSourceLines(text: string): Generator<SourceLine> {
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const ending = end > start && text[end - 1] === '\r' ? 1 : 0;
    yield { text: text.slice(start, end - ending), start, number, isEnded: newline !== -1 };
    start = end + 1;
  }
}
