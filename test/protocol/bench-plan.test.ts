import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatItem } from '../../src/formats/architecture.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { canonicalJson, identityOf } from '../../src/hash.ts';
import { createBenchPlan } from '../../src/protocol/create-bench-plan.ts';
import { createBenchProtocol } from '../../src/protocol/create-bench-protocol.ts';
import { parsePlan } from '../../src/protocol/parse-plan.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { findProtocolFaults } from '../../src/protocol/protocol-faults.ts';
import { listItems } from '../../src/protocol/schedule.ts';
import { readProtocol } from '../../src/protocol/shipped.io.ts';
import {
  benchExecution,
  benchPlan,
  decode16,
  fileModel,
  prefill64,
  variant,
} from '../support/variant-plan.ts';

const rules = {
  name: 'bench',
  description: 'For tests.',
  execution: benchExecution,
  phases: ['prefill', 'decode'] as const,
  decodeSteps: 16,
  warmup: 1,
  kept: 2,
  trialTimeLimitSeconds: 60,
};

test('a plan of files without variants has conditions of one phase and no variants', () => {
  const plan = benchPlan(null);
  expect(findPlanFaults(plan)).toEqual([]);
  expect(plan.conditions).toEqual([
    { modelSha256: 'a'.repeat(64), phase: 'prefill', sequenceLength: 64 },
    { modelSha256: 'a'.repeat(64), phase: 'decode', sequenceLength: 0 },
  ]);
  expect(plan.reference).toEqual({
    modelSha256: 'a'.repeat(64),
    sequenceLength: 64,
    partOfSpace: true,
  });
  expect('variants' in plan).toBe(false);
  expect('comparisons' in plan).toBe(false);
});

test('every model is measured under every variant in every test, the first test first', () => {
  const plan = benchPlan([variant('t1', { threads: 1 }), variant('t2')], {
    models: [fileModel('one', 'a'), fileModel('two', 'b')],
  });
  expect(findPlanFaults(plan)).toEqual([]);
  expect(listItems(plan).map(({ item }) => formatItem(item))).toEqual([
    'one Q4_K_M S64 [t1] prefill',
    'one Q4_K_M S0 [t1] decode',
    'one Q4_K_M S64 [t2] prefill',
    'one Q4_K_M S0 [t2] decode',
    'two Q4_K_M S64 [t1] prefill',
    'two Q4_K_M S0 [t1] decode',
    'two Q4_K_M S64 [t2] prefill',
    'two Q4_K_M S0 [t2] decode',
  ]);
});

test('a depth is a prefill’s own and a decode’s length; steps stand where they are not the protocol’s', () => {
  const tests = [
    { phase: 'prefill', tokens: 64, depth: 512 },
    { phase: 'decode', tokens: 16, depth: 512 },
    { phase: 'decode', tokens: 32, depth: 512 },
  ] as const;
  expect(benchPlan(null, { tests }).conditions).toEqual([
    { modelSha256: 'a'.repeat(64), phase: 'prefill', sequenceLength: 64, depth: 512 },
    { modelSha256: 'a'.repeat(64), phase: 'decode', sequenceLength: 512 },
    { modelSha256: 'a'.repeat(64), phase: 'decode', sequenceLength: 512, decodeSteps: 32 },
  ]);
});

test('a test that was asked for twice is measured once, in its first place', () => {
  const { conditions } = benchPlan(null, { tests: [prefill64, decode16, { ...prefill64 }] });
  expect(conditions.map(({ phase }) => phase)).toEqual(['prefill', 'decode']);
});

