import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseTokensOptions } from '../../src/commands/tokens.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { type TokenAnalysis, tokenAnalysisSchema } from '../../src/formats/token-analysis.ts';
import { buildLedger, buildPlan } from '../support/ledger-builder.ts';
import { writeLedger } from '../support/ledger-folder.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { finish, type Workspace, workIn } from '../support/rooflaw.ts';
import { buildStepLedger, stepPlan } from '../support/step-campaign.ts';

const parse = (line: string) => parseTokensOptions(`-m a.gguf ${line}`.trim().split(' '), 2);
const decodes = (line: string) =>
  parse(line).tests.map(({ phase, tokens, depth }) => `${phase} ${tokens} @ ${depth}`);

test.each([
  ['', ['decode 128 @ 512']],
  ['-n 64', ['decode 64 @ 512']],
  ['-p 100 -n 64', ['decode 64 @ 100']],
  ['-d 0 -n 64', ['decode 64 @ 0']],
  [
    '--n-prompt=100,200 -n 64,32',
    [100, 200].flatMap((d) => [64, 32].map((n) => `decode ${n} @ ${d}`)),
  ],
  ['--n_prompt 7 --n-gen 3', ['decode 3 @ 7']],
])('%s asks for decode alone, the prompt as its depth', (line, tests) => {
  expect(decodes(line)).toEqual(tests);
});

test.each([
  ['--budget 5m', '--budget'],
  ['-o csv', '-o'],
  ['--protocol bench', '--protocol'],
  ['-n 4096 --warmup 1 --kept 244', '-n'],
])('%s is refused', (line, where) => {
  expect(() => parse(line)).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      faults: [expect.objectContaining({ where })],
    }),
  );
});

test.each([
  ['--alpha 2', '--alpha', 'rooflaw tokens --help lists the options'],
  ['-n 0', '-n', '-n 128'],
  ['-n 5 -p', '-p', undefined], // as it was typed, though -d is what it means
  ['nowhere', '"nowhere"', 'rooflaw tokens --help lists the options'],
])('the fault of %s is told as one of tokens', (line, where, hint) => {
  expect(() => parse(line)).toThrow(
    expect.objectContaining({
      message: 'options of tokens: 1 fault',
      faults: [expect.objectContaining({ where, ...(hint === undefined ? {} : { hint }) })],
    }),
  );
});

test('counts are as they were asked for, and the usual ones where nothing was said', () => {
  expect(parse('').counts).toEqual({ processes: 10, warmup: 1, kept: 3 });
  const asked = parse('--processes 6 --warmup 0 -r 25 -n 4000');
  expect(asked.counts).toEqual({ processes: 6, warmup: 0, kept: 25 });
});

