import { describe, expect, test } from 'vitest';
import { analyzeTable } from '../../src/analysis/analyze-table.ts';
import { measureTable } from '../../src/analysis/measure-table.ts';
import type { PublicTables } from '../../src/analysis/table-faults.ts';
import { RooflawError } from '../../src/errors.ts';
import { readRepetitionTable } from '../../src/formats/repetition-table.ts';
import { readTrialTable } from '../../src/formats/trial-table.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { trialHeader, trialLine, trialTable } from '../support/trial-table.ts';

function tablesOf(trials: string, others: Partial<PublicTables> = {}): PublicTables {
  const { lines, faults } = readTrialTable(trials);
  expect(faults).toEqual([]);
  return {
    ...{ subject: 'trials.csv', trials: lines },
    ...{ repetitions: null, protocol: null, plan: null, ...others },
  };
}

const repetitionsOf = (...rows: string[]) =>
  readRepetitionTable(
    `architecture,quantization,sequenceLength,phase,round,position,repetition,kind,wallNs,prepareNs\n${rows.join('\n')}\n`,
  ).trials;

const analyze = (tables: PublicTables) =>
  analyzeTable(measureTable(tables, null), {
    ...{ protocolName: 'v1', device: 'Test GPU', protocol: tables.protocol, plan: tables.plan },
  });

function faultsOf(tables: PublicTables): string[] {
  try {
    measureTable(tables, null);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    return error.faults.map(({ where, what }) => `${where}: ${what}`);
  }
  return [];
}

describe('a table alone', () => {
  test('has 1.05 - 1.00 at 5 % exactly, and a hair more above it', () => {
    const range = (...means: string[]) => analyze(tablesOf(trialTable(means))).items[0]!;
    expect(range('1.00', '1.05', '1.00')).toMatchObject({ relativeRange: 0.05, stable: true });
    expect(range('1.00', '1.05000000000000000001', '1.00').stable).toBe(false);
    expect(range('95', '95', ...Array(8).fill('100'))).toMatchObject({ stable: true });
  });

  test('has an in-trial CV of 5 % at the limit, and a hair more above it', () => {
    const stable = (inTrialCv: string) =>
      analyze(tablesOf(trialTable([1, 1, 1], { inTrialCv }))).items[0]!.stable;
    expect(stable('0.05')).toBe(true);
    expect(stable('0.05000000000000000000001')).toBe(false);
  });

  test('gives the worked intervals of A', () => {
    const a = [14.82, 14.79, 14.85, 14.8, 14.83, 14.78, 14.84, 14.81, 16.94, 14.86];
    const [item] = analyze(tablesOf(trialTable(a))).items;
    expect(item).toMatchObject({
      n: 10,
      representativeNs: 14.825,
      interval: { lowerNs: 14.79, upperNs: 14.86, coverage: 0.978515625, ranks: [2, 9] },
      cv: { value: expect.closeTo(0.0446314458, 9), ddof: 1 },
      relativeRange: expect.closeTo(0.145699831, 8),
      stable: false,
    });
  });

  test('is judged by the rules of v1 and says so; there is no reference and no declaration', () => {
    const measured = measureTable(tablesOf(trialTable([1, 2])), 0.05);
    expect(measured).toMatchObject({
      name: 'c',
      unitsPerNs: 1n,
      phases: ['prefill'],
      decodeSteps: null,
      declaration: null,
      targetDifference: 0.05,
      rules: { source: 'v1-defaults', stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 } },
      repetitions: null,
      planned: null,
      environmentDifferences: null,
    });
    const analysis = analyze(tablesOf(trialTable([1, 2])));
    expect(analysis.drift).toMatchObject([{ state: 'not-evaluable' }]);
    const unknown = { planned: null, notStarted: null, complete: null };
    expect(analysis.progress).toMatchObject({ ...unknown, observed: 2, failed: 0 });
    expect(analysis.caveats.join(' ')).toContain('does not say which trials are missing');
  });

  test('numbers its trials by round and position, and sorts its items', () => {
    const rows = [
      trialLine({ round: 1, position: 0, architecture: 'mid', trialMeanNs: 4 }),
      trialLine({ round: 0, position: 1, architecture: 'mid', trialMeanNs: 2 }),
      trialLine({ round: 0, position: 0, architecture: 'big', phase: 'decode', trialMeanNs: 1 }),
      trialLine({ round: 1, position: 1, architecture: 'big', trialMeanNs: 3 }),
    ];
    const { items, trials } = measureTable(tablesOf(`${trialHeader}\n${rows.join('\n')}\n`), null);
    expect(items.map(({ item }) => `${item.architecture} ${item.phase}`)).toEqual([
      'big prefill',
      'mid prefill',
      'big decode',
    ]);
    expect(trials.map(({ trial, item, sum }) => [trial, item, sum])).toEqual([
      [0, 2, 1n],
      [1, 1, 2n],
      [2, 1, 4n],
      [3, 0, 3n],
    ]);
  });

  test('whose rows lack the variation inside a trial has no stable flag, and a reason', () => {
    const [item] = analyze(tablesOf(trialTable([1, 1, 1], { inTrialCv: '' }))).items;
    expect(item).toMatchObject({ stable: null, inTrialCvMax: null, relativeRange: 0 });
    expect(item!.missing.map(({ field }) => field)).toContain('stable');
  });

  test('keeps failures in the count of failures alone', () => {
    const failed = trialLine({
      ...{ round: 1, position: 1, state: 'failed' },
      ...{ trialMeanNs: '', inTrialCv: '', processNs: '' },
    });
    const [item] = analyze(tablesOf(`${trialHeader}\n${trialLine()}\n${failed}\n`)).items;
    expect(item).toMatchObject({ n: 1, failed: 1, cv: null, interval: null });
  });
});

