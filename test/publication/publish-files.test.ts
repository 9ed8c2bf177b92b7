import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { findChanges } from '../../src/analysis/identity.ts';
import { loadSamples } from '../../src/commands/load-analysis.ts';
import { registerPublish } from '../../src/commands/publish.ts';
import { describePublished, verifyPublished } from '../../src/commands/verify-published.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import { formatCondition } from '../../src/formats/architecture.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { sha256Hex } from '../../src/hash.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { createLedger } from '../support/ledger-builder.ts';
import { makeFolder, writeLedger } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { type Workspace, workIn } from '../support/rooflaw.ts';
import { buildStepLedger, stepPlan } from '../support/step-campaign.ts';
import { benchPlan, decode16, fileModel, prefill64, variant } from '../support/variant-plan.ts';

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

const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const jsonOf = (folder: string, name: string) => JSON.parse(textOf(folder, name));

/** Changes a file as somebody who knows of SHA256SUMS would. */
function tamper(folder: string, name: string, change: (text: string) => string) {
  const before = textOf(folder, name);
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, name), after);
  const sums = textOf(folder, 'SHA256SUMS');
  writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(sha256Hex(before), sha256Hex(after)));
}

async function faultsOf(folder: string, against?: string): Promise<string[]> {
  const { faults } = await verifyPublished(folder, against);
  return faults.map(({ where, what }) => `${where}: ${what}`);
}

const { backend } = createLedger().entries[0] as CampaignEntry;
const other = { ...backend, name: 'build', release: 'v0.5.0', commit: 'abc1234' };

/** Of two parts, under a title that is no Markdown. */
const split = {
  ...fileModel('qwen', 'a'),
  title: 'Qwen | 3',
  parts: [
    { name: 'qwen-00001-of-00002.gguf', bytes: 400_000, sha256: 'b'.repeat(64) },
    { name: 'qwen-00002-of-00002.gguf', bytes: 300_000, sha256: 'c'.repeat(64) },
  ],
};

/** Two builds; a prefill, one after 32 tokens, and decodes of 16 and of 8 steps. */
const plan = benchPlan(
  [variant('old', {}, 'b100'), variant('new', { flashAttention: 'on' }, 'b200')],
  {
    models: [split],
    tests: [prefill64, { ...prefill64, depth: 32 }, decode16, { ...decode16, tokens: 8 }],
    rules: { processes: 6 },
  },
);

function measure(of: Plan = plan): string {
  const ledger = createLedger(of, {
    ...(of.variants && { otherBackends: [{ label: 'b200', backend: other }] }),
  });
  for (const { trial } of ledger.schedule) {
    const ns = 20_000_000 + 1000 * trial;
    ledger.observe(trial, [ns + 7, ns, ns + 2]);
  }
  ledger.add({ type: 'end', observed: ledger.schedule.length, failed: 0 });
  return writeLedger(ledger.entries);
}

test('files, variants, depths and steps are published, and all is recomputed from ledger and tables', async () => {
  const campaign = measure();
  const folder = await publish(campaign);
  expect(await faultsOf(folder)).toEqual([]);
  expect(await faultsOf(folder, campaign)).toEqual([]);
  const [header, ...rows] = textOf(folder, 'trials.csv').trimEnd().split('\n');
  expect(header).toBe(
    'campaign,protocol,device,architecture,quantization,sequenceLength,phase,depth,decodeSteps,variant,round,position,state,trialMeanNs,inTrialCv,processNs',
  );
  expect(rows).toHaveLength(48);
  const items = rows.map((row) => row.split(',').slice(3, 10).join(','));
  expect(new Set(items)).toEqual(
    new Set(
      ['old', 'new'].flatMap((name) => [
        `qwen,Q4_K_M,64,prefill,,,${name}`,
        `qwen,Q4_K_M,64,prefill,32,,${name}`,
        `qwen,Q4_K_M,0,decode,,,${name}`,
        `qwen,Q4_K_M,0,decode,,8,${name}`,
      ]),
    ),
  );
  expect(textOf(folder, 'repetitions.csv').split('\n')[0]).toBe(
    'architecture,quantization,sequenceLength,phase,depth,decodeSteps,variant,round,position,repetition,kind,wallNs,prepareNs',
  );
  const published = jsonOf(folder, 'analysis.json') as Analysis;
  const again = JSON.parse(JSON.stringify(await loadSamples(folder)));
  for (const part of ['items', 'drift', 'orderEffect', 'warmup', 'allocation'] as const) {
    expect(again[part]).toEqual(published[part]);
  }
});

