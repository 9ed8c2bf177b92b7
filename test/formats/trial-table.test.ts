import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RooflawError } from '../../src/errors.ts';
import { throwTableFaults } from '../../src/formats/strict-csv.ts';
import {
  formatTrialTable,
  readTrialTable,
  type TrialRow,
  trialColumns,
} from '../../src/formats/trial-table.ts';
import { findTrialTableFaults } from '../../src/formats/trial-table-faults.ts';
import { toNumber } from '../../src/stats/fraction.ts';
import { trialHeader, trialLine, trialTable } from '../support/trial-table.ts';

const table = (...lines: string[]) => `${[trialHeader, ...lines].join('\n')}\n`;
const faultsOf = (text: string) =>
  readTrialTable(text).faults.map(({ where, what }) => `${where}: ${what}`);
const contradictionsOf = (text: string, unitsAreChecked = true) => {
  const { lines, faults } = readTrialTable(text);
  expect(faults).toEqual([]);
  return findTrialTableFaults(lines, unitsAreChecked).map(({ where, what }) => `${where}: ${what}`);
};

test('the columns are the published ones', () => {
  expect(trialColumns.map(({ name }) => name).join(',')).toBe(trialHeader);
});

test('rows are read with their decimals exactly as written', () => {
  const { lines, faults } = readTrialTable(
    table(trialLine({ trialMeanNs: '1.05', inTrialCv: '0.050000000000000000001' })),
  );
  expect(faults).toEqual([]);
  expect(lines).toEqual([
    {
      line: 2,
      campaign: 'c',
      protocol: 'v1',
      device: 'Test GPU',
      item: { architecture: 'mid', quantization: 'F16', sequenceLength: 512, phase: 'prefill' },
      round: 0,
      position: 0,
      state: 'observed',
      trialMeanNs: { numerator: 105n, denominator: 100n },
      inTrialCv: { numerator: 50000000000000000001n, denominator: 1000000000000000000000n },
      processNs: 900_000_000,
    },
  ]);
});

test('a byte order mark, CRLF, quotes, blank lines and another order of columns are fine', () => {
  const names = trialHeader.split(',').reverse();
  const cells = trialLine({ device: '"GPU, with ""comma"""' });
  const reversed = [
    '9',
    '0.1',
    '8',
    'observed',
    '0',
    '0',
    'prefill',
    '512',
    'F16',
    'mid',
    'g',
    'v1',
    'c',
  ];
  expect(readTrialTable(`\ufeff${trialHeader}\r\n${cells}\r\n\r\n`).lines).toMatchObject([
    { line: 2, device: 'GPU, with "comma"' },
  ]);
  expect(readTrialTable(`${names.join(',')}\n${reversed.join(',')}\n`).lines).toMatchObject([
    { device: 'g', processNs: 9, trialMeanNs: { numerator: 8n } },
  ]);
});

test('missing, unknown and doubled columns are all named, with what is known', () => {
  const text = `${trialHeader.replace('device,', '').replace('round', 'phase')},note\n`;
  expect(faultsOf(text)).toEqual([
    'line 1: the column device is missing',
    'line 1: the column round is missing',
    'line 1: the column "phase" stands here twice',
    'line 1: unknown column "note"',
  ]);
  expect(readTrialTable(text).faults.at(-1)?.hint).toBe(`the columns are ${trialHeader}`);
});

test.each([
  ['trialMeanMs', 'milliseconds', '1,000,000'],
  ['trial_mean_us', 'microseconds', '1,000'],
  ['processSeconds', 'seconds', '1,000,000,000'],
])('a column %s is said to be in %s', (name, unit, factor) => {
  const { faults } = readTrialTable(`${trialHeader},${name}\n`);
  expect(faults).toMatchObject([{ where: 'line 1' }]);
  expect(faults[0]?.what).toContain(`seems to be in ${unit}`);
  expect(faults[0]?.hint).toContain(`multiply it by ${factor} `);
});

test('a table with semicolons or without anything is refused by name', () => {
  expect(faultsOf(trialHeader.replaceAll(',', ';'))).toEqual([
    'line 1: its columns are not separated by commas',
  ]);
  expect(faultsOf('')).toEqual(['line 1: there is no header']);
  expect(faultsOf(`${trialHeader}\n"c,v1\n`)[0]).toMatch(/^line \d+: no CSV: /);
});

