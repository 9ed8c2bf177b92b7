import { fewestForInterval } from '../stats/median-interval.ts';
import { formatBytes, formatCount, formatDuration } from '../units.ts';
import type { BudgetChoice } from './budget.ts';
import { expectRoundNs } from './budget-counts.ts';
import { expectItem, intervalLevel } from './budget-expectation.ts';
import { type PilotItem, summarisePilot } from './budget-pilot.ts';
import { formatExpected, formatShare } from './budget-words.ts';

/** From this share of the time on, loading is worth a word on how to load less. */
const dearLoad = 0.5;

/**
 * Where at least half of the time goes into starting processes: what as many kept repetitions in the
 * fewest processes would cost and say.
 * @param items the pilot that the choice was made from
 * @param modelBytes of each item's model, for saying how much is read; left out when not given
 * @param fewest processes to offer at least: in a sweep as many as choosing among its cells takes
 * @returns null where loading is not most of the cost, or there are no fewer processes to take
 */
export function describeCost(
  choice: BudgetChoice,
  items: readonly PilotItem[],
  modelBytes?: readonly number[],
  fewest = fewestForInterval(intervalLevel),
): string | null {
  const { processes, warmup, kept } = choice;
  const pilots = items.map(summarisePilot);
  const roundNs = expectRoundNs(pilots, warmup + kept);
  const startNs = pilots.reduce((sum, { overheadNs }) => sum + overheadNs, 0);
  if (startNs < dearLoad * roundNs || processes <= fewest) return null;
  const counts = { processes: fewest, warmup, kept: Math.ceil((processes * kept) / fewest) };
  const fewer = pilots.map((pilot) => expectItem(pilot, counts));
  const fewerNs = fewer.reduce((sum, { expectedNs }) => sum + expectedNs, 0);
  const readBytes = modelBytes?.reduce((sum, bytes) => sum + processes * bytes, 0);
  const read = readBytes === undefined ? '' : `, ${formatBytes(readBytes)} in all`;
  return (
    `${formatShare(startNs / roundNs)} of the time goes into ${formatCount(processes * items.length, 'start')} and loads` +
    `${read}; --processes ${fewest} --kept ${counts.kept}: ${formatDuration(fewerNs)}, ${formatExpected(fewer, fewest)}.`
  );
}
