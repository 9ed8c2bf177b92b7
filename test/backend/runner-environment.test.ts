import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';

const prepared = { libraryDirectory: '/some/libraries' };

test('what changes the cost of a trial without a record stays out', () => {
  const environment = runnerEnvironment(prepared, {
    HOME: '/home/someone',
    GGML_CUDA_DISABLE_GRAPHS: '1',
    LLAMA_GRAPH_REUSE_DISABLE: '1',
    OMP_NUM_THREADS: '7',
    LD_PRELOAD: 'libother.so',
    MALLOC_ARENA_MAX: '1',
    CUDA_VISIBLE_DEVICES: '1',
  });
  expect(environment).toEqual({
    HOME: '/home/someone',
    CUDA_VISIBLE_DEVICES: '1',
    LD_LIBRARY_PATH: '/some/libraries',
    DYLD_LIBRARY_PATH: '/some/libraries',
    PATH: '/some/libraries',
  });
});

test('the libraries of the backend come before all others', () => {
  const environment = runnerEnvironment(prepared, { LD_LIBRARY_PATH: '/other', Path: '/programs' });
  expect(environment.LD_LIBRARY_PATH).toBe(`/some/libraries${delimiter}/other`);
  expect(environment.PATH).toBe(`/some/libraries${delimiter}/programs`);
});
