import { expect, test } from 'vitest';
import type { Execution } from '../../src/formats/protocol.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import type { BenchRow, OwnFigures } from '../../src/llama-bench/write/bench-row.ts';
import { describeBenchRow } from '../../src/llama-bench/write/describe-bench-row.ts';
import { writeMarkdown } from '../../src/llama-bench/write/write-markdown.ts';
import { importText, readOutput } from './bench-output.ts';

const figures: OwnFigures = {
  representativeNs: 200_000_000,
  interval: { lowerNs: 160_000_000, upperNs: 250_000_000, coverage: 0.978515625 },
  processes: 3,
  failed: 0,
  stable: true,
  inTrialCvMax: 0.01,
  warmup: 2,
  kept: 5,
  modelSha256: 'ab'.repeat(32),
  variant: 'default',
  campaign: 'mine',
  protocolSha256: 'cd'.repeat(32),
  disturbed: 0,
};

interface Setup {
  execution?: Partial<Execution>;
  ours?: Partial<OwnFigures>;
  llamaBench?: BenchRow['llamaBench'];
  backends?: string[];
  device?: string;
  times?: number[];
}

function describe(setup: Setup = {}): BenchRow {
  const { execution, ours, llamaBench, backends = [], device = 'CPU', times } = setup;
  const row = describeBenchRow({
    build: { commit: '5b4ebc5', number: 1 },
    cpuInfo: 'Some CPU',
    gpuInfo: '',
    backends,
    model: { filename: 'a.gguf', type: 'llama ?B Q8_0', sizeBytes: 70912, parameterCount: 65856 },
    execution: { ...createBaseExecution(2), ...execution },
    device,
    mainDevice: null,
    test: { phase: 'prefill', tokens: 100, depth: 0 },
    startTime: '2026-11-29T15:58:09Z',
    trialMeansNs: times ?? [160_000_000, 200_000_000, 250_000_000],
    ours: { ...figures, ...ours },
  });
  return { ...row, llamaBench: { ...row.llamaBench, ...llamaBench } };
}

const headings = (rows: BenchRow[]) =>
  writeMarkdown(rows)
    .split('\n')[0]!
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

test('the table is llama-bench’s with three columns more, and every number is explained', () => {
  expect(
    writeMarkdown([
      describe(),
      describe({ execution: { threads: 4 }, ours: { failed: 1, stable: false } }),
    ]),
  ).toBe(`\
| model                          |       size |     params | backend    | threads |            test |                  t/s |                interval t/s |    processes |  stable |
| ------------------------------ | ---------: | ---------: | ---------- | ------: | --------------: | -------------------: | --------------------------: | -----------: | ------: |
| llama ?B Q8_0                  |   0.07 MiB |     0.07 M | CPU        |       2 |           pp100 |      500.00 ± 112.73 |      400.00–625.00 (97.9 %) |            3 |     yes |
| llama ?B Q8_0                  |   0.07 MiB |     0.07 M | CPU        |       4 |           pp100 |      500.00 ± 112.73 |      400.00–625.00 (97.9 %) |  3, 1 failed |      no |

build: 5b4ebc5 (1)

t/s: the representative, tokens over the median of the processes’ times (llama-bench prints a mean);
±: standard deviation over the processes’ own t/s, not over repetitions inside one process.
interval t/s: of that median over processes, with what it covers in brackets.
processes: fresh ones that gave a time, each the mean of 5 kept repetitions after 2 for warm-up.
stable: small range over processes and small spread inside each, by the protocol’s limits; no test of equality.
not in a column: dev none, sm none (llama-bench: layer), fa 0 (llama-bench: auto), lm mmap (llama-bench: auto).
`);
});

test('llama-bench’s columns are byte for byte those of its own table', () => {
  const [head, rule, ...rows] = new TextDecoder().decode(readOutput('c.md')).split('\n');
  const json = new TextDecoder().decode(readOutput('c.json'));
  const recorded: BenchRow['llamaBench'][] = JSON.parse(json.slice(json.indexOf('[\n')));
  const written = writeMarkdown(
    recorded.map((llamaBench) => {
      // what it was measured with, were it by our defaults
      const settings = { flash_attn: 0, load_mode: 'mmap', split_mode: 'none' };
      return describe({ llamaBench: { ...llamaBench, ...settings } });
    }),
  ).split('\n');
  const before = (line: string) => line.split('|').slice(0, 7).join('|');
  expect(written[0]?.startsWith(head!)).toBe(true);
  expect(written[1]?.startsWith(rule!)).toBe(true);
  expect(written.slice(2, 6).map(before)).toEqual(rows.slice(0, 4).map(before));
});

test('a setting has a column when it varies or is not the default', () => {
  const usual = ['model', 'size', 'params', 'backend'];
  const last = ['test', 't/s', 'interval t/s', 'processes', 'stable'];
  expect(headings([describe()])).toEqual([...usual, 'threads', ...last]);
  expect(
    headings([
      describe(),
      describe({ execution: { flashAttention: 'on', kvOffload: false, ubatch: 64 } }),
    ]),
  ).toEqual([...usual, 'threads', 'n_ubatch', 'nkvo', 'fa', ...last]);
  expect(headings([describe({ execution: { loadMode: 'none' } })])).toEqual([
    ...usual,
    'threads',
    'lm',
    ...last,
  ]);
});

