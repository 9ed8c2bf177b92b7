import { formatWhole } from '../../units.ts';

/** Reads the text of an option into its values, or says what is wrong with it. */
export type ListReader<Value> = (text: string, onFault: (what: string) => void) => Value[];

/** More values than one option has in any sweep. */
const mostValues = 1000;
/** What C++ reads into an int. */
const longestInteger = 10;
const range = /^(-?\d+)(?:-(\d+)(?:([+*])(\d+))?)?$/;

/**
 * Whole numbers with commas between them and ranges: `first-last` in steps of 1, `first-last+step`,
 * `first-last*factor`. As in llama-bench a comma at the end is no fault and only `first` may be
 * negative. A range that goes nowhere or downwards is refused: llama-bench takes nothing for the
 * second, and then silently its default.
 */
export function readIntegers(limits: { least: number; most: number }): ListReader<number> {
  const { least, most } = limits;
  return (text, onFault) => {
    const values: number[] = [];
    for (const item of splitFew(text, onFault)) {
      const match = range.exec(item);
      if (match === null || item.length > 4 * longestInteger) {
        onFault(`${quote(item)} is neither a whole number nor a range such as 1-4, 8-32+8, 1-8*2`);
        continue;
      }
      const [, first = '', last, sign, step = '1'] = match;
      const ends = [Number(first), Number(last ?? first)] as const;
      const outside = ends.find((value) => value < least || value > most);
      if (outside !== undefined) {
        const limit = `must be from ${formatWhole(least)} to ${formatWhole(most)}`;
        onFault(`${outside} ${limit}${least < 0 ? ' (-1: all)' : ''}`);
      } else if (ends[0] > ends[1]) {
        onFault(`${quote(item)} begins above its end`);
      } else if (!pushRange(values, ends, sign === '*', Number(step))) {
        onFault(`${quote(item)} does not grow from one value to the next`);
      }
      if (values.length > mostValues) {
        onFault(`${quote(item)} makes more than ${formatWhole(mostValues)} values`);
        return [];
      }
    }
    return values;
  };
}

/** @returns false for a range whose next value is not larger */
function pushRange(
  values: number[],
  [first, last]: readonly [number, number],
  isFactor: boolean,
  step: number,
): boolean {
  for (let value = first; value <= last && values.length <= mostValues; ) {
    values.push(value);
    const next = isFactor ? value * step : value + step;
    if (next <= value) return false;
    value = next;
  }
  return true;
}

/** Words with commas between them, each of a closed set. */
export function readWords<Value>(
  words: ReadonlyMap<string, Value>,
  refuse: (word: string) => string | null = () => null,
): ListReader<Value> {
  return (text, onFault) =>
    splitFew(text, onFault).flatMap((word) => {
      const value = words.get(word);
      if (value !== undefined) return [value];
      onFault(refuse(word) ?? `${quote(word)} is none of ${[...words.keys()].join(', ')}`);
      return [];
    });
}

/** 0 and 1 with commas between them. llama-bench reads any other word as 0 or 1 and says nothing. */
export const readFlags: ListReader<boolean> = readWords(
  new Map([
    ['0', false],
    ['1', true],
  ]),
  (word) => `${quote(word)} must be 0 or 1`,
);

/** What stands between commas; nothing after the last one is no value. More than any sweep has are one fault. */
export function splitFew(text: string, onFault: (what: string) => void): string[] {
  const items = text.split(',', mostValues + 2);
  const values = items.length > 1 && items.at(-1) === '' ? items.slice(0, -1) : items;
  if (values.length <= mostValues) return values;
  onFault(`has more than ${formatWhole(mostValues)} values`);
  return [];
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
