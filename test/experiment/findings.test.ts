import { describe, expect, test } from 'vitest';
import { arm, smallExperiment } from '../support/experiment-plan.ts';
import { reportOf, resultOf, wordsOf } from './build-result.ts';

const ms = 1_000_000;
const one = (wallNs: number) => [{ wallNs }, { wallNs }];
const eightBlocks = { blocks: 8 };

/** `file` takes 10 ms and a bit more each block; `off` that times `ratio`. */
const scaled = (ratioOf: (block: number) => number) => (name: string, block: number) => {
  const base = 10 * ms + 1000 * block;
  return one(name === 'file' ? base : Math.round(base * ratioOf(block)));
};

describe('a declared comparison', () => {
  test('that goes one way in all of 8 blocks was caused by the intervention', () => {
    const [finding] = resultOf(
      smallExperiment(eightBlocks),
      scaled(() => 0.97),
    ).findings;
    expect(finding).toMatchObject({
      role: 'primary',
      pairs: 8,
      lostPairs: 0,
      larger: 0,
      smaller: 8,
      scale: 'ratio',
      pValue: 0.0078125, // 2 / 2^8
      adjustedPValue: 0.0078125,
      family: 1,
      verdict: 'caused by the intervention in this experiment',
      matters: 'yes',
    });
    expect(finding!.effect).toBeCloseTo(0.97, 5);
    expect(finding!.interval!.lower).toBeCloseTo(0.97, 5);
    expect(finding!.interval!.coverage).toBe(0.9921875); // the whole range of 8
    expect(finding!.a.median).toBe(10_003_500);
  });

  test('that goes one way in 6 of 8 is not distinguishable, with what the interval leaves open', () => {
    const result = resultOf(
      smallExperiment(eightBlocks),
      scaled((block) => (block < 6 ? 1.03 : 0.97)),
    );
    const [finding] = result.findings;
    expect(finding).toMatchObject({
      larger: 6,
      smaller: 2,
      pValue: 0.2890625, // 2 (1 + 8 + 28) / 2^8
      verdict: 'not distinguishable here',
      matters: 'undecided',
    });
    expect(finding!.sentences).toEqual([
      'time, off over file: not distinguishable here (b is larger in 6 of 8 pairs, smaller in 2; interval of the median change: -3.00 % to +3.00 %, coverage 99.2 %).',
      'The interval leaves room for the 2 % that was declared to matter: more blocks would narrow it.',
    ]);
  });

  test('of equal times has no room for an effect, and is not called without effect', () => {
    const result = resultOf(
      smallExperiment(eightBlocks),
      scaled(() => 1),
    );
    expect(result.findings[0]).toMatchObject({
      equal: 8,
      pValue: 1,
      matters: 'no',
      verdict: 'not distinguishable here',
    });
    expect(result.findings[0]!.sentences[1]).toBe(
      'The interval has no room for the 2 % that was declared to matter.',
    );
  });

  test('that is clear and small is called smaller than what was declared to matter', () => {
    const { findings } = resultOf(
      smallExperiment(eightBlocks),
      scaled(() => 0.99),
    );
    expect(findings[0]).toMatchObject({
      verdict: 'caused by the intervention in this experiment',
      matters: 'no',
    });
    expect(findings[0]!.sentences[1]).toBe(
      'That is less than the 2 % that was declared to matter.',
    );
  });

  test('in fewer than six pairs is not measured, and says what is missing', () => {
    const { findings } = resultOf(smallExperiment({ blocks: 8 }), (name, block) =>
      name === 'off' && block > 4 ? { failed: 'ended by SIGSEGV' } : one(10 * ms),
    );
    expect(findings[0]).toMatchObject({
      pairs: 5,
      lostPairs: 3,
      verdict: 'not measured',
      pValue: null,
      interval: null,
      matters: null,
    });
    expect(findings[0]!.sentences).toEqual([
      'time, off over file: not measured (5 of the 6 pairs that an interval needs; time of off: a process failed: ended by SIGSEGV). Withheld: whatever would rest on it.',
    ]);
  });

  test('tells which arm lost its blocks', () => {
    const { findings, failures } = resultOf(smallExperiment({ blocks: 8 }), (name, block) =>
      name === 'off' && block > 5 ? { failed: 'no memory' } : one((name === 'off' ? 9 : 10) * ms),
    );
    expect(findings[0]!.sentences).toContain(
      '2 blocks without a pair: 8 numbers of file, 6 of off, 6 pairs.',
    );
    expect(failures).toEqual([{ arm: 'off', group: 0, failed: 2, message: 'no memory' }]);
  });

  test('is one of a family: what alone would be found may not be among others', () => {
    const arms = ['a', 'b', 'c', 'd'].map((name) => arm(name));
    const comparisons = ['b', 'c', 'd'].map((name) => ({
      name,
      a: { arm: 'a', metric: 'time' as const },
      b: { arm: name, metric: 'time' as const },
    }));
    const { findings } = resultOf(
      smallExperiment({ arms, comparisons, blocks: 6 }),
      (name, block) => one((name === 'b' ? 10.5 : 10) * ms + (name === 'c' && block === 1 ? 5 : 0)),
    );
    expect(findings.map(({ pValue }) => pValue)).toEqual([0.03125, 1, 1]);
    expect(findings.map(({ adjustedPValue }) => adjustedPValue)).toEqual([0.09375, 1, 1]);
    expect(findings[0]).toMatchObject({ verdict: 'not distinguishable here', family: 3 });
    expect(findings[0]!.sentences.join(' ')).toContain(
      'Alone it would be called found (p 0.031); among 3 comparisons it is not (0.094).',
    );
  });

  test('of counts that are 0 is one of differences', () => {
    const arms = ['x', 'y'].map((name) => arm(name, { treatment: { readings: ['placement'] } }));
    const side = (name: string) => ({ arm: name, metric: 'migrations' as const });
    const experiment = smallExperiment({
      arms,
      blocks: 8,
      comparisons: [{ name: 'm', a: side('x'), b: side('y') }],
    });
    const { findings } = resultOf(
      experiment,
      (name) => [
        { wallNs: ms, counters: { startCpu: 0, endCpu: 0, migrations: name === 'x' ? 0 : 2 } },
        { wallNs: ms, counters: { startCpu: 0, endCpu: 0, migrations: name === 'x' ? 0 : 4 } },
      ],
      { report: reportOf(['placement', 'migrations']) },
    );
    expect(findings[0]).toMatchObject({
      scale: 'difference',
      effect: 3,
      larger: 8,
      matters: null,
      verdict: 'caused by the intervention in this experiment',
    });
  });
});

