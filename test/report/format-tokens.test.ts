import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { analyzeSteps } from '../../src/analysis/steps.ts';
import { bandSteps, type StepBand } from '../../src/analysis/steps-band.ts';
import { createStepCollector } from '../../src/analysis/steps-collect.ts';
import { registerReport } from '../../src/commands/report.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { TokenItem } from '../../src/formats/token-analysis.ts';
import { renderFigure } from '../../src/report/figures/draw.ts';
import { figureOfSteps } from '../../src/report/figures/steps.ts';
import { formatTokens } from '../../src/report/format-tokens.ts';
import { formatTokenItem } from '../../src/report/format-tokens-item.ts';
import { createTerminal } from '../../src/report/terminal.ts';
import { createLedger } from '../support/ledger-builder.ts';
import { writeLedger } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';
import { buildStepLedger, stepPlan, type TimedRepetition } from '../support/step-campaign.ts';
import { observeAll } from '../support/worked-campaign.ts';

function print(entries: readonly LedgerEntry[], width = 120): string {
  const collector = createStepCollector();
  for (const entry of entries) collector.take(entry);
  return formatTokens(analyzeSteps(collector.finish(), new Map()), { colour: false, width });
}

/** In round r steps take 100 + r µs, the first one `times` as long, the last one 10 µs more. */
const repetition = (round: number, times = 1): TimedRepetition => {
  const ns = 100_000 + 1000 * round;
  return [4_000_000, times * ns, ns, ns, ns, ns, ns, ns, ns + 10_000];
};

const steady = buildStepLedger(
  stepPlan(),
  ({ round, item }) => [
    repetition(round, 9),
    repetition(round, item.architecture === 'small' ? 3 : 1),
    repetition(round, item.architecture === 'small' && round === 5 ? 4 : 1),
  ],
  20,
);

test('a table says of each statistic the median, the interval and how many steps lie beyond', () => {
  const lines = print(steady).split('\n');
  expect(lines[0]).toBe('test-campaign: every decode step timed; 12 of 12 processes observed');
  expect(lines[1]).toBe('One process is one sample: 1 warm-up and 2 kept repetitions in each.');
  const from = lines.indexOf('mid Q8_0 S512: 6 processes, 16 steps in each (2 x 8)');
  expect(lines.slice(from, from + 24)).toEqual([
    'mid Q8_0 S512: 6 processes, 16 steps in each (2 x 8)',
    'of each process                median  interval (covers 96.9 %)  ±interval  beyond',
    'mean step                   103.75 µs          101.25–106.25 µs     2.41 %',
    'median step                 102.50 µs          100.00–105.00 µs     2.44 %',
    'p90                         112.50 µs          110.00–115.00 µs     2.22 %       1',
    'p99                                 –                         –          –',
    'p99.9                               –                         –          –',
    'slowest step                112.50 µs          110.00–115.00 µs     2.22 %       0',
    'median of step 1            102.50 µs          100.00–105.00 µs     2.44 %',
    'median of step 8            112.50 µs          110.00–115.00 µs     2.22 %',
    'last over first                1.0976             1.0952–1.1000     0.22 %',
    'prefill (512 tokens)        4.0000 ms          4.0000–4.0000 ms     0.00 %',
    'first token                 4.1025 ms          4.1000–4.1050 ms     0.06 %',
    'first token, with load      4.1040 ms          4.1015–4.1065 ms     0.06 %',
    'first token, fresh process  4.9240 ms          4.9015–4.9465 ms     0.46 %',
    '  9,639 tokens/s by the mean step. One reading of the clock: 20.000 ns, 0.02 % of a median step.',
    '  Place by place the median step takes from 102.50 µs at step 1 to 112.50 µs at step 8.',
    '  - not given: p99 (the 16 kept steps of a process leave none beyond its 99 % rank, so it would be the slowest step',
    '    again; it takes 100)',
    '  - not given: p99.9 (the 16 kept steps of a process leave none beyond its 99.9 % rank, so it would be the slowest step',
    '    again; it takes 1000)',
    '  No slow steps (above 2 median steps of their process) among 96.',
    '',
    'Each row is worked out in every process by itself, over its kept repetitions; median, interval and ±interval (the',
  ]);
});

