import { formatPath } from '../formats/parse.ts';
import type { Protocol } from '../formats/protocol.ts';
import { canonicalJson } from '../hash.ts';

/**
 * The rules of a protocol without what only says how many rounds are measured: its name, its words,
 * the number of processes, and the rounds that drift is judged by, which cannot be more.
 */
function rulesOf(protocol: Protocol): object {
  const { name: _name, description: _words, processesPerItem: _rounds, ...rules } = protocol;
  const { minRounds: _fewest, edgeRounds: _edges, ...drift } = rules.flags.drift;
  return { ...rules, flags: { ...rules.flags, drift } };
}

/** Whether two protocols differ at most in their number of rounds. */
export function haveSameRules(a: Protocol, b: Protocol): boolean {
  return canonicalJson(rulesOf(a)) === canonicalJson(rulesOf(b));
}

/** Each rule that differs: `execution.threads is 4 in A and 2 in B`. */
export function findProtocolDifferences(a: Protocol, b: Protocol): string[] {
  const [first, second] = [new Map(listRules(rulesOf(a))), new Map(listRules(rulesOf(b)))];
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((path) => {
    const [inA, inB] = [first.get(path) ?? 'absent', second.get(path) ?? 'absent'];
    return inA === inB ? [] : [`${path} is ${inA} in A and ${inB} in B`];
  });
}

/** Every member that is no object, with its path. */
function listRules(value: object, path: readonly string[] = []): [string, string][] {
  return Object.entries(value).flatMap(([key, member]): [string, string][] => {
    const place = [...path, key];
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isObject) return listRules(member, place);
    return [[formatPath(place), canonicalJson(member)]];
  });
}
