import { toPrintable } from '../printable.ts';

/** Longer lines are cut: assertions may quote whole expressions. */
const mostCharacters = 200;

const api = '(?:CUDA|ROCm|HIP|MUSA|SYCL|Vulkan|Metal|CANN)';

/** Lines that say that an allocation failed: of ggml, C++, the C library, CUDA, Vulkan. */
const sayNoMemory =
  /out of memory|insufficient memory|(?:failed|unable) to allocate|cannot allocate memory|\bbad_alloc\b|OutOf(?:Device|Host)Memory/i;

/** Lines that say that the GPU is gone or broken: of CUDA, its driver, Vulkan, Direct3D, Metal. */
const sayDeviceLost =
  /device[ _]?lost|device (?:was )?removed|\bXid\b|fallen off the bus|illegal memory access|unspecified launch failure|uncorrectable ECC|unrecoverable error|device is (?:lost|hung)|no CUDA-capable device|kIOGPUCommandBufferCallbackError/i;

export const isAboutMemory = (text: string) => sayNoMemory.test(text);
export const isAboutLostDevice = (text: string) => sayDeviceLost.test(text);

/** Lines that say why a process fails. */
const sayWhy = [
  sayNoMemory,
  sayDeviceLost,
  // ggml: `ggml.c:123: GGML_ASSERT(a == b) failed`; its `CUDA error` there has been told above
  new RegExp(`^\\S.*\\.(?:c|cc|cpp|h|hpp|cu|cuh|m|mm):\\d+: (?!${api} error$)`),
  /\b(?:GGML_ASSERT|GGML_ABORT)\b/,
  new RegExp(`\\b${api} error: .`),
  // C++ and C: `what():  std::bad_alloc`
  /^terminate called |\bwhat\(\): |\bstd::bad_alloc\b/,
  /\bAssertion .+ failed/,
  /\b(?:stack smashing|double free|symbol lookup error|Sanitizer: )/,
];

/** `#2 0x00007f in ggml_abort (fmt=0x1 "GGML_ASSERT(%s) failed")`: of a debugger's trace. */
const isOfTrace = (line: string) => /^#\d+ /.test(line);

/** The last line of a log that says why its process failed, as it stands there; null when none does. */
export function findLastWords(log: string): string | null {
  const line = log
    .split('\n')
    .findLast((text) => !isOfTrace(text) && sayWhy.some((pattern) => pattern.test(text)));
  return line?.trim() ?? null;
}

/**
 * Last words for a ledger: without folders, printable and not too long. Folders go first, since a
 * path that is cut is not recognised.
 */
export function tidyLastWords(line: string, hide: (text: string) => string): string {
  const words = toPrintable(hide(line).replaceAll(/\s+/g, ' '));
  return words.length > mostCharacters ? `${words.slice(0, mostCharacters)}…` : words;
}
