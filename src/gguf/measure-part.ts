import type { Fault } from '../errors.ts';
import { formatCount, formatWhole } from '../units.ts';
import { describeValue, integerOf } from './header-value.ts';
import { alignment as defaultAlignment } from './metadata.ts';
import { type Header, type HeaderTensor, quoteName } from './read-header.ts';

/** A file of a model and its header. */
export interface ModelPart {
  name: string;
  bytes: number;
  header: Header;
}

export interface MeasuredPart {
  /** Bytes of all tensors, without the padding between them. */
  weightBytes: number;
  bytesOfType: ReadonlyMap<string, number>;
  /** Of each tensor, in the order of the header. */
  tensorBytes: number[];
  faults: Fault[];
  notChecked: string[];
}

/** Faults that are listed one by one, of each part. */
const listedFaults = 20;
export const againHint = 'copy or download the file again';

/** Whether every tensor lies in the file where llama.cpp wants it: one after the other, aligned. */
export function measurePart({ name, bytes, header }: ModelPart, isSplit: boolean): MeasuredPart {
  const place = isSplit ? `${name}: ` : '';
  const faults: Fault[] = [];
  const alignment = readAlignment(header, place, faults);
  const dataAt = roundUp(header.headerBytes, alignment);
  const bytesOfType = new Map<string, number>();
  const tensorBytes: number[] = [];
  const unknown: HeaderTensor[] = [];
  let [expectedOffset, neededBytes, brokenCount] = [0, 0, 0];

  for (const [index, tensor] of header.tensors.entries()) {
    const { type, offset, elementCount, shape } = tensor;
    const where = `${place}tensor ${quoteName(tensor.name)}`;
    if (offset !== expectedOffset) {
      const what = `lies at ${formatWhole(offset)} of the data, where ${formatWhole(expectedOffset)} is its place`;
      faults.push({ where, what, hint: againHint });
    }
    const nextOffset = header.tensors[index + 1]?.offset;
    let size: number;
    if (type === null) {
      unknown.push(tensor);
      size = Math.max(0, (nextOffset ?? bytes - dataAt) - offset);
      expectedOffset = Math.max(offset, nextOffset ?? 0);
    } else {
      const rowLength = shape[0] ?? 1;
      if (rowLength % type.blockLength !== 0) {
        const what = `rows of ${formatWhole(rowLength)} elements are no whole number of blocks of ${type.blockLength}, as ${type.name} has`;
        faults.push({ where, what, hint: againHint });
      }
      size = Math.ceil(elementCount / type.blockLength) * type.blockBytes;
      expectedOffset = offset + roundUp(size, alignment);
    }
    const end = dataAt + offset + size;
    if (end > bytes) brokenCount += 1;
    neededBytes = Math.max(neededBytes, end);
    tensorBytes.push(size);
    const label = type?.name ?? `type_${tensor.typeNumber}`;
    bytesOfType.set(label, (bytesOfType.get(label) ?? 0) + size);
  }

  // Of misplaced tensors the end means nothing.
  if (brokenCount > 0 && faults.length === 0) {
    const what = `cut short: it has ${formatWhole(bytes)} bytes and needs ${formatWhole(neededBytes)}; ${formatCount(brokenCount, 'tensor')} of ${formatWhole(header.tensors.length)} not whole`;
    faults.push({ where: isSplit ? name : 'the file', what, hint: againHint });
  }
  return {
    weightBytes: sum([...bytesOfType.values()]),
    bytesOfType,
    tensorBytes,
    faults: limitFaults(faults, name),
    notChecked: describeUnknown(unknown, name),
  };
}

function describeUnknown(unknown: readonly HeaderTensor[], name: string): string[] {
  if (unknown.length === 0) return [];
  const numbers = [...new Set(unknown.map(({ typeNumber }) => typeNumber))];
  const listed = numbers.slice(0, listedFaults).join(', ');
  const tensors = formatCount(unknown.length, 'tensor');
  return [
    `${name}: ${tensors} of a type that is unknown here (${listed}): whether whole is not checked`,
  ];
}

function limitFaults(faults: Fault[], name: string): Fault[] {
  if (faults.length <= listedFaults) return faults;
  const more = { where: name, what: `and ${formatWhole(faults.length - listedFaults)} more` };
  return [...faults.slice(0, listedFaults), more];
}

function readAlignment({ metadata }: Header, place: string, faults: Fault[]): number {
  const entry = metadata.get('general.alignment');
  if (entry === undefined) return defaultAlignment;
  const value = integerOf(entry);
  if (entry.type === 'uint32' && value !== null && Number.isInteger(Math.log2(value))) return value;
  faults.push({
    where: `${place}metadata "general.alignment"`,
    what: `${describeValue(entry)}; it must be a power of 2, as a uint32`,
    hint: againHint,
  });
  return defaultAlignment;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
