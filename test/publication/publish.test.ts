import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { registerAnalyze } from '../../src/commands/analyze.ts';
import { loadSamples } from '../../src/commands/load-analysis.ts';
import { registerPublish } from '../../src/commands/publish.ts';
import { registerReport } from '../../src/commands/report.ts';
import { RooflawError } from '../../src/errors.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import { sha256Hex } from '../../src/hash.ts';
import { everything } from '../support/hostile-words.ts';
import { buildPlan, buildProtocol, createLedger, deviceState } from '../support/ledger-builder.ts';
import { makeFolder, writeLedger } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { workIn } from '../support/rooflaw.ts';
import { observeAll, workedTimes } from '../support/worked-campaign.ts';

const pilot = fileURLToPath(new URL('../../results/h200-pilot-v1', import.meta.url));

/** Publishes into a new folder. @returns the folder, and what was said on standard error */
async function publish(campaign: string, ...options: string[]) {
  const out = join(makeFolder(), 'public');
  let said = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  try {
    const printed = await printedBy(registerPublish, [
      ...['publish', campaign, '--out', out],
      ...options,
    ]);
    return { out, said, printed };
  } finally {
    spy.mockRestore();
  }
}

async function refusal(campaign: string, ...options: string[]) {
  const parent = makeFolder();
  const out = join(parent, 'public');
  try {
    await printedBy(registerPublish, ['publish', campaign, '--out', out, ...options]);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    return { error, left: readdirSync(parent) };
  }
  throw new Error('it was published');
}

const readJson = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'));

test('the H200 campaign is published, and its folder gives the same items as the ledger', async () => {
  const { out, said, printed } = await publish(pilot, '--license', 'CC-BY-4.0');
  expect(printed).toBe(`${out}\n`);
  expect(said).toBe('');
  const files = [
    ...['README.md', 'SHA256SUMS', 'analysis.json', 'croissant.json', 'datapackage.json'],
    ...['plan.json', 'protocol.json', 'repetitions.csv', 'trials.csv'],
  ];
  expect(readdirSync(out)).toEqual(files);
  const published = readJson(out, 'analysis.json') as Analysis;
  const again = JSON.parse(JSON.stringify(await loadSamples(out)));
  expect(again.evidence).toBe('trial-table');
  expect(published.evidence).toBe('ledger');
  expect(published.items).toHaveLength(24);
  expect(again.items).toEqual(published.items);
  for (const part of ['drift', 'roundSubsets', 'orderEffect', 'allocation', 'warmup'] as const) {
    expect(again[part]).toEqual(published[part]);
  }
});

test('the rows are those of the ledger, worked out apart from its raw repetitions', async () => {
  const { out } = await publish(pilot);
  const [, first] = readFileSync(join(out, 'trials.csv'), 'utf8').split('\n');
  // repetitions 20 to 24 of trial 0: 91051080, 90706985, 91039409, 90932295, 90529761
  expect(first).toBe(
    'h200-pilot-v1,v1,NVIDIA H200,large,Q4_0,512,decode,0,0,observed,90851906,0.002498290108427169,3976729123',
  );
});

