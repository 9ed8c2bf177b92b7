import { describe, expect, test } from 'vitest';
import type { Reading } from '../../src/formats/treatment.ts';
import { createRandom, type RandomSource } from '../../src/random.ts';
import { formatExperiment } from '../../src/report/format-experiment.ts';
import { type Repetition, reportOf, resultOf } from '../experiment/build-result.ts';
import { arm, smallExperiment } from '../support/experiment-plan.ts';

const ms = 1_000_000;
const plain = { colour: false, width: 100 };
const readings: Reading[] = [
  'cpu-time',
  'placement',
  'context-switches',
  'scheduler-wait',
  'frequency',
];
const treatment = { readings };
const whole = reportOf([...readings, 'migrations'], { frequency: 'no registers' });

const times = (wallNs: number, mainCpuNs: number): Partial<Repetition> => ({
  wallNs,
  counters: {
    mainCpuNs,
    processCpuNs: mainCpuNs,
    startCpu: 3,
    endCpu: 3,
    migrations: 0,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    schedulerWaitNs: 0,
  },
});

/** `off` takes 9.7 ms where `file` takes 10; once its last repetition waits 2 ms more, and once it fails. */
const logs = resultOf(
  smallExperiment({
    name: 'logs',
    arms: [arm('file', { treatment }), arm('off', { treatment, execution: { logSink: 'off' } })],
    blocks: 8,
    natural: ['off'],
  }),
  (name, block) => {
    if (name === 'file') return [times(10 * ms, 9.9 * ms), times(10 * ms, 9.9 * ms)];
    if (block === 7) return { failed: 'ended by SIGSEGV' };
    const usual = times(9.7 * ms, 9.6 * ms);
    return [usual, block === 2 ? times(11.7 * ms, 9.6 * ms) : usual];
  },
  { report: whole },
);

/** What stands under a heading, up to the next empty line that ends it. */
function sectionOf(text: string, heading: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(heading));
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line, index) => line === '' && /^(\S|$)/.test(rest[index + 1] ?? ''));
  return rest.slice(0, end);
}

describe('an experiment of two arms on a terminal', () => {
  const text = formatExperiment(logs, plain);

  test('begins with its question, how it was done and what was declared', () => {
    expect(text.split('\n').slice(0, 6)).toEqual([
      'logs: Does the log cost time?',
      'Complete: 15 processes observed, 1 failed; 8 blocks of 2 arms (file, off) in Williams order, 1',
      'warm-up and 2 kept repetitions in each process. Test CPU 3000.',
      'Declared before the first trial: 1 comparison in 1 condition, Holm’s correction over all of them; 2',
      '% matters.',
      '',
    ]);
  });

  test('gives both medians beside the ratio, and what may be said of it', () => {
    // one of seven pairs is larger: p = 2 (1 + 7) / 2^7, and the interval is the whole range
    expect(sectionOf(text, 'Declared comparisons')).toEqual([
      'one Q4_K_M S128 decode:',
      'comparison         a         b     b/a  larger     p',
      'file → off  10.00 ms  9.700 ms  0.9700  1 of 7  0.13',
      '  - primary: time, off over file: not distinguishable here (b is larger in 1 of 7 pairs, smaller in',
      '    6; interval of the median change: -3.00 % to +7.00 %, coverage 98.4 %).',
      '    The interval leaves room for the 2 % that was declared to matter: more blocks would narrow it.',
      '    1 block without a pair: 8 numbers of file, 7 of off, 7 pairs.',
    ]);
  });

  test('gives each slow repetition a row of what was observed, and then what remains unknown', () => {
    expect(sectionOf(text, 'Slow repetitions, as they came')).toEqual([
      '  - one Q4_K_M S128 decode: Among 14 kept repetitions of 7 processes in off 1 took more than 5 %',
      '    longer than the median, in 1 of the processes: 1 time off the CPU grew.',
      '    Frequency: withheld for all of them, in which it was not measured.',
      '    block, repetition  observed                elapsed  CPU time  more waiting  other waiting  CPUs',
      '                 3, 3  time off the CPU grew  11.70 ms  9.600 ms          0 ns       2.000 ms  3, 3',
      '',
      '    block, repetition  moves  inv. switches',
      '                 3, 3      0              0',
      '    Remains unknown: what it waited for where it did not wait for a CPU (a device, a lock, a page).',
      '    Remains unknown: whether the frequency fell (no registers).',
      '    a move to another CPU: not distinguishable here, among 1 process with slow and other',
      '    repetitions, slow ones had it more often in 0, less often in 0, and 6 such processes are needed.',
      '    an involuntary switch: not distinguishable here, among 1 process with slow and other',
      '    repetitions, slow ones had it more often in 0, less often in 0, and 6 such processes are needed.',
      '    Withheld, since it was not measured: whether slow repetitions go with a lower frequency.',
    ]);
  });

  test('keeps apart what was declared and what was only looked at afterwards', () => {
    const lines = text.split('\n');
    const placeOf = (heading: string) => lines.findIndex((line) => line.startsWith(heading));
    expect(placeOf('Declared comparisons')).toBeLessThan(placeOf('Looked at afterwards'));
    expect(lines[placeOf('Looked at afterwards')]).toBe(
      'Looked at afterwards: medians over the processes, undeclared and untested',
    );
  });

  test('names what was not measured, what failed, and what it does not show', () => {
    expect(sectionOf(text, 'Withheld and not measured')).toEqual([
      '  - not measured, frequency (file, off): no registers; every conclusion that needs it is withheld',
    ]);
    expect(sectionOf(text, 'Failed processes')).toEqual([
      '  - off, one Q4_K_M S128 decode: 1, the first of them: ended by SIGSEGV',
    ]);
    expect(text).toContain('Effects of different experiments are\n    neither added nor chained');
  });
});

