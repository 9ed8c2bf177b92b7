import { type Fault, throwFaults } from '../errors.ts';
import { formatItem, type Item, itemSchema } from '../formats/architecture.ts';

export type ItemKey = keyof Item;

/** In the order in which items are named. */
export const itemKeys = Object.keys(itemSchema.shape) as ItemKey[];

/** What is fixed, as text; a key that is left out is free. */
export type Selector = ReadonlyMap<ItemKey, string>;

/** Pairs of a selection, as indices into the items. */
export interface SelectedPairs {
  /** Keys that A and B fix differently. */
  differIn: ItemKey[];
  /** In the order of A. */
  pairs: { a: number; b: number }[];
  /** Selected items that have nothing to be compared with. */
  unmatched: { a: number[]; b: number[] };
}

/** How many items a message lists. */
const mostListed = 12;

/**
 * The pairs of items that two selectors name: `architecture=mid,quantization=F16` and the like. In
 * the keys that A and B fix differently a pair has A's value and B's; in all others both agree, so
 * `quantization=F16` against `quantization=Q8_0` pairs every architecture, S and phase with itself.
 * @throws RooflawError `invalid-input` with all faults: an unknown key or value, no or two items of
 * one name, nothing that differs, prefill against decode
 */
export function selectPairs(items: readonly Item[], a: string, b: string): SelectedPairs {
  const faults: Fault[] = [];
  const [first, second] = [a, b].map((text, side) =>
    readSelector(text, side === 0 ? `A, ${text}` : `B, ${text}`, items, faults),
  ) as [Selector, Selector];
  throwFaults('the selectors', faults);

  const fixedDifferently = (key: ItemKey) =>
    first.has(key) && second.has(key) && first.get(key) !== second.get(key);
  const differIn = itemKeys.filter(fixedDifferently);
  const shared = itemKeys.filter((key) => !fixedDifferently(key));
  throwFaults('the selectors', findDifferenceFaults(differIn));

  const byShared = new Map<string, { a: number[]; b: number[] }>();
  items.forEach((item, index) => {
    for (const [side, selector] of [['a', first] as const, ['b', second] as const]) {
      if (!matches(item, selector)) continue;
      const key = shared.map((name) => item[name]).join(' ');
      const group = byShared.get(key) ?? { a: [], b: [] };
      group[side].push(index);
      byShared.set(key, group);
    }
  });
  const groups = [...byShared.values()];
  throwFaults('the selectors', findGroupFaults(items, groups));
  const selected: SelectedPairs = {
    differIn,
    pairs: groups.flatMap(({ a: [one], b: [other] }) =>
      one === undefined || other === undefined ? [] : [{ a: one, b: other }],
    ),
    unmatched: {
      a: groups.flatMap((group) => (group.b.length === 0 ? group.a : [])),
      b: groups.flatMap((group) => (group.a.length === 0 ? group.b : [])),
    },
  };
  if (selected.pairs.length === 0) {
    const what = `no item of A agrees with one of B in ${shared.join(', ')}`;
    throwFaults('the selectors', [{ where: `A, ${a}`, what, hint: `there are: ${list(items)}` }]);
  }
  return selected;
}

function matches(item: Item, selector: Selector): boolean {
  return [...selector].every(([key, value]) => String(item[key]) === value);
}

function readSelector(
  text: string,
  where: string,
  items: readonly Item[],
  faults: Fault[],
): Selector {
  const selector = new Map<ItemKey, string>();
  const before = faults.length;
  const keys = itemKeys.filter((key) => items.some((item) => item[key] !== undefined));
  for (const part of text.split(',').map((word) => word.trim())) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    const known = keys.find((name) => name === key.trim());
    if (known === undefined) {
      const what = key === '' ? `"${part}" is not KEY=VALUE` : `there is no key "${key.trim()}"`;
      faults.push({ where, what, hint: `the keys are ${keys.join(', ')}` });
    } else if (selector.has(known)) {
      faults.push({ where, what: `${known} stands there twice`, hint: 'give it once' });
    } else {
      selector.set(known, value.trim());
      const values = [...new Set(items.map((item) => String(item[known])))];
      if (values.includes(value.trim())) continue;
      const what = `no item has ${known} "${value.trim()}"`;
      faults.push({ where, what, hint: `there are: ${values.join(', ')}` });
    }
  }
  if (faults.length === before && !items.some((item) => matches(item, selector))) {
    faults.push({ where, what: 'no item is all of this', hint: `there are: ${list(items)}` });
  }
  return selector;
}

function findDifferenceFaults(differIn: readonly ItemKey[]): Fault[] {
  if (differIn.length === 0) {
    const what = 'A and B fix no key differently, so both are the same items';
    const hint = 'for example: quantization=F16 quantization=Q8_0';
    return [{ where: 'A and B', what, hint }];
  }
  if (!differIn.includes('phase')) return [];
  return [
    {
      where: 'A and B',
      what: 'prefill and decode are different quantities: S tokens at once, and steps of one token',
      hint: 'compare items of the same phase',
    },
  ];
}

function findGroupFaults(
  items: readonly Item[],
  groups: readonly { a: number[]; b: number[] }[],
): Fault[] {
  const paired = groups.filter(({ a, b }) => a.length > 0 && b.length > 0);
  const repeated = paired.flatMap(({ a, b }) => [a, b].filter((side) => side.length > 1));
  return repeated.map(([index, ...others]) => ({
    where: formatItem(items[index!]!),
    what: `names ${others.length + 1} items, of models with different weights`,
    hint: 'they cannot be told apart by these keys; leave them out of the selection',
  }));
}

function list(items: readonly Item[]): string {
  const names = items.slice(0, mostListed).map(formatItem);
  const rest = items.length - names.length;
  return `${names.join('; ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
