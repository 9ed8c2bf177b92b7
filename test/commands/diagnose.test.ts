import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { experimentResultSchema } from '../../src/formats/experiment-result.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { arm, smallExperiment, smallExperimentPlan } from '../support/experiment-plan.ts';
import { findRealBackend, testCache, writeTinyModel } from '../support/real-backend.ts';
import { smallSpace, type Workspace, workIn } from '../support/rooflaw.ts';
import { fileModel } from '../support/variant-plan.ts';

const entriesOf = (work: Workspace, name: string): LedgerEntry[] =>
  readFileSync(join(work.folder, 'campaigns', name, 'ledger.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Milliseconds: a tiny model, few steps. */
function tinyWork(): { work: Workspace; quick: string[] } {
  const work = workIn();
  work.write('space.json', smallSpace);
  return { work, quick: '--space space.json --steps 2 --device CPU -t 1 --blocks 6'.split(' ') };
}

const own = smallExperiment({
  name: 'mine',
  arms: [
    arm('plain'),
    arm('watched', {
      treatment: {
        readings: ['cpu-time', 'frequency'],
        activity: { kind: 'integer-work', milliseconds: 2 },
      },
    }),
  ],
  blocks: 6,
});

test('without a name the built-in experiments are listed', async () => {
  const { status, stdout } = await workIn().run(['diagnose']);
  expect(status).toBe(0);
  for (const name of 'observer natural log-output cpu-migration recovery move-frequency affinity-frequency sched-trace cpu-policy state weights'.split(
    ' ',
  ))
    expect(stdout).toContain(`  ${name} `);
});

test('what is no experiment and no campaign is refused', async () => {
  const { status, stderr } = await workIn().run(['diagnose', 'nothing-such']);
  expect(status).toBe(2);
  expect(stderr).toContain('there is no campaign "nothing-such"');
});

test('every fault of an experiment of one’s own is named at once', async () => {
  const { work } = tinyWork();
  const broken = {
    ...own,
    arms: [...own.arms, arm('plain')],
    natural: ['gone'],
    order: 'fair',
    extra: 1,
  };
  const { status, stderr } = await work.run(['diagnose', work.write('mine.json', broken)]);
  expect(status).toBe(2);
  expect(stderr).toContain('order: ');
  expect(stderr).toContain('extra');
  const sound = { ...own, arms: [...own.arms, arm('plain')], natural: ['gone'] };
  const second = await work.run(['diagnose', work.write('mine.json', sound)]);
  expect(second.stderr).toContain('arms[2].name: another arm has this name');
  expect(second.stderr).toContain('natural[0]: the experiment has no arm "gone"');
});

test('programs and policies of a file are named and refused, here and by run', async () => {
  const launch = { wrapper: ['rm', '-rf', 'x y'] };
  const cpuPolicy = { attribute: 'scaling_governor', value: 'performance' } as const;
  const experiment = {
    ...own,
    arms: [arm('plain', { launch }), arm('watched', { launch: { cpuPolicy } })],
  };
  const work = workIn();
  const plan = smallExperimentPlan({ ...experiment, comparisons: own.comparisons }, [
    fileModel('one', '1'),
  ]);
  const { status, stderr } = await work.run(['run', work.write('plan.json', plan)]);
  expect(status).toBe(2);
  expect(stderr).toContain("arm plain: starts the program rm -rf 'x y'");
  expect(stderr).toContain('arm watched: sets scaling_governor to performance');
  expect(stderr).toContain('--allow-commands');
});

const backend = await findRealBackend();
describe.skipIf(backend.state === 'missing')('with the real llama.cpp', () => {
  test('an experiment of one’s own is measured, shown, resumed and verified; and mixed with nothing', async () => {
    const { work, quick } = tinyWork();
    const words = ['diagnose', work.write('mine.json', own), ...quick];
    const { status, stdout, stderr } = await work.run([...words, '--json']);
    expect([status, stderr.includes('24 trials observed')]).toEqual([0, true]);
    const result = experimentResultSchema.parse(JSON.parse(stdout));
    expect(result).toMatchObject({ complete: true, observed: 24, failed: 0, declared: own });
    expect(result.findings.map(({ pairs }) => pairs)).toEqual([6, 6]);

    const entries = entriesOf(work, 'mine');
    expect(entries[0]).toMatchObject({ type: 'campaign', plan: { experiment: own } });
    const treated = entries.filter((entry) => entry.type === 'observed' && entry.load?.treatment);
    expect(treated).toHaveLength(12);

    const verified = await work.run(['verify', 'mine']);
    expect([verified.status, verified.stdout.includes('sound')]).toEqual([0, true]);
    const again = await work.run(words);
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('Declared before the first trial: 1 comparison in 2 conditions');
    expect((await work.run(['diagnose', 'campaigns/mine'])).stdout).toBe(again.stdout);

    for (const verb of ['analyze', 'report', 'tokens']) {
      const refused = await work.run([verb, 'mine']);
      expect([verb, refused.status]).toEqual([verb, 2]);
      expect(refused.stderr).toContain('is the experiment mine, no baseline data');
    }
    const compared = await work.run(['compare', 'mine', 'mine']);
    expect(compared.status).toBe(2);
    const published = await work.run(['publish', 'mine', '--out', 'public']);
    expect([published.status, existsSync(join(work.folder, 'public'))]).toEqual([2, false]);
  }, 120_000);

  test('readings that nobody asked for make a ledger unsound', async () => {
    const { work, quick } = tinyWork();
    await work.run(['diagnose', work.write('mine.json', own), ...quick]);
    const path = join(work.folder, 'campaigns', 'mine', 'ledger.ndjson');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"mainCpuNs":', '"minorFaults":0,"mainCpuNs":'));
    const { status, stdout, stderr } = await work.run(['verify', 'mine']);
    expect(status).toBe(5);
    expect(stdout + stderr).toMatch(/ledger/);
  }, 120_000);

  test('--plan shows arms, order and cost, and measures nothing', async () => {
    const { work, quick } = tinyWork();
    const { status, stdout } = await work.run(['diagnose', 'cpu-migration', '--plan', ...quick]);
    if (status === 4) return; // one CPU
    expect(status).toBe(0);
    expect(stdout).toContain('  stay: ');
    expect(stdout).toContain('Order (williams), of 6 blocks the first 4:');
    expect(stdout).toMatch(/Cost: 24 processes, 360 repetitions/);
    expect(stdout).toMatch(/about \d/);
    expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
  }, 120_000);

  test('what a stranger asks steers no terminal, before and after it was measured', async () => {
    const { work, quick } = tinyWork();
    const hostile = { ...own, question: 'Is it \u001b[31mred\u001b[2J?' };
    const words = ['diagnose', work.write('mine.json', hostile), ...quick];
    for (const more of [['--plan'], []]) {
      const { status, stdout, stderr } = await work.run([...words, ...more]);
      expect([status, stdout.includes('Is it ')]).toEqual([0, true]);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  }, 120_000);

  test('stopped, it goes on where it was', async () => {
    const { work, quick } = tinyWork();
    const words = [
      'diagnose',
      work.write('mine.json', { ...own, blocks: 12 }),
      ...quick.slice(0, -2),
    ];
    const child = work.start(words);
    const path = join(work.folder, 'campaigns', 'mine', 'ledger.ndjson');
    const count = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length : 0);
    while (count() < 8 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const [status] = await new Promise<[number | null]>((resolve) =>
      child.on('close', (code) => resolve([code])),
    );
    expect(status).toBe(130);
    const resumed = await work.run(words);
    expect([resumed.status, resumed.stderr.includes('goes on')]).toEqual([0, true]);
    expect(entriesOf(work, 'mine').at(-1)).toMatchObject({ type: 'end', observed: 48 });
  }, 120_000);

  test('CPUs that are not there are refused before anything is measured', async () => {
    const { work, quick } = tinyWork();
    const { status, stderr } = await work.run([
      'diagnose',
      'cpu-migration',
      '--cpus',
      '0,4000',
      ...quick,
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('--cpus: CPU 4000 is offline or not allowed here');
    expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
  });

  test('on one CPU a move is withheld by name', async () => {
    const { work, quick } = tinyWork();
    const { spawnSync } = await import('node:child_process');
    const taskset = spawnSync('taskset', ['-c', '0', 'true']);
    if (taskset.status !== 0) return;
    const program = new URL('../../bin/rooflaw.js', import.meta.url).pathname;
    const { status, stderr } = spawnSync(
      'taskset',
      ['-c', '0', process.execPath, program, 'diagnose', 'cpu-migration', ...quick],
      {
        cwd: work.folder,
        encoding: 'utf8',
        env: { ...process.env, XDG_CACHE_HOME: dirname(testCache), ROOFLAW_LOCKS: work.folder },
      },
    );
    expect(status).toBe(4);
    expect(stderr).toContain('this process may use one CPU only (0)');
    expect(stderr).toContain('withheld here, not answered');
  }, 120_000);

  test('weights of another content are models of their own, under the same name of work', async () => {
    const { work, quick } = tinyWork();
    const { status, stdout } = await work.run(['diagnose', 'weights', ...quick, '--json']);
    expect(status).toBe(0);
    const result = experimentResultSchema.parse(JSON.parse(stdout));
    expect(result.declared.arms.map(({ name }) => name)).toEqual(['random', 'other-seed', 'equal']);
    expect(result.groups).toHaveLength(2);
    expect(result.withheld).toEqual([
      'withheld here, trained weights: no file was given: --trained FILE.gguf of the same shape',
    ]);
    const [campaign] = entriesOf(work, 'weights');
    expect(campaign?.type === 'campaign' && campaign.plan.models).toHaveLength(6);
  }, 120_000);

  test('trained weights must be of the same shape, and are an arm then', async () => {
    const { work, quick } = tinyWork();
    const [q8, f16] = [await writeTinyModel('Q8_0'), await writeTinyModel('F16')];
    onTestFinished(() => [q8, f16].forEach((path) => void rmSync(path, { force: true })));
    const only = JSON.stringify({ ...smallSpace, conditions: smallSpace.conditions.slice(0, 1) });
    const words = ['diagnose', 'weights', ...quick, '--space', work.write('one.json', only)];
    const other = await work.run([...words, '--trained', f16]);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain(
      'the weights of arm trained are of another shape than tiny: format: Q8_0 and F16',
    );
    const same = await work.run([...words, '--trained', q8, '--json']);
    expect(same.status).toBe(0);
    const result = experimentResultSchema.parse(JSON.parse(same.stdout));
    expect(result.findings.map(({ b }) => b.arm)).toEqual(['equal', 'other-seed', 'trained']);
    expect(result.withheld).toEqual([]);
  }, 120_000);

  test('a pair of arms over the whole space has every condition in both phases', async () => {
    const { work, quick } = tinyWork();
    const words = [
      'diagnose',
      'log-output',
      ...quick,
      '--all-items',
      '--arms',
      'file,off',
      '--json',
    ];
    const { status, stdout } = await work.run(words);
    expect(status).toBe(0);
    const result = experimentResultSchema.parse(JSON.parse(stdout));
    expect(result.groups.map(({ quantization, phase }) => `${quantization} ${phase}`)).toEqual([
      'Q8_0 prefill',
      'Q8_0 decode',
      'F16 prefill',
      'F16 decode',
    ]);
    expect(result.findings.map(({ comparison, family }) => [comparison, family])).toEqual(
      Array(4).fill(['off-time', 4]),
    );
    const unknown = await work.run(['diagnose', 'log-output', ...quick, '--arms', 'file,on']);
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('the experiment has no arm "on"');
    expect(unknown.stderr).toContain('arms: file, null, off');
  }, 120_000);
});
