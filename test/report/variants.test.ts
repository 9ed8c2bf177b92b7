import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { buildPlan, createLedger } from '../support/ledger-builder.ts';
import { benchPlan, fileModel, variant } from '../support/variant-plan.ts';

async function pageOf(plan: Plan, changes: Partial<CampaignEntry> = {}) {
  const { entries } = createLedger(plan, changes);
  const analysis = analyzeCampaign(await collectCampaign(entries), new Map());
  const { document } = parseHTML(renderReport(analysis));
  const facts = new Map(
    [...document.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling!.textContent,
    ]),
  );
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  return { analysis, facts, rows, text: document.body.textContent.replace(/\s+/g, ' ') };
}

const { backend } = createLedger().entries[0] as CampaignEntry;
const several = benchPlan([variant('a', {}, 'b100'), variant('b', { threads: 1 }, 'b200')]);
const other = { ...backend, name: 'build', release: 'v0.5.0', commit: 'abc1234' };
const described = { otherBackends: [{ label: 'b200', backend: other }] };

test('several backends are described by their labels, each with its hashes', async () => {
  const { facts, analysis, text } = await pageOf(several, described);
  expect(facts.get('Backend b100')).toMatch(
    /^b100: llama\.cpp v0\.4\.0, commit unknown, source tree/,
  );
  expect(text).toContain('b200: llama.cpp v0.5.0, commit abc1234, source tree unknown');
  expect(facts.get('Runner of b200')).toBe(other.runner.sha256);
  for (const { name, sha256 } of analysis.identity.variants!) {
    expect(facts.get(`Variant ${name}`)).toBe(sha256);
  }
  expect(text).toContain('same protocol, backends, variants, models and device');
  expect(text).toContain('--model qwen.gguf --backend b100=FOLDER --backend b200=FOLDER');
});

test('what a variant changes is told in words, the embedded backend needs no folder', async () => {
  const variants = [
    variant('plain'),
    variant('other', { flashAttention: 'on', kvOffload: false, affinity: [0, 2] }),
  ];
  const { rows, facts, text } = await pageOf(benchPlan(variants));
  const hash = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(rows).toContainEqual(['plain', 'embedded', 'nothing', hash]);
  expect(rows).toContainEqual([
    'other',
    'embedded',
    'affinity 0+2, flashAttention on, kvOffload off',
    hash,
  ]);
  expect(facts.has('Execution, where a variant says nothing else')).toBe(true);
  expect(facts.get('Backend')).toMatch(/^embedded: /);
  expect(text).not.toContain('=FOLDER');
});

test('files and generated models each have their table and their words', async () => {
  const files = await pageOf(benchPlan(null));
  expect(files.text).toContain('Models: files as they are, named by their hash');
  expect(files.text).not.toContain('Architectures: dense');
  expect(files.text).toContain('The files that are named must have the hashes above.');
  expect(files.text).not.toContain('Variants: ');

  const generated = await pageOf(buildPlan());
  expect(generated.text).toContain('Architectures: dense');
  expect(generated.text).not.toContain('files as they are');
  expect(generated.text).toContain('The models are generated again from their seeds');
  expect(generated.facts.get('Execution')).toMatch(/^2 threads, batch 512/);
  expect(generated.text).toContain('same protocol, backend, models and device');

  const both = await pageOf(buildPlan({ models: [...buildPlan().models, fileModel('qwen', 'a')] }));
  expect(both.text).toContain('Architectures: dense');
  expect(both.text).toContain('files as they are');
});

test('words of others in a plan are escaped', async () => {
  const attack = '<img src=x onerror="alert(1)">';
  const model = { ...fileModel('qwen', 'a'), file: `${attack}.gguf`, family: attack };
  const { entries } = createLedger(
    benchPlan([variant('a'), variant('b', { threads: 1 })], { models: [model] }),
  );
  const page = renderReport(analyzeCampaign(await collectCampaign(entries), new Map()));
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;img');
});
