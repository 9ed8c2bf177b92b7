import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { createProgress } from '../../src/commands/progress.ts';
import { describeError, RooflawError } from '../../src/errors.ts';
import { gateSchema } from '../../src/formats/ab.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import type { BenchRow } from '../../src/llama-bench/write/bench-row.ts';
import { describeBenchRow } from '../../src/llama-bench/write/describe-bench-row.ts';
import { writeBench } from '../../src/llama-bench/write/write-bench.ts';
import { escapeCell, escapeMarkdown, unescapeCell } from '../../src/markdown.ts';
import { formatJson, toPrintable } from '../../src/printable.ts';
import { asText } from '../../src/publication/as-text.ts';
import { quoteWord } from '../../src/quote-word.ts';
import { writeBash } from '../../src/report/completion/bash.ts';
import { renderFigure } from '../../src/report/figures/draw.ts';
import { formatGateSummary } from '../../src/report/format-gate.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { html } from '../../src/report/html.ts';
import { layOutTable, wrapText } from '../../src/report/text-layout.ts';
import { escapeXml, formatJunit } from '../../src/report/write-junit.ts';
import { importText } from '../llama-bench/bench-output.ts';
import { everything, hostileWords } from '../support/hostile-words.ts';
import { buildPlan } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll } from '../support/worked-campaign.ts';

const seed = 20261201;
const property = (check: (words: string) => void, numRuns = 300) =>
  fc.assert(fc.property(hostileWords, check), { numRuns, seed });

/** Moves a cursor, sets a title, turns text around, or hides. */
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** As the services read what a step prints: `::` after space alone, `##[` and `##vso[` anywhere. */
const obeyed = /^\s*::[a-z]|##\w*\[/im;

function expectSafeOutput(text: string): void {
  expect(text).not.toMatch(steering);
  expect(text).not.toMatch(obeyed);
}

test('printable words are one line that steers nothing, and printing them again changes nothing', () => {
  property((words) => {
    const printable = toPrintable(words);
    expectSafeOutput(printable);
    expect(printable).not.toContain('\n');
    expect(toPrintable(printable)).toBe(printable);
  });
  expect(toPrintable('Q4_K – ü 模型, std::bad_alloc ## [x]')).toBe(
    'Q4_K – ü 模型, std::bad_alloc ## [x]',
  );
});

test('a table for terminals shows words of others and obeys none of them', async () => {
  const plan = buildPlan();
  for (const width of [40, 120]) {
    const words = `${everything.toWellFormed()} ::error::second`;
    const analysis = await analyzeWorked(
      (ledger) => {
        observeAll(ledger);
        ledger.add({ type: 'note', text: words });
        ledger.startSession({ differences: [words] });
      },
      { ...plan, declaration: { ...plan.declaration, question: words } },
      { device: words },
    );
    const items = analysis.items.map((item) => ({ ...item, architecture: words }));
    const text = formatTable({ ...analysis, items, caveats: [words] }, { colour: false, width });
    expectSafeOutput(text);
    expect(text).toContain('<img src=x');
  }
});

test('cells, headings and sentences are made printable where they are laid out', () => {
  property((words) => {
    const table = layOutTable([{ heading: words, align: 'left', cells: [words, 'a'] }]);
    expect(table).toHaveLength(3);
    expectSafeOutput(table.join('\n'));
    expectSafeOutput(wrapText(words, 10).join('\n'));
  });
});

test('a figure holds words as text, in its labels and in what it is called', () => {
  property((words) => {
    const caption = html`${words}`;
    const figure = renderFigure({
      description: words,
      caption,
      draw: () => ({ y: { domain: [words], label: words }, marks: [] }),
    });
    expectSafeOutput(figure.text);
    const { document } = parseHTML(`<!doctype html><html><body>${figure.text}</body></html>`);
    expect(document.querySelectorAll('img, script, b')).toHaveLength(0);
  }, 20);
});

