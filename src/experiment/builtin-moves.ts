import type { Arm } from '../formats/experiment.ts';
import type { Activity, Treatment } from '../formats/treatment.ts';
import {
  type BuiltIn,
  chooseTwoCpus,
  compareArms,
  declareExperiment,
  isWithheld,
  oneThread,
} from './builtin.ts';

/** As long as a few decodes: what recovers after a move does so in some tens of milliseconds. */
const activityMs = 50;

/** Both arms are timed on the same CPU, so that which CPU it is makes no difference between them. */
const movesOf = ([from, to]: readonly [number, number]) =>
  ({
    stay: { prepareOn: to, timeOn: to },
    move: { prepareOn: from, timeOn: to },
  }) satisfies Record<string, Treatment['mainThread']>;

export const cpuMigration: BuiltIn = {
  name: 'cpu-migration',
  summary:
    'does a move of the main thread to another CPU, before the timer, make what follows slower?',
  declare(facts) {
    const cpus = chooseTwoCpus(facts);
    if (isWithheld(cpus)) return { experiment: null, withheld: [cpus] };
    const arms = Object.entries(movesOf(cpus)).map(([name, mainThread]): Arm => {
      const treatment = { mainThread, readings: ['cpu-time' as const, 'placement' as const] };
      return { name, levels: { move: name }, treatment, ...oneThread(facts) };
    });
    const experiment = declareExperiment({
      name: 'cpu-migration',
      question: `Is work slower after the main thread was moved from CPU ${cpus[0]} to ${cpus[1]} than after it stayed there?`,
      factors: [{ name: 'move', levels: ['stay', 'move'] }],
      arms,
      comparisons: [compareArms('stay', 'move'), compareArms('stay', 'move', 'main-cpu-time')],
      natural: ['stay'],
    });
    return { experiment, withheld: [] };
  },
};

const activities = ['sleep', 'integer-work', 'decode'] as const satisfies Activity['kind'][];

export const recovery: BuiltIn = {
  name: 'recovery',
  summary:
    'after a move, does a pause, work of the CPU alone or a real decode bring the speed back?',
  declare(facts) {
    const cpus = chooseTwoCpus(facts);
    if (isWithheld(cpus)) return { experiment: null, withheld: [cpus] };
    const arms = Object.entries(movesOf(cpus)).flatMap(([move, mainThread]) =>
      activities.map((kind): Arm => {
        const treatment = { mainThread, activity: { kind, milliseconds: activityMs } };
        const levels = { move, activity: kind };
        return { name: `${move}-${kind}`, levels, treatment, ...oneThread(facts) };
      }),
    );
    const experiment = declareExperiment({
      name: 'recovery',
      question: `After a move from CPU ${cpus[0]} to ${cpus[1]}, is work faster after ${activityMs} ms of integer work of the CPU alone than after as long a sleep?`,
      factors: [
        { name: 'move', levels: ['stay', 'move'] },
        { name: 'activity', levels: [...activities] },
      ],
      arms,
      blocks: 18,
      repetitions: { warmup: 5, kept: 5 },
      comparisons: [
        compareArms('move-sleep', 'move-integer-work'),
        compareArms('move-sleep', 'move-decode'),
        compareArms('stay-sleep', 'move-sleep'),
        {
          ...compareArms('stay-integer-work', 'move-integer-work'),
          name: 'move-after-integer-work',
        },
        { ...compareArms('stay-decode', 'move-decode'), name: 'move-after-decode' },
      ],
    });
    return { experiment, withheld: [] };
  },
};

export const moveFrequency: BuiltIn = {
  name: 'move-frequency',
  summary:
    'after a move, do the throughput of integer work and the frequency fall and recover together?',
  declare(facts) {
    const cpus = chooseTwoCpus(facts);
    if (isWithheld(cpus)) return { experiment: null, withheld: [cpus] };
    const arms = Object.entries(movesOf(cpus)).map(([name, mainThread]): Arm => {
      const treatment: Arm['treatment'] = {
        mainThread,
        activity: { kind: 'integer-work', milliseconds: activityMs },
        readings: ['placement', 'frequency'],
      };
      return { name, levels: { move: name }, treatment, ...oneThread(facts) };
    });
    const experiment = declareExperiment({
      name: 'move-frequency',
      question: `After a move from CPU ${cpus[0]} to ${cpus[1]}, is the first millisecond of integer work slower against the last quarter of ${activityMs} ms than after staying, and is the frequency?`,
      factors: [{ name: 'move', levels: ['stay', 'move'] }],
      arms,
      repetitions: { warmup: 5, kept: 5 },
      comparisons: [
        compareArms('stay', 'move', 'first-slice-throughput'),
        compareArms('stay', 'move', 'first-slice-frequency'),
      ],
    });
    return { experiment, withheld: [] };
  },
};
