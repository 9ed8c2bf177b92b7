import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { suggestComparisons } from '../../src/commands/bench-closing.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan, Variant } from '../../src/formats/plan.ts';
import { renderFigure } from '../../src/report/figures/draw.ts';
import { figureOfHeatMap } from '../../src/report/figures/heat-map.ts';
import { formatHeatMap } from '../../src/report/format-heat-map.ts';
import { listHeatMaps } from '../../src/report/heat-map.ts';
import { listRivals } from '../../src/report/heat-map-rivals.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { buildPlan, createLedger } from '../support/ledger-builder.ts';
import { benchPlan, prefill64, variant } from '../support/variant-plan.ts';

/** Times of a prefill of 64 tokens, in ms by round; `null`: the trial fails. */
type Times = Record<string, readonly (number | null)[]>;

async function analyze(plan: Plan, times: Times): Promise<Analysis> {
  const ledger = createLedger(plan);
  for (const { trial, item, round } of ledger.schedule) {
    const ms = times[item.variant ?? '']![round]!;
    if (ms === null) ledger.fail(trial);
    else ledger.observe(trial, [Math.round(ms * 1e6)]);
  }
  return analyzeCampaign(await collectCampaign(ledger.entries), new Map());
}

function sweep(variants: readonly Variant[], processes: number): Plan {
  return benchPlan(variants, {
    tests: [prefill64],
    rules: { phases: ['prefill'], processes, warmup: 0, kept: 1 },
  });
}

/** n times around the middle, 1 % apart. */
const around = (ms: number, n: number) =>
  Array.from({ length: n }, (_, index) => ms * (1 + (index - (n - 1) / 2) / 100)); // the median is ms itself

const four = [
  variant('b128-t1', { batch: 128, threads: 1, threadsBatch: 1 }),
  variant('b128-t2', { batch: 128, threads: 2, threadsBatch: 2 }),
  variant('b512-t1', { batch: 512, threads: 1, threadsBatch: 1 }),
  variant('b512-t2', { batch: 512, threads: 2, threadsBatch: 2 }),
];
/** 64 tokens in 10, 5, 4.9 and 8 ms: 6,400, 12,800, 13,061 and 8,000 a second. */
const timesOfFour = (n: number): Times => ({
  'b128-t1': around(10, n),
  'b128-t2': around(5, n),
  'b512-t1': around(4.9, n),
  'b512-t2': around(8, n),
});

test('two settings are the axes, what cannot be told from the best is marked, what is slower is not', async () => {
  const text = formatHeatMap(await analyze(sweep(four, 9), timesOfFour(9)), { width: 200 });
  expect(text.split('\n').slice(0, 6)).toEqual([
    'qwen Q4_K_M pp64: tokens/s by threads (with threadsBatch) and batch',
    'threads \\ batch     128       512',
    '1                 6,400    13,061 *',
    '2                12,800 =   8,000',
    '',
    '* the best; = cannot be told from the best',
  ]);
  expect(text.replaceAll('\n', ' ')).toContain(
    'simultaneous over the 4 cells of one test (Bonferroni), 95 % together',
  );
  expect(text).toContain('Overlap is no test of equality');
});

test('the marks follow the intervals: the least and the greatest of 9 processes among 4 cells', async () => {
  const [map] = listHeatMaps(await analyze(sweep(four, 9), timesOfFour(9)));
  const best = map!.blocks[0]!.cells.find(({ state }) => state === 'best')!;
  // 2 (1 + 9) / 2^9 is more than 0.05 / 4: the ends are the least and the greatest
  expect(best).toMatchObject({ variant: 'b512-t1', row: 0, column: 1 });
  expect(best.interval!.lower).toBeCloseTo(64 / (4.9e-3 * 1.04), 6);
  expect(best.interval!.upper).toBeCloseTo(64 / (4.9e-3 * 0.96), 6);
  expect(map).toMatchObject({ familySize: 4, processesNeeded: 8 });
});

test('after a look at many the best is compared with the second best, whatever was typed first', async () => {
  const analysis = await analyze(sweep(four, 9), timesOfFour(9));
  expect(suggestComparisons(analysis)).toEqual([
    'next: b512-t1 is the fastest in qwen Q4_K_M pp64, b128-t2 the second: rooflaw compare benched variant=b512-t1 variant=b128-t2, or rooflaw ab for a decision',
  ]);
  const nothing = { ...timesOfFour(2), 'b128-t2': [null, null] };
  expect(listRivals(listHeatMaps(await analyze(sweep(four, 2), nothing)))).toEqual([
    {
      variants: ['b512-t1', 'b512-t2'],
      leads: [{ best: 'b512-t1', titles: ['qwen Q4_K_M pp64'] }],
    },
  ]);
});

