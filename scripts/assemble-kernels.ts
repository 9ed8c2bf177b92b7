/** Assembles src/gguf/kernels.wat into src/gguf/kernels.generated.ts. Run: node scripts/assemble-kernels.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import loadWabt from 'wabt';

const source = new URL('../src/gguf/kernels.wat', import.meta.url);
const target = new URL('../src/gguf/kernels.generated.ts', import.meta.url);

/** The text of kernels.generated.ts. */
export async function assembleKernels(): Promise<string> {
  const wabt = await loadWabt();
  const features = { simd: true, threads: true };
  const module = wabt.parseWat('kernels.wat', readFileSync(source, 'utf8'), features);
  const { buffer } = module.toBinary({});
  const base64 = Buffer.from(buffer).toString('base64');
  return [
    '// Generated from kernels.wat by scripts/assemble-kernels.ts; do not edit.',
    'export const kernelsBase64 =',
    `  '${base64}';`,
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(target, await assembleKernels());
