import type { Fault } from '../errors.ts';
import { formatPath } from '../formats/parse.ts';

/**
 * Where two JSON values differ, each place with both sides.
 * @param ignored names of members that are not compared, wherever they stand
 */
export function findDifferences(
  stated: unknown,
  expected: unknown,
  ignored: ReadonlySet<string>,
  path: readonly (string | number)[] = [],
): Fault[] {
  if (Array.isArray(stated) && Array.isArray(expected)) {
    if (stated.length !== expected.length) {
      const what = `has ${stated.length} entries where ${expected.length} follow`;
      return [{ where: formatPath(path), what }];
    }
    return stated.flatMap((value, index) =>
      findDifferences(value, expected[index], ignored, [...path, index]),
    );
  }
  if (isObject(stated) && isObject(expected)) {
    const names = new Set([...Object.keys(stated), ...Object.keys(expected)]);
    return [...names].flatMap((name) =>
      ignored.has(name)
        ? []
        : findDifferences(stated[name], expected[name], ignored, [...path, name]),
    );
  }
  if (Object.is(stated, expected)) return [];
  return [
    { where: formatPath(path), what: `is ${quote(stated)} where ${quote(expected)} follows` },
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const longestQuote = 80;

function quote(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
}
