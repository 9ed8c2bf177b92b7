import { expect, test } from 'vitest';
import {
  findEnvironmentDifferences,
  findIdentityDifferences,
} from '../../src/campaign/environment.ts';
import { fakeEnvironment as then } from '../support/fake-environment.ts';

test('the same environment has no differences', () => {
  expect(findIdentityDifferences(then, structuredClone(then))).toEqual([]);
  expect(findEnvironmentDifferences(then, structuredClone(then))).toEqual([]);
});

test('another library, runner or CPU is another identity', () => {
  const now = structuredClone(then);
  now.backend.libraries[0]!.sha256 = '9'.repeat(64);
  now.backend.runner.sha256 = '8'.repeat(64);
  now.fingerprint.cpuModel = 'Another CPU';
  now.fingerprint.driver = '580';
  expect(findIdentityDifferences(then, now)).toEqual([
    'driver was null, is 580',
    'cpuModel was Made-up CPU, is Another CPU',
    'the runner is another program',
    'the libraries of llama.cpp are others',
  ]);
});

test('a new kernel or version of rooflaw is recorded, not refused', () => {
  const now = structuredClone(then);
  now.fingerprint.kernel = '6.2';
  now.program.version = '0.2.0';
  expect(findIdentityDifferences(then, now)).toEqual([]);
  expect(findEnvironmentDifferences(then, now).sort()).toEqual([
    'kernel was 6.1, is 6.2',
    'rooflaw version was 0.1.0, is 0.2.0',
  ]);
});

test('another device of the same kind is recorded, when both are known', () => {
  const [one, other] = ['1', '2'].map((digit) => ({ ...then, specimenSha256: digit.repeat(64) }));
  expect(findIdentityDifferences(one!, other!)).toEqual([]);
  expect(findEnvironmentDifferences(one!, other!)).toEqual([
    'the device is another one of the same kind',
  ]);
  for (const unknown of [then, { ...then, specimenSha256: null }]) {
    expect(findEnvironmentDifferences(one!, unknown)).toEqual([]);
    expect(findEnvironmentDifferences(unknown, other!)).toEqual([]);
  }
});
