import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analysisSchema } from '../../src/formats/analysis.ts';
import { formatItem } from '../../src/formats/architecture.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { type Finished, finish, type Workspace, workIn } from '../support/rooflaw.ts';

const entriesOf = (work: Workspace, name: string): LedgerEntry[] => {
  const path = join(work.folder, 'campaigns', name, 'ledger.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index, all) => (index < all.length - 1 ? [JSON.parse(line)] : []));
};
const planOf = (work: Workspace, name: string): Plan =>
  JSON.parse(readFileSync(join(work.folder, 'campaigns', name, 'plan.json'), 'utf8'));
const observedIn = (work: Workspace, name: string) =>
  entriesOf(work, name).filter(({ type }) => type === 'observed').length;

/** Few and short: what is measured does not matter here. */
const quick = '-t 1 -p 64 -n 4 --processes 2 --warmup 0 --kept 1'.split(' ');
/** The same, of a prefill alone. */
const quicker = '-t 1 -p 16 -n 0 --processes 2 --warmup 0 --kept 1'.split(' ');

test('options that are not there, and values that cannot be, are named at once', async () => {
  const work = workIn();
  const { status, stdout, stderr } = await work.run(
    'bench -m a.gguf --proceses 3 -fa auto -b zero'.split(' '),
  );
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('--proceses: is no option of rooflaw bench or llama-bench');
  expect(stderr).toContain('try: --processes');
  expect(stderr).toContain('-fa: "auto" would hide what was measured');
  expect(stderr).toContain('-b: ');
});

test('the help names the options of llama-bench and ours', async () => {
  const { status, stdout } = await workIn().run(['bench', '--help']);
  expect(status).toBe(0);
  for (const option of ['-m', '-fa', '-ngl', '--budget', '--processes', '--backend']) {
    expect(stdout).toContain(`  ${option}`);
  }
  expect((await workIn().run(['help', 'bench'])).stdout).toBe(stdout);
});

test('no model and one process are refused before anything is looked at', async () => {
  const work = workIn();
  const refused = async (words: string) => {
    const { status, stderr } = await work.run(['bench', ...words.split(' ')]);
    expect(status).toBe(2);
    return stderr;
  };
  expect(await refused('-p 16')).toContain('-m: is missing: no model is named');
  expect(await refused('-m a.gguf --processes 1')).toContain(
    'one process says nothing of how processes differ',
  );
  expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
});

test('files that are missing, cut short or no GGUF are all named, and nothing is begun', async () => {
  const work = workIn();
  const whole = readFileSync(await writeTinyModel('Q8_0'));
  work.write('text.gguf', 'hello');
  copyFileSync(await writeTinyModel('Q8_0'), join(work.folder, 'good.gguf'));
  appendFileSync(join(work.folder, 'cut.gguf'), whole.subarray(0, 5000));
  const { status, stdout, stderr } = await work.run([
    'bench',
    ...'-m good.gguf,cut.gguf,text.gguf -m nope.gguf'.split(' '),
  ]);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('3 of 4 files cannot be measured');
  expect(stderr).toMatch(/cut\.gguf, .*cut short: it has 5,000 bytes and needs 72,928/);
  expect(stderr).toMatch(/text\.gguf, .*no GGUF/);
  expect(stderr).toContain('nope.gguf: there is no such file');
  expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);

  const alone = await work.run(['bench', '-m', 'nope.gguf']);
  expect(alone.status).toBe(2);
  expect(alone.stderr).toContain('rooflaw: nope.gguf: there is no such file');
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`bench on real llama.cpp${reason}`, () => {
  async function withModel(): Promise<Workspace> {
    const work = workIn();
    copyFileSync(await writeTinyModel('Q8_0'), join(work.folder, 'tiny.gguf'));
    return work;
  }
  const bench = (work: Workspace, ...words: string[]): Promise<Finished> =>
    work.run(['bench', '-m', 'tiny.gguf', ...words]);

  test('a first look that was killed leaves nothing that the ledger would have to know', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const words = [...quick, '--name', 'killed'];
    expect((await bench(work, ...words)).status).toBe(0);
    const folder = join(work.folder, 'campaigns', 'killed');
    const [logs, ledger] = [join(folder, 'logs'), join(folder, 'ledger.ndjson')];
    // as if it had been killed in the look: the campaign and its session are there, no trial, and the look's files
    const begun = readFileSync(ledger, 'utf8').split('\n').slice(0, 2);
    writeFileSync(ledger, `${begun.join('\n')}\n`);
    rmSync(logs, { recursive: true });
    mkdirSync(logs);
    for (const name of ['first-look.out', 'first-look.out.out'])
      writeFileSync(join(logs, name), '');
    expect(await work.run(['verify', 'killed'])).toMatchObject({ status: 0 });
    const again = await bench(work, ...words);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain('first look: tiny Q8_0 tg4 ');
    expect(readdirSync(logs)).toHaveLength(4);
  });

  test('two variants are measured in one campaign, verified, analysed and reported', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const run = await bench(work, '-b', '32,64', ...quick, '--name', 'two');
    expect(run.status).toBe(0);
    // once, before anything is measured, and in no campaign
    expect(run.stderr.match(/first look: tiny Q8_0 tg4 /g)).toHaveLength(1);
    expect(run.stderr.indexOf('first look')).toBeLessThan(run.stderr.indexOf('round 1'));
    const logs = readdirSync(join(work.folder, 'campaigns', 'two', 'logs'));
    expect(logs.filter((name) => !/^\d{6}-0\.log$/.test(name))).toEqual([]);
    expect(run.stdout).toContain('pp64');
    expect(run.stdout).toContain('tg4');
    expect(
      planOf(work, 'two').variants?.map(({ name, execution }) => [name, execution.batch]),
    ).toEqual([
      ['b32', 32],
      ['b64', 64],
    ]);
    const intended = entriesOf(work, 'two').flatMap((entry) =>
      entry.type === 'intended' ? [formatItem(entry.item)] : [],
    );
    expect(intended).toHaveLength(8);
    expect(new Set(intended.slice(0, 4))).toEqual(
      new Set([
        'tiny Q8_0 S64 [b32] prefill',
        'tiny Q8_0 S0 [b32] decode',
        'tiny Q8_0 S64 [b64] prefill',
        'tiny Q8_0 S0 [b64] decode',
      ]),
    );
    const applied = entriesOf(work, 'two').flatMap((entry) =>
      entry.type === 'observed' ? [entry.load?.applied.batch] : [],
    );
    expect(applied).toEqual(expect.arrayContaining([32, 64]));
    expect(await work.run(['verify', 'two'])).toMatchObject({ status: 0 });

    const analysis = JSON.parse((await work.run(['analyze', 'two', '--json'])).stdout);
    expect(analysisSchema.parse(analysis)).toEqual(analysis);
    expect(analysis.identity.variants).toMatchObject([
      { name: 'b32', backend: 'embedded', changes: {} },
      { name: 'b64', backend: 'embedded', changes: { batch: 64, ubatch: 64 } },
    ]);
    const table = await work.run(['analyze', 'two']);
    expect(table.stdout.replace(/\s+/g, ' ')).toContain(
      'Files are named by the hash of their bytes',
    );
    expect(await work.run(['report', 'two'])).toMatchObject({ status: 0 });
    const page = readFileSync(join(work.folder, 'campaigns/two/report.html'), 'utf8');
    expect(page).toContain('Variants: measured in the same randomised rounds');

    const other = await bench(work, '-b', '32,64', '-fa', '1', ...quick, '--name', 'other');
    expect(other.status).toBe(0);
    const refused = await work.run(['compare', 'two', 'other']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('variant b32: flashAttention is "off" in A and "on" in B');
    expect(refused.stderr).toContain('try: --across protocol');
    const compared = await work.run(['compare', 'two', 'other', '--across', 'protocol', '--json']);
    expect(compared.status).toBe(0);
    const { label, doesNotShow, items } = JSON.parse(compared.stdout);
    expect(label).toBe('confounded with session: the two were not interleaved');
    expect(doesNotShow.join()).toContain(
      'Differences between campaigns are confounded with session',
    );
    expect(items).toHaveLength(4);

    const wrong = await work.run(['run', 'campaigns/two/plan.json', '--name', 'two']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('files of the plan’s models are not given');
  });

  test('a budget chooses the counts from a pilot that is kept apart', {
    timeout: 180_000,
  }, async () => {
    const work = await withModel();
    const run = await bench(
      work,
      ...'-t 1 -p 16 -n 0 --budget 2s --yes --name budgeted'.split(' '),
    );
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(
      /pilot: 2 processes of \d+ repetitions for each item, 2 in all, kept apart in campaigns\/budgeted-pilot/,
    );
    const { protocol } = planOf(work, 'budgeted');
    expect(protocol.processesPerItem).toBeGreaterThanOrEqual(6);
    expect(observedIn(work, 'budgeted')).toBe(protocol.processesPerItem);
    expect(observedIn(work, 'budgeted-pilot')).toBe(2);
    expect(await work.run(['verify', 'budgeted-pilot'])).toMatchObject({ status: 0 });
  });

  test('stopped in its campaign it names the command that completes it and prints its table', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const words = '-b 32,64 -t 1 -p 16 -n 0 --budget 3s --yes -o csv'.split(' ');
    const child = work.start(['bench', '-m', './tiny.gguf', ...words]);
    const ended = finish(child);
    const nameOf = () =>
      existsSync(join(work.folder, 'campaigns'))
        ? readdirSync(join(work.folder, 'campaigns')).find((name) => !name.endsWith('-pilot'))
        : undefined;
    await expect
      .poll(() => (nameOf() === undefined ? 0 : observedIn(work, nameOf()!)), {
        timeout: 60_000,
        interval: 20,
      })
      .toBeGreaterThan(2);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect(status).toBe(130);
    expect(stdout).toBe('');
    const name = nameOf()!;
    expect(stderr).toContain(
      `stopped before the end; to go on: the same command with --name ${name}\n`,
    );
    const asked = planOf(work, name).protocol.processesPerItem;
    expect(observedIn(work, name)).toBeLessThan(2 * asked);

    const again = await bench(work, ...words, '--name', name);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain(`campaign ${name} goes on`);
    expect(again.stdout).toMatch(/^build_commit,/);
    expect(again.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(observedIn(work, `${name}-pilot`)).toBe(4);
    const trials = entriesOf(work, name).flatMap((entry) =>
      entry.type === 'observed' ? [entry.trial] : [],
    );
    expect(trials).toEqual(Array.from({ length: 2 * asked }, (_, trial) => trial));
    expect(await work.run(['verify', name])).toMatchObject({ status: 0 });
  });

  test('two files of one name are told apart by their paths, as they were typed', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    for (const [folder, quantization] of [
      ['a', 'Q8_0'],
      ['b', 'F16'],
    ] as const) {
      mkdirSync(join(work.folder, folder));
      copyFileSync(await writeTinyModel(quantization), join(work.folder, folder, 'm.gguf'));
    }
    const words = ['-m', 'a/m.gguf', '-m', './b/m.gguf', ...quicker, '--name', 'paths'];
    const { status, stdout } = await work.run(['bench', ...words, '-o', 'jsonl']);
    expect(status).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ model_filename }) => model_filename)).toEqual(['a/m.gguf', './b/m.gguf']);
    expect(planOf(work, 'paths').models.map((model) => 'file' in model && model.file)).toEqual([
      'm.gguf',
      'm.gguf',
    ]);
    // what was typed is of this run alone
    const ledger = readFileSync(join(work.folder, 'campaigns/paths/ledger.ndjson'), 'utf8');
    expect(ledger).not.toContain('/m.gguf');
  });

  test('before a sweep with too few processes it is said what the heat map will not show', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const words = [...quicker, '-b', '4,8,12,16', '--name', 'few'];
    const { status, stderr, stdout } = await bench(work, ...words);
    expect(status).toBe(0);
    expect(stderr).toContain(
      'CAREFUL: choosing among the 4 cells of a test takes 8 processes of each; with 2 the heat map can tell no cell from the best. --processes 8 would do.',
    );
    expect(stdout).toContain('? no interval');
    expect(stderr).toMatch(/^next: b\d+ is the fastest in tiny Q8_0 pp16, b\d+ the second: /m);
  });

  test('a pilot has no more repetitions than are asked for, and says how long it takes', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const words = '-b 32,64 -t 1 -p 16 -n 0 --warmup 1 --kept 2 --budget 1s --yes --name three';
    const { status, stderr } = await bench(work, ...words.split(' '));
    expect(status).toBe(0);
    expect(stderr).toContain('pilot: 2 processes of 3 repetitions for each item, 4 in all');
    expect(stderr).toMatch(/^the pilot takes about \d.* more for 2 trials; --budget is for /m);
    expect(planOf(work, 'three-pilot').protocol.repetitions).toMatchObject({ warmup: 0, kept: 3 });
  });

  test('stopped in its pilot it says how to go on, and goes on so', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    const words = '-b 32,48,64,96 -t 1 -p 128 -n 0 --budget 1s --yes --name early'.split(' ');
    const child = work.start(['bench', '-m', 'tiny.gguf', ...words]);
    const ended = finish(child);
    await expect
      .poll(() => observedIn(work, 'early-pilot'), { timeout: 60_000, interval: 10 })
      .toBeGreaterThan(0);
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toContain('stopped in the pilot; to go on: the same command\n');
    expect(existsSync(join(work.folder, 'campaigns/early'))).toBe(false);
    const again = await bench(work, ...words);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain('campaign early-pilot goes on');
    expect(observedIn(work, 'early-pilot')).toBe(8);
    expect(observedIn(work, 'early')).toBeGreaterThanOrEqual(24);
  });

  test('two backends are measured in one campaign; another in place of one is refused', {
    timeout: 240_000,
  }, async () => {
    if (real.state !== 'ready') return;
    const work = await withModel();
    for (const folder of ['first', 'second']) {
      cpSync(real.prepared.libraryDirectory, join(work.folder, folder), { recursive: true });
    }
    const { name: library } = real.prepared.backend.libraries.find(({ name }) =>
      name.includes('ggml-base'),
    )!;
    appendFileSync(join(work.folder, 'second', library), '\0'); // another file that does the same

    const backends = ['--backend', 'embedded', '--backend', 'first'];
    const run = await bench(work, ...backends, ...quicker, '--name', 'backends');
    expect(run.status).toBe(0);
    const [campaign] = entriesOf(work, 'backends');
    expect(campaign).toMatchObject({
      backend: { name: 'embedded' },
      otherBackends: [{ label: 'first', backend: { name: 'first' } }],
    });
    expect(observedIn(work, 'backends')).toBe(4);
    expect(await work.run(['verify', 'backends'])).toMatchObject({ status: 0 });

    const again = (...words: string[]) =>
      work.run(
        [
          'run',
          'campaigns/backends/plan.json',
          '--name',
          'backends',
          '--model',
          'tiny.gguf',
        ].concat(words),
      );
    const complete = await again('--backend', 'first=first');
    expect(complete.status).toBe(0);
    expect(complete.stderr).toContain('campaign backends is complete');
    const exchanged = await again('--backend', 'first=second');
    expect(exchanged.status).toBe(2);
    expect(exchanged.stderr).toContain('campaign backends cannot be resumed');
    expect(exchanged.stderr).toContain('the libraries of llama.cpp of first are others');
    const unnamed = await again();
    expect(unnamed.status).toBe(4);
    expect(unnamed.stderr).toContain('folders of the plan’s backends are not given');
    const unknown = await again('--backend', 'third=first');
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('is not LABEL=FOLDER of a backend of the plan');
  });

  test('a second backend whose folder has no libraries is found before anything is measured', {
    timeout: 60_000,
  }, async () => {
    const work = await withModel();
    mkdirSync(join(work.folder, 'empty'));
    const backends = ['--backend', 'embedded', '--backend', 'empty'];
    const { status, stdout, stderr } = await bench(work, ...backends, ...quicker);
    expect(status).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      'no shared libraries of llama.cpp (llama, ggml and ggml-base) in empty',
    );
    expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
  });

  test('a name that was used already is refused, and so is a budget without a person or --yes', {
    timeout: 120_000,
  }, async () => {
    const work = await withModel();
    expect(await bench(work, ...quicker, '--name', 'used')).toMatchObject({ status: 0 });
    const other = await bench(work, ...quicker, '-b', '64', '--name', 'used');
    expect(other.status).toBe(2);
    expect(other.stderr).toContain('it was begun with another plan');
    const short = await bench(work, ...'-t 1 -p 16 -n 0 --budget 0.01s --name short'.split(' '));
    expect(short.status).toBe(2);
    expect(short.stderr).toContain('nobody can be asked');
    expect(short.stderr).toContain('--yes to go on, or --budget ');
    expect(short.stderr).toContain('the same command uses the pilot again');
  });

  test('an unknown protocol of bench is named with those there are', async () => {
    const work = await withModel();
    const { status, stderr } = await bench(work, '--protocol', 'v9');
    expect(status).toBe(2);
    expect(stderr).toContain('bench has no protocol "v9"');
    expect(stderr).toContain('one of bench, few-loads');
  });
});
