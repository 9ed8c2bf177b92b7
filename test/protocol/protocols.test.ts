import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import { findProtocolFaults } from '../../src/protocol/protocol-faults.ts';
import {
  hashShippedProtocols,
  listProtocols,
  readProtocol,
} from '../../src/protocol/shipped.io.ts';

const bytesOf = (name: string) =>
  readFileSync(new URL(`../../protocols/${name}.json`, import.meta.url));

test('protocol v1 has not changed by a byte', () => {
  expect(sha256Hex(bytesOf('v1'))).toBe(
    '001bd4c332dd747a3ac2d63685112608580a84378cf233403181a991e17a9f0b',
  );
  expect(identityOf(readProtocol('v1'))).toBe(
    '63ad510b4dcb3f7a5c7dca7527da472c1f44eb38eae82d9f2fb37f99a3cc136c',
  );
});

test('protocol v1 has every row of the measuring rules it was frozen with', () => {
  const v1 = readProtocol('v1');
  expect(v1.execution).toMatchObject({
    threads: 4,
    batch: 512,
    ubatch: 128,
    flashAttention: 'off',
    kvTypeK: 'F16',
    kvTypeV: 'F16',
    gpuLayers: 'all',
    affinity: 'default',
    logSink: 'file',
    threadPoolPoll: 50,
  });
  expect(v1.repetitions).toEqual({ warmup: 20, kept: 5 });
  expect(v1.processesPerItem).toBe(10);
  expect(v1.decodeSteps).toBe(64);
  expect(v1.reference).toMatchObject({ quantization: 'Q8_0', sequenceLength: 512 });
  expect(v1.flags.drift).toEqual({ minRounds: 10, edgeRounds: 5, above: 0.05 });
  expect(v1.idleWait).toBeNull();
  expect(v1.observation).toEqual({
    deviceState: 'trial-boundaries',
    hostCounters: 'none',
    profiler: 'none',
  });
});

test('v1-cpu2 is v1 with two threads, under its own name', () => {
  const { name: _n1, description: _d1, execution: v1, ...rest } = readProtocol('v1');
  const { name: _n2, description: _d2, execution: cpu2, ...restOfCpu2 } = readProtocol('v1-cpu2');
  expect(restOfCpu2).toEqual(rest);
  expect(cpu2).toEqual({ ...v1, threads: 2, threadsBatch: 2 });
});

test('protocol v2 has not changed by a byte', () => {
  expect(sha256Hex(bytesOf('v2'))).toBe(
    'a59cd9802b38c63897c334821c23778003bfbfcd5030869f2ad22ed0ba8c2745',
  );
  expect(identityOf(readProtocol('v2'))).toBe(
    '9b12d54814e1ffcb8fd540eb79425a4a05761d5c5b81bccaac8277766325e2d5',
  );
});

test('v2 is v1 with a stopping rule, under its own name', () => {
  const { name: _n1, description: _d1, processesPerItem: ten, ...v1 } = readProtocol('v1');
  const { name: _n2, description: _d2, processesPerItem, stopping, ...v2 } = readProtocol('v2');
  expect(v2).toEqual(v1);
  expect([ten, processesPerItem]).toEqual([10, 30]);
  expect(stopping).toEqual({
    method: 'S2',
    alpha: 0.05,
    margin: 0.005,
    equivalence: 0.02,
    correction: 'bonferroni',
    comparisons: 'all-against-reference',
  });
});

test('every shipped protocol is sound and has a hash of its own', () => {
  expect(listProtocols()).toEqual(['pocket-1', 'v1', 'v1-cpu2', 'v2']);
  expect(hashShippedProtocols().size).toBe(4);
});

test.each([
  ['no probability', { alpha: 0 }, ['stopping.alpha']],
  ['a probability of more than a half', { alpha: 0.51 }, ['stopping.alpha']],
  ['a negative margin', { margin: -0.01 }, ['stopping.margin']],
  ['an equivalence of everything', { equivalence: 1 }, ['stopping.equivalence']],
  ['an unknown method', { method: 'S3' }, ['stopping.method']],
])('a stopping rule with %s is a fault', (_what, change, places) => {
  const v2 = readProtocol('v2');
  const faults = findProtocolFaults({ ...v2, stopping: { ...v2.stopping, ...change } });
  expect(faults.map(({ where }) => where)).toEqual(places);
});

test('a stopping rule that can never decide anything is a fault, and one that is too long', () => {
  const v2 = readProtocol('v2');
  const { drift } = v2.flags;
  const flags = { ...v2.flags, drift: { ...drift, minRounds: 2, edgeRounds: 1 } };
  expect(findProtocolFaults({ ...v2, flags, processesPerItem: 6 })).toEqual([]);
  expect(findProtocolFaults({ ...v2, flags, processesPerItem: 5 })).toEqual([
    {
      where: 'processesPerItem',
      what: 'at most 5 rounds: S2 with alpha 0.05 can decide nothing by then',
      hint: 'at least 6, fewer comparisons, or a larger alpha',
    },
  ]);
  expect(findProtocolFaults({ ...v2, processesPerItem: 1001 })).toMatchObject([
    { where: 'processesPerItem', hint: 'at most 1000' },
  ]);
});

test('any changed field is another protocol', () => {
  const v1 = readProtocol('v1');
  const changed = { ...v1, execution: { ...v1.execution, ubatch: 256 } };
  expect(identityOf(changed)).not.toBe(identityOf(v1));
});

test('every fault of a protocol is named at once, with its place', () => {
  const v1 = readProtocol('v1');
  const broken = {
    ...v1,
    execution: { ...v1.execution, threads: 0, polling: true, flashAttention: 'maybe' },
  };
  expect(findProtocolFaults(broken).map(({ where }) => where)).toEqual([
    'execution.threads',
    'execution.flashAttention',
    'execution',
  ]);
});

test('settings that contradict one another are faults with a hint', () => {
  const v1 = readProtocol('v1');
  const broken = {
    ...v1,
    execution: { ...v1.execution, ubatch: 1024, kvTypeV: 'Q8_0', affinity: [0, 1] },
    processesPerItem: 4,
  };
  const faults = findProtocolFaults(broken);
  expect(faults.map(({ where }) => where)).toEqual([
    'execution.ubatch',
    'execution.kvTypeV',
    'execution.affinity',
    'flags.drift.minRounds',
  ]);
  expect(faults.every(({ hint }) => hint !== undefined)).toBe(true);
});

test('a protocol of a later format is refused with what is known', () => {
  expect(findProtocolFaults({ ...readProtocol('v1'), formatVersion: 2 })).toEqual([
    {
      where: 'formatVersion',
      what: 'is 2; this version of rooflaw knows format version 1 only',
    },
  ]);
});

test('an unknown protocol is named beside those that exist', () => {
  expect(() => readProtocol('v9')).toThrow(RooflawError);
  try {
    readProtocol('v9');
  } catch (error) {
    expect((error as RooflawError).hint).toContain('v1-cpu2');
  }
});
