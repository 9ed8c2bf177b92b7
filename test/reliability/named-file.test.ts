import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkGateFiles } from '../../src/commands/gate-output.ts';
import { canonicalJson } from '../../src/hash.ts';
import { createLedger } from '../support/ledger-builder.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { type Workspace, workIn } from '../support/rooflaw.ts';

/** A campaign with one trial in a folder of the workspace. */
function putCampaign(work: Workspace, folder: string, changes: (text: string) => string = String) {
  const ledger = createLedger();
  ledger.observe(0, [900, 800, 700, 600]);
  const path = join(work.folder, folder, 'ledger.ndjson');
  mkdirSync(dirname(path), { recursive: true });
  const text = ledger.entries.map((entry) => `${canonicalJson(entry)}\n`).join('');
  writeFileSync(path, changes(text));
  return path;
}

/** What never ends, or waits for a writer. */
const endless: [string, (path: string) => unknown][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
];

test('a path is judged itself, and no campaign of that name instead of it', async () => {
  const work = workIn();
  putCampaign(work, 'campaigns/one');
  putCampaign(work, 'one', () => 'garbage\n');
  for (const path of ['one/ledger.ndjson', './one']) {
    expect((await work.run(['verify', path])).status).toBe(5);
  }
  const { status, stderr } = await work.run(['verify', 'one']);
  expect(status).toBe(2);
  expect(stderr).toContain('say which: campaigns/one or ./one');
  symlinkSync('campaigns/two', join(work.folder, 'two'));
  putCampaign(work, 'campaigns/two');
  expect((await work.run(['verify', 'two'])).status).toBe(0); // both names are of one folder
  writeFileSync(join(work.folder, 'one/other.ndjson'), 'garbage\n');
  for (const verb of ['verify', 'analyze', 'status']) {
    expect({ verb, ...(await work.run([verb, 'one/other.ndjson'])) }).toMatchObject({ status: 2 });
  }
});

test.each(endless)(
  '%s in the place of a plan, a space, a protocol or a key is refused at once',
  async (_what, make) => {
    const work = workIn();
    make(join(work.folder, 'odd'));
    putCampaign(work, 'campaigns/one');
    const plan = ['plan', '--space', 'pocket', '--question', 'q', '--out', 'p.json', '--protocol'];
    for (const words of [
      ['run', './odd'],
      ['space', 'show', './odd'],
      [...plan, './odd'],
      ['verify', 'one', '--key', './odd'],
    ]) {
      const { status, stderr } = await work.run(words);
      expect({ words, status }).toEqual({ words, status: 2 });
      expect(stderr).toContain('is no regular file');
    }
  },
);

test.each(endless)(
  '%s in the place of a seal or a log is a fault of the folder',
  async (_what, make) => {
    const work = workIn();
    const ledger = createLedger();
    ledger.observe(0, [900, 800, 700, 600]);
    const folder = join(work.folder, 'campaigns/one');
    mkdirSync(join(folder, 'logs'), { recursive: true });
    writeFileSync(
      join(folder, 'ledger.ndjson'),
      ledger.entries.map((entry) => `${canonicalJson(entry)}\n`).join(''),
    );
    writeFileSync(join(folder, 'logs/000000-0.log'), '');
    expect((await work.run(['verify', 'one'])).status).toBe(0);
    rmSync(join(folder, 'logs/000000-0.log'));
    make(join(folder, 'logs/000000-0.log'));
    make(join(folder, 'seal.json'));
    const { status, stdout } = await work.run(['verify', 'one']);
    expect(status).toBe(5);
    expect(stdout).toMatch(
      /logs\/000000-0\.log: (?:is not the log that was written|cannot be read)/,
    );
    expect(stdout).toContain('seal.json is no regular file');
  },
);

test('folders and files in each other’s place are faults, not defects', async () => {
  const work = workIn();
  const path = putCampaign(work, 'campaigns/one');
  mkdirSync(join(dirname(path), 'seal.json'));
  writeFileSync(join(dirname(path), 'logs'), '');
  const { status, stdout } = await work.run(['verify', 'one']);
  expect(status).toBe(5);
  expect(stdout).toContain('seal.json is a folder');
  expect(stdout).toContain('logs: is no folder');
});

test('no output takes the place of anything but an earlier one', async () => {
  const work = workIn();
  const path = putCampaign(work, 'campaigns/one');
  const report = (out: string) => work.run(['report', 'one', '--out', out]);
  work.write('key', 'a key\n');
  execFileSync('mkfifo', [join(work.folder, 'pipe')]);
  for (const out of ['campaigns/one/ledger.ndjson', 'key', 'pipe', '/dev/stdout']) {
    const { status, stderr } = await report(out);
    expect({ out, status }).toEqual({ out, status: 2 });
    expect(stderr).toContain('no earlier output of this kind');
  }
  symlinkSync('loop', join(work.folder, 'loop'));
  for (const out of ['loop', 'a'.repeat(300)]) expect((await report(out)).status).toBe(4);
  work.write('empty', '');
  symlinkSync('empty', join(work.folder, 'to-empty'));
  expect((await report('to-empty')).status).toBe(2);
  expect(readFileSync(path, 'utf8')).toContain('"type":"observed"');
  expect(readFileSync(join(work.folder, 'key'), 'utf8')).toBe('a key\n');
  for (const _time of [1, 2]) expect((await report('one.html')).status).toBe(0);
});

test('of those that seal at the same moment each seal stays, or its maker hears of it', async () => {
  const work = workIn();
  putCampaign(work, 'campaigns/one');
  const keys = ['a', 'b', 'c', 'd'];
  for (const key of keys) await work.run(['seal', '--new-key', key]);
  const results = await Promise.all(keys.map((key) => work.run(['seal', 'one', '--key', key])));
  const statuses = results.map(({ status }) => status);
  expect(results.filter(({ status }) => status !== 0 && status !== 6)).toEqual([]);
  expect(statuses).toContain(0);
  const sealed = JSON.parse(readFileSync(join(work.folder, 'campaigns/one/seal.json'), 'utf8'));
  expect(sealed).toHaveLength(statuses.filter((status) => status === 0).length);
});

test('a summary is added to Markdown of any kind, and to nothing else', () => {
  const folder = makeFolder();
  const summary = join(folder, 'summary');
  const check = (text: string) => {
    writeFileSync(summary, text);
    return () => checkGateFiles({ summary, junit: null });
  };
  for (const text of ['', '# Title', '<details>', '<!-- a -->', '{{ template }}', '- item']) {
    expect(check(text)).not.toThrow();
  }
  for (const text of [
    '{"seq":0}',
    '[\n  {\n "format"',
    '-----BEGIN PRIVATE KEY',
    '<?xml',
    '<!doctype html>',
  ]) {
    expect(check(text)).toThrow('no Markdown');
  }
});