test('the README names files by base name, hash, size and header, and backends and variants by hash', async () => {
  const folder = await publish(measure());
  const readme = textOf(folder, 'README.md');
  const a = 'a'.repeat(64);
  expect(readme).toContain('Times that llama.cpp took to run 1 model file on Test CPU 3000: ');
  expect(readme).toContain(
    `| \`qwen\` | qwen.gguf | Qwen \\| 3 | qwen3 | \`Q4_K_M\` | 4 | 1,000,000 | 600,000 | 700,000 | \`${a}\` |`,
  );
  expect(readme).toContain(
    `| \`qwen\` | qwen-00002-of-00002.gguf | 300,000 | \`${'c'.repeat(64)}\` |`,
  );
  const { identity } = jsonOf(folder, 'analysis.json') as Analysis;
  const [newer] = identity.otherBackends!;
  expect(readme).toContain(
    `| b100 | v0.4.0 | unknown | unknown | g++ 12 | \`${identity.backend.sha256}\` |`,
  );
  expect(readme).toContain(
    `| b200 | v0.5.0 | abc1234 | unknown | g++ 12 | \`${newer!.backend.sha256}\` |`,
  );
  expect(readme).toContain(
    `| \`new\` | \`b200\` | flashAttention on | \`${identity.variants![1]!.sha256}\` |`,
  );
  expect(readme).toContain('| `decodeSteps` | integer |  | Steps of a decode; empty where');
});

test('data descriptions of such tables are of version 2, with a key that no empty cell breaks', async () => {
  const folder = await publish(measure());
  const { rooflaw, resources } = jsonOf(folder, 'datapackage.json');
  expect(rooflaw.formatVersion).toBe(2);
  const [trials, repetitions] = resources;
  expect(trials.schema.primaryKey).toEqual(['round', 'position']);
  expect(repetitions.schema.primaryKey).toEqual(['round', 'position', 'repetition']);
  expect(repetitions.schema.foreignKeys[0].fields).toEqual(['round', 'position']);
  const fields = new Map(
    trials.schema.fields.map((field: { name: string }) => [field.name, field]),
  );
  expect(fields.size).toBe(16);
  expect(fields.get('quantization')).not.toHaveProperty('constraints.enum');
  expect(fields.get('depth')).not.toHaveProperty('constraints.required');
  const { recordSet } = jsonOf(folder, 'croissant.json');
  expect(recordSet[0].key).toEqual([{ '@id': 'trials/round' }, { '@id': 'trials/position' }]);
  expect(recordSet[0].field).toHaveLength(16);
});

test('without a plan such a table has its items in the order of their work', async () => {
  const alone = makeFolder();
  copyFileSync(join(await publish(measure()), 'trials.csv'), join(alone, 'trials.csv'));
  const text = textOf(alone, 'trials.csv').replaceAll(/,\d+$/gm, ',90000000'); // processes of 90 ms
  writeFileSync(join(alone, 'trials.csv'), text);
  const { items } = await loadSamples(alone);
  expect(items.map((item) => `${item.phase} ${formatCondition(item)}`)).toEqual([
    'prefill qwen Q4_K_M S64 [new]',
    'prefill qwen Q4_K_M S64 [old]',
    'prefill qwen Q4_K_M S64 after 32 [new]',
    'prefill qwen Q4_K_M S64 after 32 [old]',
    'decode qwen Q4_K_M S0 [new]',
    'decode qwen Q4_K_M S0 [old]',
    'decode qwen Q4_K_M S0 8 steps [new]',
    'decode qwen Q4_K_M S0 8 steps [old]',
  ]);
});

test('a file under the protocol’s own work needs no further columns', async () => {
  const model = { ...fileModel('qwen', 'a'), quantization: 'F16' };
  const folder = await publish(measure(benchPlan(null, { models: [model], tests: [prefill64] })));
  expect(jsonOf(folder, 'datapackage.json').rooflaw.formatVersion).toBe(1);
  expect(textOf(folder, 'trials.csv').split(',').slice(6, 8)).toEqual(['phase', 'round']);
  expect(textOf(folder, 'README.md')).toContain('## Models');
  expect(await faultsOf(folder)).toEqual([]);
});

