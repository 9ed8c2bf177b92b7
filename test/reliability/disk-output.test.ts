import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { leaveTornCampaign, resumeHere } from '../../scripts/crash/break-disk.ts';
import { writeOutput } from '../../src/commands/write-file.ts';
import { findFaultsOf, prepareLives, readLedgerOf } from '../support/fast-runner-life.ts';
import { makeSmallPlan, workIn } from '../support/rooflaw.ts';

const isLinux = process.platform === 'linux';
const outer = mkdtempSync(join(tmpdir(), 'rooflaw-output-'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-${digit.repeat(12)}`;

describe('drafts', () => {
  test('one that a crash left is removed by the next writer, one of a writer at work is not', () => {
    const folder = mkdtempSync(join(outer, 'drafts-'));
    const path = join(folder, 'report.html');
    const left = `report.html.${uuid('a')}.part`;
    const atWork = `report.html.${uuid('b')}.part`;
    const ofOthers = [`other.html.${uuid('c')}.part`, 'report.html.1234.part', 'report.html.part'];
    for (const name of [left, atWork, ...ofOthers]) writeFileSync(join(folder, name), 'half');
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [left, ...ofOthers]) utimesSync(join(folder, name), hoursAgo, hoursAgo);
    writeOutput(path, 'whole');
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(readdirSync(folder).sort()).toEqual(['report.html', atWork, ...ofOthers].sort());
  });

  test('one of another machine’s process of the same number is not in the way', () => {
    const folder = mkdtempSync(join(outer, 'same-'));
    writeFileSync(join(folder, `x.json.${process.pid}.part`), 'half'); // as they were named once
    writeOutput(join(folder, 'x.json'), 'whole');
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('whole');
  });

  test('one that cannot be written leaves nothing behind and says why', () => {
    const folder = mkdtempSync(join(outer, 'folder-'));
    expect(() => writeOutput(folder, 'whole')).toThrow(/^cannot write .*: it is a folder$/);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(outer).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe.skipIf(!isLinux)('on a broken disk (Linux: LD_PRELOAD)', async () => {
  const lives = isLinux ? await prepareLives() : null;

  test('the error told is that of the write, not that of the cleaning up after it', async () => {
    const work = workIn();
    expect((await makeSmallPlan(work)).status).toBe(0);
    const path = join(work.folder, 'b.plan.json');
    const args = ['--space', 'space.json', '--protocol', 'protocol.json', '--out', path];
    let failed = 0;
    for (let at = 1; ; at++) {
      const env = {
        LD_PRELOAD: lives!.failingCalls,
        CRASH_FOLDER: path,
        CRASH_AT: String(at),
        CRASH_MODE: 'EIO',
      };
      const { status, stderr } = await work.run(['plan', ...args], env);
      if (status === 0) break;
      failed += 1;
      expect({ status, stderr }).toMatchObject({ status: 4 });
      expect(stderr).toContain(`cannot write ${path}: the disk failed (input/output error)`);
      expect(existsSync(path)).toBe(false);
    }
    expect(failed).toBe(4); // open, write, fsync, rename
  });

  test.each([
    ['missing', null],
    ['empty', ''],
    ['torn', '{"format":"rooflaw-plan","formatV'],
  ])(
    'a plan.json that is %s stops neither resume nor verify, analyze and report',
    async (_, text) => {
      const life = await lives!.prepare({ plan: 'four' });
      const acknowledged = await leaveTornCampaign(life);
      const folder = join(life.folder, 'crash');
      const path = join(folder, 'plan.json');
      const plan = readFileSync(path, 'utf8');
      rmSync(path);
      if (text !== null) writeFileSync(path, text);
      expect(await resumeHere(life, acknowledged)).toEqual([]);
      expect(readLedgerOf(life).at(-1)).toMatchObject({ type: 'end', observed: 4, failed: 0 });
      expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(text); // it is no source
      const work = workIn();
      for (const command of ['verify', 'analyze', 'report', 'status']) {
        const { status, stderr } = await work.run([
          command,
          ...(command === 'status' ? [] : [folder]),
        ]);
        expect({ command, status, stderr }).toMatchObject({ status: 0 });
      }
      writeFileSync(path, plan);
      rmSync(join(folder, 'report.html'));
      expect(await findFaultsOf(life, acknowledged)).toEqual([]);
    },
  );

  test('what a harness that was killed left unfinished is gone after the next life', async () => {
    const life = await lives!.prepare({ plan: 'four' });
    const acknowledged = await leaveTornCampaign(life);
    const folder = join(life.folder, 'crash');
    const names = ['ledger.ndjson', 'plan.json', 'ledger.torn-0123456789ab'];
    const left = names.map((name) => `${name}.${uuid('d')}.part`);
    const kept = `notes.txt.${uuid('d')}.part`; // a user's own
    for (const name of [...left, kept]) writeFileSync(join(folder, name), 'half');
    expect(await resumeHere(life, acknowledged)).toEqual([]);
    const there = readdirSync(folder).filter((name) => name.endsWith('.part'));
    expect(there).toEqual([kept]);
  });
});

test.skipIf(process.platform === 'win32')('a note goes through no link', async () => {
  const work = workIn();
  const lives = await prepareLives();
  const life = await lives.prepare({ plan: 'four' });
  await leaveTornCampaign(life);
  const real = join(life.folder, 'crash/ledger.ndjson');
  const before = readFileSync(real);
  const folder = mkdtempSync(join(work.folder, 'linked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(real, join(folder, 'ledger.ndjson'));
  const { status, stderr } = await work.run(['note', folder, 'the fan was replaced']);
  expect({ status, stderr }).toMatchObject({ status: 2 });
  expect(stderr).toContain('is a symbolic link, and nothing is written through one');
  expect(stderr).toMatch(/^try: /m);
  expect(readFileSync(real)).toEqual(before);
  expect(readdirSync(folder)).toEqual(['ledger.ndjson']);
});
