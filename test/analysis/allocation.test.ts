import { expect, test } from 'vitest';
import { analyzeSamples } from '../../src/analysis/analyze-samples.ts';
import type { MeasuredTrial } from '../../src/analysis/measurements.ts';
import { buildMeasurements } from './build-measurements.ts';

/** Four processes of one warm-up and three kept repetitions; means 10, 11, 10.5 and 10 ms. */
const kept = [
  [10, 10.2, 9.8],
  [11, 11.1, 10.9],
  [10.5, 10.4, 10.6],
  [9.9, 10, 10.1],
].map((repetitions) => repetitions.map((ms) => ms * 1e6));

function analyzeKept(processes: number[][], changes: (trial: MeasuredTrial) => object) {
  const measurements = buildMeasurements(
    [{ times: processes.map((repetitions) => repetitions.reduce((sum, ns) => sum + ns)) }],
    { unitsPerNs: 3n, repetitions: { warmup: 1, kept: 3 } },
  );
  for (const trial of measurements.trials) {
    trial.wallNs = [20e6, ...processes[trial.round]!];
    Object.assign(trial, changes(trial));
  }
  return analyzeSamples(measurements);
}

/** Each process takes 30 mean repetitions of 10.375 ms besides its kept ones. */
const processNs = ({ wallNs }: MeasuredTrial) =>
  wallNs!.slice(1).reduce((sum, ns) => sum + ns) + 30 * 10_375_000;

test('the worked variances and the optimum, at costs of 1 to 30', () => {
  const { allocation } = analyzeKept(kept, (trial) => ({ processNs: processNs(trial) }));
  expect(allocation).toEqual([
    {
      item: 0,
      repetitionCostNs: 10_375_000,
      processCostNs: 311_250_000,
      // .0175 and .22333333 ms^2 over the squared mean.
      withinVariance: expect.closeTo(0.0175 / 10.375 ** 2, 12),
      betweenComponent: expect.closeTo(0.67 / 3 / 10.375 ** 2, 12),
      optimalRepetitions: expect.closeTo(1.533214, 6),
      // 2 repetitions would need 5 processes, 5 x 32 / (4 x 33) of the time: nothing is saved.
      advice: { repetitions: 3, processes: 4, costShare: 1 },
      reason: null,
    },
  ]);
});

test('what is prepared before a kept repetition is part of its cost', () => {
  const { allocation } = analyzeKept(kept, (trial) => ({
    processNs: processNs(trial),
    prepareNs: [7, 1_000_000, 1_000_000, 1_000_000],
  }));
  expect(allocation[0]).toMatchObject({
    repetitionCostNs: 11_375_000,
    processCostNs: 308_250_000,
  });
});

test('processes that differ less than their repetitions have no optimum, and it is said', () => {
  const alike = [
    [9, 10, 11],
    [11, 10, 9],
    [10, 9, 11],
  ].map((repetitions) => repetitions.map((ms) => ms * 1e6));
  const { allocation } = analyzeKept(alike, (trial) => ({ processNs: processNs(trial) }));
  expect(allocation[0]).toMatchObject({
    withinVariance: expect.closeTo(0.01, 12),
    betweenComponent: expect.closeTo(-0.01 / 3, 12),
    optimalRepetitions: null,
    advice: null,
    reason:
      'the processes differ no more than their repetitions explain: no number of repetitions is best',
  });
});

test('without whole costs, or repetitions, or a second process there is no advice', () => {
  const reasonOf = (changes: (trial: MeasuredTrial) => object, processes = kept) =>
    analyzeKept(processes, changes).allocation[0]?.reason;
  expect(reasonOf(() => ({ processNs: null }))).toBe(
    'what some processes took in all is not known',
  );
  expect(reasonOf(() => ({ processNs: 5 }))).toBe(
    'the processes took no longer than their kept repetitions',
  );
  const nothingElse = ({ round }: MeasuredTrial) => ({
    processNs: kept[round]!.reduce((sum, ns) => sum + ns),
  });
  expect(reasonOf(nothingElse)).toBe('the processes took no longer than their kept repetitions');
  expect(reasonOf(({ round }) => (round === 2 ? { wallNs: null } : {}))).toBe(
    'the repetitions of some trials are not known',
  );
  expect(reasonOf(() => ({}), kept.slice(0, 1))).toBe('n = 1: two processes are needed');
  expect(analyzeKept(kept, () => ({ wallNs: null }))).toMatchObject({ warmup: [], allocation: [] });
});

test('the first repetition that belongs to the last level is found over all trials', () => {
  // 12 repetitions, the first two slower by 50 % and 10 %, in every process.
  const shape = [1.5, 1.1, 1, 1.001, 1, 0.999, 1, 1.001, 1, 0.999, 1, 1];
  const measurements = buildMeasurements([{ times: [4000, 4400, 4200] }], {
    unitsPerNs: 4n,
    repetitions: { warmup: 8, kept: 4 },
  });
  for (const trial of measurements.trials) {
    trial.wallNs = shape.map((factor) => factor * Number(trial.sum!) * 250);
  }
  expect(analyzeSamples(measurements).warmup[0]).toMatchObject({ n: 3, steadyFrom: 2 });
});
