import { expect, test } from 'vitest';
import { hideFolders } from '../../src/campaign/hide-folders.ts';
import { findLastWords, tidyLastWords } from '../../src/campaign/last-words.ts';

test.each([
  [
    'load: ready\n/src/x/ggml-cpu/ops.cpp:57: GGML_ASSERT(src0->type == GGML_TYPE_F32) failed\n[New LWP 1]\n#0 0x0000 in wait4 ()\n#2 0x0001 in ggml_abort (fmt=0x2 "GGML_ASSERT(%s) failed") at /src/x/ggml.c:1\n#3 std::bad_alloc\n',
    '…/ops.cpp:57: GGML_ASSERT(src0->type == GGML_TYPE_F32) failed',
  ],
  ['/x/y/ggml.c:9: fatal error\n', '…/ggml.c:9: fatal error'],
  [
    'CUDA error: an illegal memory access was encountered\n  current device: 0, in function f at /a/b/c.cu:2\n  cudaStreamSynchronize(stream)\n/a/b/ggml-cuda.cu:98: CUDA error\n',
    'CUDA error: an illegal memory access was encountered',
  ],
  [
    "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
    'what(): std::bad_alloc',
  ],
  [
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no \u001b[31mred\u001b[0m\n",
    'what(): no \ufffd[31mred\ufffd[0m',
  ],
  [`a.c:1: ${'x'.repeat(300)}`, `a.c:1: ${'x'.repeat(193)}…`],
  ['llama_context: n_ctx = 512\n', null],
  ['', null],
])('of %j the last words are %j', (log, words) => {
  const line = findLastWords(log);
  expect(line && tidyLastWords(line, hideFolders)).toBe(words);
});

test('folders go before a line is cut, so that no half path is left', () => {
  const line = `a.c:1: ${'x'.repeat(180)} /home/ann/secret/place/m.gguf`;
  expect(tidyLastWords(line, hideFolders)).toBe(`a.c:1: ${'x'.repeat(180)} …/m.gguf`);
});
