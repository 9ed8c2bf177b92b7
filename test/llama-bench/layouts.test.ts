import { expect, test } from 'vitest';
import { importText, readOutput } from './bench-output.ts';

test('rows of SQL may come from a dump: without columns, several at once, bare numbers', () => {
  const { runs } = importText(
    `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE llama_bench (
  model_filename TEXT,
  n_prompt INTEGER,
  n_gen INTEGER,
  avg_ts REAL
);
INSERT INTO llama_bench VALUES('it''s.gguf',512,0,34.5),('b.gguf',0,128,NULL),('c.gguf', 0, 64, 1e2);
COMMIT;
`.replace('NULL', '7.25'),
  );
  expect(runs.map((run) => [run.test, run.printed.avg_ts?.value])).toEqual([
    ['pp512', 34.5],
    ['tg128', 7.25],
    ['tg64', 100],
  ]);
});

test('an apostrophe that llama-bench does not double is part of the name', () => {
  const { conditions } = importText(
    "INSERT INTO test (model_filename, n_prompt, n_gen, avg_ts) VALUES ('bob's, model.gguf', '512', '0', '34.5');\n" +
      "INSERT INTO test (model_filename, n_prompt, n_gen, avg_ts) VALUES ('it''s''', '512', '0', '34.5');\n" +
      "INSERT INTO test (model_filename, n_prompt, n_gen, avg_ts) VALUES ('', '512', '0', '34.5');",
  );
  expect(conditions.map(({ fields }) => fields.model_filename)).toEqual([
    "bob's, model.gguf",
    "it's'",
    '',
  ]);
});

test('a quoted cell of CSV may hold commas, quotes and a line break', () => {
  const { conditions } = importText(
    'model_filename,n_prompt,n_gen,avg_ts\n"a, ""b""\nc.gguf","512","0","34.5"\n',
  );
  expect(conditions[0]?.fields.model_filename).toBe('a, "b"\nc.gguf');
});

test('CSV that a spreadsheet saved with semicolons is read', () => {
  const { runs } = importText('model_type;n_prompt;n_gen;avg_ts\nsmall;512;0;34.5\n');
  expect(runs[0]?.printed.avg_ts?.value).toBe(34.5);
});

test('two runs appended to one CSV file may have different columns', () => {
  const { runs, conditions } = importText(
    'model_type,n_prompt,n_gen,avg_ts\n"a","512","0","34.5"\n' +
      'model_type,n_prompt,n_gen,poll,avg_ts\n"a","512","0","50","35.5"\n',
  );
  expect(runs.map(({ line }) => line)).toEqual([2, 4]);
  expect(conditions.map(({ fields }) => fields.poll)).toEqual([undefined, '50']);
});

test('Markdown of older versions and in a code block is read', () => {
  const { runs, ignored } = importText(
    'Here you are:\n\n```\n' +
      '| model | size | params | backend | ngl | test | t/s |\n' +
      '| ----- | ---: | -----: | ------- | --: | ---- | --: |\n' +
      '| llama 7B mostly Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp 512 | 2368.80 ± 93.24 |\n' +
      '| llama 7B mostly Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512+tg128 @ d4096 | 131.42 ± 0.59 |\n' +
      '```\n',
  );
  expect(runs.map((run) => run.test)).toEqual(['pp512', 'pp512+tg128 @ d4096']);
  expect(runs[1]).toMatchObject({ promptTokens: 512, generatedTokens: 128, depthTokens: 4096 });
  expect(ignored.map(({ text }) => text)).toEqual(['Here you are:']);
});

test('JSON in one line, pretty or not, is read as the same rows', () => {
  const pretty = new TextDecoder().decode(readOutput('a.json'));
  const compact = JSON.stringify(JSON.parse(pretty));
  const figures = ({ runs }: ReturnType<typeof importText>) =>
    runs.map(({ samplesNs, test: name }) => [name, samplesNs]);
  expect(figures(importText(compact))).toEqual(figures(importText(pretty)));
});