test('a pair that leads two tests is named once, and where one cell has a time there is none', async () => {
  const [map] = listHeatMaps(await analyze(sweep(four, 2), timesOfFour(2)));
  const [block] = map!.blocks;
  const rated = (rates: readonly (number | null)[]) => ({
    ...map!,
    title: rates.join(' '),
    alike: [],
    blocks: [
      {
        label: '',
        cells: rates.map((rate, at) => ({ ...block!.cells[at]!, tokensPerSecond: rate })),
      },
    ],
  });
  const names = block!.cells.map(({ variant }) => variant);
  expect(
    listRivals([rated([1, 3, 2]), rated([1, 2, 3]), rated([2, 3, 1]), rated([1, 9, 8])]),
  ).toEqual([
    {
      variants: [names[1], names[2]],
      leads: [
        { best: names[1], titles: ['1 3 2', '1 9 8'] },
        { best: names[2], titles: ['1 2 3'] },
      ],
    },
    { variants: [names[1], names[0]], leads: [{ best: names[1], titles: ['2 3 1'] }] },
  ]);
  expect(listRivals([rated([null, 3, null])])).toEqual([]);
});

const batchesAndFlash = [
  variant('b16-fa0', { batch: 16, ubatch: 16 }),
  variant('b16-fa1', { batch: 16, ubatch: 16, flashAttention: 'on' }),
  variant('b32-fa0', { batch: 32, ubatch: 32 }),
  variant('b32-fa1', { batch: 32, ubatch: 32, flashAttention: 'on' }),
];

/** pp16, pp32 and tg4, each under its own times of the variants, in ms. */
async function analyzeThree(times: Record<string, readonly number[]>): Promise<Analysis> {
  const plan = benchPlan(batchesAndFlash, {
    tests: [
      { phase: 'prefill', tokens: 16, depth: 0 },
      { phase: 'prefill', tokens: 32, depth: 0 },
      { phase: 'decode', tokens: 4, depth: 0 },
    ],
    rules: { processes: 2, warmup: 0, kept: 1, decodeSteps: 4 },
  });
  const ledger = createLedger(plan);
  for (const { trial, item } of ledger.schedule) {
    const test = item.phase === 'decode' ? 'tg4' : `pp${item.sequenceLength}`;
    const ms = times[test]![batchesAndFlash.findIndex(({ name }) => name === item.variant)]!;
    ledger.observe(trial, [Math.round(ms * 1e6)]);
  }
  return analyzeCampaign(await collectCampaign(ledger.entries), new Map());
}

test('what llama.cpp makes the same is no rival, and a pair is named with all tests whichever leads', async () => {
  // a batch of 32 is lowered to 16 tokens in pp16 and to 4 in tg4
  const analysis = await analyzeThree({
    pp16: [7, 4, 8, 3],
    pp32: [9, 5, 8, 4],
    tg4: [4, 2, 5, 3],
  });
  expect(suggestComparisons(analysis)).toEqual([
    'next: b32-fa1 is the fastest in qwen Q4_K_M pp16, b16-fa0 the second: rooflaw compare benched variant=b32-fa1 variant=b16-fa0, or rooflaw ab for a decision',
    'next: b32-fa1 is the fastest in qwen Q4_K_M pp32, b16-fa1 the second: rooflaw compare benched variant=b32-fa1 variant=b16-fa1, or rooflaw ab for a decision',
    'next: b16-fa1 is the fastest in qwen Q4_K_M tg4, b16-fa0 the second: rooflaw compare benched variant=b16-fa1 variant=b16-fa0, or rooflaw ab for a decision',
  ]);
  const turned = await analyzeThree({
    pp16: [7, 4, 8, 9],
    pp32: [4, 5, 8, 9],
    tg4: [4, 2, 5, 3],
  });
  expect(suggestComparisons(turned)).toEqual([
    'next: b16-fa1 is the fastest in qwen Q4_K_M pp16, qwen Q4_K_M tg4; b16-fa0 is the fastest in qwen Q4_K_M pp32, each time with the other as the second: rooflaw compare benched variant=b16-fa1 variant=b16-fa0, or rooflaw ab for a decision',
  ]);
});

test('below the heat map stands which cells are the same, and in which tests', async () => {
  const analysis = await analyzeThree({
    pp16: [7, 4, 8, 3],
    pp32: [9, 5, 8, 4],
    tg4: [4, 2, 5, 3],
  });
  const lines = formatHeatMap(analysis, { width: 1000 }).split('\n');
  expect(lines.at(-2)).toMatch(
    /^b16-fa0 and b32-fa0 are the same in qwen Q4_K_M pp16, qwen Q4_K_M tg4, whatever rates were measured\. b16-fa1 and b32-fa1 are the same in qwen Q4_K_M pp16, qwen Q4_K_M tg4, whatever rates were measured\. The best is /,
  );
});