test('with every setting changed the headings are those that llama-bench prints', () => {
  const changed: Partial<Execution> = {
    threads: 1,
    affinity: [0],
    threadPoolStrictCpu: true,
    threadPoolPoll: 1,
    batch: 64,
    ubatch: 32,
    kvTypeK: 'Q8_0',
    kvOffload: false,
    flashAttention: 'on',
    loadMode: 'none',
    lazyMode: 'off',
    opOffload: false,
    hostBuffers: false,
  };
  const rows = [
    describe({ execution: changed }),
    describe({ execution: { ...changed, splitMode: 'layer' } }),
  ];
  // llama-bench -t 1 -C 0x1 --cpu-strict 1 --poll 1 -b 64 -ub 32 -ctk q8_0 -sm none,layer -nkvo 1 …
  const [head, rule, first] = writeMarkdown(rows).split('\n');
  expect(head).toContain(
    '| model                          |       size |     params | backend    | threads | cpu_mask   | cpu_strict |       poll | n_batch | n_ubatch | type_k |     sm |          nkvo |  fa |         lm | lazy_mode  | nopo |  noh |            test |                  t/s |',
  );
  expect(rule).toContain(
    '| ------------------------------ | ---------: | ---------: | ---------- | ------: | ---------- | ---------: | ---------: | ------: | -------: | -----: | -----: | ------------: | --: | ---------: | ---------- | ---: | ---: | --------------: | -------------------: |',
  );
  expect(first).toContain(
    '| CPU        |       1 | 0x1        |          1 |          1 |      64 |       32 |   q8_0 |   none |             1 |   1 |       none | off        |    1 |    1 |',
  );
});

test('on a GPU the layers have a column, and threads and device stand below', () => {
  const text = writeMarkdown([describe({ backends: ['CUDA'], device: 'CUDA0' })]);
  expect(headings([describe({ backends: ['CUDA'], device: 'CUDA0' })])).toContain('ngl');
  expect(text).toContain('not in a column: threads 2, dev CUDA0, sm none');
});

test('files that look the same in llama-bench’s columns are named', () => {
  const other = describe({ llamaBench: { model_filename: 'b|c.gguf' } });
  const larger = describe({ llamaBench: { model_filename: 'b.gguf', model_size: 80_000 } });
  expect(headings([describe(), larger])).not.toContain('model_filename');
  const text = writeMarkdown([describe(), other]);
  expect(text).toContain('| a.gguf         |');
  expect(text).toContain('| b\\|c.gguf      |');
  const { runs, conditions } = importText(text);
  expect(runs.map(({ condition }) => conditions[condition]?.fields.model_filename)).toEqual([
    'a.gguf',
    'b|c.gguf',
  ]);
});

test('what is unknown is said, and is no 0', () => {
  const text = writeMarkdown([
    describe({ times: [200_000_000], ours: { processes: 1, interval: null, stable: null } }),
  ]);
  expect(text).toContain(
    '|         500.00 ± nan |                        none |            1 | unknown |',
  );
  expect(text).toContain('; nan: fewer than two processes have none.');
  expect(text).toContain('in brackets; none: too few processes.');
});

test('where every process failed the rate is a word, which is read back as unknown', () => {
  const nothing = { representativeNs: null, interval: null, processes: 0, failed: 3, stable: null };
  const text = writeMarkdown([describe(), describe({ times: [], ours: nothing })]);
  expect(text).toContain(
    '|           pp100 |               failed |                        none |  0, 3 failed | unknown |',
  );
  expect(text).not.toContain('nan');
  expect(text).toContain('; failed: none did.');
  const { runs, losses } = importText(text);
  expect(losses).toEqual([]);
  expect(runs.map(({ printed }) => [printed.avg_ts?.value, printed.stddev_ts?.value])).toEqual([
    [500, 112.73],
    [null, null],
  ]);
});

test('the table is imported again: rates, settings and build', () => {
  const { runs, conditions, losses, findings } = importText(
    writeMarkdown([
      describe(),
      describe({ times: [200_000_000], execution: { threads: 4 }, ours: { interval: null } }),
    ]),
  );
  expect(losses).toEqual([]);
  expect(findings.filter(({ severity }) => severity === 'wrong')).toEqual([]);
  expect(runs.map(({ test: name, printed }) => [name, printed.avg_ts?.value])).toEqual([
    ['pp100', 500],
    ['pp100', 500],
  ]);
  expect(runs.map(({ printed }) => printed.stddev_ts?.value)).toEqual([112.73, null]);
  expect(conditions[1]?.fields).toMatchObject({
    n_threads: '4',
    build_commit: '5b4ebc5',
    build_number: '1',
  });
});

test('no name breaks the table or moves the cursor', () => {
  const type = 'a | b\nc\r\nd \u001b[31mred';
  const text = writeMarkdown([describe({ llamaBench: { model_type: type } })]);
  expect(text).toContain('| a \\| b c d \ufffd[31mred ');
  expect(importText(text).conditions[0]?.fields.model_type).toBe('a | b c d \ufffd[31mred');
});

test('rows of several builds have them in a column', () => {
  const rows = [describe(), describe({ llamaBench: { build_commit: 'other' } })];
  expect(headings(rows)).toContain('build_commit');
  expect(writeMarkdown(rows)).not.toContain('build:');
});

test('the layers on a GPU have a column on a CPU where they vary, and only there', () => {
  const layers = (gpuLayers: number) => describe({ execution: { gpuLayers } });
  expect(headings([layers(0), layers(99)])).toContain('ngl');
  expect(headings([layers(99), layers(99)])).not.toContain('ngl');
});
