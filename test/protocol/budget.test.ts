import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BudgetChoice,
  type BudgetRequest,
  chooseForBudget,
  compareTimes,
  describeCost,
  fewerLoads,
  type PilotItem,
} from '../../src/protocol/budget.ts';

const nothingFixed = { processes: null, warmup: null, kept: null };
const limits = { minProcesses: 6, maxProcesses: 1_000, maxRepetitions: 100 };

function pilotOf(overheadNs: number, processes: number[][]): PilotItem {
  return {
    processes: processes.map((wallNs) => ({
      overheadNs,
      wallNs,
      prepareNs: wallNs.map(() => 0),
    })),
  };
}

/** Four processes around 10 ms; with their start and one warm-up 30 times a repetition. */
const worked = pilotOf(300_875_000, [
  [10_000_000, 10_200_000, 9_800_000],
  [11_000_000, 11_100_000, 10_900_000],
  [10_500_000, 10_400_000, 10_600_000],
  [9_900_000, 10_000_000, 10_100_000],
]);

const ask = (budgetNs: number, changes: Partial<BudgetRequest> = {}): BudgetRequest => ({
  items: [worked],
  budgetNs,
  fixed: nothingFixed,
  limits,
  ...changes,
});

const countsOf = ({ processes, warmup, kept }: BudgetChoice) => [processes, warmup, kept];

test('the worked example: 1 warm-up, 2 kept (1.533 rounded up), and as many processes as fit', () => {
  // A process: 300.875 + 3 x 10.375 = 332 ms; 12 of them 3.984 s, 13 of them 4.316 s.
  const choice = chooseForBudget(ask(4_315_999_999));
  expect(countsOf(choice)).toEqual([12, 1, 2]);
  expect(choice.expectedNs).toBe(3_984_000_000);
  expect(choice.tooShort).toBeNull();
  expect(countsOf(chooseForBudget(ask(4_316_000_000)))).toEqual([13, 1, 2]);
  // sqrt(T2^2 + S1^2 / 2) = .48175 ms; x .79284 for 12 values, over the median 10.25 ms.
  const [item] = choice.items;
  expect(item!.relativeHalfWidth).toBeCloseTo(0.03726341710105503, 10);
  expect(item!.relativeHalfWidthRange![0]).toBeCloseTo(0.02138705660540423, 10);
  expect(item!.relativeHalfWidthRange![1]).toBeCloseTo(0.1381260154161874, 9);
  expect(item).toMatchObject({ expectedNs: 3_984_000_000, limitedBy: 'between-processes' });
});

test('with more repetitions than the pilot had, the range takes the variance inside off', () => {
  const fixed = { processes: 12, warmup: 1, kept: 5 };
  const [item] = chooseForBudget(ask(10_000_000_000, { fixed })).items;
  expect(item!.relativeHalfWidth).toBeCloseTo(0.03683953488477513, 10);
  expect(item!.relativeHalfWidthRange![0]).toBeCloseTo(0.02062274784459271, 10);
  expect(item!.relativeHalfWidthRange![1]).toBeCloseTo(0.13801204828952118, 9);
});

test('its words say how long, how often and what to expect, and no more', () => {
  const choice = chooseForBudget(ask(4_000_000_000));
  expect(choice.words).toEqual([
    'About 4.0 s of the 4.0 s allowed: 12 processes x (1 warm-up + 2 kept repetitions), of one item.',
    'Interval to expect (covers 96.1 %): ±3.7 %; 4 processes of a pilot say little of it: it may be from ±2.1 % to ±14 %.',
  ]);
  expect(compareTimes(choice, ask(4_000_000_000))).toBe(
    '--budget changes it; half the time: 6 processes x (1 warm-up + 2 kept repetitions), ±6 %, covering 96.9 %; twice the time: 24 processes x (1 warm-up + 2 kept repetitions), ±2.8 %, covering 97.7 %.',
  );
});

test('words name the budget as it was given, or none', () => {
  const wordsOf = (namedNs: number | null, budgetNs: number) =>
    chooseForBudget(ask(budgetNs, { namedNs })).words[0];
  const counts = '12 processes x (1 warm-up + 2 kept repetitions), of one item.';
  expect(wordsOf(4_200_000_000, 4_000_000_000)).toBe(`About 4.0 s of the 4.2 s allowed: ${counts}`);
  expect(wordsOf(null, 4_000_000_000)).toBe(`About 4.0 s: ${counts}`);
  expect(wordsOf(1_000_000_000, 950_000_000)).toMatch(
    /^1\.0 s is too short: 950 ms of it are planned, the rest is for what the pilot did not see; the least, /,
  );
});

