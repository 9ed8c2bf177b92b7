import { formatItem } from '../formats/architecture.ts';
import type { Closure } from '../formats/closure.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { fewestForInterval } from '../stats/median-interval.ts';
import { formatCount, formatWhole } from '../units.ts';
import { formatBeside, formatLimit } from './format-limit.ts';
import { describeLeastTarget, formatPercent, formatShare } from './format-percent.ts';
import { wantedCoverage } from './item.ts';
import { listWords } from './list-words.ts';
import { mostTrials } from './trials-needed.ts';

/** A closure before it is put into words. */
type Assessed = Omit<Closure, 'sentences' | 'doesNotShow' | 'reopening'>;
type ClosureItem = Closure['items'][number];
type Items = readonly ItemAnalysis[];

/**
 * The answer for somebody who asks "can I trust a difference of this size here, and if not, what
 * would it take?", then the numbers it rests on.
 * @param declaredDifference the plan's target, when another was asked for afterwards
 */
export function describeClosure(
  closure: Assessed,
  items: Items,
  declaredDifference: number | null,
): string[] {
  if (closure.items.length === 0) return ['There is no item, so nothing can be explored.'];
  return [
    answer(closure, items),
    ...answerForFamily(closure, items),
    ...tellWhatItTakes(closure, items),
    stateRule(closure, declaredDifference),
    ...describeSpread(closure, items),
    ...describeSimultaneous(closure, items),
    ...describeInjection(closure, items),
  ];
}

function answer(closure: Assessed, items: Items): string {
  const { targetDifference, limit, items: judged } = closure;
  const asked = `Can a difference of ${formatLimit(targetDifference)} be explored here?`;
  const explorable = inState(closure, 'explorable').length;
  if (explorable === judged.length) {
    return `${asked} Yes, for ${judged.length === 1 ? 'the only item' : `all ${judged.length} items`}.`;
  }
  if (judged.length === 1) return `${asked} ${answerForOne(judged[0]!, limit)}`;
  const of = `of ${formatCount(judged.length, 'item')}`;
  const parts = [explorable > 0 ? `Yes for ${explorable} ${of}` : `In none ${of}`];
  const no = inState(closure, 'not-explorable').sort(
    (a, b) => b.endpointDistance! - a.endpointDistance!,
  );
  if (no.length > 0) {
    const named = no.map(
      ({ item, endpointDistance }) =>
        `${nameOf(items, item)} (${formatBeside(endpointDistance!, limit)})`,
    );
    parts.push(
      no.length === judged.length
        ? `how far the interval reaches from the median, the worst first: ${listWords(named)}`
        : `not for ${no.length} (in brackets how far the interval reaches from the median): ${listWords(named)}`,
    );
  }
  const open = inState(closure, 'not-evaluable').map(({ item }) => nameOf(items, item));
  if (open.length > 0) {
    const needed = fewestForInterval(wantedCoverage);
    parts.push(
      `${open.length} cannot be judged without an interval, which needs ${needed} valid trials: ${listWords(open)}`,
    );
  }
  return `${asked} ${parts.join('; ')}.`;
}

/** Of an item that is not explorable. */
function answerForOne({ state, endpointDistance }: ClosureItem, limit: number): string {
  if (state === 'not-explorable') {
    return `No, not for the only item: its interval reaches ${formatBeside(endpointDistance!, limit)} from its median.`;
  }
  const needed = fewestForInterval(wantedCoverage);
  return `The only item cannot be judged without an interval, which needs ${needed} valid trials.`;
}

function answerForFamily({ family, targetDifference, items: judged }: Assessed, items: Items) {
  if (judged.length === 1) return [];
  const { state, smallestTarget, limitedBy } = family;
  const whole = `The whole family of ${judged.length} items`;
  const target = formatLimit(targetDifference);
  const worst = limitedBy.find((item) => judged[item]!.state === state);
  const answers: Record<typeof state, string> = {
    explorable: `${whole} is explorable for ${target}.`,
    'not-explorable': `${whole} is not explorable for ${target}${worst === undefined ? '' : `: ${nameOf(items, worst)} is what limits it most`}.`,
    'not-evaluable': `${whole} cannot be judged.`,
  };
  const smallest = judged.flatMap((item) => item.smallestTarget ?? []);
  if (smallest.length === 0) return [answers[state]];
  const best = `the best item allows ${describeLeastTarget(Math.min(...smallest))}`;
  const all =
    smallestTarget === null
      ? ''
      : `, and all items together allow ${describeLeastTarget(smallestTarget)}`;
  return [`${answers[state]} By the rule ${best}${all}.`];
}

/** How the sentence begins that projects: it holds only while nothing drifts. */
export const projectionStart = 'What it would take, if further trials are spread like these: ';

const projection =
  'This is projected from the trials seen: redraws of these trials reach it in about half to nine tenths, in fewer where they fall into groups, and tails that have not shown themselves break it.';

