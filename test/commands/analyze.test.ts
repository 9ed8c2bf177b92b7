import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { registerAnalyze } from '../../src/commands/analyze.ts';
import { loadSamples } from '../../src/commands/load-analysis.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { workIn } from '../support/rooflaw.ts';
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
  writeFileSync(join(folder, 'trials.csv'), trialTable([1, 2, 3, 4, 5, 6]));
  const byFile = await loadSamples(join(folder, 'trials.csv'));
  expect(byFile.items).toMatchObject([{ n: 6, representativeNs: 3.5 }]);
  expect(await loadSamples(folder)).toEqual(byFile);
  expect(JSON.parse(await analyze(folder, '--json'))).toEqual(JSON.parse(JSON.stringify(byFile)));
});

test('of several campaigns in one table one is to be picked', async () => {
  const folder = makeFolder();
  const path = join(folder, 'all.csv');
  const rows = [
    trialLine({ campaign: 'monday' }),
    trialLine({ campaign: 'tuesday', device: 'Other GPU', trialMeanNs: 7 }),
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
    items: [{ n: 1, representativeNs: 7 }],
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
  expect(stderr).toContain('must be a fraction');
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
  writeFileSync(join(folder, 'trials.csv'), trialTable([1]));
  await expect(loadSamples(folder)).rejects.toMatchObject({
    faults: [{ where: 'line 2', what: expect.stringContaining('protocol.json') }],
  });
});
