import { describe, expect, test } from 'vitest';
import type { ExperimentFacts } from '../../src/experiment/builtin.ts';
import { builtIns } from '../../src/experiment/builtins.ts';
import { experimentSchema } from '../../src/formats/experiment.ts';
import { findExperimentFaults } from '../../src/protocol/experiment-faults.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { smallExperimentPlan } from '../support/experiment-plan.ts';

const facts: ExperimentFacts = {
  cpus: [0, 1, 6, 8],
  wishedCpus: null,
  isCpuDevice: false,
  whyNot: { fixedAddresses: null, whoRuns: null, perfStat: null },
  cpuPolicy: { attribute: 'scaling_governor', values: ['powersave', 'performance'] },
  observer: ['nsys', 'profile'],
  hasTrainedFile: true,
};
const declare = (name: string, changes: Partial<ExperimentFacts> = {}) =>
  builtIns.find((builtIn) => builtIn.name === name)!.declare({ ...facts, ...changes });

describe.each(builtIns)('$name', ({ name, summary, declare: declareIt }) => {
  test('is a sound experiment whose plan can be made', () => {
    const { experiment, withheld } = declareIt(facts);
    expect(withheld).toEqual([]);
    expect(experimentSchema.parse(experiment)).toEqual(experiment);
    expect(findExperimentFaults(experiment!)).toEqual([]);
    expect(experiment!.name).toBe(name);
    expect(summary.length).toBeLessThan(120);
    if (name !== 'weights') expect(() => smallExperimentPlan(experiment!)).not.toThrow();
  });

  test('has as many blocks as its interval needs, and whole squares of its order', () => {
    const { blocks, arms, comparisons } = declareIt(facts).experiment!;
    if (comparisons.length > 0) expect(blocks).toBeGreaterThanOrEqual(18);
    const square = arms.length % 2 === 0 || arms.length === 1 ? arms.length : 2 * arms.length;
    expect(blocks % square).toBe(0);
  });
});

test('affinity-frequency is 24 rounds of 4 arms in 2 formats: 192 processes', () => {
  const plan = smallExperimentPlan(declare('affinity-frequency').experiment!);
  expect(planTrials(plan)).toHaveLength(192);
});

test('cpu-migration has 24 pairs, moved outside the timer, both timed on one CPU', () => {
  const { blocks, arms } = declare('cpu-migration').experiment!;
  expect(blocks).toBe(24);
  expect(arms.map(({ name, treatment }) => [name, treatment?.mainThread])).toEqual([
    ['stay', { prepareOn: 8, timeOn: 8 }],
    ['move', { prepareOn: 6, timeOn: 8 }],
  ]);
});

test('where the model computes on the CPU a move takes all of the work with it', () => {
  const [stay] = declare('cpu-migration', { isCpuDevice: true }).experiment!.arms;
  expect(stay!.execution).toEqual({ threads: 1, threadsBatch: 1 });
  expect(declare('cpu-migration').experiment!.arms[0]).not.toHaveProperty('execution');
});

test('recovery crosses stay and move with three activities of one length', () => {
  const { arms } = declare('recovery').experiment!;
  expect(arms.map(({ name }) => name)).toEqual([
    'stay-sleep',
    'stay-integer-work',
    'stay-decode',
    'move-sleep',
    'move-integer-work',
    'move-decode',
  ]);
  expect(new Set(arms.map(({ treatment }) => treatment?.activity?.milliseconds))).toEqual(
    new Set([50]),
  );
});

describe('what a machine does not offer is withheld by name', () => {
  test.each([
    ['cpu-migration', { cpus: [3] }, 'this process may use one CPU only (3)'],
    ['recovery', { cpus: [3] }, 'this process may use one CPU only (3)'],
    ['move-frequency', { cpus: null }, 'this system does not say on which CPUs a thread may run'],
    [
      'affinity-frequency',
      { cpus: null },
      'this system does not say on which CPUs a thread may run',
    ],
    ['cpu-policy', { cpuPolicy: { withheld: 'no cpufreq' } }, 'no cpufreq'],
    ['sched-trace', { whyNot: { ...facts.whyNot, whoRuns: 'no schedstat' } }, 'no schedstat'],
  ])('%s as a whole', (name, changes, why) => {
    const { experiment, withheld } = declare(name, changes);
    expect(experiment).toBeNull();
    expect(withheld.map((part) => part.why)).toEqual([why]);
  });

  test.each([
    [
      'state',
      { whyNot: { ...facts.whyNot, fixedAddresses: 'refused' } },
      'fixed-addresses',
      'refused',
    ],
    ['observer', { whyNot: { ...facts.whyNot, perfStat: 'no perf' } }, 'perf-stat', 'no perf'],
    ['observer', { observer: null }, 'given', 'none was given: --with "COMMAND …"'],
    [
      'weights',
      { hasTrainedFile: false },
      'trained',
      'no file was given: --trained FILE.gguf of the same shape',
    ],
  ])('%s in part, and the rest is done', (name, changes, arm, why) => {
    const { experiment, withheld } = declare(name, changes);
    expect(withheld.map((part) => part.why)).toEqual([why]);
    expect(experiment!.arms.map((one) => one.name)).not.toContain(arm);
    expect(findExperimentFaults(experiment!)).toEqual([]);
  });
});

test.each([
  [[0, 5], '--cpus: CPU 5 is offline or not allowed here'],
  [[1, 1], '--cpus names CPU 1 twice'],
] as const)('CPUs %j that cannot be used are refused', (wishedCpus, message) => {
  expect(() => declare('cpu-migration', { wishedCpus })).toThrow(message);
});

test('the CPUs that the user names are taken, from and to', () => {
  const { arms } = declare('cpu-migration', { wishedCpus: [8, 0] }).experiment!;
  expect(arms[1]!.treatment!.mainThread).toEqual({ prepareOn: 8, timeOn: 0 });
});
