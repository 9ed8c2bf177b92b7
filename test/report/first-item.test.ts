import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { compareItems } from '../../src/analysis/compare-items.ts';
import { analyzeSteps } from '../../src/analysis/steps.ts';
import { createStepCollector } from '../../src/analysis/steps-collect.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import { describeCourse } from '../../src/report/course-words.ts';
import { formatComparison } from '../../src/report/format-comparison.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { formatTokens } from '../../src/report/format-tokens.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { createLedger } from '../support/ledger-builder.ts';
import { buildStepLedger, stepPlan } from '../support/step-campaign.ts';
import { benchPlan, decode16, prefill64, variant } from '../support/variant-plan.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

/**
 * Two variants in a prefill and two decodes; from round 4 of `rounds` on everything takes 1.2 times
 * as long. A kept repetition takes 10 ms in prefill, 2 ms in decode.
 */
async function analyzeBench(rounds: number): Promise<Analysis> {
  const plan = benchPlan([variant('t1', { threads: 1, threadsBatch: 1 }), variant('t2')], {
    tests: [prefill64, decode16, { ...decode16, tokens: 8 }, { ...prefill64, depth: 32 }],
    rules: { processes: rounds },
  });
  const ledger = createLedger(plan);
  for (const { trial, item, round } of ledger.schedule) {
    const ns = (item.phase === 'prefill' ? 10_000_000 : 2_000_000) * (round < 3 ? 1 : 1.2);
    ledger.observe(trial, [ns, ns, ns]);
  }
  return analyzeCampaign(await collectCampaign(ledger.entries), new Map());
}

const print = (analysis: Analysis) =>
  formatTable(analysis, { colour: false, width: 400 }).replace(/ +/g, ' ');
const pageOf = (analysis: Analysis) => parseHTML(renderReport(analysis)).document;

