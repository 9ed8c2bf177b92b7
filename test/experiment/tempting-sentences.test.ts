import { describe, expect, test } from 'vitest';
import type { Experiment, Metric } from '../../src/formats/experiment.ts';
import { arm, smallExperiment } from '../support/experiment-plan.ts';
import { type Repetition, reportOf, resultOf } from './build-result.ts';

const ms = 1_000_000;
const both = (one: Partial<Repetition>) => [one, one];
const side = (name: string, metric: Metric) => ({ arm: name, metric });
const compare = (a: ReturnType<typeof side>, b: ReturnType<typeof side>) => [{ name: 'x', a, b }];
const eight = (changes: Partial<Experiment> = {}) => smallExperiment({ blocks: 8, ...changes });
const sentencesOf = (...args: Parameters<typeof resultOf>) =>
  resultOf(...args).findings[0]!.sentences.join(' ');

describe('a number of one arm beside another number of another arm', () => {
  /** Both arms do the same; only the first repetition is slower than the later ones. */
  const { findings } = resultOf(
    eight({ comparisons: compare(side('file', 'time'), side('off', 'first-repetition')) }),
    () => [{ wallNs: 12 * ms }, { wallNs: 10 * ms }],
  );

  test('is not called caused by the arms, since their numbers are not the same', () => {
    expect(findings[0]).toMatchObject({ larger: 8, verdict: 'associated' });
    expect(findings[0]!.sentences[0]).toMatch(
      /associated .*The arms differ and so do the two numbers: which of both brings the difference is not known\.$/,
    );
  });
});

describe('an experiment of which 18 of 24 declared blocks are measured', () => {
  const watched = { treatment: { readings: ['cpu-time' as const, 'context-switches' as const] } };
  const early = eight({
    arms: [arm('file', watched), arm('off', { ...watched, execution: { logSink: 'off' } })],
    blocks: 24,
    natural: ['file'],
  });
  const tell = (name: string, block: number) => {
    if (block > 17) return null;
    const time = (wallNs: number, involuntarySwitches: number) => ({
      wallNs,
      counters: { mainCpuNs: 9 * ms, involuntarySwitches },
    });
    return [time((name === 'file' ? 10 : 9) * ms, 0), time((name === 'file' ? 12 : 9) * ms, 3)];
  };
  const result = resultOf(early, tell, {
    isComplete: false,
    report: reportOf(['cpu-time', 'context-switches']),
  });
  const why = '18 of 24 declared blocks are measured, and nothing is tested before the last one';

  test('has found nothing yet, though every pair so far goes one way', () => {
    expect(result.findings[0]).toMatchObject({
      smaller: 18,
      verdict: 'not measured',
      pValue: null,
      adjustedPValue: null,
      interval: null,
      missing: why,
    });
  });

  test('associates nothing with slow repetitions yet', () => {
    const { associations } = result.natural[0]!;
    expect(associations[1]).toEqual({
      event: 'an involuntary switch',
      processes: 18,
      more: 18,
      less: 0,
      pValue: null,
      verdict: 'not measured',
      sentence: `an involuntary switch: ${why}; withheld whether slow repetitions go with it`,
    });
  });

  test('is tested when the last block is there, and if only its last line is missing', () => {
    const whole = resultOf(early, (name, block) => tell(name, block % 18), {
      isComplete: false,
      report: reportOf(['cpu-time', 'context-switches']),
    });
    expect(whole.findings[0]!.verdict).toBe('caused by the intervention in this experiment');
  });
});

test('loading that is faster, and the timed work with it: the one says nothing of the other', () => {
  const said = sentencesOf(
    eight({ comparisons: compare(side('file', 'preparation'), side('off', 'preparation')) }),
    (name) =>
      both(
        name === 'off'
          ? { wallNs: 9 * ms, prepareNs: 8 * ms }
          : { wallNs: 10 * ms, prepareNs: 9 * ms },
      ),
  );
  expect(said).toContain('It lies outside the timer: nothing is said of the timed work itself.');
  expect(said).not.toMatch(/not faster|not slower/);
});