test('both data descriptions name every data file with its size and hash', async () => {
  const { out } = await publish(pilot, '--license', 'CC-BY-4.0', '--title', 'H200 pilot');
  const { resources, licenses, title, name, rooflaw } = readJson(out, 'datapackage.json');
  const paths = ['trials.csv', 'repetitions.csv', 'analysis.json', 'protocol.json', 'plan.json'];
  expect({ title, name }).toEqual({ title: 'H200 pilot', name: 'h200-pilot-v1' });
  expect(licenses).toEqual([
    { name: 'CC-BY-4.0', path: 'https://spdx.org/licenses/CC-BY-4.0.html' },
  ]);
  expect(resources.map(({ path }: { path: string }) => path)).toEqual(paths);
  for (const { path, bytes, hash } of resources) {
    const content = readFileSync(join(out, path));
    expect({ bytes, hash }).toEqual({
      bytes: content.length,
      hash: `sha256:${sha256Hex(content)}`,
    });
  }
  const [trials] = resources;
  expect(trials.schema.fields).toHaveLength(13);
  expect(trials.schema.fields[10]).toEqual({
    name: 'trialMeanNs',
    type: 'number',
    description: 'Mean of the kept repetitions of this one process: one sample.',
    unit: 'ns',
    constraints: { minimum: 0 },
  });
  expect(rooflaw).toMatchObject({
    ledgerLines: 483,
    ledgerLastLineSha256: '87117111d79e1c0f682af7e512bb74d03b4c2e5f8d4e415595cd7500eefc9c07',
  });
  const croissant = readJson(out, 'croissant.json');
  expect(croissant.conformsTo).toBe('http://mlcommons.org/croissant/1.0');
  expect(croissant.license).toBe('https://spdx.org/licenses/CC-BY-4.0.html');
  expect(croissant.distribution.map((file: { contentUrl: string }) => file.contentUrl)).toEqual(
    paths,
  );
  expect(croissant.recordSet[0].field[10]).toEqual({
    '@type': 'cr:Field',
    '@id': 'trials/trialMeanNs',
    name: 'trialMeanNs',
    description: 'Mean of the kept repetitions of this one process: one sample. In ns.',
    dataType: 'sc:Float',
    source: { fileObject: { '@id': 'trials.csv' }, extract: { column: 'trialMeanNs' } },
  });
});

test('without a licence there is none, and a warning', async () => {
  const { out, said } = await publish(pilot);
  expect(said).toContain('no licence is stated');
  expect(readJson(out, 'datapackage.json')).not.toHaveProperty('licenses');
  expect(readJson(out, 'croissant.json')).not.toHaveProperty('license');
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('No licence was stated');
});

test('boot ids and the rest of the ledger stay out', async () => {
  const { out } = await publish(pilot);
  const ledger = readFileSync(join(pilot, 'ledger.ndjson'), 'utf8');
  const bootId = /"bootId":"([^"]+)"/.exec(ledger)![1]!;
  for (const name of readdirSync(out)) {
    const text = readFileSync(join(out, name), 'utf8');
    for (const secret of [bootId, 'clockSmMHz', 'peakResidentBytes', 'stderrEnd', '000000-0.log']) {
      expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
    }
  }
});

