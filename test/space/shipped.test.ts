import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { identityOf } from '../../src/hash.ts';
import { listSpaces, readSpace } from '../../src/space/shipped.io.ts';
import { summariseSpace } from '../../src/space/summary.ts';

test.each([
  ['llama-25', '42b13a7ea624d1036eb658c474f9e86f8735d6a0d12a0cad05fc8d6ee06b4493'],
  ['pilot', 'a23d004014dfee1659da122389a5fd683bb4a30512ab84a8cecc6777b5d175c8'],
  ['pocket', '9761764be90e1ef34291a77b13e3011e3b846b2c7978793e4c4a4eca5a781c98'],
])('%s is frozen', (name, identity) => {
  expect(identityOf(readSpace(name))).toBe(identity);
});

test.each([
  ['llama-25', { architectures: 25, models: 75, conditions: 100, items: 200 }],
  ['pilot', { architectures: 3, models: 9, conditions: 12, items: 24 }],
  ['pocket', { architectures: 3, models: 4, conditions: 4, items: 8 }],
])('%s holds what it promises', (name, counts) => {
  const { architectures, modelCount, conditionCount, itemCount, weightSeed } = summariseSpace(
    readSpace(name),
  );
  expect({
    architectures: architectures.length,
    models: modelCount,
    conditions: conditionCount,
    items: itemCount,
  }).toEqual(counts);
  expect(weightSeed).toBe(1);
});

test('the parameters of the pilot are those of its layers, counted by hand', () => {
  const { architectures, weightBytes } = summariseSpace(readSpace('pilot'));
  expect(architectures.map(({ name, parameterCount }) => `${name} ${parameterCount}`)).toEqual([
    'small 57942528',
    'mid 254313472',
    'large 1213302784',
  ]);
  expect(weightBytes).toBe(5_531_346_944);
});

test('llama-25 compares every architecture in three quantizations, and once at another length', () => {
  const { architectures, conditions } = readSpace('llama-25');
  for (const { name } of architectures) {
    const own = conditions.filter(({ architecture }) => architecture === name);
    const common = own.filter(({ sequenceLength }) => sequenceLength === 512);
    expect(common.map(({ quantization }) => quantization)).toEqual(['F16', 'Q8_0', 'Q4_0']);
    expect(own.length).toBe(4);
  }
  const lengths = conditions.slice(75).map(({ sequenceLength }) => sequenceLength);
  const counts = [128, 1024, 2048].map((tokens) => lengths.filter((one) => one === tokens).length);
  expect(counts.sort()).toEqual([8, 8, 9]);
});

test('the architectures of pocket differ in depth, not in size', () => {
  const { architectures } = summariseSpace(readSpace('pocket'));
  const counts = architectures.map(({ parameterCount }) => parameterCount);
  expect(architectures.map(({ layerCount }) => layerCount)).toEqual([2, 4, 11]);
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.01);
});

test('a space that is not there names the shipped ones', () => {
  expect(listSpaces()).toEqual(['llama-25', 'pilot', 'pocket']);
  try {
    readSpace('no-such-space');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(RooflawError);
    expect((error as RooflawError).code).toBe('not-found');
    expect((error as RooflawError).hint).toBe('name a file, or one of: llama-25, pilot, pocket');
  }
});
