/**
 * Writes docs/from-llama-bench.md: what llama-bench and `rooflaw bench` print for the same options, on
 * this machine, now. Every number of the page comes from these runs.
 *
 *   node scripts/write-from-llama-bench.ts [--out FILE] [--llama-bench FILE] [--limit SECONDS]
 *
 * Takes about five minutes on a quiet machine, longer on a busy one; `--limit` is for one command.
 * Needs a compiler once, for the runner and llama-bench. A page is only written when every command
 * ran; otherwise it stops at the first that did not, with status 1.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, homedir, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { findEmbeddedBackend } from '../src/backend/embedded-backend.io.ts';
import { runTool } from '../src/backend/run-tool.io.ts';
import { runnerEnvironment } from '../src/backend/runner-environment.ts';
import { exitStatus as statuses } from '../src/errors.ts';
import type { Architecture } from '../src/formats/architecture.ts';
import { writeModel } from '../src/gguf/write-model.io.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** 27 and 59 MB in Q8_0: small, so that the page can be renewed in minutes. */
const small: Architecture = {
  name: 'small',
  headDim: 64,
  headCount: 8,
  kvHeadCount: 4,
  feedForwardLength: 1408,
  layerCount: 6,
  vocabularySize: 8000,
};
const medium: Architecture = { ...small, name: 'medium', layerCount: 16 };
const smallFile = 'small-Q8_0.gguf';
const mediumFile = 'medium-Q8_0.gguf';

/** How often llama-bench's plainest command is typed. */
const typed = 5;

/** One row of a table, whichever program printed it, by its headings. */
export type Row = Readonly<Record<string, string>>;

/** What a command did. */
export interface Ran {
  command: string;
  exitStatus: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** Both programs after the same options. */
export interface Pair {
  theirs: Ran;
  ours: Ran;
}

// ---- reading what was printed

/** Rows of the first Markdown table in a text; none where there is no table. */
export function readTable(text: string): Row[] {
  const [heading, rule, ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(1, line.lastIndexOf('|')).split(' | '))
    .map((cells) => cells.map((cell) => cell.trim()));
  if (heading === undefined || rule === undefined) return [];
  return rows.map((cells) =>
    Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? ''])),
  );
}

/** `2476.83 ± 51.61`: tokens per second and its deviation. */
export function readRate(row: Row): { rate: number; deviation: number } {
  const [rate, deviation] = (row['t/s'] ?? '').split('±').map(Number);
  return { rate: rate ?? Number.NaN, deviation: deviation ?? Number.NaN };
}

/** `2415.79–2515.15 (97.9 %)`: both ends; null where there is none. */
export function readInterval(row: Row): { low: number; high: number } | null {
  const found = /^([\d.]+)–([\d.]+)/.exec(row['interval t/s'] ?? '');
  return found && { low: Number(found[1]), high: Number(found[2]) };
}

/** A first sample this much longer than the later ones is called not warm yet. */
const coldShare = 0.02;

/** Left out where they are the same in every row, so that lines stay short. */
const dull = new Set(['model', 'size', 'params', 'backend', 'threads']);

/** The same rows as text, without columns that say the same in every row and are no option. */
export function drawTable(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {}).filter(
    (name) => !dull.has(name) || new Set(rows.map((row) => row[name])).size > 1,
  );
  const lines = [Object.fromEntries(headings.map((name) => [name, name])), ...rows];
  const widths = headings.map((name) => Math.max(...lines.map((row) => (row[name] ?? '').length)));
  const draw = (row: Row) =>
    `| ${headings.map((name, at) => (row[name] ?? '').padStart(widths[at]!)).join(' | ')} |`;
  return lines.map(draw).join('\n');
}

// ---- sentences that follow from the numbers

