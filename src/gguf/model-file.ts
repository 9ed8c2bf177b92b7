import type { Fault } from '../errors.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatWhole } from '../units.ts';
import { findEncoderFaults } from './encoder-faults.ts';
import { labelFileType } from './file-types.ts';
import { describeValue, type HeaderValue, integerOf } from './header-value.ts';
import { againHint, type MeasuredPart, type ModelPart, measurePart, sum } from './measure-part.ts';
import { type Header, type HeaderTensor, quoteName } from './read-header.ts';
import { sumInput, sumLayers } from './tensor-places.ts';

/** What the header of a model says, whoever made it. Lengths are numbers of elements. */
export interface ModelFileFacts {
  /** Base name of the file, or of the first part. */
  file: string;
  /** The file, or every part of a split model in order. */
  parts: { name: string; bytes: number }[];
  /** `general.architecture`, such as `llama`. */
  family: string;
  /** `general.name`, printable, at most 200 characters. */
  title: string | null;
  /**
   * The label of `general.file_type`, else the type of most bytes of weights, such as `Q4_K_M`;
   * `type_43` for one that is unknown here. Only letters, digits and `_`.
   */
  quantization: string;
  layerCount: number;
  contextLength: number | null;
  embeddingLength: number | null;
  /** The largest where it differs between layers; 0 in a family without attention. */
  headCount: number | null;
  /** The same. Where the file has none: `headCount`, as llama.cpp takes it. */
  kvHeadCount: number | null;
  /**
   * KV heads of all layers together, those without attention none. Null where the file does not tell
   * which layers those are.
   */
  kvHeadsOfAllLayers: number | null;
  /** False with latent attention, whose values are made of the keys. */
  keepsValues: boolean;
  /** Tokens that some layers, or all, look back at most; null in a family without such layers. */
  slidingWindow: number | null;
  /** Where the file has none: `embeddingLength / headCount`, rounded down, as llama.cpp takes it. */
  keyLength: number | null;
  /** The same. */
  valueLength: number | null;
  /** Tokens in the list, else `vocab_size`, else the rows of the embedding. */
  vocabularySize: number | null;
  /** Tokens for which there is a learned position, beyond which llama.cpp ends; null with no such table. */
  positionCount: number | null;
  expertCount: number | null;
  expertUsedCount: number | null;
  /** Elements of all tensors. */
  parameterCount: number;
  /** Bytes of all tensors, without the padding between them. */
  weightBytes: number;
  /** Bytes of the tensors of each layer from 0, `blk.N.…`. */
  layerBytes: number[];
  /** Bytes of the embeddings of tokens and positions, which llama.cpp leaves in the host's memory. */
  inputBytes: number;
  tensorCount: number;
  /** Of all parts, headers included. */
  fileBytes: number;
}

export interface CollectedFacts {
  /** Null when there are faults. */
  facts: ModelFileFacts | null;
  faults: Fault[];
  /** What could not be checked, in sentences. */
  notChecked: string[];
}