test('moves that the kernel did not count are not said to be withheld where two looks tell them', () => {
  const { notMeasured: _, ...rest } = logs;
  const notMeasured = [{ reading: 'migrations', arms: ['file'], reason: 'no permission' }];
  const text = formatExperiment({ ...rest, notMeasured }, plain);
  expect(sectionOf(text, 'Withheld and not measured')).toEqual([
    '  - not measured, migrations (file): no permission; moves are told from two looks where there are',
    '    any, and one there and back is missed',
  ]);
});

/** Words that no experiment of this kind can bear out. */
const forbidden =
  /\b(exclude[sd]?|excluding|rule[sd]? out|refute[sd]?|disprove[sdn]?|prove[sdn]?|proof|no effect|has no influence|without effect|the cause of|because|explain(s|ed)?|due to|improve[sd]?|improvement|speed-?up|optimi[sz]ed?|significant(ly)?|confirm(s|ed)?|certain(ly)?|always slower|always faster|negligible|identical|equivalent)\b/i;
const seeds = Array.from({ length: 60 }, (_, seed) => seed);

/** An experiment of a random kind: what it finds, what is missing and how far it got are drawn. */
function drawResult(seed: number) {
  const random = createRandom(`words/${seed}`);
  const draw = <T>(list: readonly T[]): T => list[random.nextBelow(list.length)]!;
  const missing = Object.fromEntries(
    [...readings, 'migrations'].filter(() => random.nextBelow(3) === 0).map((name) => [name, 'no']),
  );
  const kind = draw(['log', 'move', 'activity', 'idle', 'load', 'one arm'] as const);
  const blocks = draw([5, 8, 24]);
  const experiment = smallExperiment({
    arms: armsOf(kind),
    natural: draw([[], ['a']]),
    blocks,
    correction: draw(['holm', 'none'] as const),
    ...(kind === 'load'
      ? { comparisons: [{ name: 'l', ...sidesOf(draw(['load', 'process', 'preparation'])) }] }
      : {}),
  });
  const ratio = draw([0.9, 0.985, 1, 1.01, 1.1]);
  const measured = draw([blocks, blocks, blocks - 2]);
  return resultOf(
    experiment,
    (name, block) => {
      if (block >= measured) return null;
      if (random.nextBelow(20) === 0) return { failed: 'no memory' };
      const slowness = kind === 'one arm' ? [2, 1] : [1, 1];
      return slowness.map((factor) => repeat(factor * (name === 'a' ? 1 : ratio), missing, random));
    },
    {
      report: reportOf([...readings, 'migrations'], missing, 3e9),
      isComplete: measured === blocks,
    },
  );
}

const sidesOf = (metric: 'load' | 'process' | 'preparation') => ({
  a: { arm: 'a', metric },
  b: { arm: 'b', metric },
});

function armsOf(kind: 'log' | 'move' | 'activity' | 'idle' | 'load' | 'one arm') {
  const first = arm('a', { treatment });
  if (kind === 'one arm') return [first];
  if (kind === 'activity')
    return (['sleep', 'integer-work', 'decode'] as const).map((one, index) =>
      arm('abc'[index]!, { treatment: { readings, activity: { kind: one, milliseconds: 50 } } }),
    );
  const mainThread = { prepareOn: 0, timeOn: kind === 'move' ? 1 : 0 };
  return [
    first,
    arm('b', {
      treatment: { readings, mainThread: kind === 'move' ? mainThread : null },
      launch: { idleMilliseconds: kind === 'idle' ? 2000 : 0, whoRuns: kind === 'log' },
    }),
  ];
}

function repeat(
  ratio: number,
  missing: Readonly<Record<string, string>>,
  random: RandomSource,
): Partial<Repetition> {
  const isSlow = random.nextBelow(12) === 0;
  const work = Math.round(10 * ms * ratio * (1 + random.nextBelow(100) / 100_000));
  const mainCpuNs = isSlow && random.nextBelow(2) === 0 ? Math.round(1.2 * work) : work;
  const [moves, has] = [random.nextBelow(2), (name: string) => missing[name] === undefined];
  const counters = {
    ...(has('cpu-time') ? { mainCpuNs, processCpuNs: mainCpuNs } : {}),
    ...(has('placement') ? { startCpu: 0, endCpu: moves } : {}),
    ...(has('migrations') ? { migrations: moves } : {}),
    ...(has('context-switches') ? { involuntarySwitches: random.nextBelow(3) } : {}),
    ...(has('scheduler-wait') ? { schedulerWaitNs: isSlow ? ms : 0 } : {}),
    ...(has('frequency') && moves === 0
      ? { aperf: 1000 + random.nextBelow(300), mperf: 1000 }
      : {}),
  };
  const activity = { elapsedNs: 50 * ms, steps: 5 };
  return { wallNs: isSlow ? Math.round(1.25 * work) : work, counters, activity };
}

describe('whatever an experiment finds', () => {
  const texts = seeds.map((seed) => formatExperiment(drawResult(seed), plain));

  test('no word says more than it can', () => {
    for (const text of texts) expect(text.replaceAll(/\s+/g, ' ')).not.toMatch(forbidden);
  });

  test('no line is wider than the terminal', () => {
    const wide = texts.flatMap((text) => text.split('\n')).filter((line) => [...line].length > 100);
    expect(wide).toEqual([]);
  });

  test('each of the four verdicts is among them, and no number is missing in a sentence', () => {
    const all = texts.join('\n').replaceAll(/\s+/g, ' ');
    for (const verdict of [
      'caused by the intervention in this experiment',
      'associated (',
      'not distinguishable here (',
      'not measured (',
    ])
      expect(all).toContain(verdict);
    expect(all).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  });
});