test('progress and errors are printed without what would steer a terminal or a workflow', () => {
  let written = '';
  const stream = { isTTY: false, write: (text: string) => (written += text) };
  const progress = createProgress(stream as unknown as NodeJS.WriteStream);
  progress.say(everything);
  expectSafeOutput(written);
  expect(written.split('\n')).toHaveLength(2);
  const faults = [{ where: everything, what: everything, hint: everything }];
  expectSafeOutput(
    describeError(new RooflawError('invalid-input', everything, { faults, hint: everything })),
  );
});

test('JSON for a terminal steers nothing and says exactly what was said', () => {
  property((words) => {
    const text = formatJson({ [words]: [words] });
    expectSafeOutput(text);
    expect(JSON.parse(text)).toEqual({ [words]: [words] });
  });
});

test('a shell gets exactly the word, and the terminal before it nothing else', () => {
  const words = fc.sample(hostileWords, { numRuns: 60, seed });
  const plain = [
    '',
    '=ls',
    '-rf',
    '~',
    '$HOME',
    '$(touch pwned)',
    "it's",
    'a b',
    '!!',
    '*',
    '::error::',
    'a/b.gguf',
  ];
  const typable = [...words, everything, ...plain].map((word) =>
    word.toWellFormed().replaceAll('\0', ''),
  );
  for (const word of typable) expectSafeOutput(quoteWord(word));
  const script = `printf '%s\\0' ${typable.map(quoteWord).join(' ')}`;
  const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.split('\0').slice(0, -1)).toEqual(typable);
  expect(quoteWord('a/b.gguf')).toBe('a/b.gguf');
});

test('completion offers hostile words as they are, and nothing in them runs', () => {
  const words = [everything.replace(/[\0\n\r]/g, ''), '$(touch pwned)', "'; touch pwned; '"];
  const script = writeBash({
    lists: new Map([['terms', words.map((word) => word.toWellFormed())]]),
    levels: [
      { path: 'rooflaw', subcommands: [], options: [], values: ['terms'], isVariadic: false },
    ],
  });
  const check = `complete() { :; }; compopt() { :; }
${script}
COMP_WORDS=(rooflaw ''); COMP_CWORD=1; _rooflaw
for word in "\${COMPREPLY[@]}"; do eval "set -- $word"; printf '%s\\0' "$1"; done`;
  const { stdout } = spawnSync('bash', ['-c', check], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
  });
  expect(stdout.split('\0').slice(0, -1)).toEqual(words.map((word) => word.toWellFormed()));
});

/** A row with these words in every text that comes from outside. */
function describeRow(words: string): BenchRow {
  return describeBenchRow({
    build: { commit: words, number: 1 },
    cpuInfo: words,
    gpuInfo: words,
    backends: [words],
    model: { filename: words, type: words, sizeBytes: 70912, parameterCount: 65856 },
    execution: createBaseExecution(2),
    device: words,
    mainDevice: null,
    test: { phase: 'prefill', tokens: 100, depth: 0 },
    startTime: '2026-11-29T15:58:09.512Z',
    trialMeansNs: [100_000_000, 200_000_000],
    ours: {
      representativeNs: 150_000_000,
      interval: null,
      processes: 2,
      failed: 0,
      stable: null,
      inTrialCvMax: null,
      warmup: 0,
      kept: 1,
      modelSha256: 'ab'.repeat(32),
      variant: words,
      campaign: words,
      protocolSha256: 'cd'.repeat(32),
      disturbed: 0,
    },
  });
}

/** As CSV and SQL hold words: line breaks stay. */
const linesOf = (words: string) => words.split(/\r?\n/).map(toPrintable).join('\n');

test('CSV holds one cell for each text, and no spreadsheet works one out', () => {
  property((words) => {
    const text = writeBench([describeRow(words)], 'csv');
    expectSafeOutput(text);
    const [row, ...others] = parse(text, { columns: true }) as Record<string, string>[];
    expect(others).toEqual([]);
    for (const cell of Object.values(row!))
      expect(cell).not.toMatch(/^(?![-+]?[\d.]+$)[=+\-@\t\r]/);
    expect(row!.model_filename!.replace(/^'(?=[=+\-@])/, '')).toBe(linesOf(words));
  });
  const formula = `=HYPERLINK("http://x.example")`;
  expect(writeBench([describeRow(formula)], 'csv')).toContain(
    `"'=HYPERLINK(""http://x.example"")"`,
  );
});

test('SQL puts words into cells, and none of them is a statement', () => {
  using database = new DatabaseSync(':memory:');
  property((words) => {
    const text = writeBench([describeRow(words)], 'sql');
    expectSafeOutput(text);
    database.exec(`DROP TABLE IF EXISTS llama_bench; DROP TABLE IF EXISTS rooflaw_bench; ${text}`);
    const rows = database.prepare('SELECT model_filename, cpu_info FROM llama_bench').all();
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { model_filename: linesOf(words), cpu_info: linesOf(words) },
    ]);
  });
});

