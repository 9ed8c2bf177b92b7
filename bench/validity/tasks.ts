import type { Task } from './study.ts';
import type { WorldKey } from './world.ts';

/** Arms of a full campaign: the 24 items of the published space. */
export const manyArms = 24;
export const counts = [6, 10, 20] as const;
/** Most rounds of a sequential protocol. */
export const mostRounds = 30;

/** Two arms that do not differ, their order drawn at random. */
export const fairWorlds = [
  'still',
  'drift',
  'slot',
  'rounds',
  'student',
  'spikes',
  'twoSpeeds',
] as const satisfies WorldKey[];
export const alarmWorlds = [...fairWorlds, 'fixedOrder'] as const satisfies WorldKey[];
export const ratioWorlds = [...fairWorlds, 'spikesInOne'] as const satisfies WorldKey[];
export const sampleWorlds = [...fairWorlds, 'days'] as const satisfies WorldKey[];
export const jointWorlds = ['still', 'rounds', 'drift', 'student'] as const satisfies WorldKey[];
/** One speed, wide enough that some trials are slow, and two speeds. */
export const tailCases = [
  { world: 'still', sd: 0.03 },
  { world: 'student', sd: 0.02 },
  { world: 'slowTenth', sd: 0.005 },
  { world: 'slowThird', sd: 0.005 },
  { world: 'slowHalf', sd: 0.005 },
] as const satisfies { world: WorldKey; sd: number }[];
export const powerWorlds = ['still', 'drift'] as const satisfies WorldKey[];

export const differences = [0.02, 0.05, 0.1] as const;
export const deviations = [0.005, 0.01, 0.02] as const;

/** Campaigns a cell: a standard error of 0.15 to 0.25 points where 5 % are expected. */
const simulationsOf = {
  'false-alarms': 20_000,
  coverage: 8_000,
  'one-sample': 20_000,
  joint: 5_000,
  tail: 20_000,
  sequences: 20_000,
  power: 4_000,
  rounds: 4_000,
};

const combine = (
  study: Task['study'],
  choices: { world: readonly WorldKey[]; arms: readonly number[]; n: readonly number[] },
): Task[] =>
  choices.world.flatMap((world) =>
    choices.arms.flatMap((arms) =>
      choices.n.map((n) => ({
        study,
        world,
        arms,
        n,
        // A campaign of many arms takes ten times as long to simulate.
        simulations: simulationsOf[study] / (study === 'false-alarms' && arms > 2 ? 2 : 1),
      })),
    ),
  );

const withDifferences = (tasks: Task[]): Task[] =>
  tasks.flatMap((task) =>
    differences.flatMap((difference) => deviations.map((sd) => ({ ...task, difference, sd }))),
  );

/** Every cell of every table; `share` of the usual number of campaigns in each. */
export function listTasks(share: number): Task[] {
  const tasks = [
    ...combine('coverage', { world: ratioWorlds, arms: [2], n: counts }),
    ...combine('coverage', { world: ratioWorlds, arms: [manyArms], n: [10] }),
    ...combine('false-alarms', { world: alarmWorlds, arms: [2, manyArms], n: counts }),
    ...combine('one-sample', { world: sampleWorlds, arms: [manyArms], n: counts }),
    ...combine('joint', { world: jointWorlds, arms: [manyArms], n: [10] }),
    ...tailCases.flatMap(({ world, sd }) =>
      combine('tail', { world: [world], arms: [1], n: counts }).map((task) => ({ ...task, sd })),
    ),
    ...combine('sequences', { world: fairWorlds, arms: [2], n: [mostRounds] }),
    ...withDifferences(combine('power', { world: powerWorlds, arms: [2], n: counts })),
    ...withDifferences(combine('rounds', { world: powerWorlds, arms: [2], n: [mostRounds] })),
  ];
  return tasks
    .map((task) => ({ ...task, simulations: Math.max(8, Math.round(task.simulations * share)) }))
    .sort((a, b) => b.arms * b.n * b.simulations - a.arms * a.n * a.simulations);
}
