import { expect, test } from 'vitest';
import { importText, readOutput } from './bench-output.ts';

test('the statistics of a real run are those of its samples', () => {
  const { runs } = importText(readOutput('a.json'));
  expect(runs.map((run) => run.test)).toEqual(['pp32', 'tg8', 'pp32 @ d16', 'tg8 @ d16']);
  const [first] = runs;
  expect(first?.samplesNs).toEqual([850299, 859928, 857348, 908663, 843520]);
  expect(first?.statistics).toMatchObject({
    n: 5,
    sumNs: '4319758',
    meanNs: 863951.6,
    sdNs: 25800.920260719384,
    cv: { ddof: 1 },
    medianNs: 857348,
    minNs: 843520,
    maxNs: 908663,
  });
  expect(first?.statistics?.cv?.value).toBeCloseTo(0.029863849156271466, 15);
  const rates = first!.statistics!.tokensPerSecond;
  expect(rates.meanOfRates).toBeCloseTo(37064.69644631013, 8);
  expect(rates.sdOfRates).toBeCloseTo(1071.0220459405461, 9);
  expect(rates.overMeanTime).toBeCloseTo(37039.11191321366, 8);
});

test('what llama-bench prints in t/s of a real run is confirmed to its last digit', () => {
  for (const name of ['a.json', 'b.jsonl', 'c.json']) {
    for (const { printed } of importText(readOutput(name)).runs) {
      expect(printed.avg_ns?.verdict).toBe('confirmed');
      expect(printed.avg_ts?.verdict).toBe('confirmed');
      expect(printed.stddev_ts?.verdict).toBe('confirmed');
    }
  }
});

test.each([
  ['a.csv', 'csv', 'a.json'],
  ['b.sql', 'sql', 'b.jsonl'],
])('%s and %s of one run have the same conditions and printed figures', (name, layout, other) => {
  const table = importText(readOutput(name));
  const json = importText(readOutput(other));
  expect(table.source.layout).toBe(layout);
  expect(table.conditions.map(({ key }) => key)).toEqual(json.conditions.map(({ key }) => key));
  expect(table.conditions).toEqual(json.conditions);
  const texts = ({ runs }: typeof table) =>
    runs.map(({ printed }) => Object.values(printed).map((figure) => figure?.text));
  expect(texts(table)).toEqual(texts(json));
  expect(table.runs.map(({ testTime }) => testTime)).toEqual(
    json.runs.map(({ testTime }) => testTime),
  );
});

test('the Markdown table has the rounded rates of its run, and the build below it', () => {
  const table = importText(readOutput('c.md'));
  const json = importText(readOutput('c.json'));
  expect(table.source.layout).toBe('md');
  expect(table.runs.map((run) => run.test)).toEqual(json.runs.map((run) => run.test));
  expect(table.runs.map(({ printed }) => printed.avg_ts?.value)).toEqual([
    51190.9, 35865.33, 32974.54, 25026.37,
  ]);
  expect(table.runs.map(({ printed }) => printed.stddev_ts?.value)).toEqual([
    2215.85, 2168.23, 811.43, 1836.46,
  ]);
  expect(table.conditions[2]?.fields).toEqual({
    model_type: 'llama ?B Q8_0',
    size: '0.07 MiB',
    params: '0.07 M',
    backends: 'CPU',
    n_threads: '1',
    n_prompt: '32',
    n_gen: '0',
    n_depth: '16',
    build_commit: '5b4ebc5',
    build_number: '1',
  });
});

test.each(['a.csv', 'b.sql', 'c.md'])('of %s nothing can be recomputed, and it says so', (name) => {
  for (const run of importText(readOutput(name)).runs) {
    expect(run.samplesNs).toBeNull();
    expect(run.statistics).toBeNull();
    expect(run.printed.avg_ts?.verdict).toBe('unchecked');
    expect(run.missing.find(({ field }) => field === 'statistics')?.reason).toContain(
      'nothing can be recomputed',
    );
  }
});

test('a line of the log before the data is named and not taken for data', () => {
  for (const name of ['a.csv', 'b.sql', 'c.json']) {
    const { ignored, runs, losses } = importText(readOutput(name));
    const text = 'load_backend: loaded CPU backend from /opt/llama.cpp/libggml-cpu-zen4.so';
    expect(ignored).toEqual([{ line: 1, bytes: 72, text }]);
    expect(runs).toHaveLength(4);
    expect(losses).toEqual([]);
  }
});

test('real output has no unknown columns', () => {
  for (const name of ['a.json', 'b.jsonl', 'a.csv', 'b.sql', 'c.md']) {
    expect(importText(readOutput(name)).unknownColumns).toEqual([]);
  }
});

test('a real deviation of one repetition is unknown, whatever is printed', () => {
  const { runs } = importText(readOutput('one.json'));
  expect(runs.map((run) => run.test)).toEqual(['pp32', 'tg8', 'pp16+tg4']);
  for (const { statistics, printed, missing, findings } of runs) {
    expect(statistics).toMatchObject({ n: 1, sdNs: null, cv: null });
    expect(statistics?.tokensPerSecond.sdOfRates).toBeNull();
    expect(printed.stddev_ns).toMatchObject({ text: '0', value: null, verdict: 'unknown' });
    expect(printed.stddev_ts).toMatchObject({ text: '0.000000', value: null, verdict: 'unknown' });
    expect(printed.avg_ts?.verdict).toBe('confirmed');
    expect(missing.map(({ field }) => field)).toEqual([
      'interval',
      'statistics.sdNs',
      'statistics.cv',
      'statistics.tokensPerSecond.sdOfRates',
    ]);
    expect(findings.map(({ code }) => code)).toEqual(['unknown-figure', 'unknown-figure']);
  }
});

test('no interval is offered, and every import says why', () => {
  for (const name of ['a.json', 'a.csv', 'c.md']) {
    const { limits, runs } = importText(readOutput(name));
    expect(limits[0]).toBe('samples inside one process: no interval over processes can be given');
    expect(runs.every(({ interval }) => interval === null)).toBe(true);
  }
});