test('slow steps are listed, and where in a repetition they gather', () => {
  const text = print(steady);
  // µs: 3 x (100 + … + 105) + 420 = 2265 of 18 x 615 + 6 x 20 + 3 x 105 = 11505
  expect(text.replaceAll(/\n {2,}/g, ' ')).toContain(
    'Slow steps (above 2 median steps of their process): 7 of 96, 19.7 % of the decode time, in 6 of 6 processes. ' +
      'If all 8 places of a repetition were alike, 0.875 at each (standard deviation 0.875). ' +
      'There were 7 at the first step; most at step 1: 7.',
  );
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith('trial  repetition'));
  const trial = (round: number) => 2 * round + (isSmallFirst(round) ? 1 : 2);
  expect(lines.slice(from, from + 3)).toEqual([
    'trial  repetition  step       time  of the median',
    `${String(trial(5)).padStart(5)}           3     1  420.00 µs          4.0 x`,
    `${String(trial(5)).padStart(5)}           2     1  315.00 µs          3.0 x`,
  ]);
  expect(lines.slice(from + 1).findIndex((line) => !/ x$/.test(line))).toBe(7);
});

/** Whether the small model is the first of the two in a round. */
const isSmallFirst = (round: number): boolean =>
  steady.some(
    (entry) =>
      entry.type === 'intended' &&
      entry.round === round &&
      entry.position === 0 &&
      entry.item.architecture === 'small',
  );

