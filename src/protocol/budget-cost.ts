import { fewestForInterval } from '../stats/median-interval.ts';
import { formatBytes, formatCount, formatDuration, formatWhole } from '../units.ts';
import type { BudgetChoice } from './budget.ts';
import { expectRoundNs } from './budget-counts.ts';
import { expectItem, intervalLevel } from './budget-expectation.ts';
import { type PilotItem, summarisePilot } from './budget-pilot.ts';
import { formatHalfWidths, formatProcesses, formatShare } from './budget-words.ts';

/** From this share of the time on, loading is worth a word on how to load less. */
const dearLoad = 0.5;

/**
 * What a choice spends its time on: loading or measuring; and, where at least half goes into starting
 * processes, what as many kept repetitions in the fewest processes would cost and say.
 * @param items the pilot that the choice was made from
 * @param modelBytes of each item's model, for saying how much is read; left out when not given
 */
export function describeCost(
  choice: BudgetChoice,
  items: readonly PilotItem[],
  modelBytes?: readonly number[],
): string[] {
  const { processes, warmup, kept } = choice;
  const pilots = items.map(summarisePilot);
  const roundNs = expectRoundNs(pilots, warmup + kept);
  const startNs = pilots.reduce((sum, { overheadNs }) => sum + overheadNs, 0);
  const loads = processes * items.length;
  const readBytes = modelBytes?.reduce((sum, bytes) => sum + processes * bytes, 0);
  const ofEach = items.length === 1 ? 'A process costs' : 'A process costs on average';
  const words = [
    `${ofEach} ${formatDuration(startNs / items.length)} for its start (load, context, device reads) and ` +
      `${formatDuration((roundNs - startNs) / items.length)} for ${formatCount(warmup, 'warm-up repetition')} ` +
      `and ${formatWhole(kept)} kept: ${formatShare(startNs / roundNs)} of the time goes into starting. ` +
      `${formatProcesses(processes)} of each item load ${formatCount(loads, 'time')}` +
      `${readBytes === undefined ? '.' : `, ${formatBytes(readBytes)} in all.`}`,
  ];
  const fewest = fewestForInterval(intervalLevel);
  if (startNs < dearLoad * roundNs || processes <= fewest) return words;
  const counts = { processes: fewest, warmup, kept: Math.ceil((processes * kept) / fewest) };
  const fewer = pilots.map((pilot) => expectItem(pilot, counts));
  const fewerNs = fewer.reduce((sum, { expectedNs }) => sum + expectedNs, 0);
  words.push(
    `With ${fewest} processes and ${formatWhole(counts.kept)} kept repetitions it takes ` +
      `${formatDuration(fewerNs)} instead of ${formatDuration(choice.expectedNs)}; the interval is then expected at ` +
      `${formatHalfWidths(fewer)} instead of ${formatHalfWidths(choice.items)}, and what differs between ` +
      `processes is seen ${fewest} times instead of ${formatWhole(processes)}.`,
    `Fewer than ${fewest} processes have no interval at ${formatShare(intervalLevel)}, however many repetitions they make.`,
  );
  return words;
}