test('the help has both forms, an example and the exit statuses', async () => {
  const { status, stdout } = await workIn().run(['tokens', '--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('rooflaw tokens -m FILE.gguf');
  expect(stdout).toContain('rooflaw tokens CAMPAIGN [--json]');
  expect(stdout).toContain('$ rooflaw tokens');
  expect(stdout).toContain('Exit status:');
  expect(stdout).not.toContain('options of bench');
  expect(stdout).not.toContain('[options of rooflaw bench]');
  expect((await workIn().run(['help', 'tokens'])).stdout).toBe(stdout);
});

test('a campaign is read by its folder, with --json before or after it', async () => {
  const steps = [100, 100, 100, 100, 100, 100, 100, 300];
  const ledger = buildStepLedger(stepPlan(), () => [
    [4000, ...steps],
    [4000, ...steps],
    [4000, ...steps],
  ]);
  const [folder, work] = [writeLedger(ledger), workIn()];
  const table = await work.run(['tokens', folder]);
  expect(table).toMatchObject({ status: 0, stderr: '' });
  expect(table.stdout).toContain('test-campaign: every decode step timed');
  const before = await work.run(['tokens', '--json', folder]);
  const after = await work.run(['tokens', folder, '--json']);
  expect(before.stdout).toBe(after.stdout);
  expect(tokenAnalysisSchema.parse(JSON.parse(after.stdout)).items).toHaveLength(2);
});

test.each([
  [['tokens'], '-m: is missing'],
  [['tokens', 'nowhere'], 'there is no campaign "nowhere"'],
  [['tokens', 'nowhere', '--kept', '3'], '--kept: is no option for reading a campaign'],
])('%j is refused with status 2', async (words, what) => {
  const { status, stdout, stderr } = await workIn().run(words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(what);
});

test('a campaign whose steps were timed together is refused with what measures them', async () => {
  const folder = writeLedger(buildLedger(buildPlan(), () => [1, 2, 3, 4]));
  const { status, stdout, stderr } = await workIn().run(['tokens', folder]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('has no times of single decode steps');
  expect(stderr).toContain('rooflaw tokens -m FILE.gguf');
});

type Observed = Extract<LedgerEntry, { type: 'observed' }>;

function readObserved(work: Workspace, name: string): Map<number, Observed> {
  const text = readFileSync(join(work.folder, 'campaigns', name, 'ledger.ndjson'), 'utf8');
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line): LedgerEntry => JSON.parse(line));
  return new Map(
    entries.flatMap((entry) => (entry.type === 'observed' ? [[entry.trial, entry]] : [])),
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`on real llama.cpp${reason}`, () => {
  test('a file is measured, and its processes are what the ledger holds, to the nanosecond', {
    timeout: 120_000,
  }, async () => {
    const model = await writeTinyModel('Q8_0');
    onTestFinished(() => rmSync(model));
    const work = workIn();
    const counts = '--processes 6 --warmup 1 --kept 2'.split(' ');
    const words = ['tokens', '-m', model, '-p', '12,0', '-n', '9', '-t', '1', ...counts];
    const measured = await work.run([...words, '--name', 'each', '--json']);
    expect(measured.stderr).toContain('12 trials observed');
    expect(measured.stderr).toContain('12 processes of 1 warm-up and 2 kept repetitions');
    expect(measured.stderr).toMatch(
      /^first look: tiny-Q8_0-\d+ Q8_0 tg4 [\d.,]+ tokens\/s, in a process of its own, not warm$/m,
    );
    expect(measured.stderr).toMatch(
      /^11 processes left: about .* if they are like the first one$/m,
    );
    expect(measured.stderr).toMatch(/^10 processes left: about .* like the first of each item$/m);
    expect(measured.status).toBe(0);
    const analysis: TokenAnalysis = tokenAnalysisSchema.parse(JSON.parse(measured.stdout));
    expect(analysis).toMatchObject({
      name: 'each',
      identity: { protocol: { name: 'tokens', shippedAs: null } },
      progress: { planned: 12, observed: 12, failed: 0 },
    });
    const observed = readObserved(work, 'each');
    const shape = { n: 6, failed: 0, steps: 9, stepsPerProcess: 18, beyond: { p90: 1, p99: 0 } };
    expect(analysis.items).toMatchObject([
      { ...shape, sequenceLength: 12, growth: { steps: 1 } },
      { ...shape, sequenceLength: 0, prefill: null, firstToken: null },
    ]);
    for (const item of analysis.items) {
      expect(item.medianStep!.interval!.ranks).toEqual([1, 6]);
      expect(item.clock!.readingNs).toBeGreaterThan(0);
      expect(item.slow!.ofSteps).toBe(108);
      expect(item.processes).toHaveLength(6);
      for (const one of item.processes) {
        const { repetitions, load } = observed.get(one.trial)!;
        const kept = repetitions.slice(1);
        const stepNs = kept.flatMap((repetition) => repetition.stepNs!);
        expect(stepNs).toHaveLength(18);
        const sorted = stepNs.toSorted((a, b) => a - b);
        expect(one).toMatchObject({
          meanStepNs: sum(kept.map(({ wallNs }) => wallNs)) / 18,
          medianStepNs: (sorted[8]! + sorted[9]!) / 2,
          p90Ns: sorted[16],
          p99Ns: sorted[17],
          slowestStepNs: sorted[17],
          loadNs: load!.loadNs + load!.contextNs,
          clockNs: load!.clockNs,
        });
        if (item.sequenceLength === 0) continue;
        const firstNs = sum(kept.map(({ prefillNs, stepNs }) => prefillNs! + stepNs![0]!)) / 2;
        const [own] = repetitions;
        expect(one).toMatchObject({
          firstTokenNs: firstNs,
          firstTokenWithLoadNs: load!.loadNs + load!.contextNs + firstNs,
          ownFirstTokenNs: load!.loadNs + load!.contextNs + own!.prefillNs! + own!.stepNs![0]!,
        });
      }
    }
    expect(await work.run(['verify', 'each'])).toMatchObject({ status: 0 });
    expect(JSON.parse((await work.run(['tokens', 'each', '--json'])).stdout)).toEqual(analysis);
    const again = await work.run([...words, '--name', 'each', '--json']);
    expect(again.status).toBe(0);
    expect(readObserved(work, 'each')).toEqual(observed);
    const other = await work.run([...words, '--name', 'each', '--warmup', '0']);
    expect(other).toMatchObject({ status: 2, stdout: '' });
    expect(other.stderr).toContain('campaign each is there already');
    expect(other.stderr).toContain('it has --warmup 1, here it is 0');
  });

  test('Ctrl-C leaves what the same command goes on with, by the name that it was given', {
    timeout: 120_000,
  }, async () => {
    const model = await writeTinyModel('Q8_0');
    onTestFinished(() => rmSync(model));
    const work = workIn();
    const words = ['tokens', '-m', model, '-d', '12', '-n', '64', '-t', '1', '--kept', '50'];
    const child = work.start(words);
    const ended = finish(child);
    const campaigns = join(work.folder, 'campaigns');
    const find = () => (existsSync(campaigns) ? readdirSync(campaigns) : [])[0];
    const hasBegun = () => find() !== undefined && readLedger().includes('"observed"');
    const ledger = () => join(campaigns, find()!, 'ledger.ndjson');
    const readLedger = () => (existsSync(ledger()) ? readFileSync(ledger(), 'utf8') : '');
    await expect.poll(hasBegun, { timeout: 60_000, interval: 5 }).toBe(true);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect({ status, stdout }).toEqual({ status: 130, stdout: '' });
    const name = find()!;
    expect(stderr).toContain(
      `stopped before the end; to go on: the same command with --name ${name}\n`,
    );
    const again = await work.run([...words, '--name', name, '--json']);
    expect(again.status).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ name, progress: { observed: 10 } });
  });

  test('a restored cache is measured without a time to the first token', {
    timeout: 120_000,
  }, async () => {
    const model = await writeTinyModel('Q8_0');
    onTestFinished(() => rmSync(model));
    const work = workIn();
    const counts = '-d 12 -n 4 -t 1 --processes 2 --warmup 0 --kept 2'.split(' ');
    const words = ['-m', model, ...counts, '--protocol', 'tokens-restored', '--name', 'restored'];
    const { status, stdout } = await work.run(['tokens', ...words, '--json']);
    expect(status).toBe(0);
    const analysis: TokenAnalysis = JSON.parse(stdout);
    expect(analysis).toMatchObject({ cachePreparation: 'restore' });
    expect(analysis.items).toMatchObject([
      { n: 2, steps: 4, firstToken: null, ownFirstToken: null, growth: null },
    ]);
    expect(analysis.items[0]!.medianStep).toMatchObject({ interval: null });
  });
});
