import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { loadRecord } from '../../src/commands/load-record.ts';
import { hashShippedProtocols } from '../../src/protocol/shipped.io.ts';
import { formatTable } from '../../src/report/format-table.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test('the example in docs/analysis.md is what the program prints', async () => {
  const page = readFileSync(fileOf('docs/analysis.md'), 'utf8');
  const example = /--target-difference 0\.05 --brief\n([^`]+)```/.exec(page)![1]!;
  const record = await loadRecord(fileOf('results/h200-pilot-v1/ledger.ndjson'));
  const analysis = analyzeCampaign(record, hashShippedProtocols(), { targetDifference: 0.05 });
  const printed = formatTable(analysis, { colour: false, width: 120, brief: true });
  expect(printed.slice(0, example.length)).toBe(example);

  // what the page says of three items
  const find = (architecture: string, sequenceLength: number) =>
    analysis.items.findIndex(
      (item) =>
        item.architecture === architecture &&
        item.sequenceLength === sequenceLength &&
        item.quantization === 'Q8_0' &&
        item.phase === 'prefill',
    );
  const answerOf = (item: number) => analysis.closure.items[item]!;
  expect(answerOf(find('large', 512))).toMatchObject({ state: 'explorable', trialsNeeded: 6 });
  expect(answerOf(find('small', 512))).toMatchObject({
    state: 'not-explorable',
    trialsNeeded: 121,
    endpointDistance: expect.closeTo(0.234, 3),
    injectionRate: expect.closeTo(0.0515, 4),
  });
  const steady = find('mid', 2048);
  expect(answerOf(steady)).toMatchObject({
    state: 'explorable',
    simultaneousSeparates: false,
    injectionRate: expect.closeTo(0.736, 3),
  });
  expect(analysis.items[steady]!.tail!.slowCount).toBe(1);
});