test('without a reference the table says that the first item of each phase drifted, and which it is', async () => {
  const text = print(await analyzeBench(6));
  expect(text.split('\n')[0]).toBe(
    'DRIFT, MARKED FOR REVIEW: from its first rounds to its last the first item of prefill, qwen Q4_K_M S64 [t1], changed by +20.0 % (more than 5 %) and the first item of decode, qwen Q4_K_M S0 [t1], by +20.0 % (more than 5 %). The projection of trials needed does not hold under drift.',
  );
  expect(text).toContain('cannot be projected while the first item drifts.');
  expect(text).not.toContain('if further trials are spread like these');
  expect(text).toContain('\nqwen Q4_K_M S64 [t1] [first] 6 ');
  expect(text).toContain('[first]: the first item of the phase, which is looked at for drift.');
  expect(text).toContain(
    'drift of the first item: MET. The first item drifted by +20 % in prefill',
  );
  expect(text).toContain(
    '\nDrift of the first item\n qwen Q4_K_M S64 [t1] prefill: 10.000 to 12.000 ms, +20.0 % ',
  );
  expect(text).not.toMatch(/the reference|\[ref/i);
});

test('a comparison and the table of tokens name the first item, too', async () => {
  const comparison = compareItems(await analyzeBench(6), {
    a: 'variant=t1,phase=prefill,depth=32',
    b: 'variant=t2,phase=prefill,depth=32',
    margin: 0.005,
    equivalence: null,
  });
  expect(formatComparison(comparison, { colour: false, width: 400 })).toContain(
    '\nDRIFT, MARKED FOR REVIEW: from its first rounds to its last the first item of prefill, qwen Q4_K_M S64 [t1], changed by +20.0 % (more than 5 %) and the first item of decode, qwen Q4_K_M S0 [t1], by +20.0 % (more than 5 %).\n',
  );
  const steps = (ns: number) => Array(8).fill(ns);
  const collector = createStepCollector();
  for (const entry of buildStepLedger(stepPlan({ reference: 'first-condition' }), ({ round }) => {
    const ns = round < 3 ? 100_000 : 120_000;
    return [
      [null, ...steps(ns)],
      [null, ...steps(ns)],
      [null, ...steps(ns)],
    ];
  }))
    collector.take(entry);
  const tokens = analyzeSteps(collector.finish(), new Map());
  expect(formatTokens(tokens, { colour: false, width: 400 }).split('\n')[0]).toBe(
    'DRIFT, MARKED FOR REVIEW: from its first rounds to its last the first item of decode, small F16 S128, changed by +20.0 % (more than 5 %).',
  );
});

test('why the diagnosis is reopened names the first item in the analysis itself', async () => {
  const whyOf = async (rounds: number) =>
    (await analyzeBench(rounds)).closure.reopening.find(
      ({ condition }) => condition === 'reference-drift',
    )!.why;
  expect(await whyOf(6)).toMatch(/^The first item drifted by \+20 % in prefill/);
  expect(await whyOf(2)).toBe(
    'The drift of the first item cannot be judged in prefill and decode.',
  );
});

test('the same where drift cannot be judged', async () => {
  const text = print(await analyzeBench(2));
  expect(text).toContain(
    'drift of the first item: cannot be judged. The drift of the first item cannot be judged in prefill and decode.',
  );
  expect(text).toContain(
    'qwen Q4_K_M S0 [t1] decode: not evaluable: the first item has 2 valid rounds; 6 are needed',
  );
  expect(text).not.toMatch(/the reference|\[ref/i);
});

test('what is timed is said as it is where depths and steps are the condition’s own', async () => {
  const analysis = await analyzeBench(2);
  const prefill = 'time to process S tokens, after as many others as the condition says';
  const decode = 'time of 16 single-token steps, or as many as the condition says, after S tokens';
  const text = print(analysis);
  expect(text).toContain(`prefill: ${prefill}\n`);
  expect(text).toContain(`decode: ${decode}\n`);
  const captions = [...pageOf(analysis).querySelectorAll('caption')].map((one) => one.textContent);
  expect(captions).toEqual(expect.arrayContaining([`Prefill: ${prefill}`, `Decode: ${decode}`]));
});

test('the report and what is published of the hours say it too', async () => {
  const analysis = await analyzeBench(6);
  const document = pageOf(analysis);
  expect(document.body.textContent).not.toMatch(/(?<!no )reference(?! (of its own|none))/i);
  const caption = [...document.querySelectorAll('figcaption')].find((one) =>
    one.textContent.startsWith('The first item over the rounds.'),
  );
  expect(caption!.textContent).toContain(
    '(qwen Q4_K_M S64 [t1] prefill; qwen Q4_K_M S0 [t1] decode), measured in every round and looked at for drift, since the protocol has no reference of its own',
  );
  expect([...document.querySelectorAll('p.drift b')].map((title) => title.textContent)).toEqual([
    'Drift, qwen Q4_K_M S64 [t1] prefill:',
    'Drift, qwen Q4_K_M S0 [t1] decode:',
  ]);
  expect(describeCourse(analysis)[1]).toMatch(
    /^Drift of the first item, qwen Q4_K_M S64 \[t1\] prefill: 10\.000 to 12\.000 ms, \+20\.0 %/,
  );
});

test('a figure has no empty rows where prefill and decode have other conditions', async () => {
  const labelsOf = (document: ReturnType<typeof pageOf>) =>
    [
      ...document
        .querySelector('figure .wide')!
        .querySelectorAll('[aria-label="y-axis tick label"] text'),
    ].map((label) => label.textContent);
  const analysis = await analyzeBench(6);
  expect(labelsOf(pageOf(analysis))).toEqual([
    'S64 [t1] [first] prefill',
    'S64 after 32 [t1] prefill',
    'S64 [t2] prefill',
    'S64 after 32 [t2] prefill',
    'S0 [t1] [first] decode',
    'S0 8 steps [t1] decode',
    'S0 [t2] decode',
    'S0 8 steps [t2] decode',
  ]);
  expect(pageOf(analysis).querySelector('figcaption b')!.textContent).toBe(
    'Every trial of qwen Q4_K_M.',
  );
  const shared = labelsOf(pageOf(await analyzeWorked()));
  expect(new Set(shared)).toEqual(new Set(['small F16 S128', 'mid Q8_0 S512 [ref]']));
});

test('one item and one thread are one', async () => {
  const plan = benchPlan(null, {
    tests: [prefill64],
    rules: { phases: ['prefill'], execution: variant('one', { threads: 1 }).execution },
  });
  const ledger = createLedger(plan);
  for (const { trial } of ledger.schedule) ledger.observe(trial, [10, 10, 10]);
  const analysis = analyzeCampaign(await collectCampaign(ledger.entries), new Map());
  expect(print(analysis)).toContain('; 1 of 1 item carries the stable flag');
  const text = pageOf(analysis).body.textContent.replace(/\s+/g, ' ');
  expect(text).toContain('1 thread, batch 512');
  expect(text).toMatch(
    / 1item3 of 3trials observed0failed1 of 1item with the stable flag0 of 1item /,
  );
});
