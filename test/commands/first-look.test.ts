import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignPorts } from '../../src/campaign/run-campaign.ts';
import { takeFirstLook } from '../../src/commands/first-look.ts';
import type { Item } from '../../src/formats/architecture.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createFakeRunner } from '../support/fake-runner.ts';
import { benchPlan, decode16, prefill64, variant } from '../support/variant-plan.ts';

async function look(plan: Plan, ports: CampaignPorts): Promise<[Item, number][]> {
  const heard: [Item, number][] = [];
  const log = join(tmpdir(), 'rooflaw-first-look.log');
  await takeFirstLook(plan, ports, log, (item, wallNs) => heard.push([item, wallNs]));
  return heard;
}

test('four tokens of decode with nothing before them, in one repetition', async () => {
  const runner = createFakeRunner();
  const plan = benchPlan(null, { tests: [prefill64, { ...decode16, depth: 4096 }] });
  const heard = await look(plan, fakePorts({ runner }));
  expect(heard).toMatchObject([
    [{ phase: 'decode', sequenceLength: 0, decodeSteps: 4 }, 1_000_000],
  ]);
  expect(runner.trials).toMatchObject([
    { phase: 'decode', sequenceLength: 0, decodeSteps: 4, contextSize: 4, repetitions: 1 },
  ]);
});

test('of a prefill without decode 16 tokens, and no more than are asked for', async () => {
  const tests = [{ ...prefill64, depth: 512 }];
  const [long] = await look(benchPlan(null, { tests }), fakePorts());
  expect(long![0]).toMatchObject({ phase: 'prefill', sequenceLength: 16 });
  expect(long![0]).not.toHaveProperty('depth');
  const short = benchPlan(null, { tests: [{ phase: 'prefill', tokens: 3, depth: 0 }] });
  expect((await look(short, fakePorts()))[0]![0]).toMatchObject({ sequenceLength: 3 });
});

test('a variant is looked at with its own backend', async () => {
  const [embedded, own] = [createFakeRunner(), createFakeRunner()];
  const plan = benchPlan([variant('only', { threads: 1 }, 'own')]);
  const variantRunners = new Map([['own', own]]);
  const heard = await look(plan, fakePorts({ runner: embedded, variantRunners }));
  expect(heard[0]![0].variant).toBe('only');
  expect(own.trials).toMatchObject([{ threads: 1 }]);
  expect(embedded.trials).toEqual([]);
});

test.each([
  ['ends early', { exitStatus: 1, lines: [] }],
  ['is stopped', { endedBy: 'stopped', exitStatus: null }],
  ['takes too long', { endedBy: 'time-limit', exitStatus: null }],
] as const)('a look that %s says nothing', async (_what, change) => {
  const runner = createFakeRunner(() => ({ ...change, lines: [] }));
  expect(await look(benchPlan(null), fakePorts({ runner }))).toEqual([]);
  expect(runner.trials).toHaveLength(1);
});

test('nothing starts after a stop', async () => {
  const runner = createFakeRunner();
  expect(await look(benchPlan(null), fakePorts({ runner, stop: AbortSignal.abort() }))).toEqual([]);
  expect(runner.trials).toEqual([]);
});