test('a faster process is no faster work, and does not lie outside the timer either', () => {
  const said = sentencesOf(
    eight({ comparisons: compare(side('file', 'process'), side('off', 'process')) }),
    (name) => both({ wallNs: (name === 'off' ? 9 : 10) * ms }),
  );
  expect(said).toContain(
    'The time of a process holds its start, loading and warm-up too: nothing is said of the timed work alone.',
  );
  expect(said).not.toContain('outside the timer');
});

test('an activity whose length nobody measured did not take 0 ns', () => {
  const warm = { treatment: { activity: { kind: 'decode' as const, milliseconds: 50 } } };
  const said = sentencesOf(
    eight({ arms: [arm('cold'), arm('warm', warm)] }),
    (name) => both({ wallNs: (name === 'warm' ? 9 : 10) * ms }),
    { report: reportOf([]) },
  );
  expect(said).toContain('(of a length that was not measured in warm)');
});

test('a warm-up that makes work faster is not called one of several causes of slowness', () => {
  const warm = { treatment: { activity: { kind: 'decode' as const, milliseconds: 50 } } };
  const said = sentencesOf(
    eight({ arms: [arm('cold'), arm('warm', warm)] }),
    (name, block) => [
      { wallNs: (name === 'warm' ? 9 : 10) * ms },
      { wallNs: (name === 'warm' && block === 2 ? 10 : name === 'warm' ? 9 : 10) * ms },
    ],
    { report: reportOf([]) },
  );
  expect(said).toContain(
    'Slow repetitions remain in warm: 1 of 16 kept repetitions took more than 5 % longer than its median.',
  );
  expect(said).not.toContain('only cause');
});

test('both arms that idle say so', () => {
  const idle = (milliseconds: number) => ({ launch: { idleMilliseconds: milliseconds } });
  const said = sentencesOf(
    eight({ arms: [arm('short', idle(500)), arm('long', idle(2000))] }),
    (name) => both({ wallNs: (name === 'long' ? 11 : 10) * ms }),
  );
  expect(said).toContain('The 0.5 s in which nothing was done before short are not in this time.');
  expect(said).toContain('The 2 s in which nothing was done before long are not in this time.');
});

test('each reason why pairs are missing is told, not only that of the first arm', () => {
  const reading = { treatment: { readings: ['scheduler-wait' as const] } };
  const metric = 'scheduler-wait';
  const { findings } = resultOf(
    eight({
      arms: [arm('file', reading), arm('off', { ...reading, execution: { logSink: 'off' } })],
      comparisons: compare(side('file', metric), side('off', metric)),
    }),
    (name) => (name === 'off' ? { failed: 'ended by SIGSEGV' } : both({ wallNs: ms })),
    { report: reportOf(['scheduler-wait'], { 'scheduler-wait': 'no such file' }) },
  );
  expect(findings[0]!.missing).toBe(
    '0 of the 6 pairs that an interval needs; scheduler-wait of file: no such file; scheduler-wait of off: a process failed: ended by SIGSEGV',
  );
});

test('a cost of the log beside failures of the silent arm: how many each arm lost stands there', () => {
  const said = sentencesOf(eight(), (name, block) =>
    name === 'off' && block === 7
      ? { failed: 'ended by SIGSEGV' }
      : both({ wallNs: (name === 'off' ? 9 : 10) * ms }),
  );
  expect(said).toContain('1 block without a pair: 8 numbers of file, 7 of off, 7 pairs.');
});

test('six pairs that go one way among two that are equal: the interval reaches no change, and no family is to blame', () => {
  const said = sentencesOf(eight(), (name, block) =>
    both({ wallNs: (name === 'off' && block < 6 ? 9 : 10) * ms }),
  );
  expect(said).toContain(
    'The sign test alone would call it found (p 0.031); with the equal pairs the interval reaches no change.',
  );
  expect(said).not.toContain('among 1 comparisons');
});