test('another variant in one row is found without the ledger, and with it', async () => {
  const campaign = measure();
  const folder = await publish(campaign);
  const [, first = ''] = textOf(folder, 'trials.csv').split('\n');
  const [from, to] = first.includes(',old,') ? [',old,', ',new,'] : [',new,', ',old,'];
  tamper(folder, 'trials.csv', (text) => text.replace(first, first.replace(from!, to!)));
  const faults = await faultsOf(folder, campaign);
  expect(faults).toContainEqual(
    expect.stringMatching(/^trials\.csv line 2: qwen .* where plan\.json has qwen /),
  );
  expect(faults.filter((fault) => fault.includes('the ledger has it'))).toHaveLength(1);
});

test.each([
  ['a depth of a decode', /decode,,,old/, 'decode,5,,old', 'depth "5": is a prefill’s'],
  [
    'steps of a prefill',
    /prefill,,,old/,
    'prefill,,5,old',
    'decodeSteps "5": a prefill has no steps',
  ],
  [
    'an empty prefill',
    /64,prefill,,,old/,
    '0,prefill,,,old',
    'sequenceLength "0": a prefill has at least one token',
  ],
  ['no number', /prefill,32,,old/, 'prefill,deep,,old', 'depth "deep": '],
])('%s in the table is a fault of its row', async (_what, from, to, words) => {
  const folder = await publish(measure());
  tamper(folder, 'trials.csv', (text) => text.replace(from, to));
  expect(await faultsOf(folder)).toContainEqual(
    expect.stringMatching(new RegExp(`^trials\\.csv.* line \\d+: ${words}`)),
  );
});

test('a table of the other version than its description is found', async () => {
  const folder = await publish(measure());
  tamper(folder, 'datapackage.json', (text) =>
    text.replace('"formatVersion": 2', '"formatVersion": 1'),
  );
  expect(await faultsOf(folder)).toContain(
    'trials.csv line 1: has the columns of version 2, in datapackage.json it is of version 1',
  );
});

test('an analysis that renames a variant, a backend or a setting contradicts the plan', async () => {
  const folder = await publish(measure());
  tamper(folder, 'analysis.json', (text) =>
    text
      .replace('"flashAttention": "on"', '"flashAttention": "off"')
      .replace('"label": "b200"', '"label": "b300"'),
  );
  const faults = await faultsOf(folder);
  expect(faults).toContain(
    'analysis.json identity.variants[1].changes.flashAttention: is "off" where "on" follows',
  );
  expect(faults).toContain('analysis.json identity.backends[0]: is "b300" where "b200" follows');
});

