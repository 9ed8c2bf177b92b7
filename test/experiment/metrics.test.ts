import { describe, expect, test } from 'vitest';
import { measureProcess } from '../../src/experiment/metrics.ts';
import type { Metric } from '../../src/formats/experiment.ts';
import type { ObservedEntry } from '../../src/formats/ledger.ts';
import { reportOf } from './build-result.ts';

const repetitions: ObservedEntry['repetitions'] = [
  { wallNs: 90, prepareNs: 1 },
  {
    wallNs: 30,
    prepareNs: 2,
    counters: {
      mainCpuNs: 25,
      processCpuNs: 40,
      startCpu: 0,
      endCpu: 1,
      minorFaults: 3,
      majorFaults: 1,
      aperf: 30,
      mperf: 20,
      schedulerWaitNs: 4,
      involuntarySwitches: 2,
    },
    activity: {
      elapsedNs: 5,
      sliceNs: [10, 10, 10, 10],
      sliceOperations: [80, 90, 90, 100],
      sliceAperf: [15, 0, 20, 30],
      sliceMperf: [10, 0, 10, 10],
    },
  },
  {
    wallNs: 50,
    prepareNs: 4,
    counters: {
      mainCpuNs: 51,
      processCpuNs: 60,
      startCpu: 1,
      endCpu: 1,
      minorFaults: 0,
      majorFaults: 0,
      schedulerWaitNs: 0,
      involuntarySwitches: 0,
    },
    activity: {
      elapsedNs: 5,
      sliceNs: [10, 10],
      sliceOperations: [50, 100],
      sliceAperf: [10, 20],
      sliceMperf: [10, 10],
    },
  },
];
const all = [
  'cpu-time',
  'placement',
  'page-faults',
  'scheduler-wait',
  'context-switches',
  'frequency',
];
const entry = (changes: Partial<ObservedEntry> = {}): ObservedEntry =>
  ({
    repetitions,
    processNs: 1000,
    load: { loadNs: 7, treatment: reportOf(all, {}, 3e9) },
    ...changes,
  }) as unknown as ObservedEntry;

test.each<[Metric, number]>([
  ['time', 40],
  ['first-repetition', 90],
  ['slowest-repetition', 50],
  ['preparation', 3],
  ['load', 7],
  ['process', 1000],
  ['main-cpu-time', 38],
  ['process-cpu-time', 50],
  ['time-off-cpu', 2.5], // 5 and, the clocks being two, no less than 0
  ['scheduler-wait', 2],
  ['involuntary-switches', 1],
  ['page-faults', 2],
  ['migrations', 0.5], // by two looks, where the kernel does not count
  ['frequency', 4.5e9], // of the one repetition in which the thread stayed
  ['first-slice-throughput', 0.65], // 0.8 and 0.5
  ['first-slice-frequency', 0.5], // 1.5 / 3 and 1 / 2
])('%s of the two kept repetitions is %s', (metric, value) => {
  expect(measureProcess(metric, entry(), 2)).toEqual({ value });
});

describe('what is not there says why', () => {
  const bare = [{ wallNs: 30, prepareNs: 2 }];
  test.each<[Metric, string, Partial<ObservedEntry>]>([
    ['main-cpu-time', 'the reading cpu-time was not asked for', { load: null }],
    [
      'scheduler-wait',
      'no such file',
      { load: { treatment: reportOf(all, { 'scheduler-wait': 'no such file' }) } as never },
    ],
    [
      'frequency',
      'the thread moved in each of 1 kept repetitions, so that no interval is valid',
      {},
    ],
    ['first-slice-throughput', 'it did no integer work', {}],
    ['load', 'the model was not loaded', { load: null }],
  ])('%s: %s', (metric, missing, changes) => {
    expect(measureProcess(metric, entry({ repetitions: bare, ...changes }), 1)).toEqual({
      missing,
    });
  });

  test('one repetition without its counter makes the mean nobody’s', () => {
    const [, second] = repetitions;
    const result = measureProcess(
      'main-cpu-time',
      entry({ repetitions: [second!, { wallNs: 1, prepareNs: 1 }] }),
      2,
    );
    expect(result).toEqual({ missing: 'it is not in the repetitions' });
  });
});