test('failed, interrupted and missing trials are published as what they are', async () => {
  const ledger = createLedger();
  for (const scheduled of ledger.schedule.slice(0, 5)) {
    ledger.observe(scheduled.trial, workedTimes(scheduled));
  }
  ledger.fail(5);
  const repetitions = [9, 9, 0, 9].map((wallNs) => ({ wallNs, prepareNs: 1 }));
  ledger.fail(6, { code: 'invalid-time', repetitions });
  ledger.intend(7);
  ledger.add({ type: 'interrupted', trial: 7, attempt: 0, reason: 'stopped-by-user', costNs: 9 });
  const { out, said } = await publish(writeLedger(ledger.entries));
  expect(said).toContain('not complete');
  const rows = readFileSync(join(out, 'trials.csv'), 'utf8').trimEnd().split('\n');
  expect(rows).toHaveLength(9);
  expect(rows.slice(6).map((row) => row.split(',').slice(9).join(','))).toEqual([
    'failed,,,',
    'failed,,,',
    'interrupted,,,',
  ]);
  expect(readFileSync(join(out, 'repetitions.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(21);
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('7 of 40 trials');
  expect(JSON.parse(JSON.stringify((await loadSamples(out)).items))).toEqual(
    readJson(out, 'analysis.json').items,
  );
});

test('a note is published, as a part of the record', async () => {
  const ledger = createLedger();
  observeAll(ledger);
  ledger.add({ type: 'note', text: 'The fan was replaced after round 3.' });
  const { out } = await publish(writeLedger(ledger.entries));
  expect(readJson(out, 'analysis.json').notes[0].text).toBe('The fan was replaced after round 3.');
});

test.each([
  ['the host name', hostname()],
  ['the user name', userInfo().username, 'box_'],
  ['the home folder', homedir()],
  ['an address', '10.1.2.3'],
  ['a GPU', 'GPU-4f1c2a3b-0d9e-11ee-be56-0242ac120002'],
  ['the boot id of the ledger', 'boot-a'],
  ['the hash of the specimen in the ledger', 'a1'.repeat(32)],
  ['a path', '/data/models/x.gguf'],
])('a note with %s stops it, and nothing is left behind', async (_what, text, attached = '') => {
  const ledger = createLedger(buildPlan(), { specimenSha256: 'a1'.repeat(32) });
  observeAll(ledger);
  ledger.add({ type: 'note', text: `measured with ${attached}${text} today` });
  const campaign = writeLedger(ledger.entries);
  const { error, left } = await refusal(campaign);
  expect(error.exitStatus).toBe(2);
  expect(error.faults.length).toBeGreaterThan(0);
  expect(error.faults[0]!.where).toMatch(/^analysis\.json line \d+$/);
  expect(error.faults[0]!.what).toContain(`: ${text.slice(0, 60)}`);
  expect(left).toEqual([]);

  const withheld = await publish(campaign, '--withhold-words');
  expect(readJson(withheld.out, 'analysis.json').notes).toMatchObject([
    { text: '[withheld by the publisher]' },
  ]);
  expect(readFileSync(join(withheld.out, 'README.md'), 'utf8')).toContain('were withheld');
  const allowed = await publish(campaign, '--allow', text);
  expect(readFileSync(join(allowed.out, 'analysis.json'), 'utf8')).toContain('measured with');
});

test('a failure message with an address stops it, unless its words are withheld', async () => {
  const ledger = createLedger();
  ledger.fail(0, { message: 'lost 10.1.2.3' });
  const campaign = writeLedger(ledger.entries);
  const { error } = await refusal(campaign);
  expect(error.faults.map(({ what }) => what)).toEqual(['looks like an IP address: 10.1.2.3']);
  const { out } = await publish(campaign, '--withhold-words');
  expect(readJson(out, 'analysis.json').failures).toMatchObject([
    { trial: 0, code: 'signal', message: '[withheld by the publisher]' },
  ]);
});

test('a question with a path stops it: the plan cannot be changed any more', async () => {
  const { declaration } = buildPlan();
  const plan = buildPlan({
    declaration: { ...declaration, question: 'Is /home/ann/a.gguf slower than C:\\b\\c.gguf?' },
  });
  const ledger = createLedger(plan);
  observeAll(ledger);
  const { error, left } = await refusal(writeLedger(ledger.entries), '--withhold-words');
  expect(new Set(error.faults.map(({ where }) => where.split(' ')[0]))).toEqual(
    new Set(['analysis.json', 'plan.json', 'README.md']),
  );
  expect(left).toEqual([]);
});

test('a ledger that was changed is not published', async () => {
  const ledger = createLedger();
  observeAll(ledger);
  const campaign = writeLedger(ledger.entries);
  const path = join(campaign, 'ledger.ndjson');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"wallNs":147', '"wallNs":146'));
  const { error, left } = await refusal(campaign);
  expect(error.exitStatus).toBe(5);
  expect(left).toEqual([]);
});

test('a campaign without a trial has nothing to publish', async () => {
  const { error, left } = await refusal(writeLedger(createLedger().entries));
  expect(error.message).toContain('nothing to publish');
  expect(left).toEqual([]);
});

test('a folder that exists is left as it is', async () => {
  const out = makeFolder();
  writeFileSync(join(out, 'mine.txt'), 'mine');
  await expect(printedBy(registerPublish, ['publish', pilot, '--out', out])).rejects.toThrow(
    'exists already',
  );
  expect(readdirSync(out)).toEqual(['mine.txt']);
  expect(existsSync(`${out}.${process.pid}.part`)).toBe(false);
});

test('items that only a weight seed tells apart cannot stand in the table, and it says so', async () => {
  const plan = buildPlan();
  const [small, mid] = plan.models as [(typeof plan.models)[0], (typeof plan.models)[0]];
  const twin = { ...small, weightSeed: 2, sha256: sha256Hex('model twin') };
  const both = buildPlan({
    protocol: buildProtocol(),
    models: [small, mid, twin],
    conditions: [...plan.conditions, { modelSha256: twin.sha256, sequenceLength: 128 }],
  });
  const ledger = createLedger(both);
  observeAll(ledger);
  const { error } = await refusal(writeLedger(ledger.entries));
  expect(error.faults.map(({ where }) => where)).toEqual([
    'small F16 S128 prefill',
    'small F16 S128 decode',
  ]);
});

test('the README says what was seen while it was measured', async () => {
  const { out } = await publish(pilot);
  const readme = readFileSync(join(out, 'README.md'), 'utf8');
  const [, course = ''] = /## While it was measured\n\n([^#]+)/.exec(readme)!;
  expect(course).toContain('* Others were seen at work on the device in none of 240 trials.');
  expect(course).toMatch(/\* Drift of the reference, prefill: .* to .* ms, /);
  expect(course).toContain('* Drift of the reference, decode: ');
  expect(course).toMatch(/\* Measured in 1 session/);
  expect(readme).toContain('--against PATH/TO/ledger.ndjson');
  const printed = await printedBy(registerAnalyze, ['analyze', out]);
  expect(printed.replace(/\s+/g, ' ')).toContain(
    'analysis.json beside the table holds what the ledger says',
  );
});

test('disturbed, drifted and resumed: the README says so', async () => {
  const ledger = createLedger();
  for (const scheduled of ledger.schedule) {
    if (scheduled.trial === 20) {
      ledger.startSession({ bootId: 'boot-b', differences: ['driver was 1 and is 2.'] });
    }
    const factor = scheduled.round < 5 ? 1 : 2;
    const times = workedTimes(scheduled).map((ns) => ns * factor);
    const deviceBefore = deviceState(20, scheduled.trial % 2 === 0 ? 'seen' : 'not-seen');
    ledger.observe(scheduled.trial, times, { deviceBefore });
  }
  const { out } = await publish(writeLedger(ledger.entries));
  const readme = readFileSync(join(out, 'README.md'), 'utf8');
  expect(readme).toContain(
    '* DISTURBED: others were seen at work on the device in 20 of 40 trials',
  );
  expect(readme).toContain('MARKED FOR REVIEW');
  expect(readme).toContain('* Measured in 2 sessions across 2 system starts.');
  expect(readme).toContain('* In session 1 the environment differed: driver was 1 and is 2.');
});

test('words from outside steer nobody who shows a published file, and are no HTML in its README', async () => {
  const plan = buildPlan();
  const words = everything.toWellFormed().replaceAll('@root', '@somebody'); // a user of some machine
  const question = `${words} ::error::here ##[error]there`;
  const ledger = createLedger({ ...plan, declaration: { ...plan.declaration, question } });
  for (const scheduled of ledger.schedule) ledger.observe(scheduled.trial, workedTimes(scheduled));
  ledger.add({ type: 'note', text: question });
  const { out } = await publish(writeLedger(ledger.entries));
  const names = readdirSync(out).filter((name) => /\.(?:json|md)$/.test(name));
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    const text = readFileSync(join(out, name), 'utf8');
    expect({ name, steering: /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(text) }).toEqual({
      name,
      steering: null,
    });
    expect({ name, obeyed: /^\s*::[a-z]|##\w*\[/im.exec(text) }).toEqual({ name, obeyed: null });
  }
  const kept = JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'));
  expect(kept.declaration.question).toBe(question);
  expect(readFileSync(join(out, 'README.md'), 'utf8')).not.toMatch(/(?<!\\)<(?:img|script|b)\b/);
});

test.each([
  ['', 'must name a folder'],
  [' ', 'must name a folder'],
])('--out %j is refused', async (out, words) => {
  const work = workIn();
  const { status, stderr } = await work.run(['publish', pilot, '--out', out]);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
});

test('a link that leads nowhere is not written over', async () => {
  const out = join(makeFolder(), 'link');
  symlinkSync('nowhere', out);
  await expect(printedBy(registerPublish, ['publish', pilot, '--out', out])).rejects.toThrow(
    'exists already (a link to what is not there)',
  );
});

test('a report of a published folder is refused, with the reason', async () => {
  const { out } = await publish(pilot);
  await expect(printedBy(registerReport, ['report', out])).rejects.toThrow(
    'holds tables, and a report needs a ledger',
  );
});
