import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { loadSamples } from '../../src/commands/load-analysis.ts';
import { registerPublish } from '../../src/commands/publish.ts';
import {
  describePublished,
  locatePublished,
  verifyPublished,
} from '../../src/commands/verify-published.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { createLedger, type LedgerBuilder } from '../support/ledger-builder.ts';
import { makeFolder, writeLedger } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { sequentialPlan } from '../support/sequential-plan.ts';
import { observeAll } from '../support/worked-campaign.ts';

const resultsOf = (name: string) =>
  fileURLToPath(new URL(`../../results/${name}`, import.meta.url));

async function publish(campaign: string, ...options: string[]): Promise<string> {
  const out = join(makeFolder(), 'public');
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await printedBy(registerPublish, ['publish', campaign, '--out', out, ...options]);
  } finally {
    spy.mockRestore();
  }
  return out;
}

/** A complete campaign with a note, as worked; what it was published as. */
async function publishWorked(
  change: (ledger: LedgerBuilder) => void = () => {},
): Promise<{ campaign: string; folder: string; entries: LedgerEntry[] }> {
  const ledger = createLedger();
  observeAll(ledger);
  ledger.add({ type: 'end', observed: ledger.schedule.length, failed: 0 });
  change(ledger);
  const campaign = writeLedger(ledger.entries);
  return { campaign, folder: await publish(campaign), entries: ledger.entries };
}

/** Changes a published file. With `alsoSums` as somebody who knows of SHA256SUMS would. */
function tamper(folder: string, name: string, change: (text: string) => string, alsoSums = true) {
  const path = join(folder, name);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  const sums = join(folder, 'SHA256SUMS');
  if (!alsoSums) return;
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(sha256Hex(before), sha256Hex(after)));
}

async function faultsOf(folder: string, against?: string): Promise<string[]> {
  const { sound, faults } = await verifyPublished(folder, against);
  expect(sound).toBe(faults.length === 0);
  return faults.map(({ where, what }) => `${where}: ${what}`);
}

/** Row of a trial in trials.csv, its cells replaced. */
const changeCell = (line: number, column: number, value: string) => (text: string) => {
  const lines = text.split('\n');
  const cells = lines[line - 1]!.split(',');
  cells[column] = value;
  lines[line - 1] = cells.join(',');
  return lines.join('\n');
};

test('the H200 campaign is sound by itself and against its ledger, not against another one', async () => {
  const folder = await publish(resultsOf('h200-pilot-v1'));
  expect(locatePublished(folder)).toBe(folder);
  expect(await faultsOf(folder)).toEqual([]);
  const verdict = await verifyPublished(folder, resultsOf('h200-pilot-v1'));
  expect(verdict).toMatchObject({
    ...{ sound: true, trials: 240, repetitions: 6000, faults: [] },
    against: { lines: 483, publishedLines: 483 },
  });
  expect(describePublished(verdict)).toContain('sound, 240 trials, 6,000 repetitions');
  const other = await verifyPublished(folder, resultsOf('h200-pilot-v1-b'));
  expect(other.sound).toBe(false);
  expect(other.faults[0]!.what).toContain('line 483 of the ledger has the hash');
  const text = describePublished(other);
  expect(text).toContain('more; --json lists all');
  expect(text).not.toContain('has gone on');
});

test('one changed byte of any file is found by its hash', async () => {
  const { folder } = await publishWorked();
  for (const name of ['README.md', 'croissant.json', 'plan.json', 'analysis.json']) {
    const before = readFileSync(join(folder, name), 'utf8');
    tamper(folder, name, (text) => text.replace('e', 'E'), false);
    expect(await faultsOf(folder)).toContain(
      `${name}: is not what was published: its hash differs from SHA256SUMS`,
    );
    writeFileSync(join(folder, name), before);
  }
  expect(await faultsOf(folder)).toEqual([]);
});

