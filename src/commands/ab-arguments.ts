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
  /** Those that stand there, with a value or without. */
  named: ReadonlySet<string>;
  rest: string[];
}

/** Their values are options themselves, so that these may begin with a dash. */
const optionsOfSides: readonly string[] = ['--a', '--b'];

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
  const named = new Set<string>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const { name, attached } = splitAttached(word);
    if (!names.includes(name)) {
      rest.push(word);
      continue;
    }
    named.add(name);
    const next = words[index + 1];
    const value = attached ?? (isValueOf(name, next, names) ? next : undefined);
    if (attached === undefined && value !== undefined) index += 1;
    if (value === undefined) faults.push(describeMissing(name, next));
    else if (values.has(name)) faults.push({ where: name, what: 'is given twice' });
    else values.set(name, value);
  }
  return { values, named, rest };
}

function splitAttached(word: string): { name: string; attached?: string } {
  const equals = word.indexOf('=');
  if (equals === -1) return { name: word };
  return { name: word.slice(0, equals), attached: word.slice(equals + 1) };
}

/** Options where a folder belongs are a likely mistake, and there is a place for them. */
function describeMissing(name: string, next: string | undefined): Fault {
  const what = 'needs a value';
  const isFolder = ['--backend', '--base', '--candidate'].includes(name);
  if (!isFolder || next === undefined || !/^--?[a-z]/i.test(next)) return { where: name, what };
  return {
    where: name,
    what: 'needs the folder of a llama.cpp',
    hint: 'two sets of options are --a "-t 1" --b "-t 2"',
  };
}

/** Not so when another option stands where the value should. */
function isValueOf(
  name: string,
  next: string | undefined,
  names: readonly string[],
): next is string {
  if (next === undefined || names.includes(splitAttached(next).name)) return false;
  return optionsOfSides.includes(name) || !/^--?[a-z]/i.test(next);
}

/**
 * Sides whose options a shell has divided, `--a -fa 0` where `--a "-fa 0"` was meant: `--a` then has the
 * first word alone.
 */
export function findUnquotedSides(words: readonly string[]): Fault[] {
  return optionsOfSides.flatMap((name) => {
    const at = words.indexOf(name);
    const [first, second] = words.slice(at + 1);
    const isDivided = first?.startsWith('-') === true && !/\s/.test(first);
    if (at === -1 || !isDivided || second === undefined || second.startsWith('-')) return [];
    const what = `has ${first} alone, and "${second}" stands apart`;
    return [{ where: name, what, hint: `${name} "${first} ${second}"` }];
  });
}

/**
 * Both values, or null when neither option stands there.
 * @param faults gets the one that is missing
 */
export function readPair(
  { values, named }: TakenOptions,
  names: readonly [string, string],
  faults: Fault[],
): [string, string] | null {
  if (!names.some((name) => named.has(name))) return null;
  const lacking = names.find((name) => !named.has(name));
  if (lacking !== undefined) {
    const hint = optionsOfSides.includes(lacking)
      ? `${lacking} "" for no further options`
      : `${lacking} embedded for Rooflaw’s own llama.cpp`;
    faults.push({ where: lacking, what: 'is missing; both sides are named', hint });
  }
  return [values.get(names[0]) ?? '', values.get(names[1]) ?? ''];
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
