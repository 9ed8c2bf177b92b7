import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ab, abSchema } from '../../src/formats/ab.ts';
import type { ItemAnalysis } from '../../src/formats/item-analysis.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { finish, type Workspace, workIn } from '../support/rooflaw.ts';

const small = ['-p', '8', '-n', '4', '-t', '1', '--warmup', '0', '--kept', '2'];

function readAb(stdout: string): Ab {
  const printed = JSON.parse(stdout);
  const ab = abSchema.parse(printed);
  expect(ab).toEqual(printed);
  return ab;
}

const ledgerOf = (work: Workspace, name: string) =>
  readFileSync(join(work.folder, 'campaigns', name, 'ledger.ndjson'), 'utf8');
const countOf = (ledger: string, type: string) => ledger.split(`"type":"${type}"`).length - 1;

test('the help names both sides and the exit statuses', async () => {
  const { status, stdout } = await workIn().run(['ab', '--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('--a "-fa 0" --b "-fa 1"');
  expect(stdout).toContain('Exit status: 0 measured');
  expect(stdout).toMatch(/--margin SHARE +a ratio this near to 1 is no difference \(0\.5%/);
  expect((await workIn().run(['help', 'ab'])).stdout).toBe(stdout);
});

test('a command line without sides is refused before anything is looked at', async () => {
  const { status, stdout, stderr } = await workIn().run(['ab', '-m', 'nowhere.gguf']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('the sides: are not named');
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`ab on real llama.cpp${reason}`, () => {
  test('two identical sides are measured apart in the same rounds, and said to be the same', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const words = ['ab', '-m', model, ...small, '--a', '-fa 0', '--b', '-fa 0', '--json'];
    const { status, stdout } = await work.run([...words, '--max-rounds', '7', '--name', 'same']);
    expect(status).toBe(0);
    const ab = readAb(stdout);
    expect(ab).toMatchObject({ campaign: 'same', isSame: true, different: [], failedTrials: 0 });
    expect(ab.tests.map(({ name }) => name)).toEqual(['pp8', 'tg4']);
    // 2^(1-t) is at most 0.05 / 2 from round 7 on, and no more were allowed
    expect(ab.rule).toMatchObject({ family: 2, earliestRounds: 7, maximumRounds: 7 });
    expect(ab.rounds).toBe(7);
    for (const { pairs, aNs, aTokensPerSecond, tokens, interval, verdict, ratio } of ab.tests) {
      expect(pairs).toBe(7);
      expect(aTokensPerSecond! * aNs!).toBeCloseTo(tokens * 1e9, -3);
      expect(ratio!).toBeGreaterThanOrEqual(interval!.lower);
      expect(ratio!).toBeLessThanOrEqual(interval!.upper);
      const isClear = interval!.lower > 1 || interval!.upper < 1;
      expect(verdict === 'slower' || verdict === 'faster').toBe(isClear);
    }
    expect(await work.run(['verify', 'same'])).toMatchObject({ status: 0 });
    expect(countOf(ledgerOf(work, 'same'), 'observed')).toBe(28);
  });

  test('what differs and what does not is said, after a pilot', { timeout: 120_000 }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const counts = ['-p', '8', '-n', '0', '-t', '1', '--kept', '2', '--name', 'flash'];
    const rule = ['--alpha', '0.5', '--max-rounds', '3', '--margin', '1%'];
    const words = ['ab', '-m', model, ...counts, ...rule, '--a', '-fa 0', '--b', '-fa 1'];
    const { status, stdout, stderr } = await work.run(words);
    expect(status).toBe(0);
    expect(stderr).toContain('pilot: 4 processes of 8 repetitions');
    expect(stdout).toContain('flash: b against a\na: -fa 0\nb: -fa 1\n');
    expect(stdout).toMatch(/^pp8: (b is (slower|faster|equivalent)|inconclusive) /m);
    expect(stdout).toContain('Different\n  - flashAttention: a "off"; b "on"\n');
    expect(stdout).toContain('  - options: all but flashAttention\n');
    expect(stdout).toMatch(/slower or\s+faster when clear of 1 ± 1 %/);
  });

  test('batches that are lowered to the same in a test are A/A there, and the result says so', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const counts = ['-p', '8,48', '-n', '0', '-t', '1', '--warmup', '0', '--kept', '1'];
    const rule = ['--alpha', '0.5', '--max-rounds', '3', '--name', 'lowered'];
    const words = ['ab', '-m', model, ...counts, ...rule, '--a', '-b 32', '--b', '-b 64'];
    const { status, stdout, stderr } = await work.run(words);
    expect(status).toBe(0);
    expect(stderr).toContain('a and b are the same in pp8: llama.cpp lowers a batch');
    expect(stdout).toContain('A/A in pp8: both sides are the same there, since llama.cpp lowers');
    const { tests, isSame } = readAb((await work.run([...words, '--json'])).stdout);
    expect(isSame).toBe(false);
    expect(tests.map(({ name, isSame }) => [name, isSame])).toEqual([
      ['pp8', true],
      ['pp48', undefined],
    ]);
  });

  test('two folders of the same libraries are the same side', { timeout: 180_000 }, async () => {
    if (real.state !== 'ready') return;
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const folders = ['--backend', real.prepared.libraryDirectory, '--backend', 'embedded'];
    const rule = ['--alpha', '0.5', '--max-rounds', '2', '--json'];
    const { status, stdout } = await work.run(['ab', '-m', model, ...small, ...folders, ...rule]);
    expect(status).toBe(2); // two tests share 0.5: 2^(1-t) is at most 0.25 from round 3 on
    expect(stdout).toBe('');
    const again = await work.run(['ab', '-m', model, ...small, '-n', '0', ...folders, ...rule]);
    expect(again.status).toBe(2); // -n 4 stands beside -n 0
    const one = ['-p', '8', '-n', '0', '-t', '1', '--warmup', '0', '--kept', '2'];
    const measured = await work.run(['ab', '-m', model, ...one, ...folders, ...rule]);
    expect(measured.status).toBe(0);
    const ab = readAb(measured.stdout);
    expect(ab.b.backend.label).toBe('embedded');
    expect(ab.a.backend.label).not.toBe('embedded');
    expect(ab.a.backend.librariesSha256).toBe(ab.b.backend.librariesSha256);
    expect(ab.tests.map(({ name }) => name)).toEqual(['pp8']);
  });

  test('two files are stopped by Ctrl-C and resumed by the same command', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const files = ['-m', await writeTinyModel('Q8_0'), '-m', await writeTinyModel('F16')];
    const words = ['ab', ...files, ...small, '--max-rounds', '7', '--name', 'files', '--json'];
    const child = work.start(words);
    const ended = finish(child);
    const path = join(work.folder, 'campaigns/files/ledger.ndjson');
    await expect
      .poll(() => existsSync(path) && countOf(ledgerOf(work, 'files'), 'observed') > 2, {
        timeout: 60_000,
        interval: 20,
      })
      .toBe(true);
    child.kill('SIGINT');
    const stopped = await ended;
    expect(stopped).toMatchObject({ status: 130, stdout: '' });
    expect(stopped.stderr.split('stopping')).toHaveLength(2); // once
    // `rooflaw run` would end it without a verdict
    expect(stopped.stderr).toContain('stopped before the end; to go on: the same command\n');
    const { status, stdout } = await work.run(words);
    expect(status).toBe(0);
    const ab = readAb(stdout);
    expect(ab.different.map(({ what }) => what)).toEqual(['model']);
    expect(ab.a.model.sha256).not.toBe(ab.b.model.sha256);
    const { items } = JSON.parse((await work.run(['analyze', 'files', '--json'])).stdout);
    for (const [index, phase] of ['prefill', 'decode'].entries()) {
      const timeOf = (quantization: string) =>
        items.find(
          (item: ItemAnalysis) => item.quantization === quantization && item.phase === phase,
        ).representativeNs;
      expect(ab.tests[index]).toMatchObject({ aNs: timeOf('Q8_0'), bNs: timeOf('F16') });
    }
    expect(countOf(ledgerOf(work, 'files'), 'observed')).toBe(28);
    expect(countOf(ledgerOf(work, 'files'), 'session')).toBe(2);
  });

  test('a side that cannot run is 3, and nothing is decided', { timeout: 120_000 }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-p', '8', '-n', '0', '-t', '1', '-dev', 'none', '--warmup', '0', '--kept', '1'];
    const rule = ['--alpha', '0.5', '--max-rounds', '2', '--json'];
    // a model cannot be split by tensors without a GPU
    const words = ['ab', '-m', model, ...one, '--a', '', '--b', '-sm tensor', ...rule];
    const { status, stdout } = await work.run(words);
    expect(status).toBe(3);
    expect(readAb(stdout)).toMatchObject({
      failedTrials: 2,
      tests: [{ verdict: 'inconclusive', pairs: 0, ratio: null, interval: null, bNs: null }],
    });
  });

  test('a side that cannot run is 3 after the pilot, with the reason, and nothing more is measured', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-p', '8', '-n', '0', '-t', '1', '-dev', 'none', '--name', 'broken'];
    const words = ['ab', '-m', model, ...one, '--a', '', '--b', '-sm tensor'];
    const { status, stdout, stderr } = await work.run(words);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/\[b\] \(pp8\): .*2 trials failed, model-not-loaded: /);
    expect(existsSync(join(work.folder, 'campaigns/broken'))).toBe(false);
  });

  test('a name of another campaign is refused before the pilot, and the same command resumes', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-m', model, '-p', '8', '-n', '0', '-t', '1', '--alpha', '0.5'];
    const sides = ['--max-rounds', '2', '--a', '-fa 0', '--b', '-fa 1', '--name', 'mine'];
    const fixed = ['--warmup', '0', '--kept', '2'];
    expect(await work.run(['ab', ...one, ...sides, ...fixed])).toMatchObject({ status: 0 });
    const other = await work.run(['ab', ...one, ...sides, '--margin', '2%']);
    expect(other).toMatchObject({ status: 2, stdout: '' });
    expect(other.stderr).toContain('campaign mine is there already');
    expect(other.stderr).toContain('it has --margin 0.005, here it is 0.02');
    expect(other.stderr).not.toContain('pilot: ');
    expect(existsSync(join(work.folder, 'campaigns/mine-pilot'))).toBe(false);
    const same = await work.run(['ab', ...one, ...sides, ...fixed]);
    expect(same.status).toBe(0);
    expect(same.stderr).toContain('campaign mine is complete');
    const piloted = [...sides.slice(0, -1), 'piloted'];
    expect(await work.run(['ab', ...one, ...piloted])).toMatchObject({ status: 0 });
    const renamed = await work.run(['ab', ...one, ...piloted, '-b', '64']);
    expect(renamed.status).toBe(2);
    expect(renamed.stderr).not.toContain('pilot: ');
    expect(await work.run(['ab', ...one, ...piloted])).toMatchObject({ status: 0 });
  });

  test('what may take more than a quarter of an hour is said before it begins, and asked about', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-m', model, '-p', '64', '-n', '0', '-t', '1', '--max-rounds', '1000'];
    const fixed = ['--warmup', '0', '--kept', '10000', '--name', 'long'];
    const words = ['ab', ...one, ...fixed, '--a', '-fa 0', '--b', '-fa 1'];
    const { status, stdout, stderr } = await work.run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('at most 1000 rounds of 2 processes, 2000 in all');
    expect(stderr).toMatch(/this takes up to .+, and nobody can be asked\ntry: --yes to go on/);
    expect(existsSync(join(work.folder, 'campaigns/long'))).toBe(false);
    const child = work.start([...words, '--yes']);
    const ended = finish(child);
    const ledger = join(work.folder, 'campaigns/long/ledger.ndjson');
    await expect.poll(() => existsSync(ledger), { timeout: 60_000, interval: 20 }).toBe(true);
    child.kill('SIGINT');
    expect((await ended).status).toBe(130);
  });

  test('a name of 64 letters has a pilot, too', { timeout: 120_000 }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const name = 'n'.repeat(64);
    const one = ['-m', model, '-p', '8', '-n', '0', '-t', '1', '--alpha', '0.5', '--name', name];
    const words = ['ab', ...one, '--max-rounds', '2', '--a', '', '--b', '', '--json'];
    const { status, stdout } = await work.run(words);
    expect(status).toBe(0);
    expect(readAb(stdout).campaign).toBe(name);
  });
});