test('a missing file, one too many and no SHA256SUMS are found', async () => {
  const { folder } = await publishWorked();
  rmSync(join(folder, 'README.md'));
  writeFileSync(join(folder, 'more.txt'), 'x');
  expect(await faultsOf(folder)).toEqual([
    'more.txt: is a file that no publication has',
    'README.md: is missing; SHA256SUMS names it',
  ]);
  rmSync(join(folder, 'more.txt'));
  rmSync(join(folder, 'SHA256SUMS'));
  expect(await faultsOf(folder)).toEqual([
    'SHA256SUMS: is missing, so nothing shows whether a file was changed',
    'README.md: is missing',
  ]);
});

test('a better mean is found without the ledger, although all hashes were made anew', async () => {
  const { folder } = await publishWorked();
  tamper(folder, 'trials.csv', changeCell(2, 10, '14000000'));
  const faults = await faultsOf(folder);
  expect(faults).toContainEqual(
    expect.stringMatching(
      /^trials\.csv line 2: trialMeanNs is 14000000, the kept repetitions give \d+ \(repetitions\.csv, lines 2 to 5\)$/,
    ),
  );
  expect(faults).toContain('datapackage.json: describes another trials.csv: size or hash differ');
});

test('the last digit of a variation is found without the ledger', async () => {
  const { folder } = await publishWorked();
  const text = readFileSync(join(folder, 'trials.csv'), 'utf8');
  const cv = text.split('\n')[1]!.split(',')[11]!;
  const last = Number(cv.at(-1));
  tamper(folder, 'trials.csv', changeCell(2, 11, `${cv.slice(0, -1)}${last === 9 ? 8 : last + 1}`));
  expect(await faultsOf(folder)).toContainEqual(
    expect.stringMatching(
      /^trials\.csv line 2: inTrialCv (is|has other digits than) [\d.e-]+, (which )?the kept repetitions give/,
    ),
  );
});

test('a data description of another size is found', async () => {
  const { folder } = await publishWorked();
  tamper(folder, 'datapackage.json', (text) => text.replace(/"bytes": \d+/, '"bytes": 7'));
  tamper(folder, 'croissant.json', (text) =>
    text.replace(/"contentSize": "\d+ B"/, '"contentSize": "7 B"'),
  );
  expect(await faultsOf(folder)).toEqual([
    'datapackage.json: describes another trials.csv: size or hash differ',
    'croissant.json: describes another trials.csv: size or hash differ',
  ]);
});

test.each([
  ['"scheduleSeed": 7', '"scheduleSeed": 5', 'identity.plan.scheduleSeed'],
  [
    '"targetDifference": 0.1,\n    "comparisonFamily"',
    '"targetDifference": 0.2,\n    "comparisonFamily"',
    'declaration.targetDifference',
  ],
  ['"headDim": 64', '"headDim": 99', 'identity.models[0].architecture.headDim'],
  ['"isV1": false', '"isV1": true', 'identity.isV1'],
])(
  'an analysis that says %s otherwise than the plan beside it is found',
  async (said, instead, where) => {
    const { folder } = await publishWorked();
    tamper(folder, 'analysis.json', (text) => {
      expect(text).toContain(said);
      return text.replace(said, instead);
    });
    const faults = await faultsOf(folder);
    expect(faults.some((fault) => fault.startsWith(`analysis.json ${where}: is `))).toBe(true);
  },
);

test('an analysis that does not follow from the tables is found, with its place', async () => {
  const { folder } = await publishWorked();
  tamper(folder, 'analysis.json', (text) => text.replace('"stable": false', '"stable": true'));
  expect(await faultsOf(folder)).toContainEqual(
    expect.stringMatching(/^analysis\.json items\[\d\]\.stable: is true where false follows$/),
  );
});

test.each([
  [10, '14000001', 'trialMeanNs is 14000001, the ledger’s repetitions give '],
  [11, '0.5', 'inTrialCv is 0.5, the ledger’s repetitions give '],
  [12, '999999999', 'processNs is 999999999, in the ledger '],
  [0, 'other', 'campaign is other, in the ledger test-campaign'],
  [2, 'Test CPU 9000', 'device is Test CPU 9000, in the ledger Test CPU 3000'],
])('a changed cell %d is found against the ledger, with its line', async (column, value, what) => {
  const { folder, campaign } = await publishWorked();
  tamper(folder, 'trials.csv', changeCell(7, column, value));
  expect(await faultsOf(folder, campaign)).toContainEqual(
    expect.stringContaining(`trials.csv line 7: ${what}`),
  );
});