test('layers on a GPU make no rivals on a CPU, where there is none', async () => {
  const variants = [variant('ngl0', { gpuLayers: 0 }), variant('ngl99', { gpuLayers: 99 })];
  const analysis = await analyze(sweep(variants, 2), { ngl0: [3, 3], ngl99: [2, 2] });
  const on = (device: string) =>
    listHeatMaps({ ...analysis, identity: { ...analysis.identity, device } });
  expect(on('CPU').map(({ alike }) => alike)).toEqual([[['ngl0', 'ngl99']]]);
  expect(listRivals(on('CPU'))).toEqual([]);
  expect(on('CUDA0').map(({ alike }) => alike)).toEqual([[]]);
  expect(listRivals(on('CUDA0'))).toHaveLength(1);
});

test('intervals that touch overlap, and those that just do not are apart', async () => {
  const touching = (shift: number) => {
    const best = around(5, 9);
    const other = best.map((ms) => ms + (best[8]! - best[0]!) + shift);
    return {
      'b128-t1': best,
      'b128-t2': other,
      'b512-t1': around(50, 9),
      'b512-t2': around(60, 9),
    };
  };
  const stateOf = async (shift: number) => {
    const [map] = listHeatMaps(await analyze(sweep(four, 9), touching(shift)));
    return map!.blocks[0]!.cells.find(({ variant: name }) => name === 'b128-t2')!.state;
  };
  expect(await stateOf(-0.001)).toBe('not-told-apart');
  expect(await stateOf(0.001)).toBe('slower');
});

test('with too few processes nothing is said of any cell, and how many it takes is', async () => {
  const text = formatHeatMap(await analyze(sweep(four, 7), timesOfFour(7)), { width: 200 });
  expect(text).toContain('1                 6,400 ?  13,061 *');
  expect(text).toContain('2                12,800 ?   8,000 ?');
  expect(text).toContain('* the best; ? no interval');
  expect(text).toContain('it takes 8 processes of a cell, and as many of the best');
  expect(text).not.toContain('= cannot');
});

test('a cell whose trials failed has no time, is no cell of the family, and one with fewer has no interval', async () => {
  const times = {
    ...timesOfFour(8),
    'b128-t1': Array(8).fill(null),
    'b512-t2': [null, ...around(8, 7)],
  };
  const [map] = listHeatMaps(await analyze(sweep(four, 8), times));
  expect(map!.familySize).toBe(3);
  expect(map!.processesNeeded).toBe(7);
  const text = formatHeatMap(await analyze(sweep(four, 8), times), { width: 200 });
  expect(text).toContain('1                     –    13,061 *');
  expect(text).toContain('– no time');
});

test('the third setting makes blocks, one table each', async () => {
  const eight = ['off', 'on'].flatMap((flashAttention) =>
    four.map(({ name, execution }) =>
      variant(`${name}-${flashAttention}`, {
        ...execution,
        flashAttention: flashAttention as 'off' | 'on',
      }),
    ),
  );
  const times = Object.fromEntries(
    eight.map(({ name }, index) => [name, around(10 + index, 10)] as const),
  );
  const analysis = await analyze(sweep(eight, 10), times);
  const [map] = listHeatMaps(analysis);
  expect(map!.blocks.map(({ label, cells }) => [label, cells.length])).toEqual([
    ['flashAttention off', 4],
    ['flashAttention on', 4],
  ]);
  const text = formatHeatMap(analysis, { width: 200 });
  expect(text.match(/^threads \\ batch/gm)).toHaveLength(2);
  expect(text.match(/\*/g)).toHaveLength(2); // of the best and in the legend
});

test('the setting with the most values has the rows, numbers in their order, and gaps stay empty', async () => {
  const variants = [
    variant('a', { batch: 512 }),
    variant('b', { batch: 1024 }),
    variant('c', { batch: 2048 }),
    variant('d', { batch: 512, threads: 1 }),
  ];
  const times = { a: around(4, 8), b: around(3, 8), c: around(2, 8), d: around(1, 8) };
  const lines = formatHeatMap(await analyze(sweep(variants, 8), times), { width: 200 }).split('\n');
  expect(lines.slice(1, 5)).toEqual([
    'batch \\ threads       1         2',
    '512              64,000 *  16,000',
    '1024                       21,333',
    '2048                       32,000',
  ]);
});

