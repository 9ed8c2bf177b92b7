import type { Arm } from '../formats/experiment.ts';
import { type Reading, readingSchema } from '../formats/treatment.ts';
import {
  type BuiltIn,
  compareArms,
  countBlocks,
  declareExperiment,
  type ExperimentFacts,
  type Withheld,
} from './builtin.ts';

/** What says how a repetition was slow; the frequency apart, which costs most and is rarely readable. */
const cheapReadings: Reading[] = readingSchema.options.filter((reading) => reading !== 'frequency');

/** A wrapper that dies with the harness, so that a killed campaign leaves nothing behind (util-linux). */
const endWithHarness = ['setpriv', '--pdeathsig', 'KILL', '--'];
const perfStat = [
  'perf',
  'stat',
  '-e',
  'task-clock,context-switches,cpu-migrations,page-faults',
  '--',
];

export const natural: BuiltIn = {
  name: 'natural',
  summary: 'which repetitions are slow without any intervention, and in what way was each?',
  declare() {
    const experiment = declareExperiment({
      name: 'natural',
      question:
        'Which repetitions are slow by more than 5 % when nothing is done, and did their CPU time grow or their time off the CPU?',
      factors: [{ name: 'watched', levels: ['watched'] }],
      arms: [
        {
          name: 'watched',
          levels: { watched: 'watched' },
          treatment: { readings: [...readingSchema.options] },
        },
      ],
      blocks: 60,
      natural: ['watched'],
    });
    return { experiment, withheld: [] };
  },
};

export const affinityFrequency: BuiltIn = {
  name: 'affinity-frequency',
  summary: 'natural delays with the main thread free or on one CPU, and the frequency read or not',
  declare(facts) {
    const cpu = facts.cpus?.at(-1);
    if (cpu === undefined) {
      const why = 'this system does not say on which CPUs a thread may run';
      return { experiment: null, withheld: [{ what: 'a pinned main thread', why }] };
    }
    const arms = ['default', 'pinned'].flatMap((affinity) =>
      ['off', 'on'].map((frequency): Arm => {
        const readings = frequency === 'on' ? [...readingSchema.options] : cheapReadings;
        const mainThread = affinity === 'pinned' ? { prepareOn: cpu, timeOn: cpu } : null;
        const levels = { affinity, frequency };
        return { name: `${affinity}-${frequency}`, levels, treatment: { readings, mainThread } };
      }),
    );
    const experiment = declareExperiment({
      name: 'affinity-frequency',
      question: `Are there slow repetitions with the main thread free and with it on CPU ${cpu}, and what does reading the frequency cost?`,
      factors: [
        { name: 'affinity', levels: ['default', 'pinned'] },
        { name: 'frequency', levels: ['off', 'on'] },
      ],
      arms,
      comparisons: [
        compareArms('default-off', 'pinned-off'),
        compareArms('default-off', 'default-on'),
        compareArms('pinned-off', 'pinned-on'),
      ],
      natural: arms.map(({ name }) => name),
    });
    return { experiment, withheld: [] };
  },
};

export const schedTrace: BuiltIn = {
  name: 'sched-trace',
  summary: 'who ran on the main thread’s CPU while it waited for it, and what does looking cost?',
  declare({ whyNot }) {
    if (whyNot.whoRuns !== null)
      return { experiment: null, withheld: [{ what: 'who runs', why: whyNot.whoRuns }] };
    const arms = ['untraced', 'traced'].map((trace): Arm => {
      const launch = { whoRuns: trace === 'traced' };
      return { name: trace, levels: { trace }, treatment: { readings: cheapReadings }, launch };
    });
    const experiment = declareExperiment({
      name: 'sched-trace',
      question:
        'What does looking who runs cost, and who had the main thread’s CPU while it waited?',
      factors: [{ name: 'trace', levels: ['untraced', 'traced'] }],
      arms,
      comparisons: [compareArms('untraced', 'traced')],
      natural: ['untraced', 'traced'],
    });
    return { experiment, withheld: [] };
  },
};

export const observer: BuiltIn = {
  name: 'observer',
  summary: 'what does a profiler or a counter cost, before any of its traces is believed?',
  declare(facts) {
    const { arms, withheld } = listObservers(facts);
    const names = ['none', ...arms.map(({ name }) => name)];
    const experiment = declareExperiment({
      name: 'observer',
      question: 'How much slower is the same work under each observer than under none?',
      factors: [{ name: 'observer', levels: names }],
      arms: [{ name: 'none', levels: { observer: 'none' } }, ...arms],
      blocks: countBlocks(names.length, 20),
      comparisons: arms.map(({ name }) => compareArms('none', name)),
      natural: ['none'],
    });
    return { experiment, withheld };
  },
};

function listObservers(facts: ExperimentFacts): { arms: Arm[]; withheld: Withheld[] } {
  const { whyNot, observer: given } = facts;
  const withheld: Withheld[] = [];
  const arm = (name: string, parts: Partial<Arm>): Arm => ({
    name,
    levels: { observer: name },
    ...parts,
  });
  const wrap = (words: readonly string[]) => ({
    launch: { wrapper: [...endWithHarness, ...words] },
  });
  const arms = [
    arm('counters', { treatment: { readings: cheapReadings } }),
    arm('counters-frequency', { treatment: { readings: [...readingSchema.options] } }),
  ];
  if (whyNot.perfStat === null) arms.push(arm('perf-stat', wrap(perfStat)));
  else withheld.push({ what: 'perf stat', why: whyNot.perfStat });
  if (given !== null) arms.push(arm('given', wrap(given)));
  else
    withheld.push({ what: 'nsys or another profiler', why: 'none was given: --with "COMMAND …"' });
  return { arms, withheld };
}