test('an observed trial that is called failed, and a failed one that got a time, are found', async () => {
  const ledger = createLedger();
  const [first, ...others] = ledger.schedule;
  ledger.fail(first!.trial);
  for (const { trial } of others.slice(0, 5)) ledger.observe(trial, [90, 90, 10, 12]);
  const campaign = writeLedger(ledger.entries);
  const folder = await publish(campaign);
  const cells = (line: number, values: readonly string[]) => (text: string) =>
    values.reduce((table, value, index) => changeCell(line, 9 + index, value)(table), text);
  tamper(folder, 'trials.csv', cells(2, ['observed', '11', '0.1', '9000']));
  tamper(folder, 'trials.csv', cells(3, ['failed', '', '', '']));
  const faults = await faultsOf(folder, campaign);
  expect(faults).toContain('trials.csv line 2: state is observed, in the ledger failed');
  expect(faults).toContain('trials.csv line 3: state is failed, in the ledger observed');
  expect(faults).toContain(
    'trials.csv line 2: trialMeanNs is 11, the ledger’s repetitions give none',
  );
});

test('a trial that is left out and one that is made up are found', async () => {
  const { folder, campaign } = await publishWorked();
  const dropped = readFileSync(join(folder, 'trials.csv'), 'utf8').split('\n')[1]!.split(',');
  const name = `${dropped[3]} ${dropped[4]} S${dropped[5]} ${dropped[6]}, round 0`;
  tamper(folder, 'trials.csv', (text) => text.split('\n').toSpliced(1, 1).join('\n'));
  expect(await faultsOf(folder, campaign)).toContain(
    `trials.csv: ${name} is missing; the ledger has it`,
  );
  const more = await publishWorked();
  tamper(more.folder, 'trials.csv', (text) => `${text}${dropped.with(7, '99').join(',')}\n`);
  expect(await faultsOf(more.folder, more.campaign)).toContainEqual(
    expect.stringMatching(/^trials\.csv line 42: .* round 99 is not in the ledger/),
  );
});

test('a changed repetition, and one trial’s that are left out, are found', async () => {
  const { folder, campaign } = await publishWorked();
  tamper(folder, 'repetitions.csv', changeCell(3, 8, '77'));
  expect(await faultsOf(folder, campaign)).toContainEqual(
    expect.stringMatching(/^repetitions\.csv line 3: wallNs is 77, in the ledger \d+$/),
  );
  const prepared = await publishWorked();
  tamper(prepared.folder, 'repetitions.csv', changeCell(4, 9, '77'));
  expect(await faultsOf(prepared.folder, prepared.campaign)).toContain(
    'repetitions.csv line 4: prepareNs is 77, in the ledger 10',
  );
  const other = await publishWorked();
  tamper(other.folder, 'repetitions.csv', (text) => text.split('\n').toSpliced(1, 4).join('\n'));
  expect(await faultsOf(other.folder, other.campaign)).toContainEqual(
    expect.stringMatching(/^repetitions\.csv: .*, round 0 is missing; the ledger has it$/),
  );
});

test('another plan than the ledger’s is found', async () => {
  const { folder, campaign } = await publishWorked();
  tamper(folder, 'plan.json', (text) => text.replace('Does mid cost', 'Does small cost'));
  const faults = await faultsOf(folder, campaign);
  expect(faults).toContain('datapackage.json: planSha256 is not that of the file beside it');
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  tamper(folder, 'datapackage.json', (text) =>
    text.replace(/"planSha256": "\w+"/, `"planSha256": "${identityOf(plan)}"`),
  );
  expect(await faultsOf(folder, campaign)).toContainEqual(
    expect.stringMatching(/^datapackage\.json: planSha256 is not the ledger’s, [\da-f]{64}$/),
  );
});

