import type { RawValue } from './raw-row.ts';

/** What was expected and is not there. */
export class SyntaxFault extends Error {}

const space = /\s*/y;
const word = /[A-Za-z_]\w*/y;
const number = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;

/** A place in SQL text and the few tokens that statements of llama-bench are made of. */
export class SqlCursor {
  readonly text: string;
  at: number;
  /** Whether a string may go on in the next line. */
  private readonly takesLineBreaks: boolean;
  private statementEnd: number | null = null;

  constructor(text: string, at: number, { takesLineBreaks }: { takesLineBreaks: boolean }) {
    this.text = text;
    this.at = at;
    this.takesLineBreaks = takesLineBreaks;
  }

  take(symbol: string): boolean {
    this.match(space);
    if (this.text[this.at] !== symbol) return false;
    this.at += 1;
    return true;
  }

  expect(symbol: string): void {
    if (!this.take(symbol)) throw new SyntaxFault(`"${symbol}" is missing`);
  }

  takeAnyWord(): string {
    this.match(space);
    return this.match(word);
  }

  /** A word in any case. */
  takeWord(expected: string): boolean {
    const before = this.at;
    if (this.takeAnyWord().toUpperCase() === expected) return true;
    this.at = before;
    return false;
  }

  expectWord(expected: string): void {
    if (!this.takeWord(expected)) throw new SyntaxFault(`${expected} is missing`);
  }

  /** A name, bare or in double quotes, backticks or brackets. */
  readName(): string {
    this.match(space);
    const closing = closingQuotes[this.text[this.at] ?? ''];
    if (closing === undefined) {
      const name = this.match(word);
      if (name === '') throw new SyntaxFault('a name is missing');
      return name;
    }
    const end = this.findInLine(closing, this.at + 1);
    const name = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return name;
  }

  readValue(): RawValue {
    this.match(space);
    if (this.text[this.at] === "'") return { kind: 'text', text: this.readString() };
    const digits = this.match(number);
    if (digits !== '') return { kind: 'text', text: digits };
    if (this.takeWord('NULL')) return { kind: 'null', text: '' };
    throw new SyntaxFault('a value is missing');
  }

  /**
   * A string in single quotes. llama-bench does not double a quote inside it, so only a quote that a
   * comma or a bracket follows ends it; a doubled one is one. It is never read on into a line that begins
   * a statement, so that of a string that was cut only its own statement is lost.
   */
  private readString(): string {
    let text = '';
    let from = this.at + 1;
    for (;;) {
      const quote = this.takesLineBreaks
        ? this.findInStatement("'", from)
        : this.findInLine("'", from);
      text += this.text.slice(from, quote);
      endOfValue.lastIndex = quote + 1;
      if (endOfValue.test(this.text)) {
        this.at = quote + 1;
        return text;
      }
      text += "'";
      from = quote + (this.text[quote + 1] === "'" ? 2 : 1);
    }
  }

  /** @throws SyntaxFault with the cursor at the end of the line, where there is none in it */
  private findInLine(character: string, from: number): number {
    let at = from;
    while (at < this.text.length && this.text[at] !== '\n') {
      if (this.text[at] === character) return at;
      at += 1;
    }
    this.at = at;
    throw new SyntaxFault('a quote is not closed');
  }

  /** The same, up to the line in which another statement begins. */
  private findInStatement(character: string, from: number): number {
    this.statementEnd ??= this.findStatementEnd(from);
    const found = this.text.slice(from, this.statementEnd).indexOf(character);
    if (found !== -1) return from + found;
    this.at = this.statementEnd;
    throw new SyntaxFault('a quote is not closed');
  }

  private findStatementEnd(from: number): number {
    nextStatement.lastIndex = from;
    return nextStatement.exec(this.text)?.index ?? this.text.length;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

const nextStatement = /\n[^\S\n]*(?:CREATE\s+TABLE|INSERT\s+INTO)\b/gi;
const endOfValue = /\s*[,)]/y;
const closingQuotes: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' };