const longestTitle = 200;
/** @param parts all of them, in order; one for a model that is not split. */
export function collectFacts(parts: readonly ModelPart[]): CollectedFacts {
  const measured = parts.map((part) => measurePart(part, parts.length > 1));
  const faults = [...findSplitFaults(parts), ...measured.flatMap((one) => one.faults)];
  const { metadata } = parts[0]!.header;
  const family = readFamily(metadata, faults);
  const tensors = parts.flatMap(({ header }) => header.tensors);
  const sizes = measured.flatMap(({ tensorBytes }, part) =>
    tensorBytes.map((bytes, at) => [parts[part]!.header.tensors[at]!.name, bytes] as const),
  );
  const weightBytes = sum(measured.map((one) => one.weightBytes));
  const parameterCount = sum(tensors.map(({ elementCount }) => elementCount));
  if (tensors.length === 0) {
    const hint = 'name a file with the weights of a language model';
    faults.push({ where: 'tensors', what: 'there are none', hint });
  }
  if (!Number.isSafeInteger(parameterCount)) {
    faults.push({ where: 'tensors', what: 'more elements than can be counted', hint: againHint });
  }

  const count = (key: string) => readCount(metadata, `${family}.${key}`, faults);
  const layerCount = count('block_count');
  if (family !== null && (layerCount === 0 || !metadata.has(`${family}.block_count`))) {
    const what = layerCount === 0 ? 'is 0' : 'is missing';
    const hint = 'name a file with the weights of a language model';
    faults.push({ where: `metadata "${family}.block_count"`, what, hint });
  }
  faults.push(...findEncoderFaults(metadata, family));
  const embeddingLength = count('embedding_length');
  const headCount = count('attention.head_count');
  const defaultLength =
    embeddingLength !== null && headCount ? Math.floor(embeddingLength / headCount) : null;
  const kvHeadCount = count('attention.head_count_kv') ?? headCount;
  const facts: ModelFileFacts = {
    file: parts[0]!.name,
    parts: parts.map(({ name, bytes }) => ({ name, bytes })),
    family: family ?? '',
    title: readTitle(metadata),
    quantization: nameQuantization(metadata, measured, faults),
    layerCount: layerCount ?? 0,
    contextLength: count('context_length'),
    embeddingLength,
    headCount,
    kvHeadCount,
    kvHeadsOfAllLayers: countKvHeads(metadata, family, layerCount, kvHeadCount),
    keepsValues: !metadata.has(`${family}.attention.value_length_mla`),
    slidingWindow: count('attention.sliding_window') || null,
    keyLength: count('attention.key_length') ?? defaultLength,
    valueLength: count('attention.value_length') ?? defaultLength,
    vocabularySize:
      countTokens(metadata) ?? count('vocab_size') ?? countRows(tensors, 'token_embd.weight'),
    positionCount: countRows(tensors, 'position_embd.weight'),
    expertCount: count('expert_count'),
    expertUsedCount: count('expert_used_count'),
    parameterCount,
    weightBytes,
    layerBytes: sumLayers(sizes, layerCount ?? 0),
    inputBytes: sumInput(sizes),
    tensorCount: tensors.length,
    fileBytes: sum(parts.map(({ bytes }) => bytes)),
  };
  const notChecked = measured.flatMap((one) => one.notChecked);
  return { facts: faults.length === 0 ? facts : null, faults, notChecked };
}

/** Which part of how many a file says it is. */
export interface Split {
  /** From 0. */
  index: number;
  count: number;
}

/** Null for a model in one file. */
export function readSplit({ metadata }: Header): Split | null {
  const [index, count] = [
    integerOf(metadata.get('split.no')),
    integerOf(metadata.get('split.count')),
  ];
  if (count === null || count <= 1) return null;
  return { index: index ?? 0, count };
}

/**
 * The names of all parts, as llama.cpp looks for them.
 * @returns null when `name` is not `ANYTHING-00002-of-00003.gguf` with the numbers of the split.
 */
export function listPartNames(name: string, { index, count }: Split): string[] | null {
  const endOf = (part: number) => `-${pad(part + 1)}-of-${pad(count)}.gguf`;
  const end = endOf(index);
  if (!name.endsWith(end) || name.length === end.length) return null;
  const start = name.slice(0, -end.length);
  return Array.from({ length: count }, (_, part) => start + endOf(part));
}

/** The name that a part must have, with `NAME` for what may be anything. */
export function formatPartName({ index, count }: Split): string {
  return `NAME-${pad(index + 1)}-of-${pad(count)}.gguf`;
}

function pad(number: number): string {
  return String(number).padStart(5, '0');
}

