import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { registerAnalyze } from '../../src/commands/analyze.ts';
import { loadSamples } from '../../src/commands/load-analysis.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { finish, workIn } from '../support/rooflaw.ts';
import { trialHeader, trialLine, trialTable } from '../support/trial-table.ts';

const resultsOf = (name: string) =>
  fileURLToPath(new URL(`../../results/${name}`, import.meta.url));
const analyze = (...words: string[]) => printedBy(registerAnalyze, ['analyze', ...words]);

test('a faulty table is refused with status 2, every fault and its line, and nothing on standard output', async () => {
  const work = workIn();
  work.write('trials.csv', trialTable(['14820000', 'NaN', '0', '-1', 'Infinity', '14820000']));
  const { status, stdout, stderr } = await work.run(['analyze', 'trials.csv']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('trials.csv: 4 faults');
  for (const line of ['line 3', 'line 4', 'line 5', 'line 6']) expect(stderr).toContain(line);
});

test('a table is analysed by its file or by its folder, the same', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'trials.csv'), trialTable([1e6, 2e6, 3e6, 4e6, 5e6, 6e6]));
  const byFile = await loadSamples(join(folder, 'trials.csv'));
  expect(byFile.items).toMatchObject([{ n: 6, representativeNs: 3.5e6 }]);
  expect(await loadSamples(folder)).toEqual(byFile);
  expect(JSON.parse(await analyze(folder, '--json'))).toEqual(JSON.parse(JSON.stringify(byFile)));
});

test('of several campaigns in one table one is to be picked', async () => {
  const folder = makeFolder();
  const path = join(folder, 'all.csv');
  const rows = [
    trialLine({ campaign: 'monday' }),
    trialLine({ campaign: 'tuesday', device: 'Other GPU', trialMeanNs: 7e6 }),
  ];
  writeFileSync(path, `${trialHeader}\n${rows.join('\n')}\n`);
  await expect(loadSamples(path)).rejects.toMatchObject({
    exitStatus: 2,
    message: expect.stringContaining('holds 2 campaigns: monday, tuesday'),
    hint: expect.stringContaining('--campaign'),
  });
  await expect(loadSamples(path, { campaign: 'friday' })).rejects.toThrow('no campaign "friday"');
  expect(await loadSamples(path, { campaign: 'tuesday' })).toMatchObject({
    name: 'tuesday',
    device: 'Other GPU',
    items: [{ n: 1, representativeNs: 7e6 }],
  });
});

test('what the picked campaign contradicts is found among several', async () => {
  const path = join(makeFolder(), 'all.csv');
  const twice = trialLine({ campaign: 'tuesday' });
  const rows = [trialLine({ campaign: 'monday' }), twice, twice];
  writeFileSync(path, `${trialHeader}\n${rows.join('\n')}\n`);
  expect((await loadSamples(path, { campaign: 'monday' })).items).toMatchObject([{ n: 1 }]);
  await expect(loadSamples(path, { campaign: 'tuesday' })).rejects.toMatchObject({
    faults: [{ where: 'line 4', what: expect.stringContaining('stands in line 3 already') }],
  });
});

test('another target can be asked for, of a table and of a ledger, and is labelled so', async () => {
  for (const name of ['h200-pilot-a', 'h200-pilot-v1']) {
    const { closure } = JSON.parse(
      await analyze(resultsOf(name), '--json', '--target-difference', '0.05'),
    );
    expect(closure).toMatchObject({ targetDifference: 0.05, targetSource: 'command-line' });
  }
  const { closure } = await loadSamples(resultsOf('h200-pilot-v1'));
  expect(closure).toMatchObject({ targetDifference: 0.1, targetSource: 'plan' });
});

test.each(['5', '0', '1', '-0.1', 'x', ''])('a target of %j is refused', async (target) => {
  const { status, stderr } = await workIn().run(['analyze', 'c', '--target-difference', target]);
  expect(status).toBe(2);
  expect(stderr).toContain('must be a decimal fraction');
});

