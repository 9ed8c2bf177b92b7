import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  describeAgreement,
  describeFirstSample,
  describeOverlap,
  describeTyped,
} from '../scripts/from-llama-bench/describe-rows.ts';
import { describeOptions, differences } from '../scripts/from-llama-bench/options.ts';
import { describeDisturbed } from '../scripts/from-llama-bench/page.ts';
import {
  readDisturbed,
  readInterval,
  readRate,
  readRefusal,
  readTable,
} from '../scripts/from-llama-bench/read-output.ts';
import { commandsOf, sections } from '../scripts/from-llama-bench/sections.ts';
import { drawFields, drawTable, showBench, showUntil } from '../scripts/from-llama-bench/show.ts';
import { readAbRequest } from '../src/commands/ab.ts';
import { splitWords } from '../src/commands/ab-arguments.ts';
import { readGateRequest } from '../src/commands/gate-request.ts';
import { parseTokensOptions } from '../src/commands/tokens.ts';
import { benchOptions } from '../src/llama-bench/options/option-table.ts';
import { type BenchRequest, parseBenchOptions } from '../src/llama-bench/options/parse.ts';
import { llamaBenchFields, sampleFields } from '../src/llama-bench/write/fields.ts';
import { ownColumns } from '../src/llama-bench/write/own-columns.ts';

const page = readFileSync(new URL('../docs/from-llama-bench.md', import.meta.url), 'utf8');
/** Commands above a block of the page, without the program and its verb. */
const shown = (start: string) =>
  [...page.matchAll(/^`([^`]+)` \(\d+\.\d s\)$/gm)]
    .map(([, command]) => command!)
    .filter((command) => command.startsWith(`${start} `))
    .map((command) => splitWords(command.slice(start.length + 1))!);
const parse = (words: readonly string[]) => parseBenchOptions(words, { threads: 2 });

test('the page has its ten commands, and Rooflaw reads the same out of both of a pair', () => {
  const [theirs, ours] = [shown('llama-bench'), shown('rooflaw bench')];
  expect(page.match(/^## \d+\. .+$/gm)).toEqual(
    sections.map(({ title }, at) => `## ${at + 1}. ${title}`),
  );
  expect([theirs.length, ours.length]).toEqual([10, 10]);
  expect(theirs.map((words) => `llama-bench ${words.join(' ')}`)).toEqual(
    sections.map((section) => commandsOf(section).theirs),
  );
  const asked = (request: BenchRequest) => ({ ...request, ours: null });
  for (const [at, words] of theirs.entries()) {
    expect(asked(parse(ours[at]!))).toEqual(asked(parse(words)));
  }
});

test('every bench of the page has a budget', () => {
  for (const words of shown('rooflaw bench')) expect(parse(words).ours.budgetNs).not.toBeNull();
});

test('the other commands of the page are read by their own parsers', () => {
  const [ab, gate, tokens] = ['ab', 'gate', 'tokens'].map((verb) => shown(`rooflaw ${verb}`));
  expect([ab!.length, gate!.length, tokens!.length]).toEqual([1, 1, 1]);
  expect(readAbRequest(ab![0]!).maxRounds).toBe(15);
  expect(readGateRequest(gate![0]!, []).timeLimitNs).toBe(45e9);
  expect(parseTokensOptions(tokens![0]!, 2).counts.processes).toBe(6);
});

test('what the page says is refused by Rooflaw is refused', () => {
  const typed = [...page.matchAll(/^\| `(-m [^`]+)` \|.*\| 2 \|$/gm)].map(([, words]) => words!);
  expect(typed).toHaveLength(5);
  // the first two are refused for what is in their files
  for (const words of typed.slice(2)) expect(() => parse(splitWords(words)!)).toThrow();
});

test('the options on the page are those of the tables', () => {
  expect(page).toContain(describeOptions());
  expect(/^These mean the same: .*$/m.exec(page)?.[0]).not.toContain('`-t`');
});

test('each option of llama-bench stands once in the lists of what differs, is refused or is the same', () => {
  const options = page.slice(page.indexOf('\n## Options\n'), page.indexOf('\n## When something'));
  const cells = [...options.matchAll(/^\| (`-[^|]+) \|/gm)].map(([, cell]) => cell!);
  const same = /^These mean the same: (.*?)\./m.exec(options)?.[1] ?? '';
  const listed = [...`${cells.join()},${same}`.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const theirs = benchOptions.filter(({ section }) => section !== 'ours');
  const firstNames = theirs.map(({ names }) => names[0]);
  expect(listed.filter((name) => firstNames.includes(name)).toSorted()).toEqual(
    firstNames.toSorted(),
  );
  for (const { names, refusal } of theirs) {
    if (refusal === undefined) continue;
    expect(options).toContain(`| ${refusal.why} | ${refusal.instead} |`);
    expect(differences.map(([name]) => name)).not.toContain(names[0]);
  }
});

test('every field and option that the page names exists', () => {
  const fields = new Set<string>([
    ...llamaBenchFields.map(([name]) => name),
    ...sampleFields,
    ...ownColumns.map(({ name }) => name),
  ]);
  const named = [...page.matchAll(/^ {2}"(\w+)": |`(rooflaw_\w+|(?:avg|samples)_\w+)`/gm)].map(
    ([, inBlock, inText]) => inBlock ?? inText!,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !fields.has(name))).toEqual([]);
});