test('a ledger that was changed proves nothing', async () => {
  const { folder, campaign } = await publishWorked();
  const path = join(campaign, 'ledger.ndjson');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"processNs":', '"processNs":1'));
  expect(await faultsOf(folder, campaign)).toContainEqual(
    expect.stringMatching(
      /ledger\.ndjson: is not as it was written \(\d faults?\), so nothing was compared$/,
    ),
  );
});

test('a ledger that has gone on still begins with what was published', async () => {
  const ledger = createLedger();
  for (const { trial } of ledger.schedule.slice(0, 6)) ledger.observe(trial, [90, 90, 10, 12]);
  const campaign = writeLedger(ledger.entries);
  const folder = await publish(campaign);
  ledger.observe(6, [90, 90, 10, 12]);
  const longer = writeLedger(ledger.entries);
  const verdict = await verifyPublished(folder, longer);
  expect(verdict).toMatchObject({ sound: true, against: { lines: 16, publishedLines: 14 } });
  expect(describePublished(verdict)).toContain('has gone on since: 2 lines after');
});

test('a sequential campaign that stopped early is complete in its tables too', async () => {
  const plan = sequentialPlan();
  const entries = await measureWith(
    plan,
    ({ modelSha256 }, call) =>
      (modelSha256 === plan.reference.modelSha256 ? 1_000_000 : 1_200_000) + call,
  );
  const campaign = writeLedger(chainCampaign(plan, entries));
  const folder = await publish(campaign);
  expect(await faultsOf(folder, campaign)).toEqual([]);
  expect((await loadSamples(folder)).progress).toMatchObject({ planned: 24, complete: true });
});

test('what a stopping rule decided follows from the tables, and is compared with them', async () => {
  const plan = sequentialPlan();
  let decoded = 0;
  const entries = await measureWith(plan, ({ modelSha256, phase }, call) => {
    const isReference = modelSha256 === plan.reference.modelSha256;
    if (isReference && phase === 'decode' && decoded++ === 1) return null;
    return (isReference ? 1_000_000 : 1_200_000) + call;
  });
  const campaign = writeLedger(chainCampaign(plan, entries));
  const folder = await publish(campaign);
  const [table, ledger] = [await loadSamples(folder), await loadSamples(campaign)];
  expect(table.sequential).toEqual(ledger.sequential);
  // without a pair in one round, decode is decided one round after prefill
  expect(table.sequential!.comparisons).toMatchObject([
    { state: 'slower', pairs: 7, decidedAfter: 6 },
    { state: 'slower', pairs: 6, decidedAfter: 7 },
  ]);
  const text = formatTable(table, { colour: false, width: 120, brief: true });
  expect(text).toContain(
    'Decided on the way\n  Stopped after 7 of at most 8 rounds: every comparison is decided (2 slower).\n',
  );
  const stopping = /^A stopping rule decided from the data how many rounds were measured\./;
  expect(table.caveats).toContainEqual(expect.stringMatching(stopping));
  expect(JSON.stringify(table)).not.toContain('"field":"sequential"');

  tamper(folder, 'analysis.json', (words) =>
    words.replace('"decidedAfter": 7', '"decidedAfter": 6'),
  );
  expect(await faultsOf(folder)).toContain(
    'analysis.json sequential.comparisons[1].decidedAfter: is 6 where 7 follows',
  );

  rmSync(join(folder, 'plan.json'));
  const planless = await loadSamples(folder);
  expect(planless).toMatchObject({ sequential: null });
  expect(planless).toHaveProperty(
    'absent',
    expect.arrayContaining([
      {
        field: 'sequential',
        reason:
          'the protocol has a stopping rule, but no plan came with the table to say what it compared',
      },
    ]),
  );
  expect(planless.caveats).toContainEqual(expect.stringMatching(stopping));
});

test('words that the publisher withheld are no difference, others are', async () => {
  const ledger = createLedger();
  observeAll(ledger);
  ledger.add({ type: 'note', text: 'written on 10.1.2.3' });
  const campaign = writeLedger(ledger.entries);
  const folder = await publish(campaign, '--withhold-words');
  expect(await faultsOf(folder, campaign)).toEqual([]);
  tamper(folder, 'analysis.json', (text) =>
    text.replace('[withheld by the publisher]', 'all well'),
  );
  expect(await faultsOf(folder, campaign)).toContain(
    'analysis.json notes[0].text: is "all well" where "written on 10.1.2.3" follows from the ledger',
  );
});