describe('one of three comparisons in 24 blocks, whose ratios are 1.001, 1.002 … 1.024', () => {
  const arms = ['a', 'b', 'c', 'd'].map((name) => arm(name));
  const comparisons = ['b', 'c', 'd'].map((name) => ({
    name,
    a: side('a', 'time'),
    b: side(name, 'time'),
  }));
  const tell = (name: string, block: number) =>
    both({ wallNs: 10_000_000 + (name === 'b' ? 10_000 * (block + 1) : 0) });
  const resultWith = (changes: Partial<Experiment>) =>
    resultOf(
      smallExperiment({ arms, comparisons, blocks: 24, effectThatMatters: 0.0185, ...changes }),
      tell,
    ).findings[0]!;

  test('has an interval of its own and a wider one that holds for all three', () => {
    const { interval, familyInterval } = resultWith({});
    // places 7 and 18, and 6 and 19, of 24: 1 - 2 x 190,051 / 2^24 and 1 - 2 x 55,455 / 2^24
    expect(interval!.lower).toBeCloseTo(1.007, 9);
    expect(interval!.upper).toBeCloseTo(1.018, 9);
    expect(interval!.coverage).toBeCloseTo(0.97734416, 8);
    expect(familyInterval!.lower).toBeCloseTo(1.006, 9);
    expect(familyInterval!.upper).toBeCloseTo(1.019, 9);
    expect(familyInterval!.coverage).toBeCloseTo(0.99338925, 8);
  });

  test('leaves open by the wider one what it alone would decide', () => {
    const { matters, sentences } = resultWith({});
    expect(matters).toBe('undecided');
    expect(sentences[1]).toBe(
      'Whether it reaches the 1.85 % that was declared to matter is open, by the interval that holds for all 3 comparisons (+0.60 % to +1.90 %).',
    );
  });

  test('is judged by its own where no correction was declared', () => {
    const { matters, familyInterval, interval, sentences } = resultWith({ correction: 'none' });
    expect(familyInterval).toEqual(interval);
    expect(matters).toBe('no');
    expect(sentences[1]).toBe('That is less than the 1.85 % that was declared to matter.');
  });
});

test('six pairs hold for no family of three, however far they lie from no change', () => {
  const arms = ['a', 'b', 'c', 'd'].map((name) => arm(name));
  const comparisons = ['b', 'c', 'd'].map((name) => ({
    name,
    a: side('a', 'time'),
    b: side(name, 'time'),
  }));
  const { findings } = resultOf(smallExperiment({ arms, comparisons, blocks: 6 }), (name) =>
    both({ wallNs: (name === 'b' ? 20 : 10) * ms }),
  );
  expect(findings[0]).toMatchObject({ familyInterval: null, matters: 'undecided' });
  expect(findings[0]!.sentences.join(' ')).not.toContain('That is more than');
  expect(findings[0]!.sentences).toContain(
    '6 pairs give no interval that holds for all 3 comparisons: whether it reaches the 2 % that was declared to matter is open.',
  );
});

describe('moves that the kernel did not count', () => {
  const readings = { treatment: { readings: ['placement' as const] } };
  const said = (migrations: number | undefined) =>
    sentencesOf(
      eight({
        arms: [arm('stay', readings), arm('free', { ...readings, execution: { threads: 1 } })],
        comparisons: compare(side('stay', 'migrations'), side('free', 'migrations')),
      }),
      (name) =>
        both({
          wallNs: ms,
          counters: { startCpu: 0, endCpu: name === 'free' ? 1 : 0, migrations },
        }),
      { report: reportOf(['placement', 'migrations'], { migrations: 'no permission' }) },
    );
  const warning =
    'Moves are told from two looks at the CPU number, at start and end, where the kernel’s counter was not read: one there and back is missed.';

  test('are told from two looks, and that is said', () => {
    expect(said(undefined)).toContain(warning);
    expect(said(1)).not.toContain(warning);
  });
});
