import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { parseSpace } from '../../src/space/parse-space.ts';

function errorOf(text: string): RooflawError {
  try {
    parseSpace(text, 'my-space.json');
  } catch (error) {
    if (error instanceof RooflawError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('faults of the shape and faults of the constraints come in one error', () => {
  const error = errorOf(`{
    "format": "rooflaw-space", "formatVersion": 1, "name": "x", "description": "",
    "weightSeed": 1, "design": null, "colour": "red",
    "architectures": [
      { "name": "a", "headDim": 64, "headCount": 8, "kvHeadCount": 3, "feedForwardLength": 1536,
        "layerCount": 8, "vocabularySize": 32000 },
      { "name": "b", "headDim": "64", "headCount": 8, "kvHeadCount": 4, "feedForwardLength": 1536,
        "layerCount": 8, "vocabularySize": 32000 }
    ],
    "conditions": [
      { "architecture": "a", "quantization": "Q9", "sequenceLength": 512 },
      { "architecture": "a", "quantization": "F16", "sequenceLength": 512 },
      { "architecture": "a", "quantization": "F16", "sequenceLength": 512 }
    ]
  }`);
  expect(error.message).toBe('my-space.json: 5 faults');
  expect(error.exitStatus).toBe(2);
  expect(error.faults.map(({ where }) => where)).toEqual([
    'architectures[1].headDim',
    'conditions[0].quantization',
    '(whole file)',
    'architectures[0].kvHeadCount',
    'conditions[2]',
  ]);
});

test.each(['null', '[]', '3', '{}', '{"architectures": 3, "conditions": {"0": 1}}'])(
  '%s is refused with its faults, not with a crash',
  (text) => {
    expect(errorOf(text).faults.length).toBeGreaterThan(0);
  },
);

test('a torn file is refused as not being JSON', () => {
  expect(errorOf('{"format": "rooflaw-sp').message).toMatch(/^my-space\.json is not JSON/);
});
