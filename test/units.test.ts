import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from '../src/units.ts';

test.each([
  [850e6, '850 ms'],
  [4.24e9, '4.2 s'],
  [185e9, '3 min 05 s'],
  [3599.6e9, '1 h 00 min'],
  [7800e9, '2 h 10 min'],
])('%d ns is %s', (ns, text) => {
  expect(formatDuration(ns)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1_340_000_000, '1.3 GB'],
  [123_400_000, '123 MB'],
  [999_600, '1.0 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
