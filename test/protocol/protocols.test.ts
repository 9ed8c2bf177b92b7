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

test('every shipped protocol is sound and has a hash of its own', () => {
  expect(listProtocols()).toEqual(['pocket-1', 'v1', 'v1-cpu2']);
  expect(hashShippedProtocols().size).toBe(3);
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
