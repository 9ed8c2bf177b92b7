import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analysisSchema } from '../../src/formats/analysis.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import type { Stopping } from '../../src/formats/protocol.ts';
import { findRealBackend } from '../support/real-backend.ts';
import {
  finish,
  makeSmallPlan,
  smallCpuProtocol,
  smallSpace,
  type Workspace,
  workIn,
} from '../support/rooflaw.ts';

/** Two comparisons share a half: something can be decided from round 3 of 6 on. */
const stopping: Stopping = {
  method: 'S2',
  alpha: 0.5,
  margin: 0,
  equivalence: 0.9,
  correction: 'bonferroni',
  comparisons: 'all-against-reference',
};
const protocol = smallCpuProtocol({ name: 'small-sequential', processesPerItem: 6, stopping });

const ledgerOf = (work: Workspace) => join(work.folder, 'campaigns/small/ledger.ndjson');
const readEntries = (work: Workspace): LedgerEntry[] =>
  readFileSync(ledgerOf(work), 'utf8')
    .split('\n')
    .flatMap((line, index, all) => (index < all.length - 1 ? [JSON.parse(line)] : []));
const decisionsOf = (work: Workspace) =>
  readEntries(work).filter((entry) => entry.type === 'decision');

test('comparisons are declared with the plan, before any model is made', async () => {
  const work = workIn();
  work.write('space.json', smallSpace);
  work.write('protocol.json', { ...protocol, stopping: { ...stopping, comparisons: 'declared' } });
  const files = [
    '--space',
    'space.json',
    '--protocol',
    'protocol.json',
    '--out',
    'small.plan.json',
  ];
  const plan = (...options: string[]) => work.run(['plan', ...files, '--no-models', ...options]);

  const without = await plan();
  expect(without.status).toBe(2);
  expect(without.stderr).toContain('decides declared comparisons, and there are none');
  const unclear = await plan('--compare', 'architecture=tiny vs quantization=F16');
  expect(unclear.status).toBe(2);
  expect(unclear.stderr).toContain('architecture=tiny selects 2 items in prefill');
  expect(existsSync(join(work.folder, 'small.plan.json'))).toBe(false);

  const made = await plan('--compare', 'quantization=F16 vs quantization=Q8_0,phase=decode');
  expect(made).toMatchObject({ status: 0 });
  expect(made.stderr).toContain('4 items, at most 24 trials under protocol small-sequential');
  expect(made.stderr).toContain(
    'stops after the round in which the last of 1 comparison is decided',
  );
  const { comparisons, models } = JSON.parse(
    readFileSync(join(work.folder, 'small.plan.json'), 'utf8'),
  ) as Plan;
  const hashOf = (quantization: string) =>
    models.find((model) => model.quantization === quantization)!.sha256;
  expect(comparisons).toEqual([
    {
      a: { modelSha256: hashOf('F16'), sequenceLength: 16, phase: 'decode' },
      b: { modelSha256: hashOf('Q8_0'), sequenceLength: 16, phase: 'decode' },
    },
  ]);
});

test('comparisons cannot be declared for a protocol that does not ask for them', async () => {
  const work = workIn();
  const options = ['--compare', 'architecture=wide vs architecture=deep', '--no-models'];
  const { status, stderr } = await work.run(
    ['plan', '--space', 'pocket', '--protocol', 'pocket-1', '--out', 'p.json'].concat(options),
  );
  expect(status).toBe(2);
  expect(stderr).toContain('protocol pocket-1 has no stopping rule');
});

test('a recorded campaign is replayed, for people and for programs', async () => {
  const work = workIn();
  const recorded = join(import.meta.dirname, '../../results/h200-pilot-v1');
  const text = await work.run(['analyze', recorded, '--replay', 'v2']);
  expect(text.status).toBe(0);
  expect(text.stdout).toContain('A replay of recorded data; no error guarantee is claimed');
  expect(text.stdout.replace(/\s+/g, ' ')).toContain('16 of 22 comparisons decided');
  const json = await work.run(['analyze', recorded, '--replay', 'v2', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ format: 'rooflaw-replay', end: null });
  const fixed = await work.run(['analyze', recorded, '--replay', 'v1']);
  expect(fixed.status).toBe(2);
  expect(fixed.stderr).toContain('protocol v1 has no stopping rule');
  const lonely = await work.run(['analyze', recorded, '--compare', 'phase=decode vs phase=decode']);
  expect(lonely.status).toBe(2);
  expect(lonely.stderr).toContain('--compare belongs to --replay');
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`a sequential campaign on real llama.cpp${reason}`, () => {
  test('is killed, resumed, ended by its rule, verified and reported; a changed decision is found', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    expect(await makeSmallPlan(work, protocol)).toMatchObject({ status: 0 });
    const child = work.start(['run', 'small.plan.json']);
    const ended = finish(child);
    await expect
      .poll(() => (existsSync(ledgerOf(work)) ? decisionsOf(work).length : 0), {
        timeout: 60_000,
        interval: 20,
      })
      .toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    const status = await work.run(['status', 'small']);
    expect(status.stdout).toMatch(
      /^small: incomplete, \d+ of at most 24 trials, round \d of at most 6 with [012] of 2 comparisons decided/,
    );

    const run = await work.run(['run', 'small.plan.json']);
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/round 3 of at most 6, [012] of 2 comparisons decided/);
    expect(run.stderr.match(/^round 3 of at most 6/gm)).toHaveLength(1);
    expect(await work.run(['verify', 'small'])).toMatchObject({ status: 0 });

    const decisions = decisionsOf(work);
    const rounds = decisions.length; // whether times are clear by then is the machine's
    expect(decisions.map(({ round }) => round)).toEqual([0, 1, 2, 3, 4, 5].slice(0, rounds));
    expect(rounds).toBeGreaterThanOrEqual(3);
    const { stop } = decisions.at(-1)!;
    expect(stop || rounds === 6).toBe(true);
    expect(readEntries(work).at(-1)).toMatchObject({ type: 'end', observed: 4 * rounds });

    const analysis = JSON.parse((await work.run(['analyze', 'small', '--json'])).stdout);
    expect(analysisSchema.parse(analysis)).toEqual(analysis);
    expect(analysis.progress).toMatchObject({ planned: 4 * rounds, complete: true });
    expect(analysis.sequential).toMatchObject({ rounds, stopped: stop, family: 2 });
    const table = (await work.run(['analyze', 'small'])).stdout;
    expect(table).toMatch(stop ? /Stopped after \d of at most 6 rounds/ : /All 6 rounds/);
    expect(await work.run(['report', 'small'])).toMatchObject({ status: 0 });
    expect((await work.run(['status', 'small'])).stdout).toContain(
      `small: complete, ${4 * rounds} of ${4 * rounds} trials`,
    );
    const again = await work.run(['run', 'small.plan.json']);
    expect(again.stderr).toContain(`is complete: all ${4 * rounds} trials are there`);
    expect(decisionsOf(work)).toHaveLength(rounds);

    const lines = readFileSync(ledgerOf(work), 'utf8').split('\n');
    const place = lines.findIndex((line) => line.includes('"type":"decision"'));
    lines[place] = lines[place]!.replace('"pairs":1', '"pairs":2');
    writeFileSync(ledgerOf(work), lines.join('\n'));
    const changed = await work.run(['verify', 'small']);
    expect(changed.status).toBe(5);
    expect(changed.stdout).toContain(`line ${place + 1}: comparison 0 is not what the trials give`);
  });
});
