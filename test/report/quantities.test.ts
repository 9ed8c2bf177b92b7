import { expect, test } from 'vitest';
import {
  formatChange,
  formatLeastPercent,
  formatPercent,
  formatPValue,
  formatRate,
  formatShare,
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

test('a share that is not quite none or all is not shown as if it were', () => {
  expect([0, 1.34e-8, 0.0005, 0.7360989315, 0.9994, 0.99951, 1].map(formatShare)).toEqual([
    '0 %',
    '<0.1 %',
    '0.1 %',
    '73.6 %',
    '99.9 %',
    '>99.9 %',
    '100 %',
  ]);
});

test('a p-value has three significant digits and is never zero', () => {
  expect([1, 0.34375, 0.01171875, 0.0001, 1.1920929e-7].map(formatPValue)).toEqual([
    'p = 1',
    'p = 0.344',
    'p = 0.0117',
    'p = 0.0001',
    'p < 0.0001',
  ]);
});

test('a least value that suffices is rounded up, so that what is printed suffices too', () => {
  // 0.1 * 100 and 0.07 * 100 are not whole in floating point; they are meant to be
  expect([0.0047218, 0.0104721, 0.07, 0.1, 0.10001, 0.46779].map(formatLeastPercent)).toEqual([
    '0.48 %',
    '1.05 %',
    '7.00 %',
    '10.0 %',
    '10.1 %',
    '46.8 %',
  ]);
});