const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How one command, typed several times, scatters against the ± that it prints each time. */
export function describeTyped(tables: readonly (readonly Row[])[]): string {
  const [first = []] = tables;
  return first
    .map((row, at) => {
      const rates = tables.map((rows) => readRate(rows[at]!));
      const means = rates.map(({ rate }) => rate);
      const range = (Math.max(...means) - Math.min(...means)) / median(means);
      const printed = median(rates.map(({ rate, deviation }) => deviation / rate));
      const pairs = rates.flatMap((a, i) => rates.slice(i + 1).map((b) => [a, b] as const));
      const apart = pairs.filter(
        ([a, b]) => Math.abs(a.rate - b.rate) > a.deviation + b.deviation,
      ).length;
      return (
        `${row.test}: the ${tables.length} means reach over ${percent(range)} of their median, the ± printed beside them is ` +
        `${percent(printed)} (median); ${apart} of ${pairs.length} pairs differ by more than both ± together.`
      );
    })
    .join(' ');
}

/** What the first kept sample of a process took against its later ones. */
export function describeWarmth(processes: readonly (readonly number[])[]): {
  excess: number;
  text: string;
} {
  const excesses = processes.map(([first = Number.NaN, ...later]) => first / median(later) - 1);
  const excess = median(excesses);
  const signed = (share: number) => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
  const reach = `${signed(Math.min(...excesses))} to ${signed(Math.max(...excesses))}`;
  return { excess, text: `${signed(excess)} (${reach} in ${processes.length} processes)` };
}

/** Where llama-bench's mean lies against Rooflaw's interval; only for the same settings. */
export function describeAgreement(theirs: readonly Row[], ours: readonly Row[]): string {
  const compared = theirs.flatMap((row, at) => {
    const interval = readInterval(ours[at] ?? {});
    if (interval === null || ours[at]?.test !== row.test) return [];
    const { rate } = readRate(row);
    return [rate < interval.low ? 'below' : rate > interval.high ? 'above' : 'inside'];
  });
  if (compared.length === 0) return '';
  const count = (place: string) => compared.filter((found) => found === place).length;
  const outside = [
    ...(count('below') > 0 ? [`below it in ${count('below')}`] : []),
    ...(count('above') > 0 ? [`above it in ${count('above')}`] : []),
  ];
  return (
    `llama-bench's mean lies inside Rooflaw's interval in ${count('inside')} of ${compared.length} rows` +
    `${outside.length > 0 ? `, ${outside.join(' and ')}` : ''}.`
  );
}

/** Which rows of one test have intervals that lie apart. No test, and the text says so. */
export function describeOverlap(rows: readonly Row[]): string {
  const tests = [...new Set(rows.map(({ test }) => test))];
  const found = tests.flatMap((test) => {
    const [a, b] = rows.filter((row) => row.test === test);
    const [one, other] = [a, b].map((row) => readInterval(row ?? {}));
    if (!one || !other) return [];
    const apart = one.high < other.low || other.high < one.low;
    return [`${test} ${apart ? 'lie apart' : 'overlap'}`];
  });
  return found.length === 0
    ? ''
    : `Rooflaw's intervals of the two settings: ${found.join('; ')} (to look at; \`rooflaw compare\` tests).`;
}

// ---- the ten commands

interface Case {
  title: string;
  model: string;
  options: string;
  /** Options that only Rooflaw gets. */
  extra?: string;
  /** llama-bench, then rooflaw. */
  explain: (theirs: Row[], ours: Row[], pair: Pair) => string[];
}