test('other times that change nothing are not spoken of, and half a least is too short', () => {
  const fixed = { processes: 12, warmup: 1, kept: 2 };
  const request = ask(4_000_000_000, { fixed });
  // half of what is fixed does not fit; twice is the same
  expect(compareTimes(chooseForBudget(request), request)).toBe(
    '--budget changes it; half the time is too short.',
  );
});

test('kept repetitions give way before the fewest processes do; below that it is too short', () => {
  // 6 x 332 = 1,992 ms with 2 kept, 6 x 321.625 = 1,929.75 ms with 1.
  expect(countsOf(chooseForBudget(ask(1_992_000_000)))).toEqual([6, 1, 2]);
  expect(countsOf(chooseForBudget(ask(1_991_999_999)))).toEqual([6, 1, 1]);
  expect(chooseForBudget(ask(1_929_750_000)).tooShort).toBeNull();
  const least = chooseForBudget(ask(1_929_749_999));
  expect(countsOf(least)).toEqual([6, 1, 1]);
  expect(least.tooShort).toEqual({ leastNs: 1_929_750_000 });
  expect(least.words[0]).toBe(
    '1.9 s is too short: the least, 6 processes x (1 warm-up + 1 kept repetition), takes about 1.9 s.',
  );
});

test('what the user fixed stands, also below the fewest processes and beyond the budget', () => {
  const fixed = { processes: 5, warmup: 0, kept: 4 };
  const choice = chooseForBudget(ask(10_000_000_000, { fixed }));
  expect(countsOf(choice)).toEqual([5, 0, 4]);
  expect(choice.items[0]!.relativeHalfWidth).toBeNull();
  expect(choice.words).toContain('5 processes have no interval of the median at 95 %.');
  // 5 x (300.875 + 4 x 10.375) = 1,711.875 ms.
  const short = chooseForBudget(ask(1_000_000_000, { fixed }));
  expect(short.tooShort).toEqual({ leastNs: 1_711_875_000 });
  expect(countsOf(short)).toEqual([5, 0, 4]);
});

test('a fixed warm-up shorter than the way into the steady state is said to be', () => {
  const item = pilotOf(1_000, [
    [9_000, 90],
    [9_100, 92],
  ]);
  const fixed = { ...nothingFixed, warmup: 0 };
  const { words } = chooseForBudget(ask(1_000_000, { items: [item], fixed }));
  expect(words[2]).toBe(
    'CAREFUL: in the pilot repetitions are steady from number 2 on, so with --warmup 0 the kept ones include the way there.',
  );
});

test('where the processes differ no more than their repetitions explain, repetitions take as long as all else', () => {
  // Equal means: T2^2 = 0. Start 6,000 and 1 warm-up of 1,000, so 7 repetitions make up for them.
  const item = pilotOf(6_000, [
    [900, 1_100, 900, 1_100],
    [1_100, 900, 1_100, 900],
  ]);
  const choice = chooseForBudget(ask(20 * 14_000, { items: [item] }));
  expect(countsOf(choice)).toEqual([20, 1, 7]);
  expect(choice.items[0]!.limitedBy).toBe('within-processes');
});

test('repetitions grow beyond that only when no more processes are allowed', () => {
  const item = pilotOf(6_000, [
    [900, 1_100, 900, 1_100],
    [1_100, 900, 1_100, 900],
  ]);
  const few = { ...limits, maxProcesses: 10 };
  const choice = chooseForBudget(ask(20 * 14_000, { items: [item], limits: few }));
  // 10 x (6,000 + 22,000): 1 warm-up and 21 kept.
  expect(countsOf(choice)).toEqual([10, 1, 21]);
  // Repetitions that do not vary gain nothing: 1, and the rest of the time is not used.
  const same = pilotOf(6_000, [
    [1_000, 1_000],
    [1_100, 1_100],
  ]);
  const rest = chooseForBudget(ask(20 * 14_000, { items: [same], limits: few }));
  expect(countsOf(rest)).toEqual([10, 1, 1]);
  // 10 x (6,000 + 2 x 1,050)
  expect(rest.expectedNs).toBe(81_000);
});

