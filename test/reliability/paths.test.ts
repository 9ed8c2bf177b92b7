import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { RooflawError } from '../../src/errors.ts';
import { ledgerEntrySchema } from '../../src/formats/ledger.ts';
import { listPartNames } from '../../src/gguf/model-file.ts';
import { openModelFile } from '../../src/gguf/open-model-file.io.ts';
import { openRegularFile } from '../../src/gguf/regular-file.io.ts';
import { parsePlan } from '../../src/protocol/parse-plan.ts';
import { checkSums } from '../../src/publication/check-sums.ts';
import { readFolder } from '../../src/publication/read-folder.io.ts';
import { writeNewFolder } from '../../src/publication/write-folder.io.ts';
import { encodeRawHeader } from '../gguf/gguf-bytes.ts';
import { buildLedger, buildPlan } from '../support/ledger-builder.ts';
import { workIn } from '../support/rooflaw.ts';
import { smallPlan } from '../support/small-plan.ts';

vi.mock(import('../../src/gguf/regular-file.io.ts'), async (original) => {
  const actual = await original();
  return { ...actual, openRegularFile: vi.fn(actual.openRegularFile) };
});

const outside = [
  ...['..', '.', '', '../x', '/etc/x', 'a/b', 'a\\b', 'C:\\x', '-x', '~', 'x'.repeat(300)],
  ...['é', 'a b', 'a\nb', 'a\u0000b', 'a\u202eb', '.hidden', '%2e%2e'],
];

const codeOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof RooflawError) return error.code;
    throw error;
  }
  return 'read';
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-paths-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('names become parts of paths, so none may lead elsewhere', () => {
  it.each(outside)('%j names no campaign, plan, architecture or variant', (name) => {
    expect(codeOf(() => folderOfCampaign(name))).toBe('invalid-input');
    const plan = smallPlan();
    expect(codeOf(() => parsePlan(JSON.stringify({ ...plan, name }), 'plan'))).toBe(
      'invalid-input',
    );
    const models = structuredClone(plan.models);
    for (const model of models) if ('architecture' in model) model.architecture.name = name;
    expect(codeOf(() => parsePlan(JSON.stringify({ ...plan, models }), 'plan'))).toBe(
      'invalid-input',
    );
  });

  it('the same plan with plain names is read', () => {
    expect(codeOf(() => parsePlan(JSON.stringify(smallPlan()), 'plan'))).toBe('read');
    expect(folderOfCampaign('con').folder).toBe(join('campaigns', 'con'));
  });

  it('a ledger names no log outside of logs/', () => {
    const entries = buildLedger(buildPlan(), () => [10, 10, 10, 10]);
    const observed = entries.find(({ type }) => type === 'observed')!;
    const named = (file: string) => {
      const log = { file, bytes: 1, sha256: 'a'.repeat(64) };
      return ledgerEntrySchema.safeParse({ ...observed, log }).success;
    };
    expect(named('000012-0.log')).toBe(true);
    for (const name of ['../../x.log', '/000012-0.log', '../000012-0.log', '000012-0.log/../x']) {
      expect(named(name), name).toBe(false);
    }
  });
});

it('rooflaw run writes nowhere but in the campaign of a plain name', async () => {
  const work = workIn();
  mkdirSync(join(work.folder, 'inner'));
  work.write('inner/p.plan.json', smallPlan());
  for (const name of ['../x', '/tmp/rooflaw-outside', '..', 'x'.repeat(300)]) {
    const { status, stderr } = await work.run(['run', 'inner/p.plan.json', '--name', name]);
    expect({ name, status }).toEqual({ name, status: 2 });
    expect(stderr).toContain('cannot be the name of a campaign');
  }
  work.write('inner/bad.plan.json', { ...smallPlan(), name: '../../x' });
  const { status } = await work.run(['run', 'inner/bad.plan.json']);
  expect(status).toBe(2);
  expect(readdirSync(work.folder).sort()).toEqual(['inner']);
  expect(existsSync('/tmp/rooflaw-outside')).toBe(false);
});

describe('the parts of a split model lie beside it', () => {
  it('whatever its header and its name say', async () => {
    const folder = makeFolder();
    const pairs = { 'split.no': { uint16: 0 }, 'split.count': { uint16: 2 } };
    const names = ['x-00001-of-00002.gguf', '..-00001-of-00002.gguf', '.-00001-of-00002.gguf'];
    for (const name of names) {
      const path = join(folder, name);
      writeFileSync(path, encodeRawHeader({ pairs }));
      await expect(openModelFile(path)).rejects.toMatchObject({
        faults: [{ where: name.replace('00001', '00002'), what: `this part is not in ${folder}` }],
      });
      const parts = listPartNames(name, { index: 0, count: 2 })!;
      for (const part of parts) expect(resolve(folder, part)).toBe(join(folder, part));
    }
  });
});