const cases: Case[] = [
  {
    title: 'One repetition',
    model: smallFile,
    options: '-p 256 -n 32 -fa 1 -r 1',
    explain: (theirs, ours) => [
      `One sample has no deviation; llama-bench prints ±${[...new Set(theirs.map((row) => (row['t/s'] ?? '').split('±')[1]?.trim()))].join(' and ±')}, which reads as "exact".`,
      'With `-r 1` Rooflaw keeps one repetition of each process, so its ± and interval, over processes, are still there; what needs two repetitions in a process, as the stable flag does, is not known: the column says ' +
        `${[...new Set(ours.map(({ stable }) => `"${stable}"`))].join(' and ')}.`,
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'Several prompt lengths',
    model: smallFile,
    options: '-p 128,512 -n 0 -fa 1',
    explain: (theirs, ours) => [
      'llama-bench measures one length after the other in one process. Rooflaw starts a process for each length and mixes their order anew in every round, so a machine that gets slower meanwhile does not make the second length look slow.',
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'Generation at a depth',
    model: smallFile,
    options: '-p 0 -n 32 -fa 1 -d 0,512',
    explain: (theirs, ours) => [
      'Both fill the cache outside the timer. llama-bench computes it once and restores it before the later repetitions; Rooflaw computes it before each one (`--protocol bench-restored` does as llama-bench does).',
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'How many threads?',
    model: smallFile,
    options: '-p 256 -n 32 -fa 1 -t 1,2',
    explain: (_theirs, ours) => [
      'The question is which of two settings is faster, so the rows must be comparable: Rooflaw interleaves them in the same rounds.',
      describeOverlap(ours),
    ],
  },
  {
    title: 'Flash attention on or off?',
    model: smallFile,
    options: '-p 256 -n 32 -fa 0,1',
    extra: '--name flash',
    explain: (theirs, ours) => [
      'Neither table is a test of which setting is faster. Rooflaw keeps the campaign, and `rooflaw compare` makes one from it, as below.',
      describeOverlap(ours),
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'Batch and micro-batch',
    model: smallFile,
    options: '-p 512 -n 0 -fa 1 -b 512 -ub 64,512',
    explain: (theirs, ours) => [
      'The options mean the same. A micro-batch above the batch is cut to it by llama.cpp; Rooflaw says so and shows what was measured.',
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'A quantised cache',
    model: smallFile,
    options: '-p 256 -n 32 -fa 1 -ctk q8_0 -ctv q8_0',
    explain: (theirs, ours) => [
      'Without `-fa 1` llama-bench lets llama.cpp choose, and a quantised cache of values needs flash attention; Rooflaw refuses the combination and names the option.',
      describeAgreement(theirs, ours),
    ],
  },
  {
    title: 'Two models',
    model: `${smallFile},${mediumFile}`,
    options: '-p 256 -n 32 -fa 1',
    explain: (theirs, ours) => [
      "llama-bench finishes the first file before it opens the second. Rooflaw takes turns, in random order, and knows each file by its SHA-256. The size in llama-bench's model column is guessed from the number of layers; Rooflaw counts parameters.",
      describeAgreement(theirs, ours),
    ],
  },
];

// ---- the page

/** Where `ab` and `gate` begin to list what they compared. */
const sameOnBothSides = /^The same on both sides/;

/** Progress lines of Rooflaw that a reader of the table needs. */
const doubts = /^(CAREFUL|DISTURBED|DRIFT)/;
const linesOf = (text: string, wanted: RegExp) =>
  text.split('\n').filter((line) => wanted.test(line));

/** A block with what one program printed. */
function showRan(ran: Ran, printed: string, stderrLines: readonly string[] = []): string {
  const body = [printed, ...stderrLines].filter((part) => part !== '').join('\n');
  return `\`${ran.command}\` (${ran.seconds.toFixed(1)} s)\n\n\`\`\`text\n${body}\n\`\`\`\n`;
}

function showPair({ theirs, ours }: Pair, explain: Case['explain']): string {
  const [their, our] = [readTable(theirs.stdout), readTable(ours.stdout)];
  const words = explain(their, our, { theirs, ours }).filter((text) => text !== '');
  return [
    showRan(theirs, drawTable(their)),
    showRan(ours, drawTable(our), linesOf(ours.stderr, doubts)),
    words.join(' '),
  ].join('\n');
}

/** Samples of each test that llama-bench wrote to standard error with `-oe jsonl`. */
export function readSamples(stderr: string): number[][] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { samples_ns: number[] }).samples_ns);
}

function showFirst(runs: readonly Ran[], ours: Ran): string {
  const tables = runs.map(({ stdout }) => readTable(stdout));
  const ourRows = readTable(ours.stdout);
  const legend = linesOf(ours.stdout, /^[^|]/);
  const said = linesOf(
    ours.stderr,
    /^(first look|\d+ processes with|CAREFUL|DISTURBED|DRIFT| {2}Warm-up)/,
  );
  const seconds = runs.reduce((sum, ran) => sum + ran.seconds, 0);
  const flags = [...new Set(ourRows.map(({ stable }) => `"${stable}"`))].join(' and ');
  return [
    `llama-bench was started ${typed} times, one after the other; all its lines are shown. (It got \`-oe jsonl\` besides, for the samples of section 10.)`,
    '',
    showRan({ ...runs[0]!, seconds }, drawTable(tables.flat())),
    showRan(ours, drawTable(ourRows), ['', ...legend, '', ...said]),
    'Each line of llama-bench is a mean over five repetitions inside one process, and its ± is their deviation. It cannot hold what changes from process to process.',
    describeTyped(tables),
    `Rooflaw's number is the median over fresh processes; its ± and its interval are over processes too, which takes longer. Its stable flag says ${flags} here.`,
    '',
    '**These two commands do not measure the same.** llama-bench leaves `-fa` at `auto`: llama.cpp decides, and the table does not show it. Rooflaw measures `-fa 0` and says so below its table. Section 6 shows what the option does here; from here on both get it.',
  ].join('\n');
}

/** How warm llama-bench is after its own warm-up, in the processes of the first section. */
function sayWarmth(runs: readonly Ran[]): string {
  const tests = readTable(runs[0]?.stdout ?? '').map(({ test }) => test);
  const samples = runs.map(({ stderr }) => readSamples(stderr));
  const found = tests.map((test, at) => ({
    test,
    ...describeWarmth(samples.map((processes) => processes[at] ?? [])),
  }));
  const cold = found.filter(({ excess }) => excess > coldShare).map(({ test }) => test);
  return (
    'In the processes of section 1 the first sample took, against the median of the four later ones, ' +
    `${found.map(({ test, text }) => `${text} in ${test}`).join(' and ')}: ` +
    (cold.length > 0
      ? `llama-bench was not warm yet in ${cold.join(' and ')}, and its mean holds that.`
      : 'so here it was warm; that need not hold elsewhere.')
  );
}

function showJson(theirs: Ran, ours: Ran, plain: readonly Ran[]): string {
  const parse = (text: string) => (JSON.parse(text) as Record<string, unknown>[])[0] ?? {};
  const pick = (row: Record<string, unknown>, fields: readonly string[]) =>
    fields.map((name) => `  "${name}": ${JSON.stringify(row[name])}`).join(',\n');
  const common = ['n_prompt', 'n_gen', 'avg_ns', 'stddev_ns', 'avg_ts', 'stddev_ts', 'samples_ns'];
  const [their, our] = [parse(theirs.stdout), parse(ours.stdout)];
  const added = Object.keys(our).filter((name) => name.startsWith('rooflaw_'));
  const shown = added.filter((name) => !/sha256|campaign|_ns$|variant|compared/.test(name));
  const warmUp = linesOf(ours.stderr, /^ {2}Warm-up/)[0]?.trim();
  return [
    showRan(theirs, pick(their, common)),
    showRan(ours, pick(our, [...common, ...shown]), linesOf(ours.stderr, doubts)),
    `Both objects are cut to the fields shown. Rooflaw writes llama-bench's fields by their names and in their order and then ${added.length} of its own, so a script goes on working. But each of its \`samples_ns\` is a process, not a repetition, and \`avg_ts\` is their mean as the name says, while the table above shows the median, \`rooflaw_representative_ts\`.`,
    '',
    'Samples show warm-up. llama-bench warms up by one prompt of full length for prefill, but by one token for decode. ' +
      sayWarmth(plain),
    ...(warmUp === undefined ? [] : [`Rooflaw lets its pilot choose. Here it said: "${warmUp}"`]),
  ].join('\n');
}

/** What a program said when it refused. */
function readRefusal({ command, stderr }: Ran): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const isTheirs = command.startsWith('llama-bench');
  const said = isTheirs ? lines.filter((line) => line.includes('error')) : lines.filter(Boolean);
  return said.slice(-3).join(' / ');
}

function showRefusals(pairs: readonly (Pair & { what: string })[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    '| typed | llama-bench says | exit | rooflaw says | exit |',
    '|---|---|---|---|---|',
    ...pairs.map(({ what, theirs, ours }) =>
      [
        '',
        `\`${what}\``,
        cell(readRefusal(theirs)),
        theirs.exitStatus,
        cell(readRefusal(ours)),
        ours.exitStatus,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
    '',
    'llama-bench opens a file when its turn comes, so the time for the files before it may already be spent. Rooflaw checks options, headers, lengths and memory of everything before the first process, and names all faults at once.',
  ].join('\n');
}

interface Results {
  sections: readonly (readonly [title: string, text: string])[];
  refused: readonly (Pair & { what: string })[];
  ab: Ran;
  tokens: Ran;
  gate: Ran;
  /** Every command, in order. */
  all: readonly Ran[];
  /** Share of the CPUs that others used before each command. */
  busyBefore: readonly number[];
  loadBefore: number;
  seconds: number;
  /** llama-bench's line about its build. */
  build: string;
  sizes: readonly string[];
}

function composePage(results: Results): string {
  const { sections, refused, ab, tokens, gate, all, busyBefore, loadBefore, seconds } = results;
  const { build, sizes } = results;
  return [
    '# From llama-bench',
    '',
    '<!-- Written by scripts/write-from-llama-bench.ts; edit that and run it again. -->',
    '',
    'Ten commands that people type, what llama-bench prints and what `rooflaw bench` prints, and what the',
    'difference means. Both tools used the same libraries of llama.cpp and the same files; nothing was',
    'picked: each command ran once, or as often as its section says, in the order of this page.',
    '',
    `Made on ${new Date().toISOString().slice(0, 10)} on ${cpus()[0]?.model.trim() ?? 'an unnamed CPU'}, ` +
      `${availableParallelism()} CPUs, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${process.arch}, in ` +
      `${formatMinutes(seconds)}; llama.cpp: ${build} by llama-bench's words. ${describeLoad(all, busyBefore)} ` +
      `The load average was ${loadBefore.toFixed(1)} when it began and ${loadavg()[0]!.toFixed(1)} when it ended, its own work among it.`,
    '',
    `The models have random weights (\`${smallFile}\`, ${sizes[0]}; \`${mediumFile}\`, ` +
      `${sizes[1]}) and are small, so that this page can be renewed in minutes: read the form of ` +
      'the outputs here, not the speeds. The seconds behind a command are what all of it took' +
      `: ${secondsOf(all, 'llama-bench').toFixed(0)} s for all of llama-bench and ${secondsOf(all, 'rooflaw bench').toFixed(0)} s for all of \`rooflaw bench\`.`,
    '',
    'Left out of the tables: model, size, params, backend and threads where they are the same in every row; below them',
    "Rooflaw's progress and, after the first command, its legend. What Rooflaw's words mean:",
    '',
    '| word | meaning |',
    '|---|---|',
    '| CAREFUL | others used the CPUs before it began |',
    '| DISTURBED | others used them while so many of its processes ran; nothing is removed for it. llama-bench does not look |',
    '| DRIFT | the first item changed by so much in time from the first rounds to the last |',
    '| stable | `unknown` where each process kept one repetition, by `-r 1` or by the choice of the pilot |',
    '',
    ...sections.flatMap(([title, text], at) => [`## ${at + 1}. ${title}`, '', text, '']),
    '## When something is wrong',
    '',
    showRefusals(refused),
    '',
    '## What llama-bench has no command for',
    '',
    'Is one of two settings faster? llama-bench prints two rows. `rooflaw ab` measures until it is decided, or says that it is not.',
    '',
    showRan(ab, linesUntil(ab.stdout, sameOnBothSides)),
    'May this change be merged? With llama-bench a script compares two means. `rooflaw gate` measures the old side twice under two',
    'names first: on a machine where it is not shown to be as fast as itself, nothing is said about the new one.',
    '',
    showRan(gate, linesUntil(gate.stdout, sameOnBothSides)),
    `Its exit status was ${gate.exitStatus} (0 pass, 1 regression, 2 inconclusive or unfit machine, 3 broken).`,
    '',
    'How long does the slowest token take? llama-bench times all of an answer together. `rooflaw tokens` reads the clock after each.',
    '',
    showRan(tokens, linesUntil(tokens.stdout, /^trial +repetition|^Each row is/)),
  ].join('\n');
}

// ---- running

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: fileOf('docs/from-llama-bench.md') },
      'llama-bench': { type: 'string' },
      limit: { type: 'string', default: '600' },
    },
  });
  const say = (text: string) => console.error(text);
  const limitMs = Number(values.limit) * 1000;
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-page-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  const { libraryDirectory } = await findEmbeddedBackend();
  const environment = runnerEnvironment({ libraryDirectory }, process.env);
  const llamaBench = values['llama-bench'] ?? findLlamaBench(say);

  say('writing two models');
  for (const [architecture, file] of [
    [small, smallFile],
    [medium, mediumFile],
  ] as const) {
    const path = join(folder, file);
    await writeModel({ architecture, quantization: 'Q8_0', weightSeed: 1, path });
  }
  writeFileSync(
    join(folder, 'cut-off.gguf'),
    readFileSync(join(folder, smallFile)).subarray(0, 20_000_000),
  );
  writeFileSync(join(folder, 'notes.gguf'), 'no model\n');

  const all: Ran[] = [];
  const busyBefore: number[] = [];
  const run = async (
    command: string,
    { hidden = [], expected = [0] }: { hidden?: string[]; expected?: readonly number[] } = {},
  ): Promise<Ran> => {
    const [name, ...words] = splitWords(command);
    const [program, args, env] =
      name === 'rooflaw'
        ? [process.execPath, [fileOf('bin/rooflaw.js'), ...words], process.env]
        : [llamaBench, [...words, ...hidden], environment];
    busyBefore.push(await measureOthers());
    const started = performance.now();
    say(`${((started - began) / 1000).toFixed(0)} s: ${command}`);
    const options = { cwd: folder, env, timeLimitMs: limitMs };
    let begun = started;
    let ended = await runTool(program, args, options);
    while (ended.exitStatus === statuses.busy && performance.now() - started < limitMs) {
      say('  another campaign has the device: waiting');
      await sleep(5000);
      begun = performance.now();
      ended = await runTool(program, args, options);
    }
    const seconds = (performance.now() - begun) / 1000;
    const { exitStatus, stdout, stderr } = ended;
    if (exitStatus === null || !expected.includes(exitStatus)) {
      const how =
        exitStatus === null ? `ended after ${seconds.toFixed(0)} s` : `status ${exitStatus}`;
      throw new Error(`not written: ${command}: ${how}\n${stderr.trimEnd().slice(-2000)}`);
    }
    const ran = { command, exitStatus, stdout, stderr, seconds };
    all.push(ran);
    return ran;
  };
  const times = async (count: number, command: string, hidden: string[] = []) => {
    const runs: Ran[] = [];
    while (runs.length < count) runs.push(await run(command, { hidden }));
    return runs;
  };

  const loadBefore = loadavg()[0]!;

  const sections: [title: string, text: string][] = [];
  const plain = await times(typed, `llama-bench -m ${smallFile}`, ['-oe', 'jsonl']);
  sections.push([
    'The plain command',
    showFirst(plain, await run(`rooflaw bench -m ${smallFile}`)),
  ]);
  for (const { title, model, options, extra, explain } of cases) {
    const theirs = await run(`llama-bench -m ${model} ${options}`);
    const ours = await run(`rooflaw bench -m ${model} ${options}${extra ? ` ${extra}` : ''}`);
    let text = showPair({ theirs, ours }, explain);
    if (extra === '--name flash') {
      const compared = await run('rooflaw compare flash variant=fa0 variant=fa1');
      text += `\n\n${showRan(compared, linesUntil(compared.stdout, /^pair .*interval A/))}`;
    }
    sections.push([title, text]);
  }
  const json = `-m ${smallFile} -p 256 -n 0 -fa 1 -o json`;
  sections.push([
    'JSON for a script',
    showJson(await run(`llama-bench ${json}`), await run(`rooflaw bench ${json}`), plain),
  ]);

  const refused: (Pair & { what: string })[] = [];
  for (const what of [
    '-m notes.gguf',
    '-m cut-off.gguf',
    `-m ${smallFile} -t many`,
    `-m ${smallFile} --threds 2`,
    `-m ${smallFile} -fa 0 -ctv q8_0`,
  ]) {
    const theirs = await run(`llama-bench ${what}`, { expected: [0, 1] });
    const ours = await run(`rooflaw bench ${what}`, { expected: [2] });
    refused.push({ what, theirs, ours });
  }

  const ab = await run(
    `rooflaw ab -m ${smallFile} --a "-fa 0" --b "-fa 1" -p 256 -n 0 --max-rounds 15`,
  );
  const tokens = await run(`rooflaw tokens -m ${smallFile} -d 256 -n 64`);
  const gate = await run(
    `rooflaw gate -m ${smallFile} --a "-fa 1" --b "-fa 0" -p 256 -n 0 --time 45s`,
    { expected: [0, 1, 2] },
  );

  const seconds = (performance.now() - began) / 1000;
  const page = composePage({
    ...{ sections, refused, ab, tokens, gate, all, busyBefore, loadBefore, seconds },
    build: lineWith(plain[0]!.stdout, 'build:'),
    sizes: [smallFile, mediumFile].map((file) => megabytes(join(folder, file))),
  });
  const named = [folder, homedir(), fileOf('.')].find((path) => page.includes(path));
  if (named !== undefined) throw new Error(`not written: the page would name ${named}`);
  writeFileSync(values.out, page);
  say(`written after ${formatMinutes(seconds)}: ${values.out}`);
}

