import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RooflawError } from '../../src/errors.ts';
import type { LlamaBenchLayout } from '../../src/formats/llama-bench-import.ts';
import { readRepetitionTable } from '../../src/formats/repetition-table.ts';
import { readStepTable, stepColumns } from '../../src/formats/step-table.ts';
import { throwTableFaults } from '../../src/formats/strict-csv.ts';
import { importLlamaBench } from '../../src/llama-bench/import-llama-bench.ts';
import { readPublicTables } from '../../src/publication/read-tables.io.ts';
import { formatImport } from '../../src/report/format-import.ts';
import { firstLines, readAllShipped } from './shipped-text.ts';
import { type Target, toBytes, toText } from './target.ts';

const cells = [',decode,', ',observed,', '""', '"\n', ',,,,,,', ';', '1e40', '0.1e-40'];

/** One repetition of two steps. */
const steps = [
  stepColumns.map(({ name }) => name).join(','),
  ...['0,0,0,prefill,0,1000', '0,0,0,step,0,500', '0,0,0,step,1,600', ''],
].join('\n');

const layouts: readonly (LlamaBenchLayout | null)[] = [null, 'json', 'jsonl', 'csv', 'sql', 'md'];

const benchWords: Readonly<Record<string, readonly string[]>> = {
  json: ['"samples_ns": [', '"n_prompt": ', '-nan', '{"n_prompt":1,', '{"a":{'],
  jsonl: ['{"n_prompt":1', '{"n_gen":'],
  csv: ['n_prompt,n_gen,avg_ns\n', '"a""', '1,2,3\n', '1,2,"3\n', '1,2,3"4\n'],
  sql: [
    "INSERT INTO test (n_prompt) VALUES ('",
    "INSERT INTO test VALUES ('1');\n",
    "('1'),",
    ' INSERT INTO ',
    'CREATE TABLE test (n_prompt, n_gen);\n',
    "''",
    "' ",
  ],
  md: ['| test | t/s |\n', '| pp512 | 1.0 ± 0.1 |\n', '| a ', '\\|', 'build: a (1)\n', '| - '],
};

const importTarget = (layout: LlamaBenchLayout | null): Target => ({
  name: layout === null ? 'llama-bench' : `llama-bench-${layout}`,
  kind: layout === 'json' ? 'json' : layout === 'csv' ? 'csv' : 'text',
  corpus: () =>
    readAllShipped('test/llama-bench/outputs').filter((bytes) => {
      try {
        return importLlamaBench(bytes, 'file', null).source.layout === (layout ?? 'json');
      } catch {
        return false;
      }
    }),
  words: layout === null ? Object.values(benchWords).flat() : benchWords[layout]!,
  read: (input) =>
    formatImport(importLlamaBench(input, 'a file', layout), { colour: false, width: 120 }),
});

export const tableTargets: readonly Target[] = [
  {
    name: 'trial-table',
    kind: 'csv',
    corpus: () => [
      firstLines('results/h200-sizes-v2/trials.csv', 40),
      firstLines('results/h200-pilot-a/trials.csv', 60),
    ],
    words: cells,
    read(input, folder) {
      const path = join(folder, 'trials.csv');
      writeFileSync(path, input);
      const { trials } = readPublicTables(path);
      return `${trials.length} trials`;
    },
  },
  {
    name: 'repetition-table',
    kind: 'csv',
    corpus: () => [firstLines('results/h200-sizes-v2/repetitions.csv', 51)],
    words: cells,
    read(input) {
      const { trials, faults } = readRepetitionTable(toText(input));
      if (trials.size === 0 && faults.length === 0) throw new RooflawError('invalid-input', 'none');
      throwTableFaults('repetitions', faults);
      return `${trials.size} trials`;
    },
  },
  {
    name: 'step-table',
    kind: 'csv',
    corpus: () => [toBytes(steps)],
    words: [...cells, '0,0,0,step,0,500\n'],
    read(input) {
      const { trials, faults } = readStepTable(toText(input));
      throwTableFaults('steps', faults);
      return `${trials.size} trials`;
    },
  },
  ...layouts.map(importTarget),
];
