import { expect, test } from 'vitest';
import { type GeneratedModel, nameOfModel } from '../../src/formats/plan.ts';
import type { Space } from '../../src/formats/space.ts';
import { identityOf } from '../../src/hash.ts';
import { createPlan, listWantedModels } from '../../src/protocol/create-plan.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { sequentialPlan, sequentialProtocol } from '../support/sequential-plan.ts';
import { smallPlan, smallProtocol, tinyArchitecture } from '../support/small-plan.ts';

const space = (architectureName: string, layerCount: number): Space => ({
  format: 'rooflaw-space',
  formatVersion: 1,
  name: 'some',
  description: '',
  weightSeed: 1,
  design: null,
  architectures: [{ ...tinyArchitecture, name: architectureName, layerCount }],
  conditions: [
    { architecture: architectureName, quantization: 'Q8_0', sequenceLength: 16 },
    { architecture: architectureName, quantization: 'Q8_0', sequenceLength: 32 },
  ],
});

function planOf(used: Space) {
  const protocol = smallProtocol();
  const models: GeneratedModel[] = listWantedModels(used, protocol).map((wanted, index) => ({
    ...wanted,
    generatorVersion: 1,
    fileBytes: 1,
    sha256: String(index + 1).repeat(64),
  }));
  const { declaration } = smallPlan();
  return createPlan({ name: 'some', space: used, protocol, declaration, scheduleSeed: 1, models });
}

test('a plan made from a space is sound', () => {
  expect(findPlanFaults(planOf(space('tiny', 2)))).toEqual([]);
});

test('the reference is part of the space when the space has the same weights, whatever their name', () => {
  const plan = planOf(space('other-name', 2));
  expect(plan.models).toHaveLength(1);
  expect(plan.reference).toEqual({
    modelSha256: '1'.repeat(64),
    sequenceLength: 16,
    partOfSpace: true,
  });
});

test('a reference that the space lacks is named in the plan and gets a model of its own', () => {
  const plan = planOf(space('deep', 5));
  expect(plan.models.map(nameOfModel)).toEqual(['deep', 'tiny']);
  expect(plan.reference).toEqual({
    modelSha256: '2'.repeat(64),
    sequenceLength: 16,
    partOfSpace: false,
  });
  expect(findPlanFaults(plan)).toEqual([]);
});

test('a space that uses the reference’s name for something else keeps its name', () => {
  const plan = planOf(space('tiny', 5));
  expect(plan.models.map(nameOfModel)).toEqual(['tiny', 'reference-tiny']);
  expect(findPlanFaults(plan)).toEqual([]);
});

test('a plan whose protocol was edited is refused, since that is another protocol', () => {
  const plan = smallPlan();
  const edited = { ...plan, protocol: { ...plan.protocol, processesPerItem: 4 } };
  expect(findPlanFaults(edited).map(({ where }) => where)).toEqual(['protocolSha256']);
});

test('every contradiction of a plan is named at once', () => {
  const plan = smallPlan();
  const broken = {
    ...plan,
    models: [...plan.models, plan.models[0]],
    conditions: [
      ...plan.conditions,
      { modelSha256: 'c'.repeat(64), sequenceLength: 16 },
      plan.conditions[0],
    ],
    reference: { modelSha256: 'd'.repeat(64), sequenceLength: 1, partOfSpace: true },
  };
  expect(findPlanFaults(broken).map(({ where }) => where)).toEqual([
    'models[2]',
    'conditions[2].modelSha256',
    'conditions[3]',
    'reference.modelSha256',
    'reference.sequenceLength',
    'reference.partOfSpace',
  ]);
});

test('a plan whose reference is not the protocol’s is refused', () => {
  const other = { modelSha256: 'b'.repeat(64), sequenceLength: 16, partOfSpace: true };
  expect(findPlanFaults(smallPlan({ reference: other }))).toMatchObject([
    {
      where: 'reference.modelSha256',
      what: 'this model is not the reference that the protocol names',
    },
  ]);
});