describe('a tempting sentence', () => {
  test('about logs: their cost exists, and slow repetitions remain without them', () => {
    const result = resultOf(smallExperiment(eightBlocks), (name, block) => {
      const base = (name === 'file' ? 10.4 : 10) * ms + block;
      return [{ wallNs: base }, { wallNs: block === 3 ? Math.round(base * 1.2) : base }];
    });
    expect(result.findings[0]!.verdict).toBe('caused by the intervention in this experiment');
    expect(result.findings[0]!.sentences).toContain(
      'Slow repetitions remain in off: 1 of 16 kept repetitions took more than 5 % longer than its median. What differs between the arms is not all that makes work slow.',
    );
  });

  test('about two numbers of one arm: nothing was assigned, so they are associated', () => {
    const experiment = smallExperiment({ arms: [arm('fresh')], blocks: 8 });
    const { findings } = resultOf(experiment, () => [{ wallNs: 12 * ms }, { wallNs: 10 * ms }]);
    expect(findings[0]!.verdict).toBe('associated');
    expect(findings[0]!.sentences[0]).toMatch(/associated .* Nothing was assigned between the two/);
  });

  test('about a forced move: it is not the cause of delays that nobody forced', () => {
    const move = (timeOn: number) => ({ treatment: { mainThread: { prepareOn: 0, timeOn } } });
    const experiment = smallExperiment({
      arms: [arm('stay', move(0)), arm('move', move(1))],
      ...eightBlocks,
    });
    const result = resultOf(experiment, (name) => one((name === 'move' ? 11 : 10) * ms), {
      report: reportOf([]),
    });
    expect(result.findings[0]!.sentences).toContain(
      'A forced move or activity: whether slow repetitions that nobody forced have this cause is not shown by it.',
    );
    expect(result.limits).toContain(
      'No slow repetition was looked at one by one: nothing here says what causes the delays that nobody forced.',
    );
  });

  test('about a warm-up: its own cost is not in the time, so no request is faster', () => {
    const warm = { treatment: { activity: { kind: 'decode' as const, milliseconds: 50 } } };
    const experiment = smallExperiment({ arms: [arm('cold'), arm('warm', warm)], ...eightBlocks });
    const activity = { elapsedNs: 50_300_000, steps: 9 };
    const result = resultOf(
      experiment,
      (name) =>
        name === 'warm'
          ? [
              { wallNs: 9 * ms, activity },
              { wallNs: 9 * ms, activity },
            ]
          : one(10 * ms),
      { report: reportOf([]) },
    );
    expect(result.findings[0]!.verdict).toBe('caused by the intervention in this experiment');
    expect(result.findings[0]!.sentences).toContain(
      'The activity before the timer (50.30 ms in warm) is not in this time: nothing is said of a whole request.',
    );
  });

  test('about a dropped file: what the system kept of it stands there', () => {
    const cached = (pageCache: 'dropped' | 'warm') => ({ treatment: { pageCache } });
    const arms = [arm('warm', cached('warm')), arm('dropped', cached('dropped'))];
    const report = { ...reportOf([]), residentShare: 0.25 };
    const result = resultOf(smallExperiment({ arms, ...eightBlocks }), () => one(10 * ms), {
      report,
    });
    expect(result.findings[0]!.sentences).toContain(
      'Of the model’s file in the page cache just before loading: 25.0 % in warm, 25.0 % in dropped.',
    );
  });

  test('about loading: it lies outside the timer', () => {
    const experiment = smallExperiment({
      ...eightBlocks,
      comparisons: [
        { name: 'l', a: { arm: 'file', metric: 'process' }, b: { arm: 'off', metric: 'process' } },
      ],
    });
    const result = resultOf(experiment, (name) => one(name === 'off' ? 9 * ms : 10 * ms));
    expect(result.findings[0]!.sentences.join(' ')).not.toContain('faster');
  });

  test('about an experiment that was stopped: it is not complete', () => {
    const { limits, complete } = resultOf(
      smallExperiment(eightBlocks),
      scaled(() => 1),
      { isComplete: false },
    );
    expect(complete).toBe(false);
    expect(limits[0]).toMatch(/^The experiment is not complete/);
  });
});

test('no sentence says more than an experiment can', () => {
  const forbidden =
    /\b(excluded?|refuted?|prove[sdn]?|proof|no effect|without effect|the cause of|because|explains?|due to|improve|improvement|speedup)\b/i;
  const results = [1, 0.97, 1.03].map((ratio) =>
    resultOf(smallExperiment({ ...eightBlocks, natural: ['file', 'off'] }), (name, block) => {
      const base = 10 * ms * (name === 'off' ? ratio : 1) + block;
      return [{ wallNs: Math.round(base) }, { wallNs: Math.round(base * (block === 2 ? 1.4 : 1)) }];
    }),
  );
  for (const sentence of results.flatMap(wordsOf)) expect(sentence).not.toMatch(forbidden);
});
