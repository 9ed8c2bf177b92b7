import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeBlock, writeEqualWeights } from '../../src/gguf/equal-weights.io.ts';
import { layoutModel } from '../../src/gguf/layout.ts';
import { createTrial, findRealBackend, runRunner } from '../support/real-backend.ts';
import { tinyArchitecture } from '../support/small-plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-equal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const backend = await findRealBackend();

test('a block holds one value in each of its places', () => {
  expect(encodeBlock('F32', 1)).toEqual(Buffer.from([0, 0, 0x80, 0x3f]));
  expect(encodeBlock('F16', 0.5)).toEqual(Buffer.from([0x00, 0x38]));
  expect(encodeBlock('Q8_0', 0.5)).toEqual(Buffer.from([0x00, 0x38, ...Array(32).fill(1)]));
  expect(encodeBlock('Q4_0', 0.5)).toEqual(Buffer.from([0x00, 0x38, ...Array(16).fill(0x99)]));
});

describe.each(['F16', 'Q8_0', 'Q4_0'] as const)(
  'a model of equal weights in %s',
  (quantization) => {
    const spec = { architecture: tinyArchitecture, quantization, weightSeed: 1 };

    test('differs from a generated one in nothing but its weights', async () => {
      const path = await writeEqualWeights(spec, folder);
      const { header, tensors, fileBytes } = layoutModel(tinyArchitecture, quantization, 1);
      const bytes = readFileSync(path);
      expect(statSync(path).size).toBe(fileBytes);
      expect(bytes.subarray(0, header.length)).toEqual(Buffer.from(header));
      for (const { name, offset, bytes: length, type, shape } of tensors) {
        const block = encodeBlock(type, type === 'F32' ? 1 : 1 / shape[0]!);
        const data = bytes.subarray(header.length + offset, header.length + offset + length);
        expect([name, data.equals(Buffer.alloc(length, block))]).toEqual([name, true]);
      }
    });

    test.skipIf(backend.state === 'missing')(
      'is run by the real llama.cpp with finite results',
      async () => {
        if (backend.state === 'missing') return;
        const path = await writeEqualWeights(spec, folder);
        const { exitStatus, lines } = await runRunner(backend.prepared, createTrial(path));
        expect([exitStatus, lines.at(-1)?.type]).toEqual([0, 'end']);
      },
    );
  },
);