test('faults of form do not hide faults of sense', () => {
  const plan = smallPlan();
  const broken = {
    ...plan,
    name: '../up',
    protocol: {
      ...plan.protocol,
      processesPerItem: 1.5,
      execution: { ...plan.protocol.execution, threads: 0, ubatch: 1024 },
    },
    conditions: [...plan.conditions, { modelSha256: 'c'.repeat(64), sequenceLength: 16 }],
  };
  expect(findPlanFaults(broken).map(({ where }) => where)).toEqual([
    'name',
    'protocol.processesPerItem',
    'protocol.execution.threads',
    'protocol.execution.ubatch',
    'conditions[2].modelSha256',
  ]);
});

test('a plan’s hash is the hash of its canonical JSON, whatever the order of its members', () => {
  const plan = smallPlan();
  const reversed = Object.fromEntries(Object.entries(plan).reverse());
  expect(identityOf(reversed)).toBe(identityOf(plan));
});

const q8 = { modelSha256: 'a'.repeat(64), sequenceLength: 16, phase: 'decode' } as const;
const f16 = { modelSha256: 'b'.repeat(64), sequenceLength: 16, phase: 'decode' } as const;
const declaring = sequentialProtocol({}, { comparisons: 'declared' });

test('comparisons are declared where the stopping rule is about declared ones, and only there', () => {
  const comparisons = [{ a: q8, b: f16 }];
  expect(findPlanFaults(sequentialPlan())).toEqual([]);
  expect(findPlanFaults(sequentialPlan(declaring, { comparisons }))).toEqual([]);
  expect(findPlanFaults(sequentialPlan(declaring))).toMatchObject([
    {
      where: 'comparisons',
      what: 'protocol small-sequential decides declared comparisons, and there are none',
    },
  ]);
  expect(findPlanFaults(sequentialPlan(undefined, { comparisons }))).toMatchObject([
    { where: 'comparisons', what: expect.stringContaining('everything with the reference') },
  ]);
  expect(findPlanFaults(smallPlan({ comparisons }))).toMatchObject([
    { where: 'comparisons', what: expect.stringContaining('has no stopping rule') },
  ]);
});

test('declared comparisons that make no sense are named at once', () => {
  const comparisons = [
    { a: q8, b: f16 },
    { a: f16, b: q8 },
    { a: q8, b: q8 },
    { a: q8, b: { ...f16, phase: 'prefill' as const } },
    { a: { ...q8, sequenceLength: 17 }, b: f16 },
  ];
  const faults = findPlanFaults(sequentialPlan(declaring, { comparisons }));
  expect(faults.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'comparisons[1]: the same comparison stands here twice',
    'comparisons[2]: compares an item with itself',
    'comparisons[3]: times of two phases are of different work',
    'comparisons[4].a: no item of the plan',
  ]);
});

test('a plan with more comparisons than its maximum of rounds can decide is refused', () => {
  const protocol = sequentialProtocol({ processesPerItem: 6 }, { alpha: 0.05 });
  expect(findPlanFaults(sequentialPlan(protocol))).toEqual([
    {
      where: 'protocol.processesPerItem',
      what: 'at most 6 rounds: S2 with alpha 0.025 for each of 2 comparisons can decide nothing by then',
      hint: 'at least 7, fewer comparisons, or a larger alpha',
    },
  ]);
  const uncorrected = sequentialProtocol(
    { processesPerItem: 6 },
    { alpha: 0.05, correction: 'none' },
  );
  expect(findPlanFaults(sequentialPlan(uncorrected))).toEqual([]);
});

test('a plan whose only condition is the reference has nothing to compare', () => {
  const { conditions } = smallPlan();
  const plan = sequentialPlan(undefined, { conditions: conditions.slice(0, 1) });
  expect(findPlanFaults(plan)).toEqual([
    { where: 'conditions', what: 'the plan has nothing to compare with the reference' },
  ]);
});