test('a setting that varies alone makes one column, and backends are a setting', async () => {
  const variants = [variant('old', {}, 'b100'), variant('new', {}, 'b200')];
  const { backend } = createLedger().entries[0] as CampaignEntry;
  const ledger = createLedger(sweep(variants, 7), { otherBackends: [{ label: 'b200', backend }] });
  for (const { trial, item, round } of ledger.schedule) {
    ledger.observe(trial, [Math.round(around(item.variant === 'old' ? 2 : 1, 7)[round]! * 1e6)]);
  }
  const analysis = analyzeCampaign(await collectCampaign(ledger.entries), new Map());
  expect(formatHeatMap(analysis, { width: 200 }).split('\n').slice(0, 4)).toEqual([
    'qwen Q4_K_M pp64: tokens/s by backend',
    'backend  tokens/s',
    'b100       32,000',
    'b200       64,000 *',
  ]);
});

test('two names of the same settings are told apart by their names', async () => {
  const variants = [variant('first'), variant('again')];
  const times = { first: around(2, 6), again: around(4, 6) };
  const text = formatHeatMap(await analyze(sweep(variants, 6), times), { width: 200 });
  expect(text).toContain('tokens/s by variant');
});

test('each test has a map of its own, and a table that is too wide is split', async () => {
  const plan = benchPlan(four, { rules: { processes: 8, warmup: 0, kept: 1 } });
  const analysis = await analyze(plan, timesOfFour(8));
  expect(listHeatMaps(analysis).map(({ title }) => title)).toEqual([
    'qwen Q4_K_M pp64',
    'qwen Q4_K_M tg16',
  ]);
  const narrow = formatHeatMap(analysis, { width: 28 });
  expect(narrow.split('\n').filter((line) => /^threads \\ batch/.test(line))).toHaveLength(4);
});

test('without variants there is no map', async () => {
  const ledger = createLedger(buildPlan());
  const analysis = analyzeCampaign(await collectCampaign(ledger.entries), new Map());
  expect(listHeatMaps(analysis)).toEqual([]);
  expect(formatHeatMap(analysis, { width: 80 })).toBe('');
  expect(renderReport(analysis)).not.toContain('Heat map');
});

test('a campaign that was not measured yet has maps without a best', async () => {
  const ledger = createLedger(sweep(four, 8));
  const analysis = analyzeCampaign(await collectCampaign(ledger.entries), new Map());
  const text = formatHeatMap(analysis, { width: 200 });
  expect(text).not.toContain('*');
  expect(text).toContain('– no time');
  expect(renderReport(analysis)).not.toContain('Heat map');
});

test('the figure has every rate in its cell, frames for the marks, and words', async () => {
  const [map] = listHeatMaps(await analyze(sweep(four, 9), timesOfFour(9)));
  const { document } = parseHTML(`<body>${renderFigure(figureOfHeatMap(map!)).text}</body>`);
  const drawings = [...document.querySelectorAll('svg')];
  expect(drawings).toHaveLength(2);
  for (const svg of drawings) {
    const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => textContent);
    for (const label of ['6,400', '12,800 =', '13,061 *', '8,000', 'batch', '128', '512']) {
      expect(texts).toContain(label);
    }
    expect(svg.querySelectorAll('[stroke-dasharray] rect')).toHaveLength(1);
    expect(svg.getAttribute('aria-label')).toBe(
      'Heat map: tokens per second of qwen Q4_K_M pp64 by threads (with threadsBatch) and batch.',
    );
    expect([...svg.querySelectorAll('title')].map(({ textContent }) => textContent)).toContain(
      'b512-t1: 13,061 tokens/s (12,559–13,605), the best',
    );
  }
  expect(document.querySelector('figcaption')!.textContent).toContain('in tokens/s');
});

test('the report shows a map of each test from four variants on, and the variants as a table', async () => {
  const page = async (variants: readonly Variant[]) =>
    parseHTML(renderReport(await analyze(sweep(variants, 8), timesOfFour(8)))).document;
  const full = await page(four);
  expect(full.querySelectorAll('svg[aria-label^="Heat map"]')).toHaveLength(2);
  const rows = [...full.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toContainEqual([
    'b128-t1',
    'embedded',
    'nothing',
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  expect(rows).toContainEqual([
    'b512-t2',
    'embedded',
    'batch 512, threads 2, threadsBatch 2',
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  const text = full.body.textContent.replace(/\s+/g, ' ');
  expect(text).toContain('none of its own: the first item is looked at for drift');
  expect(text).toContain('--name benched-again --model qwen.gguf');
  expect(text).not.toContain('generated again from their seeds');
  expect((await page(four.slice(0, 3))).querySelector('svg[aria-label^="Heat map"]')).toBeNull();
});
