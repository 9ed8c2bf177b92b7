import type { Fault } from '../errors.ts';
import type { Architecture } from '../formats/architecture.ts';
import type { Condition, Space } from '../formats/space.ts';

/** Q8_0 and Q4_0 quantize 32 neighbouring elements of a row together; a row holds whole blocks. */
export const quantizationBlockLength = 32;
/** Elements; smaller heads do not occur in models in use, and one block of a KV cache would not fill. */
const minimumHeadDim = 32;

/** Dimensions of a space's list that a schema could read; `undefined` keeps the place of one it could not. */
export interface PartialSpace {
  architectures: readonly (Architecture | undefined)[];
  conditions: readonly (Condition | undefined)[];
}

/**
 * What no schema can say of one architecture.
 * @param where the place of the architecture, such as `architectures[2]`.
 */
export function findArchitectureFaults(architecture: Architecture, where: string): Fault[] {
  const { headDim, headCount, kvHeadCount, feedForwardLength } = architecture;
  const faults: Fault[] = [];
  const add = (field: string, what: string, hint: string) =>
    faults.push({ where: `${where}.${field}`, what, hint });

  if (headDim % 2 !== 0) {
    add('headDim', `${headDim} is odd`, 'rotary position encoding turns pairs: use an even number');
  }
  if (headDim < minimumHeadDim) {
    add('headDim', `${headDim} is less than ${minimumHeadDim}`, 'use 32, 64, 96 or 128');
  }
  if (headCount % kvHeadCount !== 0) {
    const divisors = divisorsOf(headCount).join(', ');
    add(
      'kvHeadCount',
      `${kvHeadCount} does not divide headCount, ${headCount}`,
      `use one of ${divisors}`,
    );
  }
  const rows = [
    ['headDim', 'headDim x headCount, the length of an embedding', headDim * headCount],
    [
      'headDim',
      'headDim x kvHeadCount, the length of a row of the KV cache',
      headDim * kvHeadCount,
    ],
    ['feedForwardLength', 'feedForwardLength', feedForwardLength],
  ] as const;
  for (const [field, row, length] of rows) {
    if (length % quantizationBlockLength === 0) continue;
    const multiple = `not a multiple of ${quantizationBlockLength}`;
    const near = Math.ceil(length / quantizationBlockLength) * quantizationBlockLength;
    add(field, `${row}, is ${length}: ${multiple}`, `quantization blocks fill a row of ${near}`);
  }
  return faults;
}

/** What no schema can say of a space: every architecture, names and conditions, all at once. */
export function findSpaceFaults(space: PartialSpace | Space): Fault[] {
  return [
    ...space.architectures.flatMap((architecture, index) =>
      architecture === undefined
        ? []
        : findArchitectureFaults(architecture, `architectures[${index}]`),
    ),
    ...findRepeatedArchitectures(space.architectures),
    ...findConditionFaults(space),
  ];
}

function findRepeatedArchitectures(architectures: PartialSpace['architectures']): Fault[] {
  const faults: Fault[] = [];
  const places = new Map<string, string>();
  architectures.forEach((architecture, index) => {
    if (architecture === undefined) return;
    const { name, headDim, headCount, kvHeadCount, ...rest } = architecture;
    const { feedForwardLength, layerCount, vocabularySize } = rest;
    const dimensions = [headDim, headCount, kvHeadCount];
    dimensions.push(feedForwardLength, layerCount, vocabularySize);
    const where = `architectures[${index}]`;
    const sameName = places.get(name);
    const sameDimensions = places.get(dimensions.join('/'));
    if (sameName !== undefined) {
      const what = `"${name}" is also the name of ${sameName}`;
      faults.push({ where: `${where}.name`, what, hint: 'give each architecture its own name' });
    }
    if (sameDimensions !== undefined) {
      const what = `"${name}" has the same dimensions as ${sameDimensions}`;
      faults.push({ where, what, hint: 'remove one: a model is measured under one name' });
    }
    if (sameName === undefined) places.set(name, where);
    if (sameDimensions === undefined) places.set(dimensions.join('/'), where);
  });
  return faults;
}

function findConditionFaults({ architectures, conditions }: PartialSpace): Fault[] {
  const faults: Fault[] = [];
  const names = new Set(architectures.map((architecture) => architecture?.name));
  const someUnreadable = names.has(undefined);
  const places = new Map<string, string>();
  conditions.forEach((condition, index) => {
    if (condition === undefined) return;
    const { architecture, quantization, sequenceLength } = condition;
    const where = `conditions[${index}]`;
    if (!someUnreadable && !names.has(architecture)) {
      const known = [...names].join(', ');
      const what = `there is no architecture "${architecture}" in this space`;
      faults.push({ where: `${where}.architecture`, what, hint: `use one of ${known}` });
    }
    const key = `${architecture}/${quantization}/${sequenceLength}`;
    const same = places.get(key);
    if (same === undefined) places.set(key, where);
    else faults.push({ where, what: `is the same as ${same}`, hint: 'remove one of them' });
  });
  return faults;
}

function divisorsOf(whole: number): number[] {
  return Array.from({ length: whole }, (_, index) => index + 1).filter((n) => whole % n === 0);
}