function tellWhatItTakes(closure: Assessed, items: Items): string[] {
  const { family, items: judged } = closure;
  const no = inState(closure, 'not-explorable');
  const open = inState(closure, 'not-evaluable').length;
  if (no.length === 0 && (open === 0 || judged.length === 1)) return [];
  const parts: string[] = [];
  const within = no
    .filter(({ trialsNeeded }) => trialsNeeded !== null)
    .sort((a, b) => b.trialsNeeded! - a.trialsNeeded!);
  if (within.length > 0) {
    const named = within.map(
      ({ item, trialsNeeded }, place) =>
        `about ${formatWhole(trialsNeeded!)} ${place === 0 ? 'trials of' : 'of'} ${nameOf(items, item)} (now ${items[item]!.n})`,
    );
    parts.push(listWords(named));
  }
  const beyond = no.length - within.length;
  if (beyond > 0) {
    parts.push(`more than ${formatWhole(mostTrials)} trials of ${formatCount(beyond, 'item')}`);
  }
  if (family.trialsNeeded !== null && judged.length > 1) {
    parts.push(`so about ${formatWhole(family.trialsNeeded)} of each item for the whole family`);
  }
  if (open > 0) {
    parts.push(`nothing can be projected for ${formatCount(open, 'item')} without an interval`);
  }
  return [`${projectionStart}${parts.join('; ')}. ${projection}`];
}

function stateRule(
  { targetSource, targetDifference, maxShareOfTarget, limit }: Assessed,
  declaredDifference: number | null,
): string {
  const target = formatLimit(targetDifference);
  const from: Record<typeof targetSource, string> = {
    plan: `The target of ${target} and the rule were declared before the first trial`,
    'command-line':
      declaredDifference === null
        ? `The target of ${target} was asked for afterwards; nobody had declared one`
        : `The target of ${target} was asked for afterwards; declared before the first trial was ${formatLimit(declaredDifference)}`,
    default: `Nobody declared a target: ${target} is the usual one`,
  };
  return `${from[targetSource]}. The rule: an item is explorable when the farther end of the interval of its median lies at most ${formatLimit(limit)} from the median, ${maxShareOfTarget} of the target.`;
}

function describeSpread({ family, items: judged }: Assessed, items: Items): string[] {
  const { largestCv, largestEndpointDistance } = family;
  const sentences: string[] = [];
  if (largestCv !== null) {
    const at = items.findIndex(({ cv }) => cv?.value === largestCv);
    sentences.push(
      `The largest CV of trial means is ${formatPercent(largestCv)} (ddof 1; ${nameOf(items, at)}).`,
    );
  }
  if (largestEndpointDistance !== null) {
    const { item } = judged.find(
      ({ endpointDistance }) => endpointDistance === largestEndpointDistance,
    )!;
    sentences.push(
      `The largest distance of an interval’s end from its median is ${formatPercent(largestEndpointDistance)} (${nameOf(items, item)}).`,
    );
  }
  return sentences;
}

function describeSimultaneous(
  { family, targetDifference, items: judged }: Assessed,
  items: Items,
): string[] {
  const { largestUpperOverLower, jointCoverage, cannotSeparate } = family;
  const known = judged.filter(({ simultaneousSeparates }) => simultaneousSeparates !== null);
  if (largestUpperOverLower === null || jointCoverage === null) {
    if (judged.length === 1) return [];
    const reason = items
      .flatMap(({ missing }) => missing)
      .find(({ field }) => field === 'simultaneousInterval')?.reason;
    return [`No item has a simultaneous interval (${reason ?? 'no valid trial'}).`];
  }
  const target = formatLimit(targetDifference);
  const against = Number((1 + targetDifference).toPrecision(12));
  if (judged.length === 1) {
    const separates =
      cannotSeparate === 0
        ? `it is not wider than a difference of ${target}`
        : `it cannot separate a difference of ${target}`;
    return [
      `The interval of the only item covers at least ${formatShare(jointCoverage)}: upper/lower is ${largestUpperOverLower.toPrecision(4)}, to be held against ${against}; ${separates}.`,
    ];
  }
  const joint = `Simultaneous intervals (Bonferroni over ${formatCount(familySizeOf(items), 'item')}, together at least ${formatShare(jointCoverage)})`;
  const ratio = `the largest upper/lower is ${largestUpperOverLower.toPrecision(4)}, to be held against ${against}`;
  const lacking = judged.length - known.length;
  const without =
    lacking > 0 ? `; ${formatCount(lacking, 'item')} ${lacking === 1 ? 'has' : 'have'} none` : '';
  const separate =
    cannotSeparate === 0
      ? `none is wider than a difference of ${target}`
      : `in ${cannotSeparate} of ${formatCount(known.length, 'item')} they cannot separate a difference of ${target}`;
  return [`${joint}: ${ratio}; ${separate}${without}.`];
}

function familySizeOf(items: Items): number {
  return items.find(({ simultaneousInterval }) => simultaneousInterval !== null)!
    .simultaneousInterval!.familySize;
}

function describeInjection(
  { family, targetDifference, items: judged }: Assessed,
  items: Items,
): string[] {
  const { lowestInjectionRate } = family;
  const lowest = judged.find(({ injectionRate }) => injectionRate === lowestInjectionRate);
  if (lowestInjectionRate === null || lowest === undefined) return [];
  return [
    `When +${formatLimit(targetDifference)} is put into one of two groups drawn from an item’s own trials, their intervals lie apart in at least ${formatShare(lowestInjectionRate)} of draws (${nameOf(items, lowest.item)}); with nothing put in, in ${formatShare(lowest.injectionRateAtZero!)} of draws.`,
  ];
}

function inState({ items }: Assessed, state: ClosureItem['state']): ClosureItem[] {
  return items.filter((item) => item.state === state);
}

function nameOf(items: Items, index: number): string {
  return formatItem(items[index]!);
}