describe('with repetitions beside it', () => {
  const rows = [
    'mid,F16,512,prefill,0,0,0,warmup,900,10',
    'mid,F16,512,prefill,0,0,1,kept,100,11',
    'mid,F16,512,prefill,0,0,2,kept,101,12',
    'mid,F16,512,prefill,0,0,3,kept,102,13',
    'mid,F16,512,prefill,1,0,0,warmup,800,10',
    'mid,F16,512,prefill,1,0,1,kept,100,11',
    'mid,F16,512,prefill,1,0,2,kept,100,12',
    'mid,F16,512,prefill,1,0,3,kept,101,13',
  ];
  // 301/3 = 100.33333333333333 as a double; CVs 1/101 and 1/(sqrt(3) * 100.333...)
  const cvs = ['0.009900990099009901', '0.0057543216198301566'];
  const trials = (means: (string | number)[]) =>
    `${trialHeader}\n${means
      .map((trialMeanNs, round) => trialLine({ round, trialMeanNs, inTrialCv: cvs[round]! }))
      .join('\n')}\n`;

  test('sums are exact even where a mean has no last decimal', () => {
    const repetitions = repetitionsOf(...rows);
    const measured = measureTable(
      tablesOf(trials([101, 100.33333333333333]), { repetitions }),
      null,
    );
    expect(measured).toMatchObject({ unitsPerNs: 3n, repetitions: { warmup: 1, kept: 3 } });
    expect(measured.trials).toMatchObject([
      { sum: 303n, wallNs: [900, 100, 101, 102], prepareNs: [10, 11, 12, 13] },
      { sum: 301n, wallNs: [800, 100, 100, 101] },
    ]);
  });

  test('a mean that does not follow from them is found, with both places', () => {
    const repetitions = repetitionsOf(...rows);
    expect(faultsOf(tablesOf(trials([101, 100.3]), { repetitions }))).toEqual([
      'line 3: trialMeanNs is 100.3, the kept repetitions give 100.33333333333333 (repetitions.csv, lines 6 to 9)',
      'line 3: trialMeanNs 100.3 is no mean of 3 repetitions of whole nanoseconds',
    ]);
  });

  test('a variation that does not follow from them is found; the last digits of another program are not', () => {
    const repetitions = repetitionsOf(...rows);
    const text = trials([101, 100.33333333333333]);
    const other = text.replace('0.009900990099009901', '0.0099009900990099');
    expect(faultsOf(tablesOf(other, { repetitions }))).toEqual([]);
    expect(
      faultsOf(tablesOf(text.replace('0.009900990099009901', '0.00990098'), { repetitions })),
    ).toEqual([
      'line 2: inTrialCv is 0.00990098, the kept repetitions give 0.009900990099009901 (repetitions.csv, lines 2 to 5)',
    ]);
  });

  test('missing, added and moved repetitions are found', () => {
    const only = repetitionsOf(...rows.slice(0, 4));
    expect(faultsOf(tablesOf(trials([101, 100.33333333333333]), { repetitions: only }))).toEqual([
      'line 3: repetitions.csv has no repetitions of this trial',
    ]);
    const all = repetitionsOf(...rows);
    expect(faultsOf(tablesOf(trials([101]), { repetitions: all }))).toEqual([
      'repetitions.csv, line 6: mid F16 S512 prefill, round 1 is not in the table',
    ]);
    const moved = repetitionsOf(...rows.map((row) => row.replace('prefill,1,0', 'prefill,1,7')));
    expect(faultsOf(tablesOf(trials([101, 100.33333333333333]), { repetitions: moved }))).toEqual([
      'line 3: position is 0, but 7 in repetitions.csv, lines 6 to 9',
    ]);
  });

  test('another number of them than the protocol’s is found', () => {
    const repetitions = repetitionsOf(...rows);
    const protocol = buildProtocol({ name: 'v1', repetitions: { warmup: 20, kept: 3 } });
    expect(
      faultsOf(tablesOf(trials([101, 100.33333333333333]), { repetitions, protocol })),
    ).toEqual([
      'repetitions.csv: 1 warm-up and 3 kept repetitions a trial where protocol.json has 20 and 3',
    ]);
  });
});