test.each([
  [{ trialMeanNs: 'NaN' }, 'trialMeanNs is "NaN", which is no decimal number'],
  [{ trialMeanNs: 'Infinity' }, 'trialMeanNs is "Infinity", which is no decimal number'],
  [{ trialMeanNs: '0' }, 'trialMeanNs is "0", which is not above 0'],
  [{ trialMeanNs: '-14.8' }, 'trialMeanNs is "-14.8", which is not above 0'],
  [{ trialMeanNs: '' }, 'trialMeanNs is empty in an observed trial'],
  [{ processNs: '' }, 'processNs is empty in an observed trial'],
  [{ processNs: '-1' }, 'processNs is "-1", which is not above 0'],
  [{ processNs: '900000000.5' }, 'processNs must be a whole number of nanoseconds'],
  [{ processNs: '900' }, 'processNs is less than trialMeanNs'],
  [{ inTrialCv: 'NaN' }, 'inTrialCv is "NaN" and must be a decimal fraction, 0 or more'],
  [{ inTrialCv: '-0.1' }, 'inTrialCv is "-0.1" and must be a decimal fraction, 0 or more'],
  [{ round: '1.5' }, 'round is "1.5" and must be a whole number'],
  [{ round: '-1' }, 'round is "-1" and must be a whole number'],
  [{ position: '' }, 'position is empty and must be a whole number'],
  [{ state: 'ok' }, 'state "ok" is none of observed, failed, interrupted, pending'],
  [{ quantization: 'Q5_K' }, 'quantization "Q5_K": '],
  [{ phase: 'train' }, 'phase "train": '],
  [{ sequenceLength: '0' }, 'sequenceLength "0": '],
  [{ campaign: '../up' }, 'campaign "../up" is no name'],
  [{ device: ' ' }, 'device is empty'],
  [{ state: 'failed' }, 'trialMeanNs is "14820000" in a trial that is failed'],
])('%j is refused with its line', (cells, what) => {
  const [first] = faultsOf(table(trialLine(), trialLine({ round: 1, ...cells })));
  expect(first).toContain(`line 3: ${what}`);
});

test('a failed trial has empty times, and an observed one may lack only the variation inside', () => {
  const empty = { trialMeanNs: '', inTrialCv: '', processNs: '' };
  const { lines, faults } = readTrialTable(
    table(trialLine({ state: 'failed', ...empty }), trialLine({ round: 1, inTrialCv: '' })),
  );
  expect(faults).toEqual([]);
  expect(lines).toMatchObject([
    { state: 'failed', trialMeanNs: null, inTrialCv: null, processNs: null },
    { state: 'observed', inTrialCv: null },
  ]);
});

test('all faults of a table come at once, and a short row is one of them', () => {
  expect(
    faultsOf(
      table(trialLine({ trialMeanNs: 'NaN', round: 'x' }), 'c,v1', trialLine({ state: '?' })),
    ),
  ).toHaveLength(4);
});

test('the first twenty faults are printed and all are counted', () => {
  const faults = Array.from({ length: 332 }, (_, line) => ({ where: `line ${line}`, what: 'bad' }));
  const refuse = () => throwTableFaults('trials.csv', faults);
  expect(refuse).toThrow('trials.csv: 332 faults, of which the first 20 are');
  try {
    refuse();
  } catch (error) {
    expect((error as RooflawError).faults).toHaveLength(20);
  }
  expect(() => throwTableFaults('trials.csv', [])).not.toThrow();
});

test('a trial that stands in two rows is found, with both lines', () => {
  const twice = table(trialLine(), trialLine({ position: 1 }), trialLine({ round: 1 }));
  expect(contradictionsOf(twice)).toEqual([
    'line 3: mid F16 S512 prefill, round 0 stands in line 2 already',
  ]);
});

test('two trials at one place of a round are found: the order of measuring is not known then', () => {
  expect(contradictionsOf(table(trialLine(), trialLine({ phase: 'decode' })))).toEqual([
    'line 3: line 2 is at position 0 of round 0 too',
  ]);
});

test('several protocols and devices in one campaign are refused', () => {
  const other = trialLine({ round: 1, protocol: 'v2', device: 'Other' });
  expect(contradictionsOf(table(trialLine(), other))).toEqual([
    'protocol: one campaign with 2 protocols: v1 (line 2), v2 (line 3)',
    'device: one campaign with 2 devices: Test GPU (line 2), Other (line 3)',
  ]);
});

test('times of one item in different units are found in both directions', () => {
  const process = { processNs: 90_000_000_000_000 };
  expect(contradictionsOf(trialTable([14_820_000, 14_790_000, 14_850], process))).toEqual([
    'line 4: trialMeanNs is about 1/1,000 of that of line 3, the same item: mixed units?',
  ]);
  expect(contradictionsOf(trialTable([14_820, 14_790, 14_850_000_000, 14_800], process))).toEqual([
    'line 4: trialMeanNs is about 1,000,000 times that of line 5, the same item: mixed units?',
  ]);
  expect(contradictionsOf(trialTable([15_000, 14_850_000], process))).toHaveLength(1);
});

