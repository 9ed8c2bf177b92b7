import { expect, test } from 'vitest';
import { selectPairs } from '../../src/analysis/select-items.ts';
import { RooflawError } from '../../src/errors.ts';
import type { Item } from '../../src/formats/architecture.ts';

const item = (text: string): Item => {
  const [architecture, quantization, length, phase] = text.split(' ');
  return {
    architecture,
    quantization,
    sequenceLength: Number(length),
    phase,
  } as Item;
};
const items = [
  'mid F16 512 prefill', // 0
  'mid Q8_0 512 prefill', // 1
  'mid Q8_0 128 prefill', // 2
  'large F16 512 prefill', // 3
  'large Q8_0 512 prefill', // 4
  'mid F16 512 decode', // 5
  'mid Q8_0 512 decode', // 6
  'mid Q8_0 128 decode', // 7
  'large F16 512 decode', // 8
  'large Q8_0 512 decode', // 9
].map(item);

function faultsOf(a: string, b: string, among = items): string[] {
  try {
    selectPairs(among, a, b);
  } catch (error) {
    if (error instanceof RooflawError) {
      expect(error.exitStatus).toBe(2);
      return error.faults.map(({ where, what, hint }) => `${where}: ${what} (${hint})`);
    }
    throw error;
  }
  return [];
}

test('two full selectors name one pair', () => {
  expect(
    selectPairs(
      items,
      'architecture=mid,quantization=Q8_0,sequenceLength=512,phase=decode',
      'architecture=large, quantization=F16, sequenceLength=512, phase=decode',
    ),
  ).toEqual({
    differIn: ['architecture', 'quantization'],
    pairs: [{ a: 6, b: 8 }],
    unmatched: { a: [], b: [] },
  });
});

test('keys that are left out are matched, and what has no counterpart is told', () => {
  expect(selectPairs(items, 'quantization=F16', 'quantization=Q8_0')).toEqual({
    differIn: ['quantization'],
    pairs: [
      { a: 0, b: 1 },
      { a: 3, b: 4 },
      { a: 5, b: 6 },
      { a: 8, b: 9 },
    ],
    unmatched: { a: [], b: [2, 7] },
  });
});

test('a key that only one side fixes holds for both', () => {
  const { pairs } = selectPairs(items, 'quantization=F16,phase=decode', 'quantization=Q8_0');
  expect(pairs).toEqual([
    { a: 5, b: 6 },
    { a: 8, b: 9 },
  ]);
});

test('unknown keys and values, and words that are neither, are all told at once', () => {
  expect(faultsOf('quant=F16,sequenceLength=1024', 'quantization=q8_0,mid,phase=decode')).toEqual([
    'A, quant=F16,sequenceLength=1024: there is no key "quant" (the keys are architecture, quantization, sequenceLength, phase)',
    'A, quant=F16,sequenceLength=1024: no item has sequenceLength "1024" (there are: 512, 128)',
    'B, quantization=q8_0,mid,phase=decode: no item has quantization "q8_0" (there are: F16, Q8_0)',
    'B, quantization=q8_0,mid,phase=decode: "mid" is not KEY=VALUE (the keys are architecture, quantization, sequenceLength, phase)',
  ]);
});

test('a key that stands there twice is refused', () => {
  expect(faultsOf('phase=decode,phase=prefill', 'quantization=F16')).toEqual([
    'A, phase=decode,phase=prefill: phase stands there twice (give it once)',
  ]);
});

test('values that exist, but in no item together, are refused with the items there are', () => {
  const [fault, ...others] = faultsOf('architecture=large,sequenceLength=128', 'architecture=mid');
  expect(others).toEqual([]);
  expect(fault).toContain('no item is all of this (there are: mid F16 S512 prefill;');
});

test('selections that agree in nothing are refused', () => {
  const [fault] = faultsOf(
    'quantization=F16,sequenceLength=512',
    'quantization=Q8_0,sequenceLength=128,architecture=large',
  );
  expect(fault).toContain('no item is all of this');
  const [unpaired] = faultsOf(
    'quantization=F16,architecture=mid',
    'quantization=Q8_0,architecture=mid,sequenceLength=128',
  );
  expect(unpaired).toContain(
    'no item of A agrees with one of B in architecture, sequenceLength, phase',
  );
});

test('A and B that are the same items are refused', () => {
  const [fault] = faultsOf('architecture=mid', 'architecture=mid,phase=decode');
  expect(fault).toContain('A and B fix no key differently');
});

test('prefill is never compared with decode', () => {
  const [fault] = faultsOf('architecture=mid,phase=prefill', 'architecture=mid,phase=decode');
  expect(fault).toContain('prefill and decode are different quantities');
});

test('two items of one name, as a reference with weights of its own is, are ambiguous', () => {
  const twice = [...items, item('mid Q8_0 512 decode')];
  expect(faultsOf('quantization=F16', 'quantization=Q8_0', twice)).toEqual([
    'mid Q8_0 S512 decode: names 2 items, of models with different weights (they cannot be told apart by these keys; leave them out of the selection)',
  ]);
  const { pairs } = selectPairs(twice, 'quantization=F16,phase=prefill', 'quantization=Q8_0');
  expect(pairs).toHaveLength(2);
});
