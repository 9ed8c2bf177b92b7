import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { registerAnalyze } from '../src/commands/analyze.ts';
import { registerCompare } from '../src/commands/compare.ts';
import { printedBy } from './support/printed-by.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Lines of the blocks that a page marks as output. */
function quotedLines(page: string): string[] {
  const blocks = [...readFileSync(fileOf(page), 'utf8').matchAll(/```text\n([^`]+)```/g)];
  return blocks.flatMap(([, block]) => block!.split('\n').filter((line) => line !== ''));
}

type Call = [(program: Command) => void, string[]];
const analyze = (...words: string[]): Call => [registerAnalyze, ['analyze', ...words]];
const compare = (...words: string[]): Call => [registerCompare, ['compare', ...words]];

const v1 = fileOf('results/h200-pilot-v1');
const tables = fileOf('results/h200-pilot-a');

test.each<[string, Call[]]>([
  [
    'README.md',
    [analyze(v1), compare(v1, 'quantization=F16,phase=decode', 'quantization=Q8_0,phase=decode')],
  ],
  [
    'docs/example-h200.md',
    [
      analyze(tables),
      analyze(tables, '--target-difference', '0.05'),
      compare(
        tables,
        'quantization=F16,sequenceLength=512',
        'quantization=Q8_0,sequenceLength=512',
      ),
    ],
  ],
])('every line that %s quotes is printed by the program', async (page, calls) => {
  const printed = new Set<string>();
  for (const [register, words] of calls) {
    for (const line of (await printedBy(register, words)).split('\n')) printed.add(line);
  }
  const quoted = quotedLines(page);
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((line) => !printed.has(line))).toEqual([]);
});