test('the page names no folder of a machine and no number that is none', () => {
  expect(page).not.toMatch(/\/(?:home|root|tmp|Users|work)\//);
  expect(page).not.toMatch(/NaN|undefined|\[object/);
});

const table = `before
| model      | size |  fa |  test |            t/s |   interval t/s |
| ---------- | ---: | --: | ----: | -------------: | -------------: |
| llama Q8_0 |   26 |   0 | pp128 | 200.00 ± 10.00 | 190.00–210.00 (96.9 %) |
| llama Q8_0 |   26 |   1 | pp128 | 220.00 ± 10.00 | 211.00–230.00 (96.9 %) |
| llama Q8_0 |   26 |   0 |  tg32 |   50.00 ± 0.00 | 45.00–55.00 (96.9 %) |
| llama Q8_0 |   26 |   1 |  tg32 |   52.00 ± 0.00 | 50.00–54.00 (96.9 %) |

build: abc (1)
DISTURBED: others were at work on the device in 3 of 24 processes
`;
const rowOf = (name: string, rate: string, interval = '') => ({
  test: name,
  't/s': rate,
  'interval t/s': interval,
});
const ranOf = (command: string, stdout: string) => ({
  ...{ command, stdout, stderr: '', exitStatus: 0, seconds: 1.23 },
});

test('a table is read by its headings, with rates and intervals', () => {
  const rows = readTable(table);
  expect(rows).toHaveLength(4);
  expect(rows[1]?.fa).toBe('1');
  expect(readRate(rows[0]!)).toEqual({ rate: 200, deviation: 10 });
  expect(readInterval(rows[2]!)).toEqual({ low: 45, high: 55 });
  expect(readInterval({ 'interval t/s': 'none' })).toBeNull();
  expect(readTable('no table here')).toEqual([]);
});

test('columns that say the same in every row are left out unless they are options', () => {
  const [heading, first] = drawTable(readTable(table)).split('\n');
  expect(heading).toBe('| fa |  test |            t/s |           interval t/s |');
  expect(first).toBe('|  0 | pp128 | 200.00 ± 10.00 | 190.00–210.00 (96.9 %) |');
});

test('below a table stands what makes one doubt it, and nothing else', () => {
  const lines = showBench(ranOf('rooflaw bench -m a.gguf', table)).split('\n');
  expect(lines[0]).toBe('`rooflaw bench -m a.gguf` (1.2 s)');
  expect(lines.at(-3)).toBe('DISTURBED: others were at work on the device in 3 of 24 processes');
  expect(lines).not.toContain('build: abc (1)');
});

test('of JSON a few fields are shown, and the first values of long lists', () => {
  const fields = { campaign: 'x', n_gen: 32, samples_ns: [1, 2, 3, 4, 5, 6, 7] };
  expect(drawFields(fields)).toBe('  "n_gen": 32\n  "samples_ns": [1,2,3,4,5, … 2 more]');
});

test('lines that are left out are counted', () => {
  const shownLines = showUntil(ranOf('rooflaw ab', 'a\n\nlegend\nb\n'), /^legend/).split('\n');
  expect(shownLines).toContain('[2 more lines]');
  expect(shownLines).not.toContain('b');
  expect(showUntil(ranOf('rooflaw ab', 'a\n'), /^legend/)).not.toContain('more lines');
});

test('processes during which others were at work are added up over the commands', () => {
  expect(readDisturbed(table)).toEqual({ seen: 3, all: 24 });
  const bench = ranOf('rooflaw bench -m a.gguf', table);
  expect(describeDisturbed([bench, bench, ranOf('llama-bench -m a.gguf', table)])).toContain(
    'in 6 of 48 processes of 2 commands',
  );
  expect(describeDisturbed([])).toBe('Rooflaw saw nobody else at work.');
});

test('of a refusal llama.cpp’s log is left out, and Rooflaw’s is told whole', () => {
  const stderr = 'load_backend: loaded\n\nx: error: a\n  try: b\n';
  expect(readRefusal('llama-bench -t many', stderr)).toBe('x: error: a');
  expect(readRefusal('rooflaw bench', stderr)).toBe('load_backend: loaded / x: error: a / try: b');
});

test('intervals that lie apart and that overlap are told apart', () => {
  expect(describeOverlap(readTable(table))).toContain('pp128 lie apart; tg32 overlap');
  expect(describeOverlap([rowOf('pp1', '1.00 ± 0.00', 'none')])).toBe('');
});

test('a mean is inside, below or above the other program’s interval', () => {
  const theirs = ['8.00 ± 0.00', '10.00 ± 0.00', '13.00 ± 0.00'].map((rate) => rowOf('pp1', rate));
  const ours = theirs.map(() => rowOf('pp1', '10.00 ± 1.00', '9.00–12.00 (97.9 %)'));
  expect(describeAgreement(theirs, ours)).toBe(
    "llama-bench's mean lies inside Rooflaw's interval in 1 of 3 rows, below it in 1 and above it in 1.",
  );
  expect(describeAgreement(theirs.slice(1, 2), ours)).toBe(
    "llama-bench's mean lies inside Rooflaw's interval in 1 of 1 rows.",
  );
  expect(describeAgreement(theirs, [])).toBe('');
});

test('a command typed several times is set against its own deviation', () => {
  // means 100, 110, 120: range 20 of 110; deviations 2 %, 2.727 %, 2.5 %; 100–110 and 110–120 differ
  // by 10 against 2 + 3 and 3 + 3, 100–120 by 20 against 2 + 3
  const tables = ['100.00 ± 2.00', '110.00 ± 3.00', '120.00 ± 3.00'].map((rate) => [
    rowOf('pp1', rate),
  ]);
  expect(describeTyped(tables)).toBe(
    "pp1: llama-bench's 3 means span 18.2 % of their median, beside a ± of 2.5 % (median); " +
      '3 of 3 pairs differ by more than both ± together.',
  );
});

test('the first sample of a process is set against the median of the later ones', () => {
  expect(describeFirstSample([12, 10, 10, 9])).toBe('20.0 % more');
  expect(describeFirstSample([9, 10, 10, 10])).toBe('10.0 % less');
});
