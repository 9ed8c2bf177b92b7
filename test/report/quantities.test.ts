import { expect, test } from 'vitest';
import {
  formatChange,
  formatPercent,
  formatRate,
  formatTime,
} from '../../src/report/quantities.ts';

test.each([
  [14_825_000, '14.825 ms'],
  [3_680_400, '3.6804 ms'],
  [999_999, '1000.00 µs'],
  [1_000_000, '1.0000 ms'],
  [110_850_000, '110.85 ms'],
  [2_500_000_000, '2.5000 s'],
  [812.4, '812.40 ns'],
  [123_456_000_000_000, '123456 s'],
])('%d ns is written %s', (ns, text) => {
  expect(formatTime(ns)).toBe(text);
});

test('rates are whole from a thousand on and have four digits below', () => {
  expect([27_634.4, 999.94, 999.96, 12.3456, 0.012345].map(formatRate)).toEqual([
    '27,634',
    '999.9',
    '1,000',
    '12.35',
    '0.01235',
  ]);
});

test('percentages have two decimals below ten and one above', () => {
  expect([0, 0.0446314, 0.09994, 0.09996, 1.03].map(formatPercent)).toEqual([
    '0.00 %',
    '4.46 %',
    '9.99 %',
    '10.0 %',
    '103.0 %',
  ]);
});

test('a change has a sign unless it is none', () => {
  expect([0.016, -0.002, 0, -0.00001].map(formatChange)).toEqual([
    '+1.60 %',
    '-0.20 %',
    '0.00 %',
    '0.00 %',
  ]);
});
