import type { Analysis } from '../formats/analysis.ts';
import type { Plan } from '../formats/plan.ts';
import { nameItemOf } from '../llama-bench/item-name.ts';
import type { BenchOutput } from '../llama-bench/options/request.ts';
import { escapeCell } from '../markdown.ts';
import { formatHeatMap } from '../report/format-heat-map.ts';
import { fewestVariantsOfHeatMap, listHeatMaps } from '../report/heat-map.ts';
import { listRivals } from '../report/heat-map-rivals.ts';
import { measureDrift } from '../stats/drift.ts';
import { toNumber } from '../stats/fraction.ts';
import { describeOutput } from './output-terminal.ts';
import type { Progress } from './progress.ts';

/**
 * After the table: what makes a reader doubt it, where to read more, and a heat map of many variants.
 * Part of a table for people, beside data for programs.
 * @param leftOut lines on what failed before the campaign
 */
export function sayClosing(
  analysis: Analysis,
  plan: Plan,
  leftOut: readonly string[],
  output: BenchOutput,
  progress: Progress,
): void {
  const doubts = [...leftOut, ...listDoubts(analysis, plan)];
  if (output === 'md')
    process.stdout.write(doubts.map((doubt) => `${escapeCell(doubt)}\n`).join(''));
  else for (const doubt of doubts) progress.say(doubt);
  const comparisons = suggestComparisons(analysis);
  for (const line of comparisons) progress.say(line);
  progress.say(`${comparisons.length === 0 ? 'next' : 'and'}: rooflaw analyze ${analysis.name}`);
  sayHeatMap(analysis, output, progress);
}

/** More pairs than that are in the heat map. */
const mostComparisons = 3;

/** The best variant against the best that differs from it, once for each pair that leads a test. */
export function suggestComparisons(analysis: Analysis): string[] {
  return listRivals(listHeatMaps(analysis))
    .slice(0, mostComparisons)
    .map(({ variants: [one, other], leads }) => {
      const places = leads.map(
        ({ best, titles }) => `${best} is the fastest in ${titles.join(', ')}`,
      );
      const second =
        leads.length === 1 ? `, ${other} the second` : ', each time with the other as the second';
      return `next: ${places.join('; ')}${second}: rooflaw compare ${analysis.name} variant=${one} variant=${other}, or rooflaw ab for a decision`;
    });
}

/** Which variant to choose, where there are many. */
function sayHeatMap(analysis: Analysis, output: BenchOutput, progress: Progress): void {
  const count = analysis.identity.variants?.length ?? 0;
  if (count < fewestVariantsOfHeatMap) return;
  const map = formatHeatMap(analysis, describeOutput());
  if (output === 'md') process.stdout.write(`\n${map}`);
  else progress.say(`a heat map of the ${count} variants: rooflaw report ${analysis.name}`);
}

function listDoubts(analysis: Analysis, plan: Plan): string[] {
  const { otherUse, drift, items } = analysis;
  const { seen, notSeen, notVisible } = otherUse;
  const all = seen + notSeen + notVisible;
  const disturbed =
    seen === 0
      ? []
      : [`DISTURBED: others were at work on the device in ${seen} of ${all} processes`];
  const drifted = drift.flatMap((found) => {
    if (found.state === 'not-evaluable' || !found.exceeded) return [];
    const first = items.find((item) => item.isReference && item.phase === found.phase);
    const name = first === undefined ? found.phase : nameItemOf(plan, first);
    const percent = `${Math.abs(found.change * 100).toFixed(1)} %`;
    const more = found.change > 0 ? 'more' : 'less';
    return [`DRIFT: ${name} took ${percent} ${more} time in the last rounds than in the first`];
  });
  return [...disturbed, ...drifted, ...listOtherDrifts(analysis, plan)];
}

/** The analysis looks at the first row of each phase; among many rows others may have drifted alone. */
export function listOtherDrifts({ items, trials }: Analysis, plan: Plan): string[] {
  const rule = plan.protocol.flags.drift;
  const others = items.flatMap((item, index) => {
    if (item.isReference) return [];
    const means = trials
      .filter((trial) => trial.item === index && trial.trialMeanNs !== null)
      .toSorted((one, other) => one.round - other.round)
      .map(({ trialMeanNs }) => BigInt(Math.round(trialMeanNs!)));
    const drift = measureDrift(means, rule);
    return drift === null ? [] : [{ item, drift, change: toNumber(drift.change) }];
  });
  const [most, ...rest] = others
    .filter(({ drift }) => drift.exceeded)
    .toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change));
  if (most === undefined) return [];
  const sign = most.change > 0 ? '+' : '−';
  const change = `${sign}${Math.abs(100 * most.change).toFixed(1)} %`;
  const name = `${nameItemOf(plan, most.item)} (${change})`;
  const which = rest.length === 0 ? name : `${rest.length + 1} rows, most in ${name}`;
  return [
    `DRIFT of more than ${100 * rule.above} % from the first rounds to the last, of the ${others.length} other rows, in ${which}`,
  ];
}
