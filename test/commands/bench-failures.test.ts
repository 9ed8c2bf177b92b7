import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { finish, type Workspace, workIn } from '../support/rooflaw.ts';

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;

/** `good.gguf`, and `bad.gguf`, whose header is sound and of which llama.cpp misses a tensor. */
async function workWithModels(): Promise<Workspace> {
  const work = workIn();
  const bytes = readFileSync(await writeTinyModel('Q8_0'));
  writeFileSync(join(work.folder, 'good.gguf'), bytes);
  bytes.write('blk.0.attn_x.weight', bytes.indexOf('blk.0.attn_q.weight'));
  writeFileSync(join(work.folder, 'bad.gguf'), bytes);
  return work;
}

const entriesOf = (work: Workspace, name: string): LedgerEntry[] =>
  readFileSync(join(work.folder, 'campaigns', name, 'ledger.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const countOf = (work: Workspace, name: string, type: LedgerEntry['type']) =>
  entriesOf(work, name).filter((entry) => entry.type === type).length;
const planOf = (work: Workspace, name: string): Plan =>
  JSON.parse(readFileSync(join(work.folder, 'campaigns', name, 'plan.json'), 'utf8'));

const missing = "check_tensor_dims: tensor 'blk.0.attn_q.weight' not found";
const short = '-t 1 -p 16 -n 4'.split(' ');
const counted = '--processes 2 --warmup 0 --kept 1'.split(' ');
const timesOf = (text: string, words: string) => text.split(words).length - 1;

describe.skipIf(real.state !== 'ready')(`bench of what cannot be loaded${reason}`, () => {
  test('what failed in all of its pilot trials is left out, the rest is measured, and it is 3', {
    timeout: 120_000,
  }, async () => {
    const work = await workWithModels();
    const words = [...short, ...'--budget 1s --yes --name part -o json'.split(' ')];
    const models = ['-m', 'bad.gguf', '-m', 'good.gguf'];
    const { status, stdout, stderr } = await work.run(['bench', ...models, ...words]);
    expect(status).toBe(3);
    const rows = JSON.parse(stdout);
    expect(rows.map((row: Record<string, unknown>) => row.model_filename)).toEqual([
      'good.gguf',
      'good.gguf',
    ]);
    expect(stderr).toContain(
      'LEFT OUT after the pilot: bad.gguf (pp16, tg4): 4 of 4 trials failed, model-not-loaded:',
    );
    expect(stderr).toContain('what is left, 2 other items, is measured as asked');
    // when it failed first, and where it is left out, while programs read the table, once more
    expect(timesOf(stderr, missing)).toBe(3);
    expect(planOf(work, 'part').models.map((model) => 'file' in model && model.file)).toEqual([
      'good.gguf',
    ]);
    expect(countOf(work, 'part', 'failed')).toBe(0);
    expect(await work.run(['verify', 'part'])).toMatchObject({ status: 0 });

    const again = await work.run(['bench', ...models, ...words]);
    expect(again.status).toBe(3);
    expect(again.stdout).toBe(stdout);
    expect(again.stderr).toContain('campaign part is complete');

    // who reads the campaign later learns it too, and once
    const notes = entriesOf(work, 'part').filter(({ type }) => type === 'note');
    expect(notes).toMatchObject([
      { text: expect.stringMatching(/^LEFT OUT after the pilot: bad/) },
    ]);
    expect(entriesOf(work, 'part').findIndex(({ type }) => type === 'note')).toBe(1);
    const analysed = await work.run(['analyze', 'part']);
    expect(analysed.stdout.replace(/\s+/g, ' ')).toContain('LEFT OUT after the pilot: bad.gguf');
    const publish = ['publish', 'part', '--out', 'public', '--license', 'CC0-1.0'];
    expect(await work.run(publish)).toMatchObject({ status: 0 });
    expect(readFileSync(join(work.folder, 'public/analysis.json'), 'utf8')).toContain('LEFT OUT');

    const other = await work.run([
      'bench',
      ...models,
      ...short,
      ...'--budget 4s --yes --name part'.split(' '),
    ]);
    expect(other.status).toBe(2);
    expect(other.stderr).toMatch(/it has --(processes|kept|warmup) \d+, here it is \d+/);
  });

  test('what is left out is noted once, though the campaign is stopped and resumed', {
    timeout: 120_000,
  }, async () => {
    const work = await workWithModels();
    const counts = '--processes 30 --warmup 0 --kept 1 --yes --name halted'.split(' ');
    const words = ['bench', '-m', 'bad.gguf', '-m', 'good.gguf', ...short, ...counts];
    const child = work.start(words);
    const ended = finish(child);
    const ledger = join(work.folder, 'campaigns/halted/ledger.ndjson');
    await expect
      .poll(() => existsSync(ledger) && readFileSync(ledger, 'utf8').includes('"observed"'), {
        timeout: 60_000,
        interval: 10,
      })
      .toBe(true);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130 });
    expect(await work.run(words)).toMatchObject({ status: 3 });
    expect(countOf(work, 'halted', 'session')).toBe(2);
    expect(countOf(work, 'halted', 'note')).toBe(1);
  });

  test('folders of a file that does not load are nowhere, though their names have spaces', {
    timeout: 60_000,
  }, async () => {
    const work = await workWithModels();
    const folder = join(work.folder, "alice 'x' smith, (1)", 'my models');
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(work.folder, 'bad.gguf'), join(folder, 'bad x.gguf'));
    const run = await work.run([
      'bench',
      '-m',
      join(folder, 'bad x.gguf'),
      ...short,
      ...counted,
      '--name',
      'p',
    ]);
    expect(run.status).toBe(3);
    expect(run.stderr).toContain('…/bad x.gguf');
    const ledger = readFileSync(join(work.folder, 'campaigns/p/ledger.ndjson'), 'utf8');
    expect(ledger).toContain('…/bad x.gguf');
    expect(ledger).not.toMatch(/alice|smith|my models/);
  });

  test('a long batch of a short test is no reason to refuse a model', {
    timeout: 60_000,
  }, async () => {
    const work = await workWithModels();
    const batch = '-t 1 -p 8 -n 0 -b 1000000 -ub 1000000'.split(' ');
    const run = await work.run(['bench', '-m', 'good.gguf', ...batch, ...counted]);
    expect(run).toMatchObject({ status: 0 });
  });

  test('where nothing can be loaded it ends after one trial of each item, with the reason', {
    timeout: 120_000,
  }, async () => {
    const work = await workWithModels();
    const run = (...words: string[]) => work.run(['bench', '-m', 'bad.gguf', ...short, ...words]);
    const piloted = await run('--name', 'piloted');
    expect(piloted).toMatchObject({ status: 3, stdout: '' });
    expect(piloted.stderr).toContain('nothing could be measured');
    expect(piloted.stderr).toContain(missing);
    expect(countOf(work, 'piloted-pilot', 'failed')).toBe(2);
    expect(existsSync(join(work.folder, 'campaigns/piloted'))).toBe(false);
    expect(await run('--name', 'piloted')).toMatchObject({ status: 3, stdout: '' });
    expect(countOf(work, 'piloted-pilot', 'failed')).toBe(2);

    const direct = await run(...'--processes 10 --warmup 0 --kept 1 --name direct'.split(' '));
    expect(direct).toMatchObject({ status: 3, stdout: '' });
    expect(direct.stderr).toContain(missing);
    expect(countOf(work, 'direct', 'failed')).toBe(2);

    // JSON of no rows is an array all the same, also of a campaign that is there already
    for (const name of ['piloted', 'direct']) {
      const counts = name === 'direct' ? '--processes 10 --warmup 0 --kept 1'.split(' ') : [];
      const json = await run(...counts, '--name', name, '-o', 'json');
      expect(json).toMatchObject({ status: 3, stdout: '[]\n' });
      expect(await run(...counts, '--name', name, '-o', 'csv')).toMatchObject({ stdout: '' });
    }
  });

  test('without a pilot each model and variant is tried once before the campaign', {
    timeout: 120_000,
  }, async () => {
    const work = await workWithModels();
    const words = ['-m', 'good.gguf', '-m', 'bad.gguf', ...short, ...counted];
    const files = await work.run(['bench', ...words, '--name', 'files']);
    expect(files.status).toBe(3);
    expect(files.stdout).toContain('LEFT OUT after the probe: bad.gguf: 1 of 1 trial failed');
    expect(files.stdout).toContain(missing);
    expect(countOf(work, 'files-probe', 'intended')).toBe(2);
    expect(countOf(work, 'files', 'observed')).toBe(4);
    expect(countOf(work, 'files', 'failed')).toBe(0);

    // a model cannot be split by tensors without a GPU
    const split = ['-m', 'good.gguf', ...short, ...counted, '-dev', 'none', '-sm', 'none,tensor'];
    const variants = await work.run(['bench', ...split, '--name', 'variants']);
    expect(variants.status).toBe(3);
    expect(variants.stdout).toContain('LEFT OUT after the probe: good.gguf [smtensor]');
    expect(planOf(work, 'variants').variants?.map(({ name }) => name)).toEqual(['smnone']);
    expect(countOf(work, 'variants', 'observed')).toBe(4);
  });

  test('nothing is tried before a campaign of one model under one variant', {
    timeout: 60_000,
  }, async () => {
    const work = await workWithModels();
    const words = ['-m', 'good.gguf', ...short, ...counted, '--name', 'alone'];
    expect(await work.run(['bench', ...words])).toMatchObject({ status: 0 });
    expect(existsSync(join(work.folder, 'campaigns/alone-probe'))).toBe(false);
  });

  test('a name of another campaign is refused before a pilot', { timeout: 120_000 }, async () => {
    const work = await workWithModels();
    const run = (words: string) => work.run(['bench', '-m', 'good.gguf', ...words.split(' ')]);
    const base = '-t 1 -p 16 -n 0';
    expect(await run(`${base} --processes 2 --warmup 0 --kept 1 --name one`)).toMatchObject({
      status: 0,
    });
    const refused = async (words: string, what: string) => {
      const { status, stdout, stderr } = await run(words);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(
        'campaign one is there already (campaigns/one), and it was begun with another plan',
      );
      expect(stderr).toContain(what);
      expect(stderr).toContain('try: another --name');
      expect(existsSync(join(work.folder, 'campaigns/one-pilot'))).toBe(false);
    };
    await refused(
      '-t 1 -p 32 -n 0 --budget 1s --name one',
      'it has item good Q8_0 pp16, not named here',
    );
    await refused(`${base} -fa 1 --budget 1s --name one`, 'its flashAttention is "off"');
    await refused(`${base} --kept 9 --budget 1s --name one`, 'it has --kept 1, here it is 9');
    await refused(`${base} --budget 1s --name one`, 'its counts are not from a pilot');
    await refused(
      `${base} --protocol few-loads --budget 1s --name one`,
      'its protocol is bench, here it is few-loads',
    );
    await refused(`-m bad.gguf ${base} --budget 1s --name one`, 'it has no model bad.gguf');
  });

  test('a pilot of something else is refused by its name', { timeout: 60_000 }, async () => {
    const work = await workWithModels();
    const run = (...words: string[]) => work.run(['bench', ...words]);
    await run('-m', 'bad.gguf', ...short, '--name', 'two');
    const { status, stderr } = await run('-m', 'good.gguf', ...short, '--name', 'two');
    expect(status).toBe(2);
    expect(stderr).toContain('campaign two-pilot is there already');
    expect(stderr).toMatch(/it has model bad\.gguf \(sha256 [0-9a-f]{12}…\), not named here/);
    expect(existsSync(join(work.folder, 'campaigns/two'))).toBe(false);
  });

  test('a file with a comma in its name is measured, and a faulty one is named whole', {
    timeout: 60_000,
  }, async () => {
    const work = await workWithModels();
    writeFileSync(join(work.folder, 'w,8b.gguf'), readFileSync(join(work.folder, 'good.gguf')));
    writeFileSync(join(work.folder, 'text,1.gguf'), 'hello');
    const words = '-t 1 -p 16 -n 0 --processes 2 --warmup 0 --kept 1 -o jsonl'.split(' ');
    const whole = await work.run(['bench', '-m', 'w,8b.gguf', ...words]);
    expect(whole.status).toBe(0);
    expect(JSON.parse(whole.stdout).model_filename).toBe('w,8b.gguf');
    const faulty = await work.run(['bench', '-m', 'text,1.gguf', ...words]);
    expect(faulty.status).toBe(2);
    expect(faulty.stderr).toContain('text,1.gguf');
    expect(faulty.stderr).not.toContain('commas divide');
    const absent = await work.run(['bench', '-m', 'w,9b.gguf', ...words]);
    expect(absent.status).toBe(2);
    expect(absent.stderr).toContain('its commas divide: "w" and "9b.gguf"');
  });

  test('a forecast is short and names tests as the table does', { timeout: 120_000 }, async () => {
    const work = await workWithModels();
    const words = '-t 1 -p 16 -n 4 -d 8 -b 32,64 --budget 2s --yes --name told'.split(' ');
    const { status, stderr } = await work.run(['bench', '-m', 'good.gguf', ...words]);
    expect(status).toBe(0);
    const lines = stderr.split('\n');
    const from = lines.findIndex((line) => /^About |is too short: /.test(line));
    const to = lines.indexOf('looking at llama.cpp and its runner', from);
    expect(lines[from]).toMatch(/ x \(\d+ warm-up \+ \d+ kept repetitions?\)/);
    expect(to).toBeGreaterThan(from);
    expect(to - from).toBeLessThanOrEqual(4);
    expect(stderr).toMatch(/^first look: good Q8_0 tg4 \[b(32|64)\] /m);
    expect(stderr).toContain('b=32 and b=64 are the same in pp16 @ d8, tg4 @ d8');
    expect(stderr).not.toMatch(/\bS\d+\b/);
  });

  test('a file that is replaced while its last trial runs is named, and nothing of it is counted', {
    timeout: 120_000,
  }, async () => {
    const work = await workWithModels();
    const path = join(work.folder, 'good.gguf');
    const bytes = readFileSync(path);
    const other = Buffer.from(bytes);
    other[other.length - 1]! ^= 1; // another weight: it loads as before
    // long enough to be replaced in the middle of
    const counts = '-t 1 -p 64 -n 16 --processes 2 --warmup 0 --kept 300'.split(' ');
    const words = [...counts, '--name', 'moved', '--yes'];
    const running = work.run(['bench', '-m', 'good.gguf', ...words]);
    const ledger = join(work.folder, 'campaigns', 'moved', 'ledger.ndjson');
    const intendedLast = () =>
      existsSync(ledger) && timesOf(readFileSync(ledger, 'utf8'), '"type":"intended"') === 4;
    while (!intendedLast()) await new Promise((resolve) => setTimeout(resolve, 1));
    writeFileSync(join(work.folder, 'other.gguf'), other);
    renameSync(join(work.folder, 'other.gguf'), path);
    const { status, stderr } = await running;
    expect(status).toBe(5);
    expect(stderr).toContain('good.gguf changed during the campaign');
    expect(entriesOf(work, 'moved').at(-1)).toMatchObject({
      type: 'interrupted',
      reason: 'file-changed',
    });
    writeFileSync(path, bytes);
    const again = await work.run(['bench', '-m', 'good.gguf', ...words]);
    expect(again.status).toBe(0);
    expect(countOf(work, 'moved', 'observed')).toBe(4);
  });
});