test('what is disturbed or not finished is said first, and no line is wider than the terminal', () => {
  const entries = structuredClone(steady.slice(0, -2));
  for (const entry of entries) {
    if (entry.type === 'observed') entry.deviceAfter.otherUse = 'seen';
  }
  const lines = print(entries, 80).split('\n');
  expect(lines[0]).toBe(
    'DISTURBED: others were seen at work on the device in 11 of 11 trials; nothing',
  );
  expect(lines[2]).toBe('CAREFUL, not complete: 1 trial of 12 not measured yet.');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('a reference that drifted is marked before the numbers', () => {
  const drifting = buildStepLedger(stepPlan(), ({ round }) =>
    Array.from({ length: 3 }, () => repetition(round < 3 ? 0 : 20)),
  );
  expect(print(drifting).split('\n')[0]).toBe(
    // 8 steps of 120 against 100 µs, and 10 µs in both: 970 / 810
    'DRIFT, MARKED FOR REVIEW: from its first rounds to its last the reference changed by +19.8 % in decode (more than 5 %).',
  );
});

/** An item of a campaign with its band. */
function itemOf(architecture: string, entries = steady) {
  const collector = createStepCollector();
  for (const entry of entries) collector.take(entry);
  const gathered = collector.finish();
  const { items } = analyzeSteps(gathered, new Map());
  const item = items.find((one) => one.architecture === architecture);
  return { item: item!, band: bandSteps(item!, gathered.steps) };
}

/** The wide one of the two drawings, and the words below. */
function drawSteps(item: TokenItem, band: StepBand) {
  const { document } = parseHTML(renderFigure(figureOfSteps(item, band)!).text);
  return {
    svg: document.querySelector('.wide svg')!,
    caption: document.querySelector('figcaption')!.textContent!.replace(/\s+/g, ' '),
  };
}

test('a figure draws the typical step at each place with its band, and has none where nothing was observed', () => {
  const { item, band } = itemOf('mid');
  // steps of 100, 101, … 105 µs in the six processes, the last one of each 10 µs more
  const [fastest, slowest] = [100_000, 105_000];
  expect(band).toEqual({
    lowerNs: [...Array.from({ length: 7 }, () => fastest), 110_000],
    upperNs: [...Array.from({ length: 7 }, () => slowest), 115_000],
    coverage: 0.96875,
  });
  const { svg, caption } = drawSteps({ ...item, sequenceLength: 252 }, band);
  expect(svg.getAttribute('role')).toBe('img');
  expect(svg.getAttribute('aria-label')).toBe(
    'Line chart: time of each decode step against its place in a repetition, for mid Q8_0 S252: the median over 6 processes from 102.50 µs to 112.50 µs, with its band; no slow step.',
  );
  expect(svg.textContent).toContain('time of a step in µs');
  expect(svg.querySelectorAll('[aria-label="area"] path')).toHaveLength(1);
  expect(svg.querySelectorAll('[aria-label="rule"] line')).toHaveLength(1); // one border
  expect(svg.querySelectorAll('[aria-label="dot"] circle')).toHaveLength(0);
  expect(caption).toContain('which covers 96.9 % at each place by itself');
  expect(caption).toContain('No step took more than 2 median steps of its process.');
  expect(caption).not.toContain('logarithmic');
  expect(figureOfSteps({ ...item, profileNs: [] }, band)).toBeNull();
});

test('slow steps are marked one by one, and a wide axis says that it is logarithmic', () => {
  // the first step of a repetition takes thrice as long in all six processes, four times in one more
  const { item, band } = itemOf('small');
  const { svg, caption } = drawSteps(item, band);
  const dots = [...svg.querySelectorAll('[aria-label="dot"] circle')];
  expect(dots).toHaveLength(7);
  expect(dots[0]!.querySelector('title')!.textContent).toMatch(
    /^step 1 of repetition 3 in trial \d+: 420\.00 µs$/,
  );
  expect(svg.getAttribute('aria-label')).toContain(
    ' from 102.50 µs to 205.00 µs, with its band; 7 slow steps marked.',
  );
  expect(caption).toContain(
    'Dots: steps above 2 median steps of their process; 7 slow steps marked, ',
  );
  expect(caption).toContain('The axis is logarithmic');
  const many = drawSteps({ ...item, slow: { ...item.slow!, count: 584 } }, band);
  expect(many.caption).toContain('the 7 longest of 584 slow steps are marked');
});

test('of too few processes the band is from the fastest to the slowest, and it is said', () => {
  const { item, band } = itemOf(
    'mid',
    buildStepLedger(stepPlan(), ({ round }) =>
      round < 2 ? [repetition(round), repetition(round), repetition(round)] : null,
    ),
  );
  expect(band.coverage).toBeNull();
  expect(band.upperNs.slice(-2)).toEqual([101_000, 111_000]);
  expect(drawSteps(item, band).caption).toContain(
    'Shaded: from the fastest to the slowest process at each place; an interval takes more processes than 2.',
  );
});

test('a report of such a campaign draws every item step by step, other reports do not', async () => {
  const folder = writeLedger(steady);
  const out = join(folder, 'report.html');
  await printedBy(registerReport, ['report', folder, '--out', out]);
  const { document } = parseHTML(readFileSync(out, 'utf8'));
  const section = [...document.querySelectorAll('section')].find(
    (one) => one.querySelector('h2')!.textContent === 'Step by step',
  )!;
  expect([...section.querySelectorAll('figcaption b')].map((title) => title.textContent)).toEqual([
    'Step by step: small F16 S128.',
    'Step by step: mid Q8_0 S512.',
  ]);
  expect(section.textContent).toContain('rooflaw tokens ');
  const usual = createLedger();
  observeAll(usual);
  const other = writeLedger(usual.entries);
  await printedBy(registerReport, ['report', other, '--out', join(other, 'report.html')]);
  expect(readFileSync(join(other, 'report.html'), 'utf8')).not.toContain('Step by step');
});

test('an item without a process is named with the reason', () => {
  const text = print(
    buildStepLedger(stepPlan(), ({ item, round }) =>
      item.architecture === 'mid'
        ? null
        : [repetition(round), repetition(round), repetition(round)],
    ),
  );
  expect(text).toContain(
    'mid Q8_0 S512: 0 processes and 6 failed, 16 steps in each (2 x 8)\n  - no process of it was observed\n',
  );
  expect(text).toContain('6 of 12 processes observed, 6 failed');
});

test('a percentile with no step beyond it is not given, since it is the slowest step', () => {
  const { item } = itemOf('mid', steady);
  const few = { ...item, stepsPerProcess: 2, beyond: { p90: 0, p99: 0, p999: 0 } };
  const text = formatTokenItem(few, createTerminal({ colour: false, width: 300 })).join('\n');
  expect(text).toMatch(/^p90 +– +– +–$/m);
  expect(text).toContain(
    'not given: p90 (the 2 kept steps of a process leave none beyond its 90 % rank, so it would be the slowest step again; it takes 10)',
  );
});