test('a slow trial is no other unit, and raw repetitions vouch for any time', () => {
  const process = { processNs: 90_000_000_000_000 };
  expect(contradictionsOf(trialTable([1e3, 1e3, 6e5, 1e8], process))).toEqual([]);
  expect(contradictionsOf(trialTable([1, 1, 1000], process), false)).toEqual([]);
});

test('times that are too short for ns are found: all of them, one item’s, whole processes', () => {
  const where = 'trialMeanNs is below 1,000 ns, less than any pass through a model takes';
  expect(contradictionsOf(trialTable([14.82, 14.79]))).toEqual([
    `line 2: ${where}: are these milliseconds?`,
    `line 3: ${where}: are these milliseconds?`,
  ]);
  expect(contradictionsOf(trialTable([999.99]))).toHaveLength(1);
  expect(contradictionsOf(trialTable([1000]))).toEqual([]);
  expect(contradictionsOf(trialTable([5000], { processNs: 999_999 }))).toEqual([
    'line 2: processNs is below 1,000,000 ns, less than any process takes: are these milliseconds?',
  ]);
  // microseconds: 14,820 of a process of 2 s, beside an item in nanoseconds
  const inUs = { trialMeanNs: 14_820, processNs: 2_000_000_000 };
  const other = trialLine({ architecture: 'large', position: 1 });
  expect(contradictionsOf(table(trialLine(inUs), other))).toEqual([
    'line 2: trialMeanNs of mid F16 S512 prefill is at most 1/100,000 of its process, unlike that of other items: are these milliseconds?',
  ]);
  expect(contradictionsOf(table(trialLine(inUs), trialLine({ ...inUs, round: 1 })))).toEqual([]);
  const justMore = { ...inUs, trialMeanNs: 20_001 };
  expect(contradictionsOf(table(trialLine(justMore), other))).toEqual([]);
});

test('of thousands of devices five are named, long ones cut', () => {
  const rows = Array.from({ length: 3000 }, (_, round) =>
    trialLine({ round, device: `${round}${'x'.repeat(5000)}` }),
  );
  const [what = ''] = contradictionsOf(table(...rows));
  expect(what).toMatch(/^device: one campaign with 3000 devices: 0x{39}… \(line 2\), .*, …$/);
  expect(what.length).toBeLessThan(400);
});

test('a last line without an end may have been cut inside its number', () => {
  const text = table(trialLine());
  expect(faultsOf(text.slice(0, -1))).toEqual([
    'the last line: has no end, so the file may have been cut inside its last cell',
  ]);
  expect(faultsOf(text.slice(0, -2))).toHaveLength(1);
  expect(readTrialTable(text.slice(0, -1)).faults[0]?.hint).toBe('add a line end if it is whole');
  expect(faultsOf(`${text.slice(0, -1)}\r\n`)).toEqual([]);
});

test('reading stops after a thousand faults, and before a header of thousands of columns', () => {
  const faults = faultsOf(`${trialHeader}\n${'x,y\n'.repeat(5000)}`);
  expect(faults).toHaveLength(1001);
  expect(faults[0]).toBe(
    'line 1001: reading stopped here, after 1,000 faults: what follows is unread',
  );
  const wide = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',');
  expect(faultsOf(`${wide}\n`)).toEqual(['line 1: has 100000 columns where 13 are known']);
  expect(faultsOf(`${','.repeat(200_000)}\n`)).toHaveLength(1);
});

test('what is written reads back exactly', () => {
  const row = fc.record({
    campaign: fc.constant('c'),
    protocol: fc.constant('v1'),
    device: fc.string({ minLength: 1 }).filter((text) => /\S/.test(text) && !/^\ufeff/.test(text)),
    item: fc.record({
      architecture: fc.constantFrom('mid', 'a.b-c'),
      quantization: fc.constantFrom('F16' as const, 'Q4_0' as const),
      sequenceLength: fc.integer({ min: 1, max: 2 ** 20 }),
      phase: fc.constantFrom('prefill' as const, 'decode' as const),
    }),
    round: fc.nat(),
    position: fc.nat(),
    state: fc.constant('observed' as const),
    trialMeanNs: fc.integer({ min: 1, max: 5e13 }).map((sum) => sum / 5),
    inTrialCv: fc.double({ min: 1e-30, max: 4, noNaN: true }),
    processNs: fc.integer({ min: 10 ** 14, max: Number.MAX_SAFE_INTEGER }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows: TrialRow[]) => {
      const { lines, faults } = readTrialTable(formatTrialTable(rows));
      expect(faults).toEqual([]);
      const read = lines.map(({ line: _line, ...rest }) => ({
        ...rest,
        trialMeanNs: toNumber(rest.trialMeanNs!),
        inTrialCv: toNumber(rest.inTrialCv!),
      }));
      expect(read).toEqual(rows);
    }),
  );
});
