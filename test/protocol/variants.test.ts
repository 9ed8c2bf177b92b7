import { expect, test } from 'vitest';
import { formatItem } from '../../src/formats/architecture.ts';
import type { Plan, PlannedCondition } from '../../src/formats/plan.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { listItems, listItemsByPhase, nameItem, planTrials } from '../../src/protocol/schedule.ts';
import { smallPlan } from '../support/small-plan.ts';
import { benchPlan, fileModel, variant } from '../support/variant-plan.ts';

const sha256 = 'a'.repeat(64);
const two = [variant('t1', { threads: 1 }, 'old'), variant('t2', {}, 'new')];
const faultsOf = (plan: unknown) =>
  findPlanFaults(plan).map(({ where, what }) => `${where}: ${what}`);

/** The plan of two variants with other conditions, of which the first is looked at for drift. */
function planOf(conditions: PlannedCondition[], changes: Partial<Plan> = {}): Plan {
  const { phase: _phase, ...reference } = conditions[0]!;
  return benchPlan(two, {
    changes: { conditions, reference: { ...reference, partOfSpace: true }, ...changes },
  });
}

const prefill = (other: Partial<PlannedCondition> = {}): PlannedCondition => ({
  modelSha256: sha256,
  phase: 'prefill',
  sequenceLength: 64,
  variant: 't1',
  ...other,
});
const decode = (other: Partial<PlannedCondition> = {}): PlannedCondition =>
  prefill({ phase: 'decode', ...other });

test('a plan with variants is sound', () => {
  expect(faultsOf(planOf([prefill(), decode({ variant: 't2' })]))).toEqual([]);
});

test.each<[string, PlannedCondition, string]>([
  [
    'an unknown variant',
    prefill({ variant: 't9' }),
    'conditions[1].variant: the plan has no variant "t9"',
  ],
  [
    'no variant',
    { modelSha256: sha256, phase: 'prefill', sequenceLength: 64 },
    'conditions[1].variant: names no variant',
  ],
  [
    'a prefill of nothing',
    prefill({ sequenceLength: 0 }),
    'conditions[1].sequenceLength: a prefill of no tokens',
  ],
  [
    'a depth in a decode',
    decode({ depth: 8 }),
    'conditions[1].depth: a depth is a prefill’s; a decode starts after sequenceLength tokens',
  ],
  [
    'steps in a prefill',
    prefill({ decodeSteps: 8 }),
    'conditions[1].decodeSteps: only a decode has steps',
  ],
  [
    'a condition that stands there already',
    prefill(),
    'conditions[1]: the same condition stands here twice',
  ],
  [
    'a model that is not there',
    prefill({ modelSha256: 'f'.repeat(64) }),
    'conditions[1].modelSha256: no model of the plan has this hash',
  ],
])('a condition with %s is refused', (_what, condition, fault) => {
  expect(faultsOf(planOf([prefill(), condition]))).toEqual([fault]);
});

test('a depth or steps in every phase are refused, and so is no token in every phase', () => {
  const { phase: _phase, ...both } = prefill({ depth: 8, decodeSteps: 8, sequenceLength: 0 });
  expect(faultsOf(planOf([prefill(), both]))).toEqual([
    'conditions[1].sequenceLength: a prefill of no tokens',
    'conditions[1].depth: a depth is a prefill’s; a decode starts after sequenceLength tokens',
    'conditions[1].decodeSteps: only a decode has steps',
  ]);
});

test('an item that two conditions have, each in its own words, is refused', () => {
  const { phase: _phase, ...both } = prefill();
  const twice = 'conditions[1]: an earlier condition has the same item';
  expect(faultsOf(planOf([both, decode()]))).toEqual([twice]);
  expect(faultsOf(planOf([decode(), decode({ decodeSteps: 16 })]))).toEqual([twice]);
  expect(faultsOf(planOf([decode(), decode({ decodeSteps: 17 })]))).toEqual([]);
  expect(faultsOf(planOf([prefill(), decode()]))).toEqual([]);
});

test('a condition in a phase that the protocol lacks is refused', () => {
  const plan = benchPlan(null, { rules: { phases: ['prefill'] } });
  expect(faultsOf(plan)).toEqual(['conditions[1].phase: the protocol has no phase decode']);
});

test('variants of one name, and settings that llama.cpp refuses, are named', () => {
  const variants = [
    ...two,
    variant('t1', { batch: 64, ubatch: 128 }),
    variant('q', { kvTypeV: 'Q8_0' }),
  ];
  expect(faultsOf(planOf([prefill()], { variants }))).toEqual([
    'variants[2]: another variant has this name',
    'variants[2].execution.ubatch: 128 is more than batch, 64',
    'variants[3].execution.kvTypeV: llama.cpp needs flash attention for a V cache in Q8_0',
  ]);
});

test('a condition names no variant where the plan has none', () => {
  const plan = benchPlan(null);
  const conditions = [plan.conditions[0]!, { ...plan.conditions[1]!, variant: 't1' }];
  expect(faultsOf({ ...plan, conditions })).toEqual([
    'conditions[1].variant: the plan has no variant "t1"',
  ]);
});