/** The newest that bench/neutrality.ts has built; it is built when there is none. */
function findLlamaBench(say: (text: string) => void): string {
  const pattern = join(homedir(), '.cache', 'rooflaw', 'llama-bench', '*', 'llama-bench');
  const newest = () =>
    globSync(pattern).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  const found = newest();
  if (found !== undefined) return found;
  say('building llama-bench (once)');
  const words = '--processes 1 --models Q8_0 --length 8 --steps 1 --warmup 1 --kept 2'.split(' ');
  spawnSync(process.execPath, [fileOf('bench/neutrality.ts'), ...words], { stdio: 'inherit' });
  const built = newest();
  if (built === undefined)
    throw new Error('llama-bench could not be built; name it: --llama-bench');
  return built;
}

/** Whether the machine was quiet, by what this program saw between the commands and Rooflaw in them. */
export function describeLoad(all: readonly Ran[], busyBefore: readonly number[]): string {
  const counts = all.flatMap(({ stderr }) =>
    [...stderr.matchAll(/^DISTURBED: .* in (\d+) of (\d+) processes/gm)].map(([, seen]) =>
      Number(seen),
    ),
  );
  const benches = all.filter(
    ({ command, exitStatus }) => command.startsWith('rooflaw bench') && exitStatus !== 2,
  ).length;
  const disturbed = counts.reduce((sum, count) => sum + count, 0);
  const most = Math.max(...busyBefore);
  const quiet = disturbed === 0 && most < 0.1;
  return (
    `In the half second before each command others kept the CPUs ${percent(median(busyBefore), 0)} busy (median; at most ` +
    `${percent(most, 0)}), and Rooflaw saw others at work in ${disturbed} of its processes, under ${counts.length} of ${benches} ` +
    `commands. ${quiet ? 'So nothing else was seen at work.' : '**So this machine was not quiet, and the numbers show it.**'}`
  );
}

