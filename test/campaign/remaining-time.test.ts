import { expect, test } from 'vitest';
import { createRemainingTime } from '../../src/campaign/remaining-time.ts';
import type { Item } from '../../src/formats/architecture.ts';

const item = (sequenceLength: number): Item => ({
  architecture: 'a',
  quantization: 'F16',
  sequenceLength,
  phase: 'decode',
});

test('before the first trial there is no estimate', () => {
  expect(createRemainingTime().estimateNs([item(1)])).toBeNull();
});

test('an item counts with its own mean, an unseen one with the mean of all trials', () => {
  const remaining = createRemainingTime();
  remaining.record(item(1), 100);
  remaining.record(item(1), 200);
  remaining.record(item(2), 600);
  expect(remaining.estimateNs([item(1), item(2), item(3)])).toBe(150 + 600 + 300);
});