test('several items share one protocol: the longest warm-up, and variances and costs summed', () => {
  const slowStart = pilotOf(1_000, [
    [9_000, 300, 101, 100],
    [9_000, 300, 99, 100],
  ]);
  const choice = chooseForBudget(ask(20_000_000_000, { items: [worked, slowStart] }));
  expect(choice.warmup).toBe(3);
  expect(choice.items).toHaveLength(2);
  expect(choice.expectedNs).toBe(choice.items[0]!.expectedNs + choice.items[1]!.expectedNs);
  expect(choice.words[1]).toMatch(
    /expect \(covers \S+ %\): ±\S+ % \(median of the items; the widest \S+ %\)/,
  );
});

test('one process cannot say how far processes lie apart', () => {
  const item = pilotOf(6_000, [[900, 1_100, 900, 1_100]]);
  const choice = chooseForBudget(ask(20 * 14_000, { items: [item] }));
  expect(countsOf(choice)).toEqual([20, 1, 7]);
  expect(choice.items[0]).toMatchObject({
    relativeHalfWidth: null,
    relativeHalfWidthRange: null,
    limitedBy: 'not-known',
  });
  expect(choice.words[1]).toContain('not known, since a pilot of one process shows no spread');
});

test('few loads: the fewest processes and the rest in repetitions, under its own name', () => {
  // 38 s of loading, 2 s a repetition. 6 x (38 + 2 w + 2 k) <= 600 s with w = 1: k = 30.
  const huge = pilotOf(38e9, [
    [2.0e9, 2.02e9],
    [2.1e9, 2.08e9],
  ]);
  const request = ask(600e9, { items: [huge] });
  const choice = fewerLoads(request);
  expect(choice.protocolName).toBe('few-loads');
  expect(choice.processes).toBe(6);
  expect(choice.kept).toBe(29); // a repetition takes 2.05 s: 6 x (38 + 30 x 2.05) = 597 s
  expect(choice.words[2]).toMatch(
    /^The usual choice for this time, 13 processes x \(1 warm-up \+ 2 kept repetitions\), is expected at ±/,
  );
  expect(fewerLoads({ ...request, limits: { ...limits, maxRepetitions: 10 } }).kept).toBe(9);
});

test('the cost in words: loading against measuring, and what fewer loads would do', () => {
  const huge = pilotOf(38e9, [
    [2.0e9, 2.02e9],
    [2.1e9, 2.08e9],
  ]);
  const choice = chooseForBudget(ask(600e9, { items: [huge] }));
  // S1^2 = .0002, T2^2 = .0032 - .0001: sqrt(40.05 / 2.05 x .0002 / .0031) = 1.12, so 2 kept; 44.15 s a process.
  expect(countsOf(choice)).toEqual([13, 1, 2]);
  expect(describeCost(choice, [huge], [40e9])).toMatch(
    /^86 % of the time goes into 13 starts and loads, 520 GB in all; --processes 6 --kept 5: 5 min 02 s, ±\S+ %, covering 96\.9 %\.$/,
  );
  // a sweep of 4 cells chooses with 8: 13 x 2 kept are 4 in each; 8 x (38 + 5 x 2.05) = 386 s
  expect(describeCost(choice, [huge], [40e9], 8)).toMatch(
    /; --processes 8 --kept 4: 6 min 26 s, ±\S+ %, covering 99\.2 %\.$/,
  );
  expect(describeCost(choice, [huge], [40e9], 13)).toBeNull();
  const cheap = pilotOf(1e9, [
    [2.0e9, 2.02e9],
    [2.1e9, 2.08e9],
  ]);
  expect(describeCost(chooseForBudget(ask(600e9, { items: [cheap] })), [cheap])).toBeNull();
});

test('a request that cannot be read is refused with every fault', () => {
  const wrong = pilotOf(-1, [[100, 0], []]);
  const request = ask(Number.NaN, {
    items: [wrong, { processes: [] }],
    fixed: { processes: 0, warmup: -1, kept: 1.5 },
    limits: { minProcesses: 6, maxProcesses: 5, maxRepetitions: 1 },
  });
  expect(() => chooseForBudget(request)).toThrow(
    expect.objectContaining({
      code: 'invalid-input',
      faults: [
        'budgetNs',
        'items[0].processes[0].overheadNs',
        'items[0].processes[0].wallNs',
        'items[0].processes[1].overheadNs',
        'items[0].processes[1].wallNs',
        'items[1]',
        'limits.maxProcesses',
        'limits.maxRepetitions',
        'fixed.processes',
        'fixed.warmup',
        'fixed.kept',
      ].map((where) => expect.objectContaining({ where })),
    }),
  );
});

