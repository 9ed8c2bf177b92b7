import { describe, expect, test } from 'vitest';
import { arm, smallExperiment } from '../support/experiment-plan.ts';
import { reportOf, resultOf, wordsOf } from './build-result.ts';
import { readings, slow, us, usual, watch, watched, whole } from './watched-repetitions.ts';

describe('the seed’s three natural delays', () => {
  const natural = watch({
    1: slow(22_390, 22_360, {
      startCpu: 6,
      endCpu: 8,
      migrations: 1,
      aperf: undefined,
      mperf: undefined,
    }),
    3: slow(21_640.5, 19_039.9, { involuntarySwitches: 5, schedulerWaitNs: 2_500 * us }),
    5: slow(20_700, 19_900),
  });

  test('are one of CPU time, one off the CPU and one of both', () => {
    expect(natural).toMatchObject({
      processes: 8,
      repetitions: 16,
      slow: 3,
      slowProcesses: 3,
      baselineNs: 19_050 * us,
      baselineCpuNs: 19_030 * us,
    });
    expect(natural.cases.map(({ kind }) => kind)).toEqual([
      'cpu-time-grew',
      'time-off-cpu-grew',
      'mixed',
    ]);
    expect(natural.kinds).toEqual({
      'cpu-time-grew': 1,
      'time-off-cpu-grew': 1,
      mixed: 1,
      invalid: 0,
      'not-measured': 0,
    });
  });

  test('have a row of what was observed', () => {
    expect(natural.cases[0]!.observed).toEqual([
      '22.39 ms where 19.05 ms is usual (17.5 % more), CPU time 22.36 ms where 19.03 ms is usual: CPU time grew',
      '10.00 µs more off the CPU: of it 0 ns waiting for a CPU, 10.00 µs other waiting',
      '1 move by the kernel’s counter (CPU 6 at the start, 8 at the end)',
      '0 involuntary switches',
    ]);
    expect(natural.cases[1]!.observed.slice(1)).toEqual([
      '2.581 ms more off the CPU: of it 2.500 ms waiting for a CPU, 80.60 µs other waiting',
      'no move by the kernel’s counter (CPU 1 at the start, 1 at the end)',
      '5 involuntary switches',
      'frequency 100.0 % of the usual one of this work',
    ]);
  });

  test('have a row of what remains unknown', () => {
    expect(natural.cases.map(({ unknown }) => unknown)).toEqual([
      [
        'whether the frequency fell (the thread moved, so that the reading is not valid)',
        'what made the CPU time grow',
      ],
      ['who had the CPU while it waited for it'],
      [
        'what it waited for where it did not wait for a CPU (a device, a lock, a page)',
        'what made the CPU time grow at the usual frequency',
      ],
    ]);
  });

  test('say nothing of the frequency of the one in which it was not read', () => {
    expect(natural.sentences).toEqual([
      'Among 16 kept repetitions of 8 processes in watched 3 took more than 5 % longer than the median, in 3 of the processes: 1 CPU time grew, 1 time off the CPU grew and 1 both grew.',
      'Frequency: withheld for 1 of the 3, in which it was not measured; the others’ rows say nothing about these.',
    ]);
  });

  test('are too few to be associated with anything', () => {
    expect(natural.associations.map(({ verdict }) => verdict)).toEqual(
      Array(3).fill('not distinguishable here'),
    );
    expect(natural.associations[0]!.sentence).toContain('and 6 such processes are needed');
  });
});

test('without any reading a slow repetition is counted, and every reason is withheld', () => {
  const plain = smallExperiment({
    arms: [arm('off')],
    comparisons: [],
    natural: ['off'],
    blocks: 6,
  });
  const { natural } = resultOf(plain, (_, block) => [
    { wallNs: 10_000 * us },
    { wallNs: (block === 1 ? 12_000 : 10_000) * us },
  ]);
  expect(natural[0]).toMatchObject({ slow: 1, kinds: { 'not-measured': 1 }, baselineCpuNs: null });
  expect(natural[0]!.cases[0]!.unknown).toEqual([
    'whether CPU time or time off the CPU grew (no CPU time was read)',
    'whether the frequency fell (not asked for in this arm)',
    'whether it moved (not asked for in this arm)',
  ]);
  expect(natural[0]!.associations.map(({ verdict }) => verdict)).toEqual(
    Array(3).fill('not measured'),
  );
});

