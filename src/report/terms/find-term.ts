import { allTerms } from './all-terms.ts';
import { editDistance } from './edit-distance.ts';
import type { Term } from './term.ts';

/**
 * What a word is found by: without case, spaces, hyphens, brackets, commas and a closing
 * colon, each word in the singular.
 * `Two-Speeds`, `two speed` and `twospeed` are one.
 */
export function keyOf(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .split(/(?:[\s\-‐–_()[\]]|,(?!\d)|:$)+/)
    .map(singular)
    .join('');
}

function singular(word: string): string {
  if (/sses$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && word.length >= 3 ? word.slice(0, -1) : word;
}

const anyNumber = /\d+(?:[.,]\d+)*/g;

/** Keys of names and aliases; one with `#` for a number is met only where nothing fits exactly. */
const termOfKey = new Map(
  allTerms.flatMap((term) => [term.name, ...term.aliases].map((word) => [keyOf(word), term])),
);

/** The term of a word, or null. */
export function findTerm(word: string): Term | null {
  // `slower (in doubt)`: the doubt has an entry of its own
  const key = keyOf(word.replace(/(?<=\S)\s*\(in doubt\)$/, ''));
  // "–" is printed where a value is missing; as a word it has nothing but hyphens.
  if (key === '') return termOfKey.get(keyOf('missing')) ?? null;
  // the corner of a heat map: `threads \ batch`
  if (key.includes('\\')) return termOfKey.get(keyOf('heat map')) ?? null;
  return termOfKey.get(key) ?? termOfKey.get(key.replaceAll(anyNumber, '#')) ?? null;
}

/** The terms whose names or aliases are the nearest by edit distance, at most so many. */
export function findNearest(word: string, most: number): Term[] {
  const key = keyOf(word);
  const farthest = Math.max(2, Math.floor(key.length / 3));
  const distances = new Map<Term, number>();
  for (const [other, term] of termOfKey) {
    const distance = editDistance(key, other);
    if (distance <= farthest && distance < (distances.get(term) ?? Number.POSITIVE_INFINITY)) {
      distances.set(term, distance);
    }
  }
  return [...distances]
    .sort(([, one], [, other]) => one - other)
    .slice(0, most)
    .map(([term]) => term);
}
