import { formatRuns, formatTable, type Goal } from './figure.ts';
import type { Cell, Results } from './results.ts';
import { alarmWorlds, counts, fairWorlds, manyArms, mostRounds } from './tasks.ts';
import { type WorldKey, worlds } from './world.ts';

const fivePercent = (isPromised: boolean): Goal => ({ kind: 'at-most', bound: 0.05, isPromised });
const isFair = (world: WorldKey) => worlds[world].isOrderRandom;

/** Two equal arms, decision (g). */
export function writeDecisionTable(results: Results): string {
  const designs = [2, manyArms].flatMap((arms) => counts.map((n) => ({ arms, n })));
  const tallyOf = (world: WorldKey, design: { arms: number; n: number }) =>
    results.tally({ study: 'false-alarms', world, ...design }, 'randomisation');
  const head = designs.map(
    (design) => `${design.arms} arms, n = ${design.n}${formatRuns(tallyOf('still', design))}`,
  );
  const rows = alarmWorlds.map((world) => [
    worlds[world].name,
    ...designs.map((design) => {
      const { arms, n } = design;
      const where = `false alarms of the decision, ${worlds[world].name}, ${arms} arms, n = ${n}`;
      return results.judge(where, tallyOf(world, design), fivePercent(isFair(world)));
    }),
  ]);
  return formatTable(['% false alarms', ...head], rows);
}

/** The same campaigns, other methods. */
export function writeRejectedTable(results: Results): string {
  const methods = {
    randomisation: 'decision (g)',
    'Mann-Whitney': 'Mann-Whitney',
    'Welch t': "Welch's t",
    'interval overlap': 'intervals do not overlap',
  };
  const cellOf = (world: WorldKey): Cell => ({ study: 'false-alarms', world, arms: 2, n: 10 });
  const head = Object.entries(methods).map(
    ([method, label]) => `${label}${formatRuns(results.tally(cellOf('still'), method))}`,
  );
  const rows = alarmWorlds.map((world) => [
    worlds[world].name,
    ...Object.entries(methods).map(([method, label]) =>
      results.judge(label, results.tally(cellOf(world), method), fivePercent(false)),
    ),
  ]);
  return formatTable(['% false alarms', ...head], rows);
}

/** Equal arms, looked at after every round. */
export function writeSequenceTable(results: Results): string {
  const methods = { S1: 'S1', S2: 'S2', peeking: 'fixed interval after each round' };
  const cellOf = (world: WorldKey): Cell => ({
    study: 'sequences',
    world,
    arms: 2,
    n: mostRounds,
  });
  const head = Object.entries(methods).map(
    ([method, label]) => `${label}${formatRuns(results.tally(cellOf('still'), method))}`,
  );
  const rows = fairWorlds.map((world) => [
    worlds[world].name,
    ...Object.keys(methods).map((method) => {
      const where = `error of ${method}, ${worlds[world].name}`;
      const goal = fivePercent(method !== 'peeking');
      return results.judge(where, results.tally(cellOf(world), method), goal);
    }),
  ]);
  return formatTable(['% with an error in any of 30 rounds', ...head], rows);
}
