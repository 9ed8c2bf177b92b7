import { expect, test } from 'vitest';
import { formatRepetitionTable, readRepetitionTable } from '../../src/formats/repetition-table.ts';

const header =
  'architecture,quantization,sequenceLength,phase,round,position,repetition,kind,wallNs,prepareNs';
const rows = [
  'mid,F16,512,prefill,0,3,0,warmup,900,10',
  'mid,F16,512,prefill,0,3,1,kept,100,11',
  'mid,F16,512,prefill,0,3,2,kept,110,12',
  'mid,F16,512,prefill,1,5,0,warmup,800,',
  'mid,F16,512,prefill,1,5,1,kept,101,',
  'mid,F16,512,prefill,1,5,2,kept,109,',
];
const text = (...lines: string[]) => `${[header, ...lines].join('\n')}\n`;
const faultsOf = (...lines: string[]) =>
  readRepetitionTable(text(...lines)).faults.map(({ where, what }) => `${where}: ${what}`);
const changed = (line: number, from: string, to: string) =>
  rows.map((row, index) => (index === line - 2 ? row.replace(from, to) : row));

test('repetitions are gathered by trial, and written back as they were', () => {
  const { trials, faults } = readRepetitionTable(text(...rows));
  expect(faults).toEqual([]);
  expect([...trials.keys()]).toEqual([
    'mid F16 S512 prefill, round 0',
    'mid F16 S512 prefill, round 1',
  ]);
  expect(trials.get('mid F16 S512 prefill, round 1')).toEqual({
    item: { architecture: 'mid', quantization: 'F16', sequenceLength: 512, phase: 'prefill' },
    round: 1,
    position: 5,
    warmup: 1,
    wallNs: [800, 101, 109],
    prepareNs: [null, null, null],
    lines: [5, 7],
  });
  expect(formatRepetitionTable([...trials.values()])).toBe(text(...rows));
});

test.each([
  [3, '100', '0', 'line 3: wallNs is 0; a time is a positive number of ns'],
  [3, '100', '-1', 'line 3: wallNs is "-1" and must be a whole number'],
  [3, '100', 'NaN', 'line 3: wallNs is "NaN" and must be a whole number'],
  [3, '100', '', 'line 3: wallNs is empty and must be a whole number'],
  [3, ',11', ',x', 'line 3: prepareNs is "x" and must be a whole number'],
  [3, 'kept', 'hot', 'line 3: kind "hot" is neither warmup nor kept'],
  [3, ',1,kept', ',2,kept', 'line 3: repetition is "2" where 1 was due'],
  [4, 'kept', 'warmup', 'line 4: a warm-up repetition after a kept one'],
  [2, 'F16', 'F61', 'line 2: quantization: '],
])('line %d with %j for %j is refused', (line, from, to, what) => {
  expect(faultsOf(...changed(line, from, to)).join('\n')).toContain(what);
});

test('a trial in two pieces, and one with another number of repetitions, are found', () => {
  expect(faultsOf(...rows.slice(0, 3), ...rows.slice(3, 6), rows[2]!).join('\n')).toContain(
    'line 8: mid F16 S512 prefill, round 0 has repetitions from line 2 on already',
  );
  expect(faultsOf(...rows.slice(0, 5))).toEqual([
    'lines 5 to 6: mid F16 S512 prefill, round 1 has 1 warm-up and 1 kept repetitions, the first trial 1 warm-up and 2 kept',
  ]);
});
