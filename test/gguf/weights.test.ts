import { describe, expect, test } from 'vitest';
import { hashModel } from '../../src/gguf/write-model.io.ts';
import { sha256Hex } from '../../src/hash.ts';
import { encodeModel, generateWeights } from './reference-model.ts';
import { tiny, wide } from './small-model.ts';

describe('the bytes of a model', () => {
  test.each(['F16', 'Q8_0', 'Q4_0'] as const)(
    'are the plainly made ones in %s, over several chunks of a tensor',
    async (quantization) => {
      for (const architecture of [tiny, wide]) {
        const model = { architecture, quantization, weightSeed: 11 };
        const plain = sha256Hex(encodeModel(model));
        expect((await hashModel({ ...model, workers: 2 })).sha256).toBe(plain);
      }
    },
  );
});

describe('the weights', () => {
  const model = { architecture: wide, quantization: 'F16', weightSeed: 1 } as const;
  const weights = generateWeights(model);
  const embedding = weights.get('token_embd.weight') as Float32Array;
  const output = weights.get('output.weight') as Float32Array;
  const chunk = 524_288;

  test('are the same in all three quantizations of a seed', () => {
    expect(generateWeights({ ...model, quantization: 'Q4_0' })).toEqual(weights);
  });

  test('have mean 0 and standard deviation 1/sqrt(fan-in), and a normal share within one', () => {
    const deviation = 1 / Math.sqrt(128);
    const count = embedding.length;
    const mean = embedding.reduce((sum, weight) => sum + weight, 0) / count;
    const square = embedding.reduce((sum, weight) => sum + weight * weight, 0) / count;
    const within = embedding.filter((weight) => Math.abs(weight) < deviation).length / count;
    // four standard errors of a million independent draws
    expect(Math.abs(mean)).toBeLessThan((4 * deviation) / Math.sqrt(count));
    expect(Math.abs(Math.sqrt(square) / deviation - 1)).toBeLessThan(4 / Math.sqrt(2 * count));
    expect(Math.abs(within - 0.6827)).toBeLessThan(4 * Math.sqrt((0.6827 * 0.3173) / count));
  });

  test.each([
    ['two tensors', embedding, output],
    ['two chunks of a tensor', embedding.subarray(0, chunk), embedding.subarray(chunk, 2 * chunk)],
    ['neighbours', embedding.subarray(0, -1), embedding.subarray(1)],
    ['neighbours of one generator', embedding.subarray(0, -8), embedding.subarray(8)],
    ['neighbouring rows', embedding.subarray(0, -128), embedding.subarray(128)],
  ])('of %s are uncorrelated', (_, left, right) => {
    const product = left.reduce((sum, weight, index) => sum + weight * right[index]!, 0);
    const correlation = (product * 128) / left.length;
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(left.length));
  });

  test('make no two rows equal, in one tensor or another', () => {
    const rows = [...weights.values()].flatMap((matrix) =>
      Array.from({ length: Math.floor(matrix.length / 32) }, (_, row) =>
        matrix.subarray(32 * row, 32 * row + 32).join(),
      ),
    );
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBe(68_032);
  });
});