test('the brief table is shorter and says the same of the items', async () => {
  const [whole, brief] = [
    await analyze(resultsOf('h200-pilot-a')),
    await analyze(resultsOf('h200-pilot-a'), '--brief'),
  ];
  expect(brief.length).toBeLessThan(whole.length);
  expect(brief).toContain('NO LEDGER');
});

test.each([
  [Buffer.from([0xff, 0xfe, 0x63, 0x00]), 'is not text in UTF-8'],
  ['', 'there is no header'],
  [`${trialHeader}\n`, 'there is no trial'],
])('what is no table is refused: %#', async (content, what) => {
  const path = join(makeFolder(), 'trials.csv');
  writeFileSync(path, content);
  const refused = loadSamples(path).catch(
    (error) => `${error.message} ${JSON.stringify(error.faults)}`,
  );
  expect(await refused).toContain(what);
});

test('a protocol beside the table that is another one is refused', async () => {
  const folder = makeFolder();
  const protocol = JSON.parse(
    readFileSync(new URL('../../protocols/v1-cpu2.json', import.meta.url), 'utf8'),
  );
  writeFileSync(join(folder, 'protocol.json'), JSON.stringify(protocol));
  writeFileSync(join(folder, 'trials.csv'), trialTable([1e6]));
  await expect(loadSamples(folder)).rejects.toMatchObject({
    faults: [{ where: 'line 2', what: expect.stringContaining('protocol.json') }],
  });
});

test('a table or a bench output that never ends is refused: a device, a pipe', async () => {
  const work = workIn();
  symlinkSync('/dev/zero', join(work.folder, 'zero.csv'));
  execFileSync('mkfifo', [join(work.folder, 'pipe.csv')]);
  for (const name of ['zero.csv', 'pipe.csv']) {
    for (const words of [['analyze'], ['import', 'llama-bench']]) {
      const { status, stderr } = await work.run([...words, name]);
      expect({ name, status }).toEqual({ name, status: 2 });
      expect(stderr).toContain(`${name} is no regular file`);
    }
  }
});

test('standard input that never ends is refused too', async () => {
  const child = workIn().start(['import', 'llama-bench', '-']);
  child.stdin?.on('error', () => {}); // it stops reading
  Readable.from(
    (function* () {
      const chunk = Buffer.alloc(2 ** 22);
      for (let count = 0; count < 80; count++) yield chunk;
    })(),
  ).pipe(child.stdin!);
  const { status, stderr } = await finish(child);
  expect(status).toBe(2);
  expect(stderr).toContain('standard input is larger than 256 MiB');
});

test('130,000 faults of one table are counted', async () => {
  const path = join(makeFolder(), 'trials.csv');
  writeFileSync(path, `${trialHeader}\n${`${trialLine()}\n`.repeat(130_001)}`);
  await expect(loadSamples(path)).rejects.toThrow('130,000 faults, of which the first 20 are');
});

test('--campaign of a ledger is refused unless it is its own', async () => {
  const pilot = resultsOf('h200-pilot-v1');
  await expect(loadSamples(pilot, { campaign: 'zzz' })).rejects.toThrow(
    'the ledger is of the campaign "h200-pilot-v1"',
  );
  expect((await loadSamples(pilot, { campaign: 'h200-pilot-v1' })).name).toBe('h200-pilot-v1');
});

test('a name of 5,000 characters is not echoed whole', async () => {
  const name = 'n'.repeat(5000);
  await expect(loadSamples(name)).rejects.toThrow(/^there is no campaign "n{80}…"$/);
  const path = join(makeFolder(), 'trials.csv');
  writeFileSync(path, trialTable([1e6]));
  await expect(loadSamples(path, { campaign: name })).rejects.toThrow(/no campaign "n{80}…"$/);
});