test('sides are compared test by test', () => {
  const protocol = createBenchProtocol({
    ...rules,
    processes: 20,
    stopping: {
      method: 'S2',
      alpha: 0.05,
      margin: 0.005,
      equivalence: null,
      correction: 'bonferroni',
      comparisons: 'declared',
    },
  });
  const modelSha256 = 'a'.repeat(64);
  const plan = createBenchPlan({
    name: 'compared',
    question: 'Which?',
    targetDifference: 0.1,
    protocol,
    scheduleSeed: 1,
    work: {
      models: [fileModel('qwen', 'a')],
      variants: [variant('t1', { threads: 1 }), variant('t2')],
      tests: [prefill64, { ...decode16, depth: 64 }],
    },
    compare: [{ a: { modelSha256, variant: 't1' }, b: { modelSha256, variant: 't2' } }],
  });
  expect(plan.comparisons).toEqual([
    {
      a: { modelSha256, phase: 'prefill', sequenceLength: 64, variant: 't1' },
      b: { modelSha256, phase: 'prefill', sequenceLength: 64, variant: 't2' },
    },
    {
      a: { modelSha256, phase: 'decode', sequenceLength: 64, variant: 't1' },
      b: { modelSha256, phase: 'decode', sequenceLength: 64, variant: 't2' },
    },
  ]);
  expect(plan.declaration.comparisonFamily).toBe('the declared comparisons');
  expect(findPlanFaults(plan)).toEqual([]);
  const other = {
    ...plan,
    comparisons: [{ ...plan.comparisons![0]!, b: { ...plan.comparisons![0]!.b, variant: 't3' } }],
  };
  expect(findPlanFaults(other).map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'comparisons[0].b: no item of the plan',
  ]);
});

test('a protocol of bench is sound with any number of processes: with fewer than six, drift is not evaluable', () => {
  for (const processes of [1, 2, 6, 100]) {
    const protocol = createBenchProtocol({ ...rules, processes });
    expect(protocol.flags.drift).toEqual({ minRounds: 6, edgeRounds: 3, above: 0.05 });
    expect(findProtocolFaults(protocol)).toEqual([]);
  }
});

test('what a protocol of bench leaves as v1 has it is left out', () => {
  const plain = createBenchProtocol({ ...rules, processes: 6 });
  expect('cachePreparation' in plain).toBe(false);
  expect(plain.observation).toEqual({
    deviceState: 'trial-boundaries',
    hostCounters: 'none',
    profiler: 'none',
  });
  const restored = createBenchProtocol({
    ...rules,
    processes: 6,
    cachePreparation: 'restore',
    timesSteps: true,
  });
  expect(restored.cachePreparation).toBe('restore');
  expect(restored.observation.decodeSteps).toBe('each');
});

test('a plan of files comes back from its text as it was', () => {
  const plan = benchPlan([variant('t1', { threads: 1 }), variant('t2')]);
  expect(parsePlan(JSON.stringify(plan), 'the plan')).toEqual(plan);
});

test('v1 has the hash it was frozen with, and a recorded plan its own, byte for byte', () => {
  expect(identityOf(readProtocol('v1'))).toBe(
    '63ad510b4dcb3f7a5c7dca7527da472c1f44eb38eae82d9f2fb37f99a3cc136c',
  );
  const ledger = new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url);
  const [line] = readFileSync(ledger, 'utf8').split('\n', 1) as [string];
  const { plan, planSha256 } = JSON.parse(line) as { plan: Plan; planSha256: string };
  expect(planSha256).toBe('cfab7579bd1186b0a86aa0960c9988069a6c5a5ea3569900892ed4ae9c099182');
  const parsed = parsePlan(JSON.stringify(plan), 'the plan');
  expect(identityOf(parsed)).toBe(planSha256);
  expect(canonicalJson(parsed)).toBe(canonicalJson(plan));
});

test('only a plan of both phases says that they are apart', () => {
  const familyOf = (tests: Parameters<typeof benchPlan>[1]) =>
    benchPlan(null, tests).declaration.comparisonFamily;
  expect(familyOf({})).toBe('all items of the plan, prefill and decode apart');
  expect(familyOf({ tests: [decode16], rules: { phases: ['decode'] } })).toBe(
    'all items of the plan',
  );
});
