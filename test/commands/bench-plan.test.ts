import { expect, test } from 'vitest';
import { itemKey } from '../../src/analysis/item-key.ts';
import { describeFailedItems, keysOfPairs } from '../../src/commands/bench-failures.ts';
import { leaveOut } from '../../src/commands/bench-plan.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { identityOf } from '../../src/hash.ts';
import { nameItemOf } from '../../src/llama-bench/item-name.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { listItems } from '../../src/protocol/schedule.ts';
import { benchPlan, decode16, fileModel, prefill64, variant } from '../support/variant-plan.ts';

const [a, b] = [fileModel('a', 'a'), fileModel('b', 'b')];
const plan = benchPlan([variant('fa0'), variant('fa1', { flashAttention: 'on' })], {
  models: [a, b],
});
const namesOf = (some: Plan) => listItems(some).map(({ item }) => nameItemOf(some, item));
const keysOf = (...names: string[]) =>
  new Set(
    listItems(plan).flatMap(({ item, model }) =>
      names.includes(nameItemOf(plan, item)) ? [itemKey(item, model.sha256)] : [],
    ),
  );

test('items of files have llama-bench’s names, with model and variant', () => {
  expect(namesOf(plan).slice(0, 4)).toEqual([
    'a Q4_K_M pp64 [fa0]',
    'a Q4_K_M tg16 [fa0]',
    'a Q4_K_M pp64 [fa1]',
    'a Q4_K_M tg16 [fa1]',
  ]);
  const deep = benchPlan(null, {
    models: [a],
    tests: [
      { ...prefill64, depth: 256 },
      { ...decode16, depth: 256 },
    ],
  });
  expect(namesOf(deep)).toEqual(['a Q4_K_M pp64 @ d256', 'a Q4_K_M tg16 @ d256']);
});

test('a plan without its first items is sound, and has another reference', () => {
  const lesser = leaveOut(plan, keysOf('a Q4_K_M pp64 [fa0]', 'a Q4_K_M tg16 [fa0]'));
  expect(findPlanFaults(lesser)).toEqual([]);
  expect(namesOf(lesser)).toHaveLength(6);
  expect(lesser.reference).toMatchObject({ modelSha256: a.sha256, variant: 'fa1' });
  expect(lesser.models).toEqual([a, b]);
  expect(lesser.variants?.map(({ name }) => name)).toEqual(['fa0', 'fa1']);
});

test('models, variants and phases that have no item left are left out too', () => {
  const all = namesOf(plan);
  const only = all.filter((name) => name !== 'b Q4_K_M tg16 [fa1]');
  const lesser = leaveOut(plan, keysOf(...only));
  expect(findPlanFaults(lesser)).toEqual([]);
  expect(namesOf(lesser)).toEqual(['b Q4_K_M tg16 [fa1]']);
  expect(lesser.models).toEqual([b]);
  expect(lesser.variants?.map(({ name }) => name)).toEqual(['fa1']);
  expect(lesser.protocol.phases).toEqual(['decode']);
  expect(lesser.protocolSha256).toBe(identityOf(lesser.protocol));
  expect(leaveOut(plan, new Set())).toBe(plan);
});

const failed = (model: string, variantName: string, test: string, why: string) => ({
  key: `${model} ${test}`,
  pair: `${(model === 'a' ? a : b).sha256} ${variantName}`,
  model: `${model}.gguf`,
  variant: variantName,
  test,
  trials: 2,
  reason: why,
});

test('what failed for one reason is told in one line', () => {
  const items = [
    failed('a', 'fa0', 'pp64', 'no tensor'),
    failed('a', 'fa0', 'tg16', 'no tensor'),
    failed('a', 'fa1', 'pp64', 'no tensor'),
    failed('b', 'fa1', 'tg16', 'no memory'),
  ];
  expect(describeFailedItems(items)).toEqual([
    'a.gguf [fa0] (pp64, tg16); a.gguf [fa1] (pp64): 6 of 6 trials failed, no tensor',
    'b.gguf [fa1] (tg16): 2 of 2 trials failed, no memory',
  ]);
  expect(describeFailedItems(items.slice(0, 1), false)).toEqual([
    'a.gguf [fa0]: 2 of 2 trials failed, no tensor',
  ]);
});

test('a probe that failed stands for every test of its model and variant', () => {
  const keys = keysOfPairs(plan, [failed('a', 'fa1', 'tg16', 'no tensor')]);
  expect(keys).toEqual(keysOf('a Q4_K_M pp64 [fa1]', 'a Q4_K_M tg16 [fa1]'));
});
