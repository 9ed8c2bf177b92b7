import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { formatTable } from '../../src/report/format-table.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll } from '../support/worked-campaign.ts';

const plain = { colour: false, width: 120 };

function section(table: string, from: string, lines: number): string[] {
  const all = table.split('\n');
  const start = all.findIndex((line) => line.startsWith(from));
  return all.slice(start, start + lines);
}

test('the table of the worked campaign, phase by phase', async () => {
  const table = formatTable(await analyzeWorked(), plain);
  expect(section(table, 'decode:', 4)).toEqual([
    'decode: time of 64 single-token steps after S tokens',
    'condition             n       time  tokens/s          interval  covers      CV  in-trial   range  stable  max/med  slow',
    'small F16 S128       10  16.305 ms     3,925  16.270–16.340 ms  97.9 %  0.19 %    0.01 %  0.55 %     yes    1.003     0',
    'mid Q8_0 S512 [ref]  10  14.825 ms     4,317  14.790–14.860 ms  97.9 %  4.46 %    0.01 %  14.6 %      no    1.143     1',
  ]);
});

test('drift and cost stand below it', async () => {
  const table = formatTable(await analyzeWorked(), plain);
  expect(section(table, 'Drift of the reference', 3)).toEqual([
    'Drift of the reference',
    '  prefill: 16.310 to 16.300 ms, -0.06 % (medians of the first and last 5 of 10 rounds); not more than 5 %',
    '  decode: 14.820 to 14.840 ms, +0.13 % (medians of the first and last 5 of 10 rounds); not more than 5 %',
  ]);
  const cost = section(table, 'Hardware time', 4);
  expect(cost[0]).toBe('Hardware time: 8.3 s');
  expect(cost.join('\n')).toMatch(/warm-up repetitions +7\.0 s +84\.6 %/);
});

test('it says what it is not', async () => {
  const table = formatTable(await analyzeWorked(), plain).replace(/\s+/g, ' ');
  expect(table).toContain('Not v1: "test-1" rules on backend embedded');
  expect(table).toContain('log output cost is included');
  expect(table).toContain('Protocol test-1 is not v1.');
  expect(table).toContain('The stable flag is no test of equivalence.');
  expect(table).toContain('was not validated');
  const v1 = await analyzeWorked(
    observeAll,
    buildPlan({ protocol: buildProtocol({ name: 'v1' }) }),
  );
  expect(formatTable(v1, plain)).toContain('\nv1 rules on backend embedded');
});

test.each([80, 100, 120, 160])('no line of it is wider than %d columns', async (width) => {
  const lines = formatTable(await analyzeWorked(), { colour: false, width }).split('\n');
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
});

test('at 80 columns the table stands in two pieces and loses nothing', async () => {
  const table = formatTable(await analyzeWorked(), { colour: false, width: 80 });
  expect(table.match(/^condition/gm)).toHaveLength(4);
  for (const cell of ['14.790–14.860 ms', '4.46 %', '1.143']) expect(table).toContain(cell);
});

test('failures, notes and what is missing are told', async () => {
  const analysis = await analyzeWorked((ledger) => {
    ledger.fail(0, { message: 'ended by SIGSEGV' });
    ledger.add({ type: 'note', text: 'the fan\u001b[2J stopped' });
  });
  const table = formatTable(analysis, plain);
  expect(table).toContain(' 0+1f ');
  expect(table).toMatch(/trial 0, .*: signal: ended by SIGSEGV/);
  expect(table).toContain('after 1 trial: the fan\u{fffd}[2J stopped');
  expect(table).toContain('–');
  expect(table).toContain('not evaluable: the reference has 0 valid rounds; 10 are needed');
});

test('colour appears only when it is asked for', async () => {
  const analysis = await analyzeWorked();
  const uncoloured = formatTable(analysis, plain);
  const coloured = formatTable(analysis, { colour: true, width: 120 });
  expect(coloured).not.toBe(uncoloured);
  expect(stripVTControlCharacters(coloured)).toBe(uncoloured);
  expect(stripVTControlCharacters(uncoloured)).toBe(uncoloured);
});

test('a campaign that others disturbed says so before its numbers', async () => {
  const analysis = await analyzeWorked();
  const shown = (seen: number) =>
    formatTable(
      { ...analysis, otherUse: { seen, notSeen: 40 - seen, notVisible: 0 } },
      { colour: false, width: 120 },
    );
  const words = 'DISTURBED: others were seen at work on the device in 3 of 40 trials;';
  expect(shown(3).indexOf(words)).toBeGreaterThan(0);
  expect(shown(3).indexOf(words)).toBeLessThan(shown(3).indexOf('prefill:'));
  expect(shown(0)).not.toContain('DISTURBED');
});