/** Odd pilots: one process or several, one repetition or several, no or huge spread, a slow first one. */
const oddPilot = fc
  .record({
    level: fc.constantFrom(1, 1_000, 10 ** 9),
    spread: fc.constantFrom(0, 0.01, 0.3, 1_000),
    slowFirst: fc.constantFrom(1, 100),
    processes: fc.array(
      fc.record({
        overheadNs: fc.constantFrom(0, 1, 10 ** 6, 4 * 10 ** 10),
        noise: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
          minLength: 1,
          maxLength: 12,
        }),
        prepare: fc.constantFrom(0, 7, 10 ** 8),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(
    ({ level, spread, slowFirst, processes }): PilotItem => ({
      processes: processes.map(({ overheadNs, noise, prepare }) => ({
        overheadNs,
        wallNs: noise.map((value, at) =>
          Math.ceil(level * (at === 0 ? slowFirst : 1) * (1 + spread * value)),
        ),
        prepareNs: noise.map(() => prepare),
      })),
    }),
  );
const orNull = (least: number, most: number) =>
  fc.option(fc.integer({ min: least, max: most }), { nil: null });
const oddRequest = fc.record({
  items: fc.array(oddPilot, { minLength: 1, maxLength: 4 }),
  budgetNs: fc.oneof(fc.integer({ min: 0, max: 10 ** 6 }), fc.integer({ min: 0, max: 10 ** 13 })),
  fixed: fc.record({ processes: orNull(1, 30), warmup: orNull(0, 30), kept: orNull(1, 30) }),
  limits: fc.record({
    minProcesses: fc.constant(6),
    maxProcesses: fc.integer({ min: 6, max: 300 }),
    maxRepetitions: fc.integer({ min: 2, max: 60 }),
  }),
});

test('whatever the pilot, counts are whole and in their limits, times and widths are none or sound, and the budget is kept', () => {
  fc.assert(
    fc.property(oddRequest, (request) => {
      for (const choice of [chooseForBudget(request), fewerLoads(request)]) {
        const { fixed, limits, budgetNs } = request;
        const { processes, warmup, kept, expectedNs, items, words, tooShort } = choice;
        expect([processes, warmup, kept, expectedNs].every(Number.isSafeInteger)).toBe(true);
        expect(processes).toBe(
          fixed.processes ?? Math.min(limits.maxProcesses, Math.max(6, processes)),
        );
        expect(warmup).toBe(fixed.warmup ?? Math.max(1, warmup));
        expect(kept).toBe(fixed.kept ?? Math.max(1, kept));
        if (fixed.warmup === null && fixed.kept === null) {
          expect(warmup + kept).toBeLessThanOrEqual(limits.maxRepetitions);
        }
        expect(items.reduce((sum, item) => sum + item.expectedNs, 0)).toBe(expectedNs);
        if (tooShort === null) expect(expectedNs).toBeLessThanOrEqual(budgetNs);
        else expect([tooShort.leastNs, tooShort.leastNs > budgetNs]).toEqual([expectedNs, true]);
        for (const { relativeHalfWidth: width, relativeHalfWidthRange: range } of items) {
          expect(width === null).toBe(range === null);
          if (width === null || range === null) continue;
          expect([width, ...range].every((value) => Number.isFinite(value) && value >= 0)).toBe(
            true,
          );
          const slack = 1 + 1e-9;
          expect(range[0]).toBeLessThanOrEqual(width * slack);
          expect(width).toBeLessThanOrEqual(range[1] * slack);
        }
        expect(words.join(' ')).not.toMatch(/NaN|Infinity|undefined|null|e\+/);
        const more = `${describeCost(choice, request.items)} ${compareTimes(choice, request)}`;
        expect(more).not.toMatch(/NaN|Infinity|undefined/);
      }
    }),
  );
});

test('more budget never gives fewer processes, nor the same number with fewer repetitions', () => {
  fc.assert(
    fc.property(oddRequest, fc.double({ min: 1, max: 30, noNaN: true }), (request, factor) => {
      const less = chooseForBudget(request);
      const more = chooseForBudget({ ...request, budgetNs: request.budgetNs * factor });
      expect(more.processes).toBeGreaterThanOrEqual(less.processes);
      if (more.processes === less.processes) expect(more.kept).toBeGreaterThanOrEqual(less.kept);
      expect(more.warmup).toBe(less.warmup);
    }),
  );
});
