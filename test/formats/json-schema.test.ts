import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocComments } from '../../scripts/read-doc-comments.ts';
import { analysisSchemaFile, buildAnalysisSchema } from '../../scripts/write-schemas.ts';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { loadRecord } from '../../src/commands/load-record.ts';
import type { Analysis, TableAnalysis } from '../../src/formats/analysis.ts';
import { hashShippedProtocols } from '../../src/protocol/shipped.io.ts';
import { type JsonSchema, listSchemaFaults } from './check-json-schema.ts';

const schema: JsonSchema = JSON.parse(readFileSync(analysisSchemaFile, 'utf8'));

const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const analysis: Analysis = analyzeCampaign(await loadRecord(ledger), hashShippedProtocols());
/** As a program reads it. */
const printed = (value: unknown) => JSON.parse(JSON.stringify(value));

test('the published schema is what the source gives (else: node scripts/write-schemas.ts)', () => {
  expect(schema).toEqual(printed(buildAnalysisSchema()));
});

test('the analysis of a real campaign keeps to it', () => {
  expect(listSchemaFaults(printed(analysis), schema)).toEqual([]);
});

test('the analysis of a trial table keeps to it', () => {
  const { identity, cost, failures, notes, sessions, boots, otherUse, startedAt, ...rest } =
    analysis;
  const table: TableAnalysis = {
    ...rest,
    evidence: 'trial-table',
    protocolName: 'v1',
    device: 'gpu0',
    declaration: null,
    protocol: null,
    absent: [{ field: 'cost', reason: 'stands in the ledger only' }],
  };
  expect(listSchemaFaults(printed(table), schema)).toEqual([]);
  expect(listSchemaFaults(printed({ ...table, evidence: 'ledger' }), schema)).not.toEqual([]);
});

test.each<[string, (items: Record<string, unknown>) => object, string]>([
  ['a name that is missing', ({ cv: _gone, ...item }) => item, 'cv: missing'],
  ['a name that nobody knows', (item) => ({ ...item, median: 1 }), 'median: unknown'],
  ['a negative count', (item) => ({ ...item, n: -1 }), 'n: -1'],
  [
    'a word for a number',
    (item) => ({ ...item, inTrialCvMax: '1 %' }),
    'inTrialCvMax: none of the forms',
  ],
  [
    'half an interval',
    (item) => ({ ...item, interval: { lowerNs: 1 } }),
    'interval: none of the forms',
  ],
  ['a phase that does not exist', (item) => ({ ...item, phase: 'training' }), 'phase: "training"'],
])('%s does not pass', (_what, change, fault) => {
  const broken = printed(analysis);
  broken.items[0] = change(broken.items[0]);
  expect(listSchemaFaults(broken, schema)).toEqual(['$: not one of the forms']);
  const ofCampaign = listSchemaFaults(broken, schema.$defs!.campaignAnalysis!, schema);
  expect(ofCampaign).toEqual([`$.items[0].${fault}`]);
});

test('the names that other programs rely on are required, and their words stand beside them', () => {
  const { required, properties } = schema.$defs!.itemAnalysis!;
  expect(required).toEqual(
    expect.arrayContaining([
      ...['architecture', 'quantization', 'sequenceLength', 'phase', 'n', 'failed'],
      ...['representativeNs', 'interval', 'simultaneousInterval', 'cv', 'inTrialCvMax'],
      ...['relativeRange', 'stable', 'tail', 'tokensPerSecond'],
    ]),
  );
  expect(properties!.representativeNs!.description).toBe('Median of the trial means.');
  const { simultaneousInterval, closure, campaignAnalysis } = schema.$defs!;
  expect(simultaneousInterval!.properties!.ranks!.description).toMatch(/^Places of its ends/);
  expect((closure!.properties!.items!.items as JsonSchema).properties!.item!.description).toBe(
    'Index into `items` of the analysis.',
  );
  expect(campaignAnalysis!.properties!.warmup!.description).toMatch(/^Empty where/);
});

test('comments are read by path, also those that a schema takes over', () => {
  const source = `
/** A. */
export const firstSchema = z.strictObject({
  /** Long,
   * two lines. */
  n: count,
  plain: count,
  list: z.array(
    z.strictObject({
      /** Inner. */
      n: count,
    }),
  ),
});
export const secondSchema = firstSchema.extend({
  /** Own. */
  own: count,
});
`;
  expect(Object.fromEntries(readDocComments(source))).toEqual({
    first: 'A.',
    'first.n': 'Long, two lines.',
    'first.list.n': 'Inner.',
    'second.n': 'Long, two lines.',
    'second.list.n': 'Inner.',
    'second.own': 'Own.',
  });
});
