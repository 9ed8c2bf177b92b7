import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Arm, Experiment } from '../../src/formats/experiment.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { noTreatment } from '../../src/formats/treatment.ts';
import { canonicalJson } from '../../src/hash.ts';
import { listGroups } from '../../src/protocol/blocks.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { findOtherShape } from '../../src/protocol/create-experiment-plan.ts';
import { findExperimentFaults } from '../../src/protocol/experiment-faults.ts';
import { parsePlan } from '../../src/protocol/parse-plan.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { planRounds, planTrials } from '../../src/protocol/schedule.ts';
import { arm, smallExperiment, smallExperimentPlan } from '../support/experiment-plan.ts';
import { fileModel } from '../support/variant-plan.ts';

const cpu = { name: 'CPU', type: 'cpu' } as const;
const whats = (experiment: Experiment) =>
  findExperimentFaults(experiment).map(({ where, what }) => `${where}: ${what}`);

describe('the plan of an experiment', () => {
  test('has no fault, and is the same after it was written and read', () => {
    const plan = smallExperimentPlan();
    expect(findPlanFaults(plan)).toEqual([]);
    expect(parsePlan(canonicalJson(plan), 'plan')).toEqual(plan);
  });

  test('measures every arm of every condition once in each block, the arms side by side', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('williams' as const, 'latin-square' as const, 'random' as const),
        (arms, blocks, order) => {
          const names = Array.from({ length: arms }, (_, index) => `arm${index}`);
          const plan = smallExperimentPlan(
            smallExperiment({ arms: names.map((name) => arm(name)), blocks, order }),
          );
          const groups = listGroups(plan);
          const groupOf = (item: object) =>
            groups.findIndex((group) => group.some((other) => other.item === item));
          for (const round of planRounds(plan)) {
            const halves = [round.slice(0, arms), round.slice(arms)];
            for (const half of halves) {
              expect(half.map(({ item }) => item.variant).sort()).toEqual(names);
              expect(new Set(half.map(({ item }) => groupOf(item))).size).toBe(1);
            }
          }
          expect(planTrials(plan).map(({ trial }) => trial)).toEqual(
            Array.from({ length: 2 * arms * blocks }, (_, trial) => trial),
          );
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  });

  test('gives a trial what its arm says, and a plain one the format it always had', () => {
    const treated = arm('treated', {
      treatment: { readings: ['cpu-time'], mainThread: { prepareOn: 0, timeOn: 1 } },
      cachePreparation: 'restore',
      repetitions: { warmup: 5, kept: 2 },
      execution: { threads: 1 },
    });
    const plan = smallExperimentPlan(smallExperiment({ arms: [arm('plain'), treated] }));
    const [plain, other] = listGroups(plan)[0]!.map((item) =>
      buildTrial(plan.protocol, item, '/m', cpu),
    );
    expect(plain).toMatchObject({ formatVersion: 1, repetitions: 3, cachePreparation: 'compute' });
    expect(plain).not.toHaveProperty('treatment');
    expect(other).toMatchObject({
      formatVersion: 2,
      repetitions: 7,
      cachePreparation: 'restore',
      threads: 1,
      treatment: {
        ...noTreatment,
        readings: ['cpu-time'],
        mainThread: { prepareOn: 0, timeOn: 1 },
      },
    });
  });

  test.each<[fault: string, change: (plan: Plan) => Partial<Plan>]>([
    [
      'protocol.order: the experiment needs "balanced-blocks"',
      ({ protocol }) => ({ protocol: { ...protocol, order: 'randomised-rounds' } }),
    ],
    [
      'protocol.processesPerItem: the experiment needs 4',
      ({ protocol }) => ({ protocol: { ...protocol, processesPerItem: 3 } }),
    ],
    [
      'variants[1]: is not what arm off says',
      ({ variants }) => ({ variants: [variants![0]!, { ...variants![0]!, name: 'off' }] }),
    ],
    [
      'conditions: 3 conditions are no whole groups of 2 arms',
      ({ conditions }) => ({ conditions: conditions.slice(0, 3) }),
    ],
    [
      'conditions[1]: is another condition than the first of its group',
      ({ conditions: [a, b, ...rest] }) => ({
        conditions: [a!, { ...b!, sequenceLength: 64 }, ...rest],
      }),
    ],
    [
      'conditions[0].variant: must be file',
      ({ conditions: [a, b, ...rest] }) => ({ conditions: [b!, a!, ...rest] }),
    ],
    [
      'protocol.order: belongs to an experiment, and the plan declares none',
      ({ experiment: _experiment, ...plan }) => ({ ...plan, experiment: undefined as never }),
    ],
  ])('is refused where %s', (fault, change) => {
    const plan = smallExperimentPlan();
    const faults = findPlanFaults({ ...plan, ...change(plan) });
    expect(faults.map(({ where, what }) => `${where}: ${what}`)).toContain(fault);
  });
});

describe('an experiment', () => {
  test('tells all that is wrong with it at once', () => {
    const broken = smallExperiment({
      factors: [{ name: 'level', levels: ['file', 'off'] }],
      arms: [
        arm('file'),
        arm('off'),
        { name: 'off', levels: { level: 'nothing', other: 'x' } } as Arm,
        { name: 'twin', levels: { level: 'file' } },
      ],
      comparisons: [
        { name: 'c', a: { arm: 'file', metric: 'time' }, b: { arm: 'file', metric: 'time' } },
        {
          name: 'c',
          a: { arm: 'gone', metric: 'time' },
          b: { arm: 'off', metric: 'scheduler-wait' },
        },
        { name: 'd', a: { arm: 'file', metric: 'time' }, b: { arm: 'off', metric: 'migrations' } },
      ],
      natural: ['gone'],
    });
    expect(whats(broken).sort()).toEqual([
      'arms[0].levels: arm twin has the same levels',
      'arms[2].levels: level has no level "nothing"',
      'arms[2].levels: the experiment has no factor "other"',
      'arms[2].name: another arm has this name',
      'arms[3].levels: arm file has the same levels',
      'comparisons[0]: compares a number with itself',
      'comparisons[1].a.arm: the experiment has no arm "gone"',
      'comparisons[1].b: scheduler-wait needs the reading scheduler-wait',
      'comparisons[1].name: another comparison has this name',
      'comparisons[2].b: migrations needs the reading placement',
      'comparisons[2]: time and migrations are not of one kind',
      'natural[0]: the experiment has no arm "gone"',
    ]);
  });

  test('of nothing to compare and nothing to watch is refused', () => {
    expect(whats(smallExperiment({ comparisons: [] }))).toEqual([
      'comparisons: neither a comparison nor a natural arm is declared',
    ]);
  });
});

test('models of one shape are told from others', () => {
  const model = fileModel('one', '1');
  expect(findOtherShape(model, fileModel('two', '2'))).toBeNull();
  expect(findOtherShape(model, { ...model, layerCount: 5 })).toBe('layers: 4 and 5');
  expect(findOtherShape(model, { ...model, quantization: 'F16' })).toBe('format: Q4_K_M and F16');
});