it('a header that claims 65,535 parts costs as many looks as there are files, and a few', async () => {
  const folder = makeFolder();
  const nameOf = (part: number) => `x-${String(part).padStart(5, '0')}-of-65535.gguf`;
  for (const part of [1, 60_000]) {
    const pairs = { 'split.no': { uint16: part - 1 }, 'split.count': { uint16: 65_535 } };
    writeFileSync(join(folder, nameOf(part)), encodeRawHeader({ pairs }));
  }
  writeFileSync(join(folder, nameOf(50_000)), 'no GGUF');
  const opened = vi.mocked(openRegularFile).mockClear();
  const error: unknown = await openModelFile(join(folder, nameOf(1))).catch((one) => one);
  expect(error).toBeInstanceOf(RooflawError);
  const faults = (error as RooflawError).faults;
  expect(faults).toHaveLength(22);
  expect(faults[20]!.what).toBe('and 65,512 more are missing');
  // behind the 20 that are looked for, what lies there is still read, and a fault of it told
  expect(faults[21]!.where).toContain(nameOf(50_000));
  expect(opened.mock.calls.length).toBeLessThan(30);
});

describe('a published folder is read by the names of its files alone', () => {
  it('a link is not followed, and a path in the sums is a fault', () => {
    const folder = makeFolder();
    const secret = join(makeFolder(), 'secret.csv');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(folder, 'trials.csv'));
    const sums = `${'a'.repeat(64)}  ../secret.csv\n${'b'.repeat(64)}  /etc/passwd\n`;
    writeFileSync(join(folder, 'SHA256SUMS'), sums);
    const { files, faults } = readFolder(folder);
    expect([...files.keys()]).toEqual(['SHA256SUMS']);
    expect(faults).toEqual([
      { where: 'trials.csv', what: 'is no regular file, so it was not read' },
    ]);
    expect(checkSums(files).map(({ what }) => what)).toEqual([
      'names ../secret.csv, which no publication has',
      'names /etc/passwd, which no publication has',
    ]);
  });

  it('nothing is written through a link in its place', async () => {
    const folder = makeFolder();
    const elsewhere = join(makeFolder(), 'elsewhere');
    const target = join(folder, 'public');
    symlinkSync(elsewhere, target);
    const files = [{ name: 'trials.csv', text: 'x\n' }];
    await expect(writeNewFolder(target, files, () => {})).rejects.toMatchObject({
      code: 'already-exists',
    });
    expect(existsSync(elsewhere)).toBe(false);
  });
});

describe('links', () => {
  it.each(['ledger.ndjson', 'plan.json', 'logs', '.lock'])(
    'inside a campaign %s may not be one',
    async (name) => {
      const work = workIn();
      const elsewhere = makeFolder();
      mkdirSync(join(work.folder, 'campaigns/small'), { recursive: true });
      const target = join(elsewhere, 'target');
      if (name === 'logs') mkdirSync(target);
      symlinkSync(target, join(work.folder, 'campaigns/small', name));
      work.write('small.plan.json', smallPlan());
      const { status, stderr } = await work.run(['run', 'small.plan.json']);
      expect({ status, stderr }).toMatchObject({ status: 2 });
      expect(stderr).toContain(`${name}: is a symbolic link, and nothing is written through one`);
      expect(readdirSync(elsewhere)).toEqual(name === 'logs' ? ['target'] : []);
      if (name === 'logs') expect(readdirSync(target)).toEqual([]);
    },
  );

  it('a report replaces no link, and leaves what it leads to', async () => {
    const work = workIn();
    const ledger = resolve(import.meta.dirname, '../../results/h200-pilot-v1/ledger.ndjson');
    mkdirSync(join(work.folder, 'campaigns/mine'), { recursive: true });
    const folder = join(work.folder, 'campaigns/mine');
    writeFileSync(join(folder, 'ledger.ndjson'), readFileSync(ledger));
    const other = join(makeFolder(), 'mine.txt');
    writeFileSync(other, 'untouched');
    symlinkSync(other, join(folder, 'report.html'));
    const { status, stderr } = await work.run(['report', 'mine']);
    expect({ status, stderr }).toMatchObject({ status: 2 });
    expect(stderr).toContain('report.html is there, and no earlier output of this kind');
    expect(readFileSync(other, 'utf8')).toBe('untouched');
    expect(lstatSync(join(folder, 'report.html')).isSymbolicLink()).toBe(true);
  });

  it('the whole folder of a campaign may be one: it is the user’s own', async () => {
    const parent = makeFolder();
    const elsewhere = makeFolder();
    symlinkSync(elsewhere, join(parent, 'mine'));
    expect(folderOfCampaign('mine', parent).folder).toBe(join(parent, 'mine'));
  });
});
