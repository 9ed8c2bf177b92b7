import { type Fault, throwFaults } from '../errors.ts';
import { formatItem, type Item, itemSchema, phaseSchema } from '../formats/architecture.ts';
import type { PlannedComparison } from '../formats/plan.ts';
import { nameItem, type PlannedItem } from './schedule.ts';

/** `quantization=F16 vs quantization=Q8_0`: the base a, then b, as a person writes a comparison. */
const separator = / +vs +/;
const example = 'architecture=mid,quantization=F16 vs architecture=mid,quantization=Q8_0';

/** What an item is selected by; a member that is left out selects every value. */
type Selector = Partial<Record<keyof Item, string>>;

/**
 * The comparisons that a person has named. Each side selects one item in every phase that neither
 * side excludes, so one text without phases is a comparison in each phase.
 * @throws RooflawError `invalid-input` with every fault
 */
export function selectComparisons(
  items: readonly PlannedItem[],
  texts: readonly string[],
): PlannedComparison[] {
  const faults: Fault[] = [];
  const members = itemKeys.filter((key) => items.some(({ item }) => item[key] !== undefined));
  const comparisons = texts.flatMap((text) => {
    const say = (what: string, hint = `for example '${example}'`) =>
      faults.push({ where: `'${text}'`, what, hint });
    const sides = text.split(separator);
    if (sides.length !== 2) {
      say('not two items with "vs" between them');
      return [];
    }
    const [a, b] = sides.map((side) => parseSelector(side, members, say));
    return a && b ? pairItems(items, a, b, say) : [];
  });
  throwFaults('comparisons', faults);
  return comparisons;
}

type Say = (what: string, hint?: string) => void;

function parseSelector(text: string, members: readonly (keyof Item)[], say: Say): Selector | null {
  const selector: Selector = {};
  for (const part of text.split(',')) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    const member = members.find((name) => name === key);
    if (member === undefined || value === undefined) {
      say(`"${part.trim()}" is none of ${members.map((member) => `${member}=`).join(', ')}`);
      return null;
    }
    selector[member] = value;
  }
  return selector;
}

const itemKeys = Object.keys(itemSchema.shape) as (keyof Item)[];

function pairItems(
  items: readonly PlannedItem[],
  a: Selector,
  b: Selector,
  say: Say,
): PlannedComparison[] {
  const ofItems = new Set(items.map(({ item }) => item.phase));
  const phases = phaseSchema.options.filter(
    (phase) => ofItems.has(phase) && [a, b].every((side) => (side.phase ?? phase) === phase),
  );
  if (phases.length === 0)
    say('the two sides have no phase in common, and times of two phases are of different work');
  return phases.flatMap((phase) => {
    const [itemA, itemB] = [a, b].map((side) => {
      const found = items.filter(({ item }) => item.phase === phase && matches(item, side));
      if (found.length === 1) return nameItem(found[0]!);
      const isNone = found.length === 0;
      const candidates = isNone ? items.filter(({ item }) => item.phase === phase) : found;
      say(
        `${describe(side)} selects ${isNone ? 'no item' : `${found.length} items`} in ${phase}`,
        `${isNone ? 'there are' : 'say which of'}: ${listSome(candidates)}`,
      );
      return null;
    });
    return itemA && itemB ? [{ a: itemA, b: itemB }] : [];
  });
}

/** So many names that a person still reads them. */
const mostNames = 12;

function listSome(items: readonly PlannedItem[]): string {
  const names = items.slice(0, mostNames).map(({ item }) => formatItem(item));
  const more = items.length - names.length;
  return `${names.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function matches(item: Item, selector: Selector): boolean {
  return Object.entries(selector).every(
    ([member, value]) => String(item[member as keyof Item]) === value,
  );
}

function describe(selector: Selector): string {
  return Object.entries(selector)
    .map(([member, value]) => `${member}=${value}`)
    .join(',');
}