test('JSON and JSON lines hold the words themselves, half characters apart', () => {
  property((words) => {
    for (const format of ['json', 'jsonl'] as const) {
      const text = writeBench([describeRow(words)], format);
      expectSafeOutput(text);
      const parsed: unknown = JSON.parse(text);
      const [object] = format === 'json' ? (parsed as object[]) : [parsed];
      expect(object).toMatchObject({ model_filename: words.toWellFormed() });
    }
    expect(writeBench([describeRow(words)], 'jsonl').split('\n')).toHaveLength(2);
  });
});

/** HTML, code, a link, an image, emphasis or a mention that Markdown would make of a text. */
const live = /(?<!\\)(?:\\\\)*(?:[`*<~]|\](?=[[(])|(?<=https?):(?=\/\/)|(?<=www)\.)|@\w/i;

test('Markdown shows words and is steered by none of them', () => {
  property((words) => {
    const table = writeBench([describeRow(words)], 'md');
    expectSafeOutput(table);
    const [heading, , row] = table.split('\n');
    const cells = (line: string) => line.split(/(?<!\\)\|/).length;
    expect(cells(row!.replaceAll('\\\\', ''))).toBe(cells(heading!));
    expect(row).not.toMatch(live);
    expect(unescapeCell(escapeCell(words))).toBe(toPrintable(words));
    const summary = escapeMarkdown(words);
    expect(summary).not.toMatch(live);
    expect(summary).not.toMatch(/&(?!(?:amp|lt|gt|#8203);)/);
  });
  expect(escapeCell('qwen3 7.2B Q4_K_M')).toBe('qwen3 7.2B Q4_K_M');
  const { conditions } = importText(writeBench([describeRow('<b> `x` @root')], 'md'));
  expect(conditions[0]?.fields.model_type).toBe('<b> `x` @root');
});

function buildGate(words: string) {
  return gateSchema.parse({
    format: 'rooflaw-gate',
    formatVersion: 1,
    verdict: 'broken',
    reason: words,
    maxSlowdown: 0.03,
    timeLimitNs: 600e9,
    tookNs: 61.5e9,
    measured: null,
  });
}

test('the summary of gate has one heading of its own and nothing else that is live', () => {
  property((words) => {
    const [title, , why, ...rest] = formatGateSummary(buildGate(words)).split('\n');
    expect(title).toBe('## rooflaw gate: BROKEN');
    expect(why).toMatch(/^Why: /);
    expect(why!).not.toMatch(live);
    expect(rest.join('')).toBe('');
  });
});

test('the README of a publication shows words as text in one line', () => {
  property((words) => {
    const text = asText(words);
    expectSafeOutput(text);
    expect(text).not.toContain('\n');
    expect(text).not.toMatch(live);
    expect(text.replaceAll('&#8203;', '')).not.toMatch(/(?<!\\)(?:\\\\)*[`*_[\]<>|#]/);
    expect(text).not.toMatch(/&(?!(?:amp|lt|gt|#8203);)/);
  });
});

test('JUnit XML is well formed whatever the words', () => {
  const isCharacter = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
  property((words) => {
    const text = formatJunit(buildGate(words));
    expect(text).toMatch(isCharacter);
    expect(text).not.toContain(']]>');
    const { document } = parseHTML(text);
    expect(document.querySelectorAll('*')).toHaveLength(4);
    expect(escapeXml(words)).not.toMatch(/[<>"]|&(?!#\d+;)/);
  });
  expect(escapeXml('\u0000\ufffe]]>&<"')).toBe('\ufffd\ufffd]]&#62;&#38;&#60;&#34;');
});