function findSplitFaults(parts: readonly ModelPart[]): Fault[] {
  const first = parts[0]!.header;
  if (parts.length === 1 && readSplit(first) === null) return [];
  const hint = 'take all parts from one place, and one splitting';
  const faults: Fault[] = [];
  const names = new Set<string>();
  const family = textOf(first.metadata.get('general.architecture'));
  for (const [index, { name, header }] of parts.entries()) {
    const split = readSplit(header);
    if (split?.count !== parts.length || split.index !== index) {
      const says = split === null ? 'none' : `${split.index + 1} of ${split.count}`;
      const what = `says it is part ${says}, not ${index + 1} of ${parts.length}`;
      faults.push({ where: name, what, hint });
    }
    const own = textOf(header.metadata.get('general.architecture'));
    if (own !== null && own !== family) {
      const what = `is of family "${own}", the first part of "${family}"`;
      faults.push({ where: name, what, hint });
    }
    const twice = header.tensors.find((tensor) => names.has(tensor.name));
    if (twice !== undefined) {
      faults.push({
        where: name,
        what: `tensor ${quoteName(twice.name)} is in an earlier part too`,
        hint,
      });
    }
    for (const tensor of header.tensors) names.add(tensor.name);
  }
  const found = sum(parts.map(({ header }) => header.tensors.length));
  const stated = integerOf(first.metadata.get('split.tensors.count'));
  if (stated !== null && stated !== found) {
    const what = `${formatCount(found, 'tensor')}, where the first part says ${formatWhole(stated)}`;
    faults.push({ where: 'all parts', what, hint });
  }
  return faults;
}

type Metadata = Header['metadata'];

function readFamily(metadata: Metadata, faults: Fault[]): string | null {
  const kind = textOf(metadata.get('general.type'));
  if (kind !== null && kind !== 'model') {
    const what = `"${toPrintable(kind).slice(0, 40)}", not a language model`;
    const hint = 'name the file of the model itself';
    faults.push({ where: 'metadata "general.type"', what, hint });
  }
  const entry = metadata.get('general.architecture');
  const family = textOf(entry);
  if (family !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(family)) return family;
  const what =
    entry === undefined ? 'is missing' : `${describeValue(entry)}; it must name the model's family`;
  faults.push({ where: 'metadata "general.architecture"', what, hint: againHint });
  return null;
}

function countKvHeads(
  metadata: Metadata,
  family: string | null,
  layerCount: number | null,
  kvHeadCount: number | null,
): number | null {
  const entry = metadata.get(`${family}.attention.head_count_kv`);
  if (entry?.type === 'array') {
    const counts = (entry.values ?? []).map(integerOf);
    return counts.length === 0 || counts.includes(null) ? null : sum(counts as number[]);
  }
  // Recurrent layers among those of attention: which ones is a rule of the family.
  const isHybrid = metadata.has(`${family}.ssm.state_size`);
  if (kvHeadCount === null || layerCount === null || isHybrid) return null;
  return kvHeadCount * layerCount;
}

function readTitle(metadata: Metadata): string | null {
  const title = toPrintable(textOf(metadata.get('general.name')) ?? '').trim();
  return [...title].slice(0, longestTitle).join('') || null;
}

/** A whole number, the largest one of a value for each layer, or null when there is none. */
function readCount(metadata: Metadata, key: string, faults: Fault[]): number | null {
  const entry = metadata.get(key);
  if (entry === undefined) return null;
  const counts = entry.type === 'array' ? (entry.values ?? []).map(integerOf) : [integerOf(entry)];
  const largest = Math.max(...counts.map((value) => (value === null ? Number.NaN : value)));
  if (largest >= 0 && counts.every((value) => value !== null && value >= 0)) return largest;
  const what = `${describeValue(entry)}; it must be a whole number, or one for each layer`;
  faults.push({ where: `metadata "${key}"`, what, hint: againHint });
  return null;
}

function nameQuantization(
  metadata: Metadata,
  parts: readonly MeasuredPart[],
  faults: Fault[],
): string {
  const number = readCount(metadata, 'general.file_type', faults);
  const label = number === null ? null : labelFileType(number);
  if (label !== null) return label;
  const totals = new Map<string, number>();
  for (const [type, bytes] of parts.flatMap(({ bytesOfType }) => [...bytesOfType])) {
    totals.set(type, (totals.get(type) ?? 0) + bytes);
  }
  const [most] = [...totals].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? '';
}

function countTokens(metadata: Metadata): number | null {
  const tokens = metadata.get('tokenizer.ggml.tokens');
  return tokens?.type === 'array' && tokens.length > 0 ? tokens.length : null;
}

function countRows(tensors: readonly HeaderTensor[], name: string): number | null {
  return tensors.find((tensor) => tensor.name === name)?.shape[1] ?? null;
}

function textOf(entry: HeaderValue | undefined): string | null {
  return entry?.type === 'string' ? entry.value : null;
}
