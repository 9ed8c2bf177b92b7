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
  expect(createRemainingTime([item(1)]).estimateNs()).toBeNull();
});

test('an item counts with its own mean, an unseen one with the mean of all trials', () => {
  const remaining = createRemainingTime([1, 1, 1, 1, 2, 2, 3].map(item));
  remaining.record(item(1), 100);
  remaining.record(item(1), 200);
  remaining.record(item(2), 600);
  expect(remaining.estimateNs()).toBe(2 * 150 + 600 + 300);
});

test('when all is done nothing remains', () => {
  const remaining = createRemainingTime([item(1)]);
  remaining.record(item(1), 100);
  expect(remaining.estimateNs()).toBe(0);
});