describe('with protocol and plan beside it', () => {
  const protocol = buildProtocol(); // 2 kept repetitions

  test('a mean is taken times the kept repetitions, and one that cannot be a mean is refused', () => {
    const table = (means: number[]) =>
      tablesOf(trialTable(means, { protocol: 'test-1' }), { protocol });
    const measured = measureTable(table([14.5, 15]), null);
    expect(measured).toMatchObject({
      unitsPerNs: 2n,
      decodeSteps: 64,
      rules: { source: 'protocol' },
    });
    expect(measured.trials.map(({ sum }) => sum)).toEqual([29n, 30n]);
    expect(faultsOf(table([14.5, 14.3]))).toEqual([
      'line 3: trialMeanNs 14.3 is no mean of 2 repetitions of whole nanoseconds',
    ]);
  });

  test('the reference is known from the protocol', () => {
    const rows = trialTable([1, 2], { ...{ protocol: 'test-1', quantization: 'Q8_0' } });
    const { items } = measureTable(tablesOf(rows, { protocol }), null);
    expect(items).toMatchObject([{ isReference: true, partOfSpace: true }]);
  });

  test('another protocol than the table names, or than the plan holds, is refused', () => {
    expect(faultsOf(tablesOf(trialTable([1]), { protocol }))).toEqual([
      'line 2: protocol is v1, but the rules beside the table (protocol.json or plan.json) are test-1',
    ]);
    const plan = buildPlan();
    const other = buildProtocol({ decodeSteps: 65 });
    const table = trialTable([1], { protocol: 'test-1' });
    expect(faultsOf(tablesOf(table, { plan, protocol: other }))).toEqual([
      'protocol.json: is not the protocol that plan.json holds',
    ]);
  });

  test('a trial that the plan has elsewhere is refused', () => {
    const table = trialTable([1], { protocol: 'test-1', architecture: 'other' });
    const [fault] = faultsOf(tablesOf(table, { plan: buildPlan(), protocol }));
    expect(fault).toMatch(
      /^line 2: other F16 S512 prefill where plan\.json has .+ at position 0 of round 0$/,
    );
    const late = trialTable([1], { protocol: 'test-1', position: 99 });
    expect(faultsOf(tablesOf(late, { plan: buildPlan(), protocol }))).toEqual([
      'line 2: plan.json has no position 99 in round 0',
    ]);
  });
});