test('the other build of a variant is found against the ledger', async () => {
  const campaign = measure();
  const folder = await publish(campaign);
  const { identity } = jsonOf(folder, 'analysis.json') as Analysis;
  const { sha256 } = identity.otherBackends![0]!.backend;
  tamper(folder, 'analysis.json', (text) => text.replaceAll(sha256, 'd'.repeat(64)));
  expect(await faultsOf(folder, campaign)).toContainEqual(
    expect.stringMatching(/^analysis\.json identity\.otherBackends\[0\]\.backend\.sha256: is "ddd/),
  );
});

test('a title of a file that is a path stops it, and --allow lets it pass', async () => {
  const model = { ...fileModel('qwen', 'a'), title: '/data/models/qwen' };
  const campaign = measure(benchPlan(null, { models: [model] }));
  await expect(publish(campaign)).rejects.toThrow('must not be published');
  const folder = await publish(campaign, '--allow', '/data/models/qwen');
  expect(await faultsOf(folder)).toEqual([]);
});

/** Six processes of two models; in the third the second repetition begins on a restored cache. */
function measureSteps(): string {
  const entries = buildStepLedger(stepPlan(), ({ trial, round }) =>
    round === 5 && trial % 2 === 0
      ? null
      : Array.from({ length: 3 }, (_, repetition) => [
          trial === 2 && repetition === 1 ? null : 4000,
          ...[10 + trial, 11, 12, 13, 14, 15, 16, 17],
        ]),
  );
  return writeLedger(entries);
}

test('every step of every repetition is published, recomputed from the ledger and held against the repetitions', async () => {
  const campaign = measureSteps();
  const folder = await publish(campaign);
  expect(await faultsOf(folder)).toEqual([]);
  expect(await faultsOf(folder, campaign)).toEqual([]);
  const [header, ...rows] = textOf(folder, 'steps.csv').trimEnd().split('\n');
  expect(header).toBe('round,position,repetition,kind,step,timeNs');
  // of 11 trials 3 repetitions of a prefill and 8 steps, one prefill less
  expect(rows).toHaveLength(11 * 3 * 9 - 1);
  expect(rows.slice(0, 4)).toEqual([
    '0,0,0,prefill,0,4000',
    '0,0,0,step,0,10',
    '0,0,0,step,1,11',
    '0,0,0,step,2,12',
  ]);
  expect(rows.filter((row) => row.startsWith('1,0,1,'))[0]).toBe('1,0,1,step,0,12');
  const { rooflaw, resources } = jsonOf(folder, 'datapackage.json');
  expect(rooflaw.formatVersion).toBe(2);
  expect(resources.map(({ path }: { path: string }) => path)).toContain('steps.csv');
  expect(jsonOf(folder, 'croissant.json').recordSet).toHaveLength(3);
  const readme = textOf(folder, 'README.md');
  expect(readme).toContain(
    '| `steps.csv` | every decode step of every repetition |\n| `analysis.json`',
  );
  expect(readme).toContain('## Columns of steps.csv\n\n| column |');
});

test.each([
  [
    'a step that is faster',
    (text: string) => text.replace('\n0,0,1,step,3,13\n', '\n0,0,1,step,3,12\n'),
    'steps.csv line 2: the steps of repetition 1 of round 0, position 0 add up to 107 ns, in repetitions.csv it took 108 ns',
    'steps.csv line 2: round 0, position 0: step 3 of repetition 1 is 12, in the ledger 13',
  ],
  [
    'another prefill',
    (text: string) => text.replace('\n0,0,1,prefill,0,4000\n', '\n0,0,1,prefill,0,3000\n'),
    null,
    'steps.csv line 2: round 0, position 0: the prefill of repetition 1 is 3000, in the ledger 4000',
  ],
  [
    'a prefill that is longer than all before the steps',
    (text: string) => text.replace('\n0,0,1,prefill,0,4000\n', '\n0,0,1,prefill,0,4011\n'),
    'steps.csv line 2: the prefill of repetition 1 of round 0, position 0 takes 4011 ns, all that came before it in repetitions.csv 4010 ns',
    null,
  ],
  [
    'a step that is left out',
    (text: string) => text.replace('\n0,0,1,step,7,17\n', '\n'),
    'steps.csv line 2: repetition 1 of round 0, position 0 has 7 steps where 8 are due',
    'steps.csv line 2: round 0, position 0: step 7 of repetition 1 is missing, in the ledger 17',
  ],
  [
    'steps in another order',
    (text: string) =>
      text.replace('0,0,1,step,3,13\n0,0,1,step,4,14\n', '0,0,1,step,4,14\n0,0,1,step,3,13\n'),
    'steps.csv line 15: step "4" of repetition "1" is not due here',
    null,
  ],
  [
    'a trial that is left out',
    (text: string) => text.replace(/^(0,1,.*\n)+/m, ''),
    'trials.csv line 3: steps.csv has no steps of this trial',
    'steps.csv: round 0, position 1 is missing; the ledger has it',
  ],
  [
    'a trial that was never measured',
    (text: string) => `${text}9,0,0,step,0,1\n`,
    'steps.csv line 298: round 9, position 0 is no observed decode trial of trials.csv',
    'steps.csv line 298: round 9, position 0 is not in the ledger',
  ],
])('%s is found', async (_what, change, alone, against) => {
  const campaign = measureSteps();
  const folder = await publish(campaign);
  tamper(folder, 'steps.csv', change);
  const faults = await faultsOf(folder, campaign);
  if (alone !== null) expect(faults).toContain(alone);
  if (against !== null) expect(faults).toContain(against);
});

test('a table of steps belongs to campaigns that timed them, and to no other', async () => {
  const timed = await publish(measureSteps());
  rmSync(join(timed, 'steps.csv'));
  expect(await faultsOf(timed)).toContain('steps.csv: is missing; SHA256SUMS names it');
  const other = await publish(measure());
  writeFileSync(join(other, 'steps.csv'), 'round,position,repetition,kind,step,timeNs\n');
  expect(await faultsOf(other)).toContain(
    'steps.csv: is here, and by protocol.json no step was timed by itself',
  );
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`campaigns on real llama.cpp${reason}`, () => {
  /** Publishes and verifies with the real program. @returns the folder */
  async function publishWith(work: Workspace, name: string): Promise<string> {
    const words = ['publish', name, '--out', 'public', '--license', 'CC-BY-4.0'];
    expect(await work.run(words)).toMatchObject({ status: 0, stdout: 'public\n' });
    const folder = join(work.folder, 'public');
    for (const file of readdirSync(folder)) {
      expect(textOf(folder, file).includes(work.folder), `the folder in ${file}`).toBe(false);
    }
    const alone = await work.run(['verify', 'public']);
    expect(alone.stdout + alone.stderr).toContain('public: sound, ');
    const against = await work.run(['verify', 'public', '--against', name]);
    expect(against).toMatchObject({ status: 0 });
    expect(against.stdout).toContain('all recomputed from ');
    return folder;
  }

  test('two variants of bench', { timeout: 120_000 }, async () => {
    const work = workIn();
    copyFileSync(await writeTinyModel('Q8_0'), join(work.folder, 'tiny.gguf'));
    const words =
      'bench -m tiny.gguf -t 1 -p 32 -n 4 -d 0,8 -b 32,64 --processes 6 --warmup 1 --kept 2';
    expect(await work.run([...words.split(' '), '--name', 'two'])).toMatchObject({ status: 0 });
    const folder = await publishWith(work, 'two');
    expect(textOf(folder, 'trials.csv')).toMatch(/,tiny,Q8_0,32,prefill,8,,b64,\d,\d,observed,/);
    const bytes = readFileSync(join(work.folder, 'tiny.gguf'));
    expect(textOf(folder, 'README.md')).toContain(`\`${sha256Hex(bytes)}\` |`);
    const table = await work.run(['analyze', 'public']);
    expect(table.status).toBe(0);
    expect(table.stdout).toContain('tiny Q8_0 S32 after 8 [b64]');
    const compared = await work.run(['compare', 'public', 'variant=b32', 'variant=b64']);
    expect(compared.status).toBe(0);
  });

  test('a sweep over two options, each variant with several settings of its own', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const words = ['bench', '-m', await writeTinyModel('Q8_0'), '--name', 'sweep', '--yes'];
    const counts = '-t 1 -p 64 -n 0 -b 32,64 -ub 16,32 -fa 0,1 --processes 2 --warmup 0 --kept 1';
    expect(await work.run([...words, ...counts.split(' ')])).toMatchObject({ status: 0 });
    const folder = await publishWith(work, 'sweep');
    expect(textOf(folder, 'README.md')).toContain('batch 64, flashAttention on, ubatch 32');
    expect(describePublished(await verifyPublished(folder, undefined))).toContain('sound, ');
  });

  test('two folders of ab, with what its stopping rule decided', { timeout: 120_000 }, async () => {
    if (real.state !== 'ready') return;
    const work = workIn();
    const words = ['ab', '-m', await writeTinyModel('Q8_0')];
    const folders = ['--backend', real.prepared.libraryDirectory, '--backend', 'embedded'];
    const counts = '-p 8 -n 0 -t 1 --warmup 0 --kept 2 --alpha 0.5 --max-rounds 2 --name sides';
    expect(await work.run([...words, ...folders, ...counts.split(' ')])).toMatchObject({
      status: 0,
    });
    const folder = await publishWith(work, 'sides');
    const { identity, sequential } = jsonOf(folder, 'analysis.json') as Analysis;
    expect(identity.otherBackends).toHaveLength(1);
    expect(sequential).not.toBeNull();
    const readme = textOf(folder, 'README.md');
    for (const { backend: label } of identity.variants!) expect(readme).toContain(`| ${label} |`);
    expect(describePublished(await verifyPublished(folder, undefined))).toContain('sound, ');
  });

  test('every step of tokens', { timeout: 120_000 }, async () => {
    const work = workIn();
    const words = ['tokens', '-m', await writeTinyModel('Q8_0'), '--name', 'steps'];
    const counts = '-t 1 -d 16 -n 8 --processes 6 --warmup 1 --kept 1'.split(' ');
    expect(await work.run([...words, ...counts])).toMatchObject({ status: 0 });
    const folder = await publishWith(work, 'steps');
    // 6 processes of 2 repetitions of a prefill and 8 steps, and the header
    expect(textOf(folder, 'steps.csv').trimEnd().split('\n')).toHaveLength(109);
  });
});

test('what a variant changes is told in the order of the settings’ names, however they are written', () => {
  const base = createBaseExecution(1);
  const changed = { ...base, threads: 2, threadsBatch: 2, flashAttention: 'on' as const };
  const reversed = Object.fromEntries(Object.entries(changed).reverse()) as typeof changed;
  for (const execution of [changed, reversed]) {
    expect(Object.entries(findChanges(base, execution))).toEqual([
      ['flashAttention', 'on'],
      ['threads', 2],
      ['threadsBatch', 2],
    ]);
  }
});
