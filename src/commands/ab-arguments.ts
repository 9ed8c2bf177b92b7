import type { Fault } from '../errors.ts';

/** An option that a command has besides those of `bench`; each has a value. */
export interface OwnOption {
  /** With its two dashes. */
  name: string;
  /** How its value is written in the help. */
  value: string;
}

/** Options of a command of its own, before the rest goes to the parser of `bench`. */
export interface TakenOptions {
  /** The last one counts. */
  values: ReadonlyMap<string, string>;
  rest: string[];
}

/**
 * Takes `--name value` and `--name=value` of these names out of a command line.
 * @param names each with two dashes; all have a value
 */
export function takeOptions(
  words: readonly string[],
  names: readonly string[],
  faults: Fault[],
): TakenOptions {
  const values = new Map<string, string>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    if (!names.includes(name)) {
      rest.push(word);
      continue;
    }
    const value = equals === -1 ? words[++index] : word.slice(equals + 1);
    if (value === undefined) faults.push({ where: name, what: 'needs a value' });
    else if (values.has(name)) faults.push({ where: name, what: 'is given twice' });
    else values.set(name, value);
  }
  return { values, rest };
}

/**
 * Words of a text as a shell divides them, without anything that a shell would run or replace:
 * single quotes take everything as it is, in double quotes and outside a backslash takes the next
 * character as it is.
 * @returns null when a quote is not closed
 */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === '\\' && quote !== "'" && index + 1 < text.length) {
      word = (word ?? '') + text[++index]!;
    } else if (character === quote) {
      quote = null;
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

/** `3%`, `0.5 %` or `0.03` as a fraction of 1 and below it; null for anything else. */
export function parseShare(text: string): number | null {
  const match = /^(\d{1,3}(?:\.\d{1,9})?|\.\d{1,9})\s*(%?)$/.exec(text.trim());
  if (match === null) return null;
  // 3 / 100 is the double nearest to 0.03, as is written without a sign
  const value = match[2] === '%' ? Number(match[1]) / 100 : Number(match[1]);
  return value < 1 ? value : null;
}
