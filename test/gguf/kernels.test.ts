import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleKernels } from '../../scripts/assemble-kernels.ts';
import { createSharedMemory, instantiateKernels } from '../../src/gguf/kernels.ts';
import { createRandom } from '../../src/random.ts';
import { buildGgmlOracle } from './ggml-oracle.ts';
import { drawUint16s, quantizeQ4_0, quantizeQ8_0 } from './reference-kernels.ts';

const memory = createSharedMemory(2 ** 24);
const kernels = instantiateKernels(memory);
const sourceAt = 0;
const destinationAt = 2 ** 23;

function runKernel(name: 'quantizeQ8_0' | 'quantizeQ4_0', floats: Float32Array): Uint8Array {
  const blockCount = floats.length / 32;
  new Float32Array(memory.buffer, sourceAt, floats.length).set(floats);
  kernels[name](sourceAt, destinationAt, blockCount);
  const blockBytes = name === 'quantizeQ8_0' ? 34 : 18;
  return new Uint8Array(memory.buffer, destinationAt, blockCount * blockBytes).slice();
}

/** Blocks of floats from raw bits, of many magnitudes, with every kind of special block. */
function awkwardFloats(seed: string): Float32Array {
  const random = createRandom(seed);
  const unit = () => random.nextUint32() / 2 ** 31 - 1;
  const kinds: ((index: number) => number)[] = [
    unit,
    () => 0,
    () => -0,
    (index) => (index === 5 ? 1 : 0), // one value
    (index) => (index === 9 ? -1e-3 : -0),
    (index) => (index % 2 === 0 ? 0.75 : -0.75), // both signs reach the magnitude
    (index) => (index % 2 === 0 ? -0.75 : 0.75),
    (index) => (index === 0 ? 127 : (random.nextBelow(253) - 126) / 2), // halves: ties of Q8_0
    (index) => (index === 0 ? -8 : (random.nextBelow(31) - 15) / 2), // ties of Q4_0
    (index) => (index === 0 ? 127 : 0.49999997), // the float before a half
    (index) => (index === 0 ? -127 : -(0.5 + 2 ** -24 * random.nextBelow(4))),
    () => unit() * 2 ** -14 * 127, // the scale around binary16's subnormal limit
    () => unit() * 2 ** -24 * 127, // the scale around binary16's smallest
    () => unit() * 2 ** -60, // the scale below it
    (index) => (index === 3 ? 1 : unit() * 2 ** -140), // subnormal floats among others
    () => unit() * 65_504 * 127, // the scale around binary16's greatest
    () => unit() * 2 ** 100,
    () => unit() * 2 ** (random.nextBelow(60) - 30),
  ];
  return Float32Array.from({ length: 32 * 2000 }, (_, index) => {
    const kind = kinds[Math.floor(index / 32) % kinds.length] as (index: number) => number;
    return kind(index % 32);
  });
}

/** Finite floats as the weights of a model are: never so small that the inverse of a scale overflows. */
const blockOfFloats = fc
  .array(fc.float({ noNaN: true, min: -(2 ** 100), max: 2 ** 100 }), {
    minLength: 32,
    maxLength: 32,
  })
  .filter((floats) => {
    const greatest = Math.max(...floats.map(Math.abs));
    return greatest === 0 || greatest > 2 ** -100;
  });

describe('the WebAssembly kernels', () => {
  test('are what kernels.wat says: the generated file equals a fresh assembly', async () => {
    const generated = new URL('../../src/gguf/kernels.generated.ts', import.meta.url);
    expect(readFileSync(generated, 'utf8')).toBe(await assembleKernels());
  });

  test('quantize any block of floats as the specification does', () => {
    fc.assert(
      fc.property(blockOfFloats, (block) => {
        const floats = Float32Array.from(block);
        expect(runKernel('quantizeQ8_0', floats)).toEqual(quantizeQ8_0(floats));
        expect(runKernel('quantizeQ4_0', floats)).toEqual(quantizeQ4_0(floats));
      }),
      { numRuns: 1000 },
    );
  });

  test('quantize a known block to known bytes', () => {
    const floats = Float32Array.from({ length: 32 }, (_, index) => (index === 31 ? -8 : index / 4));
    expect(Buffer.from(runKernel('quantizeQ8_0', floats)).toString('hex')).toBe(
      '082c0004080c1014181c2024282c3034383c4043474b4f53575b5f63676b6f737781',
    );
    expect(Buffer.from(runKernel('quantizeQ4_0', floats)).toString('hex')).toBe(
      '003cc8c8d9d9d9d9eaeaeaeafbfbfbfbfc0c',
    );
  });

  test.each([
    ['fillF16', (at: number, count: number) => new Uint16Array(memory.buffer, at, count)],
    ['fillF32', (at: number, count: number) => new Uint32Array(memory.buffer, at, count)],
  ] as const)('%s picks what the specification draws', (name, viewEntries) => {
    const seed = Uint8Array.from({ length: 64 }, (_, index) => (index * 37 + 11) & 0xff);
    const [stateAt, tableAt, outAt, count] = [64, 2 ** 20, 2 ** 22, 4096];
    const table = viewEntries(tableAt, 65_536);
    for (let index = 0; index < table.length; index++) table[index] = index * 40_503;
    new Uint8Array(memory.buffer, stateAt, 64).set(seed);
    // in two calls: the state goes on where it was left
    const half = count / 2;
    kernels[name](stateAt, tableAt, outAt, half);
    kernels[name](stateAt, tableAt, outAt + half * table.BYTES_PER_ELEMENT, half);
    const expected = [...drawUint16s(seed, count)].map((drawn) => table[drawn]);
    expect([...viewEntries(outAt, count)]).toEqual(expected);
  });
});

describe("ggml's own library", () => {
  const built = buildGgmlOracle();
  const without = 'missing' in built ? ` (skipped without ${built.missing})` : '';
  const oracle = 'oracle' in built ? built.oracle : () => new Uint8Array();

  test.skipIf('missing' in built)(`quantizes awkward blocks to the same bytes${without}`, () => {
    const floats = awkwardFloats('awkward');
    expect(runKernel('quantizeQ8_0', floats)).toEqual(new Uint8Array(oracle('q8_0', floats)));
    expect(runKernel('quantizeQ4_0', floats)).toEqual(new Uint8Array(oracle('q4_0', floats)));
    expect(quantizeQ8_0(floats)).toEqual(new Uint8Array(oracle('q8_0', floats)));
    expect(quantizeQ4_0(floats)).toEqual(new Uint8Array(oracle('q4_0', floats)));
  });
});