test('a machine without the counters is named, and what needs them withheld', () => {
  const report = reportOf([...readings, 'migrations'], {
    'scheduler-wait': 'no such file',
    migrations: 'no permission',
    frequency: 'no registers',
  });
  const bare = (one: ReturnType<typeof usual>) => {
    const { schedulerWaitNs: _w, migrations: _m, aperf: _a, mperf: _p, ...counters } = one.counters;
    return { ...one, counters };
  };
  const result = resultOf(
    watched,
    (_, block) => [bare(usual()), bare(block === 2 ? slow(22_390, 19_040) : usual())],
    { report },
  );
  expect(result.notMeasured).toEqual([
    { reading: 'scheduler-wait', arms: ['watched'], reason: 'no such file' },
    { reading: 'frequency', arms: ['watched'], reason: 'no registers' },
    { reading: 'migrations', arms: ['watched'], reason: 'no permission' },
  ]);
  expect(result.natural[0]!.cases[0]!.unknown).toEqual([
    'what it waited for: a CPU or something else (no such file)',
    'whether the frequency fell (no registers)',
    'whether it moved there and back between the two looks',
  ]);
  expect(result.natural[0]!.sentences.at(-1)).toBe(
    'Moves were seen by two looks in 1 of them; a move there and back between the looks is missed.',
  );
  expect(wordsOf(result).join(' ')).not.toMatch(/scheduling|scheduler/);
});

test('more CPU time than time is invalid, and said', () => {
  const { cases } = watch({ 1: slow(21_000, 23_000) });
  expect(cases[0]).toMatchObject({ kind: 'invalid' });
  expect(cases[0]!.unknown).toContain('which time grew: the two clocks contradict each other');
});

test('intervals in which the thread moved have no frequency, and are counted', () => {
  const moved = slow(22_390, 22_360, { aperf: undefined, mperf: undefined });
  const { invalidIntervals } = resultOf(
    watched,
    (_, block) => [usual(), block < 3 ? moved : usual()],
    { report: whole },
  );
  expect(invalidIntervals).toEqual([{ arm: 'watched', group: 0, invalid: 3, intervals: 24 }]);
});

describe('two of three natural delays without a reading of the frequency', () => {
  const unread = { aperf: undefined, mperf: undefined };
  const natural = watch({
    1: slow(22_390, 22_360, { startCpu: 6, endCpu: 8, migrations: 1, ...unread }),
    2: slow(22_540, 22_500, { startCpu: 8, endCpu: 6, migrations: 1, ...unread }),
    5: slow(21_640.5, 19_039.9, { involuntarySwitches: 5 }),
  });

  test('say nothing of those two, and nothing of the natural delays as a whole', () => {
    expect(natural.sentences[1]).toBe(
      'Frequency: withheld for 2 of the 3, in which it was not measured; the others’ rows say nothing about these.',
    );
    expect(natural.cases.map(({ frequencyRatio }) => frequencyRatio)).toEqual([null, null, 1]);
  });

  test('are left out, by their number, where slow repetitions are held against the frequency', () => {
    expect(natural.associations[2]!.sentence).toBe(
      'a lower frequency: not distinguishable here, among 1 process with slow and other repetitions, slow ones had it more often in 0, less often in 0; 2 of the 3 slow ones have no reading of it and are left out, and 6 such processes are needed',
    );
  });
});

test('a CPU time that grew at a higher frequency is as unexplained as one at the usual', () => {
  const { cases } = watch({ 1: slow(22_390, 22_360, { aperf: 1_600_000 }) });
  expect(cases[0]!.unknown).toEqual(['what made the CPU time grow at a higher frequency']);
});

test('a CPU time that grew at a lower frequency is not said to have grown by it', () => {
  const { cases } = watch({ 1: slow(22_390, 22_360, { aperf: 1_300_000 }) });
  expect(cases[0]!.frequencyRatio).toBeCloseTo(0.8666667, 6);
  expect(cases[0]!.unknown).toEqual([
    'whether the lower frequency made the CPU time grow, and what lowered it',
  ]);
});

test('a time and a frequency are usual for one arm: what is usual for another is no dip and not slow', () => {
  const treatment = { readings: [...readings] };
  const two = smallExperiment({
    arms: [arm('fast', { treatment }), arm('calm', { treatment, execution: { threads: 1 } })],
    comparisons: [],
    natural: ['fast', 'calm'],
    blocks: 8,
  });
  const calm = { ...slow(24_000, 23_980, { aperf: 1_200_000 }) };
  const { natural } = resultOf(
    two,
    (name, block) =>
      name === 'fast'
        ? [usual(), usual()]
        : [calm, block === 2 ? { ...calm, wallNs: 27_000 * us } : calm],
    { report: whole },
  );
  expect(natural.map(({ slow: count }) => count)).toEqual([0, 1]);
  expect(natural[1]!.cases[0]).toMatchObject({ kind: 'time-off-cpu-grew', frequencyRatio: 1 });
});