test('a file that is no JSON or no table is a fault, not a crash', async () => {
  const { folder, campaign } = await publishWorked();
  for (const name of ['plan.json', 'protocol.json', 'analysis.json', 'datapackage.json']) {
    tamper(folder, name, () => '{"format": ');
  }
  tamper(folder, 'trials.csv', () => 'a;b\n');
  tamper(folder, 'repetitions.csv', () => '"');
  appendFileSync(join(folder, 'SHA256SUMS'), 'nonsense\n');
  const faults = await faultsOf(folder, campaign);
  for (const name of ['plan.json', 'protocol.json', 'analysis.json', 'datapackage.json']) {
    expect(faults).toContainEqual(expect.stringContaining(`${name} is not JSON`));
  }
  expect(faults).toContain('SHA256SUMS line 9: is no hash and file name');
});

test('tables that nobody published are no publication', async () => {
  await expect(verifyPublished(resultsOf('h200-pilot-a'), undefined)).rejects.toThrow(
    'holds tables that nobody published',
  );
});

/** SHA256SUMS of all regular files as they are, as somebody who knows of it would write it. */
function renewSums(folder: string): void {
  const lines = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== 'SHA256SUMS'
      ? [`${sha256Hex(readFileSync(join(folder, entry.name)))}  ${entry.name}\n`]
      : [],
  );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

test('of the files none may be missing and none be added, though SHA256SUMS was made anew', async () => {
  const { folder } = await publishWorked();
  rmSync(join(folder, 'croissant.json'));
  writeFileSync(join(folder, 'more.html'), 'x');
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub', 'ledger.ndjson'), 'x');
  renewSums(folder);
  expect(await faultsOf(folder)).toEqual([
    'more.html: is a file that no publication has',
    'sub: is a folder that no publication has',
    'SHA256SUMS: names more.html, which no publication has',
    'croissant.json: is missing',
  ]);
});

test('links and folders in place of files are faults and are not read', async () => {
  const { folder } = await publishWorked();
  for (const name of ['trials.csv', 'plan.json', 'README.md']) rmSync(join(folder, name));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'trials.csv'));
  symlinkSync('plan.json', join(folder, 'plan.json'));
  mkdirSync(join(folder, 'README.md'));
  expect(locatePublished(folder)).toBe(folder);
  const faults = await faultsOf(folder);
  for (const name of ['trials.csv', 'plan.json', 'README.md']) {
    expect(faults).toContain(`${name}: is no regular file, so it was not read`);
  }
});

test.each<[string, string, (text: string) => string, string]>([
  ['emptied', 'croissant.json', () => '{}', 'croissant.json, distribution: '],
  [
    'without files',
    'croissant.json',
    (text) => JSON.stringify({ ...JSON.parse(text), distribution: [] }),
    'croissant.json: does not describe trials.csv',
  ],
  [
    'without files',
    'datapackage.json',
    (text) => JSON.stringify({ ...JSON.parse(text), resources: [] }),
    'datapackage.json: does not describe plan.json',
  ],
  [
    'in other units',
    'datapackage.json',
    (text) => text.replaceAll('"ns"', '"ms"'),
    'datapackage.json resources[0].schema.fields[10].unit: is "ms" where "ns" follows from the data beside it',
  ],
  [
    'with another licence',
    'croissant.json',
    (text) => JSON.stringify({ ...JSON.parse(text), license: 'https://x.example' }),
    'croissant.json license: is "https://x.example" where nothing follows from the data beside it',
  ],
  [
    'with praise',
    'README.md',
    (text) => text.replace(/^\* Rules: .*$/m, '* Rules: v1, confirmed'),
    'README.md line 6: is "* Rules: v1, confirmed" where "* Rules: ',
  ],
  ['cut', 'README.md', (text) => text.slice(0, 40), 'README.md line 1: is "'],
])('a description %s is found without a ledger: %s', async (_how, name, change, what) => {
  const { folder } = await publishWorked();
  tamper(folder, name, change);
  expect(await faultsOf(folder)).toContainEqual(expect.stringContaining(what));
});

