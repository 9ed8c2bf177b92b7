import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { listItems } from '../../src/protocol/schedule.ts';
import { selectComparisons } from '../../src/protocol/select-comparisons.ts';
import { smallPlan } from '../support/small-plan.ts';

const items = listItems(smallPlan());
const nameOf = (letter: string, phase: 'prefill' | 'decode') => ({
  modelSha256: letter.repeat(64),
  sequenceLength: 16,
  phase,
});

function faultsOf(...texts: string[]): string[] {
  try {
    selectComparisons(items, texts);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    return error.faults.map(({ where, what }) => `${where}: ${what}`);
  }
  throw new Error('nothing was wrong');
}

test('two items with "vs" between them are a comparison, the base first', () => {
  const text =
    'architecture=tiny,quantization=Q8_0,sequenceLength=16,phase=decode vs quantization=F16,phase=decode';
  expect(selectComparisons(items, [text])).toEqual([
    { a: nameOf('a', 'decode'), b: nameOf('b', 'decode') },
  ]);
});

test('without a phase there is a comparison in each, and one side may say it for both', () => {
  expect(selectComparisons(items, ['quantization=F16 vs quantization=Q8_0'])).toEqual([
    { a: nameOf('b', 'prefill'), b: nameOf('a', 'prefill') },
    { a: nameOf('b', 'decode'), b: nameOf('a', 'decode') },
  ]);
  expect(
    selectComparisons(items, ['quantization=F16 vs quantization=Q8_0, phase = prefill']),
  ).toEqual([{ a: nameOf('b', 'prefill'), b: nameOf('a', 'prefill') }]);
});

test('every fault of every text is named at once', () => {
  expect(
    faultsOf(
      'quantization=F16',
      'quantization=F16 vs precision=Q8_0',
      'quantization=Q4_0,phase=decode vs architecture=tiny',
      'quantization=F16,phase=decode vs quantization=Q8_0,phase=prefill',
    ),
  ).toEqual([
    `'quantization=F16': not two items with "vs" between them`,
    `'quantization=F16 vs precision=Q8_0': "precision=Q8_0" is none of architecture=, quantization=, sequenceLength=, phase=`,
    `'quantization=Q4_0,phase=decode vs architecture=tiny': quantization=Q4_0,phase=decode selects no item in decode`,
    `'quantization=Q4_0,phase=decode vs architecture=tiny': architecture=tiny selects 2 items in decode`,
    `'quantization=F16,phase=decode vs quantization=Q8_0,phase=prefill': the two sides have no phase in common, and times of two phases are of different work`,
  ]);
});

test('what an unclear selector could mean is listed', () => {
  try {
    selectComparisons(items, ['architecture=tiny vs quantization=F16,phase=decode']);
  } catch (error) {
    expect((error as RooflawError).faults[0]!.hint).toBe(
      'say which of: tiny Q8_0 S16 decode; tiny F16 S16 decode',
    );
    return;
  }
  throw new Error('nothing was wrong');
});
