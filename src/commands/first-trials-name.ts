import { sha256Hex } from '../hash.ts';

/** As long as a name may be. */
const mostLetters = 64;
const hashLetters = 8;

/**
 * Name of the campaign that runs before another one: `NAME-pilot`. Of a name that is too long for that
 * the beginning and a hash, so that no two campaigns share one.
 */
export function nameFirstTrials(name: string, kind: 'pilot' | 'probe'): string {
  const ending = `-${kind}`;
  if (name.length + ending.length <= mostLetters) return `${name}${ending}`;
  const hash = `-${sha256Hex(name).slice(0, hashLetters)}`;
  return `${name.slice(0, mostLetters - hash.length - ending.length)}${hash}${ending}`;
}
