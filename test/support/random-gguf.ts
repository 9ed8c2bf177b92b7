import { toFloat16Bits } from '../../src/gguf/float16.ts';
import { createRandom, type RandomSource } from '../../src/random.ts';
import { encodeRawHeader, type Value } from '../gguf/gguf-bytes.ts';

/** Element counts, the contiguous dimension first. */
export type Shapes = Record<string, number[]>;

/** The tensors of a layer, with the number that llama.cpp wants before their names. */
export const inLayer = (layer: number, shapes: Shapes): Shapes =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [`blk.${layer}.${name}`, shape]),
  );

/** Types in which a tensor of two dimensions may be; every other tensor is F32. */
export type RandomType = 'F32' | 'F16' | 'Q4_K' | 'Q6_K';

export interface RandomModel {
  pairs: Record<string, Value>;
  shapes: Shapes;
  /** What is not named is F32. */
  types?: Record<string, RandomType>;
}

const alignment = 32;
const ggmlTypes: Record<RandomType, number> = { F32: 0, F16: 1, Q4_K: 12, Q6_K: 14 };

/** A GGUF file with random weights: the same bytes for the same seed. */
export function encodeRandomModel(model: RandomModel, seed: string): Buffer {
  return encode(model.pairs, drawTensors(model, seed));
}

/** The same in several files, as gguf-split makes them: the metadata in the first, some tensors in each. */
export function encodeSplitModel(model: RandomModel, seed: string, count: number): Buffer[] {
  const tensors = drawTensors(model, seed);
  const perPart = Math.ceil(tensors.length / count);
  return Array.from({ length: count }, (_, part) => {
    const pairs = {
      'split.no': { uint16: part },
      'split.count': { uint16: count },
      'split.tensors.count': { int32: tensors.length },
    };
    const own = tensors.slice(part * perPart, (part + 1) * perPart);
    return encode(part === 0 ? { ...model.pairs, ...pairs } : pairs, own);
  });
}

interface DrawnTensor {
  name: string;
  shape: number[];
  type: RandomType;
  bytes: Buffer;
}

function drawTensors({ shapes, types = {} }: RandomModel, seed: string): DrawnTensor[] {
  const random = createRandom(seed);
  return Object.entries(shapes).map(([name, shape]) => {
    const type = types[name] ?? 'F32';
    return { name, shape, type, bytes: pad(drawTensor(name, shape, type, random)) };
  });
}

function encode(pairs: Record<string, Value>, drawn: readonly DrawnTensor[]): Buffer {
  let offset = 0;
  const tensors = drawn.map(({ name, shape, type, bytes }) => {
    const tensor = { name, shape, type: ggmlTypes[type], offset };
    offset += bytes.length;
    return tensor;
  });
  const header = pad(encodeRawHeader({ pairs, tensors }));
  return Buffer.concat([header, ...drawn.map(({ bytes }) => bytes)]);
}

function drawTensor(
  name: string,
  shape: readonly number[],
  type: RandomType,
  random: RandomSource,
): Buffer {
  const count = shape.reduce((product, dimension) => product * dimension, 1);
  if (type === 'Q4_K' || type === 'Q6_K') return drawBlocks(type, count / 256, random);
  const values = drawWeights(name, count, shape[0]!, random);
  const elements = type === 'F16' ? Uint16Array.from(values, toFloat16Bits) : values;
  return Buffer.from(elements.buffer);
}

/** Norms are 1, the decay of a state is -1, the rest uniform with a deviation of about 1/√(fan-in). */
function drawWeights(name: string, count: number, fanIn: number, random: RandomSource) {
  const scale = 1.7 / Math.sqrt(fanIn);
  const draw = () => (random.nextBelow(2001) / 1000 - 1) * scale;
  const constant = /norm.*weight$/.test(name) ? 1 : name.endsWith('ssm_a') ? -1 : null;
  return Float32Array.from({ length: count }, () => constant ?? draw());
}

/** Blocks of 256: every bit pattern is a valid one, but for the scales in F16, which are small here. */
function drawBlocks(type: 'Q4_K' | 'Q6_K', blocks: number, random: RandomSource): Buffer {
  const bytesPerBlock = { Q4_K: 144, Q6_K: 210 }[type];
  const bytes = Buffer.from(
    Array.from({ length: blocks * bytesPerBlock }, () => random.nextBelow(256)),
  );
  const scale = (at: number, value: number) => bytes.writeUInt16LE(toFloat16Bits(value), at);
  for (let at = 0; at < bytes.length; at += bytesPerBlock) {
    if (type === 'Q4_K') {
      scale(at, 2 ** -12); // of the quants
      scale(at + 2, 2 ** -9); // of the minima: 7.5 times as much in the mean, so that the sum is near 0
    } else scale(at + 208, 2 ** -15);
  }
  return bytes;
}

const pad = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
