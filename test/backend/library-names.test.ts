import { expect, test } from 'vitest';
import { findLinkedLibraries, selectLoadableLibraries } from '../../src/backend/library-names.ts';

test('the embedded libraries of Linux, version in the name', () => {
  const names = [
    'libggml-base.so',
    'libggml-cpu-zen4.so',
    'libggml.v0.4.0.so',
    'libllama-common.so',
    'libllama.v0.4.0.so',
    'llama-addon.node',
  ];
  expect(findLinkedLibraries(names)).toEqual({
    llama: 'libllama.v0.4.0.so',
    ggml: 'libggml.v0.4.0.so',
    ggmlBase: 'libggml-base.so',
  });
  expect(selectLoadableLibraries(names)).toEqual([
    'libggml-base.so',
    'libggml-cpu-zen4.so',
    'libggml.v0.4.0.so',
    'libllama.v0.4.0.so',
  ]);
});

test('a build folder with links to versions', () => {
  const names = [
    'libllama.so',
    'libllama.so.0',
    'libllama.so.0.4.0',
    'libggml.so',
    'libggml.so.0',
    'libggml-base.so.0',
    'libggml-base.so',
    'libggml-cuda.so',
    'libmtmd.so',
    'llama-bench',
    'libllama-bench-impl.so',
  ];
  expect(findLinkedLibraries(names)).toEqual({
    llama: 'libllama.so',
    ggml: 'libggml.so',
    ggmlBase: 'libggml-base.so',
  });
  expect(selectLoadableLibraries(names)).not.toContain('libmtmd.so');
  expect(selectLoadableLibraries(names)).not.toContain('libllama-bench-impl.so');
  expect(selectLoadableLibraries(names)).toContain('libggml-cuda.so');
});

test('macOS and Windows', () => {
  const mac = [
    'libllama.0.dylib',
    'libllama.dylib',
    'libggml.dylib',
    'libggml-base.dylib',
    'libggml-metal.so',
  ];
  expect(findLinkedLibraries(mac)).toEqual({
    llama: 'libllama.dylib',
    ggml: 'libggml.dylib',
    ggmlBase: 'libggml-base.dylib',
  });
  expect(selectLoadableLibraries(mac)).toContain('libggml-metal.so');
  const windows = [
    'llama.dll',
    'ggml.dll',
    'ggml-base.dll',
    'ggml-cpu-haswell.dll',
    'cudart64_12.dll',
    'cublasLt64_12.dll',
    'kernel.dll',
  ];
  expect(findLinkedLibraries(windows)).toEqual({
    llama: 'llama.dll',
    ggml: 'ggml.dll',
    ggmlBase: 'ggml-base.dll',
  });
  expect(selectLoadableLibraries(windows)).toEqual(windows.slice(0, 6).sort());
});

test('what is missing is not made up', () => {
  expect(findLinkedLibraries(['libllama.a', 'libggml.so'])).toEqual({ ggml: 'libggml.so' });
});