const secondsOf = (all: readonly Ran[], start: string) =>
  all.reduce((sum, ran) => sum + (ran.command.startsWith(start) ? ran.seconds : 0), 0);

/** Share of the CPUs' time that others used while this program slept for half a second. */
async function measureOthers(): Promise<number> {
  const read = () =>
    cpus().map(({ times }) => ({
      idle: times.idle,
      all: Object.values(times).reduce((sum, time) => sum + time, 0),
    }));
  const before = read();
  await sleep(500);
  const after = read();
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const idle = sum(after.map((cpu, at) => cpu.idle - before[at]!.idle));
  const all = sum(after.map((cpu, at) => cpu.all - before[at]!.all));
  return 1 - idle / all;
}

/** Words of a command as a shell takes them; only double quotes are known. */
export function splitWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** What a program printed up to a line; what is left out is counted. */
export function linesUntil(text: string, last: RegExp): string {
  const lines = text.trimEnd().split('\n');
  const at = lines.findIndex((line) => last.test(line));
  if (at <= 0) return lines.join('\n');
  const shown = lines.slice(0, at).join('\n').trimEnd();
  return `${shown}\n[${lines.length - at} more lines]`;
}

const lineWith = (text: string, start: string) =>
  text.split('\n').find((line) => line.startsWith(start)) ?? '';
const megabytes = (path: string) => `${(statSync(path).size / 1e6).toFixed(0)} MB`;
const formatMinutes = (seconds: number) =>
  `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