test('another device in every row of the table is found without a ledger', async () => {
  const { folder } = await publishWorked();
  tamper(folder, 'trials.csv', (text) => text.replaceAll('Test CPU 3000', 'Test CPU 9000'));
  expect(await faultsOf(folder)).toContain(
    'trials.csv line 2: device is Test CPU 9000, in analysis.json Test CPU 3000',
  );
});

test('what the publisher adds to croissant.json is no difference', async () => {
  const { folder } = await publishWorked();
  tamper(folder, 'croissant.json', (text) =>
    JSON.stringify({ ...JSON.parse(text), url: 'https://x.example', creator: { name: 'X' } }),
  );
  expect(await faultsOf(folder)).toEqual([]);
});

test('what another version wrote is compared as far as it goes, and the verdict says how far', async () => {
  const { folder, campaign } = await publishWorked();
  tamper(folder, 'analysis.json', (text) =>
    text.replace(/"sentences": \[[^\]]*\]/, '"sentences": ["Confirmed: mid is slower."]'),
  );
  renewDescriptions(folder);
  expect(await faultsOf(folder)).toContainEqual(expect.stringContaining('closure.sentences'));
  tamper(folder, 'datapackage.json', (text) =>
    text.replace(/"programVersion":"[^"]+"/, '"programVersion":"9.9.9"'),
  );
  const verdict = await verifyPublished(folder, campaign);
  expect(verdict).toMatchObject({ sound: true, faults: [] });
  expect(verdict.notCompared).toEqual([
    expect.stringMatching(
      /^written by rooflaw 9\.9\.9, as it says, and this is \S+: the sentences of/,
    ),
  ]);
  const text = describePublished(verdict);
  expect(text).toContain('written by rooflaw 9.9.9');
  expect(text).toContain('were not compared');
  expect(text).toContain('sound as far as it was compared');
});

test('a version that is older than the campaign is a fault, and so is none', async () => {
  const { folder, campaign } = await publishWorked();
  tamper(folder, 'datapackage.json', (text) =>
    text.replace(/"programVersion": "[^"]+"/, '"programVersion": "0.0.0"'),
  );
  expect(await faultsOf(folder)).toEqual([]);
  expect(await faultsOf(folder, campaign)).toEqual([
    expect.stringMatching(
      /^datapackage\.json: names rooflaw 0\.0\.0, which is older than \S+, which began the campaign$/,
    ),
  ]);
  tamper(folder, 'datapackage.json', (text) => text.replace('"0.0.0"', '"none"'));
  expect(await faultsOf(folder)).toContain(
    'datapackage.json, rooflaw.programVersion: is no version',
  );
});

test('130,000 faults are a verdict, not a crash', async () => {
  const { folder } = await publishWorked();
  const row = readFileSync(join(folder, 'trials.csv'), 'utf8').split('\n')[1]!;
  tamper(folder, 'trials.csv', (text) => `${text}${`${row}\n`.repeat(130_000)}`);
  const { faults } = await verifyPublished(folder, undefined);
  expect(faults.length).toBeGreaterThanOrEqual(130_000);
});

/** Sizes and hashes in both descriptions, as they are now. */
function renewDescriptions(folder: string): void {
  const bytesOf = (name: string) => readFileSync(join(folder, name));
  tamper(folder, 'datapackage.json', (text) => {
    const description = JSON.parse(text);
    for (const resource of description.resources) {
      resource.bytes = bytesOf(resource.path).length;
      resource.hash = `sha256:${sha256Hex(bytesOf(resource.path))}`;
    }
    return JSON.stringify(description);
  });
  tamper(folder, 'croissant.json', (text) => {
    const description = JSON.parse(text);
    for (const file of description.distribution) {
      file.contentSize = `${bytesOf(file.name).length} B`;
      file.sha256 = sha256Hex(bytesOf(file.name));
    }
    return JSON.stringify(description);
  });
}