test('two files of one name are refused; of one architecture two quantizations are not', () => {
  const plan = benchPlan(null, { models: [fileModel('qwen', 'a'), fileModel('qwen', 'b')] });
  expect(faultsOf(plan)).toEqual(['models[1].name: "qwen" names two different models']);
  expect(faultsOf(smallPlan())).toEqual([]);
});

test('the reference is the first condition where the protocol says so', () => {
  const plan = planOf([prefill(), decode()]);
  const other = { ...plan, reference: { ...plan.reference, sequenceLength: 65 } };
  expect(faultsOf(other)).toEqual([
    'reference: is not the first condition',
    'reference.partOfSpace: no condition is the reference',
  ]);
});

test('a reference besides the conditions has a variant of the plan and nothing of a single phase', () => {
  const plan = smallPlan({
    conditions: [{ modelSha256: 'b'.repeat(64), sequenceLength: 16 }],
    reference: { modelSha256: sha256, sequenceLength: 16, partOfSpace: false },
  });
  expect(faultsOf(plan)).toEqual([]);
  const { reference } = plan;
  expect(faultsOf({ ...plan, reference: { ...reference, variant: 't9', depth: 4 } })).toEqual([
    'reference.depth: a depth is a prefill’s; a decode starts after sequenceLength tokens',
    'reference.variant: the plan has no variant "t9"',
  ]);
});

test('faults of a variant’s form do not hide faults of sense', () => {
  const plan = planOf([prefill(), prefill({ variant: 't9' })]);
  const variants = [{ ...two[0]!, backend: '../up' }, two[1]!];
  expect(findPlanFaults({ ...plan, variants }).map(({ where }) => where)).toEqual([
    'variants[0].backend',
    'conditions[0].variant',
    'conditions[1].variant',
  ]);
});

test('each item runs under its variant’s settings on its variant’s backend', () => {
  const plan = planOf([prefill(), decode({ variant: 't2', decodeSteps: 4, sequenceLength: 0 })]);
  const items = listItems(plan);
  expect(
    items.map(({ item, execution, backend, isReference }) => [
      formatItem(item),
      execution.threads,
      backend,
      isReference,
    ]),
  ).toEqual([
    ['qwen Q4_K_M S64 [t1] prefill', 1, 'old', true],
    ['qwen Q4_K_M S0 4 steps [t2] decode', 2, 'new', true], // the first decode
  ]);
  expect(nameItem(items[1]!)).toEqual({
    modelSha256: sha256,
    sequenceLength: 0,
    decodeSteps: 4,
    variant: 't2',
    phase: 'decode',
  });
});

test('without variants an item runs under the protocol’s settings on the campaign’s backend', () => {
  for (const { execution, backend } of listItems(smallPlan())) {
    expect(execution).toEqual(smallPlan().protocol.execution);
    expect(backend).toBeNull();
  }
});

test('a condition without a phase is measured in each, and the first of them is looked at for drift', () => {
  const { phase: _phase, ...both } = prefill();
  const plan = planOf([both, decode({ variant: 't2' }), prefill({ variant: 't2', depth: 8 })]);
  expect(faultsOf(plan)).toEqual([]);
  const told = (items: ReturnType<typeof listItems>) =>
    items.map(({ item, isReference }) => `${formatItem(item)}${isReference ? ' *' : ''}`);
  expect(told(listItems(plan))).toEqual([
    'qwen Q4_K_M S64 [t1] prefill *',
    'qwen Q4_K_M S64 [t1] decode *',
    'qwen Q4_K_M S64 [t2] decode',
    'qwen Q4_K_M S64 after 8 [t2] prefill',
  ]);
  expect(told(listItemsByPhase(plan))).toEqual([
    'qwen Q4_K_M S64 [t1] prefill *',
    'qwen Q4_K_M S64 after 8 [t2] prefill',
    'qwen Q4_K_M S64 [t1] decode *',
    'qwen Q4_K_M S64 [t2] decode',
  ]);
});

test('every round holds the items of all variants, each once, in an order of its own', () => {
  const plan = benchPlan(two, { rules: { processes: 8 } });
  const trials = planTrials(plan);
  expect(trials).toHaveLength(32);
  const orders = Array.from({ length: 8 }, (_, round) =>
    trials.filter((trial) => trial.round === round).map(({ item }) => formatItem(item)),
  );
  for (const order of orders) {
    expect([...order].sort()).toEqual([
      'qwen Q4_K_M S0 [t1] decode',
      'qwen Q4_K_M S0 [t2] decode',
      'qwen Q4_K_M S64 [t1] prefill',
      'qwen Q4_K_M S64 [t2] prefill',
    ]);
  }
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(3);
});

test('the runner is given the variant’s settings, the depth before the prefill and the item’s steps', () => {
  const plan = planOf([
    prefill({ depth: 32 }),
    decode({ variant: 't2', decodeSteps: 4, sequenceLength: 0 }),
  ]);
  const [first, second] = listItems(plan).map((item) =>
    buildTrial(plan.protocol, item, '/model', { name: 'CUDA0', type: 'gpu' }),
  );
  expect(first).toMatchObject({
    threads: 1,
    sequenceLength: 64,
    depth: 32,
    contextSize: 96,
    gpuLayers: 5,
  });
  expect(second).toMatchObject({
    threads: 2,
    sequenceLength: 0,
    depth: 0,
    decodeSteps: 4,
    contextSize: 4,
  });
});
