import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from '../../src/formats/architecture.ts';
import { writeModel } from '../../src/gguf/write-model.io.ts';
import { formatBytes } from '../../src/units.ts';

export const smallFile = 'small-Q8_0.gguf';
export const mediumFile = 'medium-Q8_0.gguf';
/** A model whose end is missing. */
export const cutOffFile = 'cut-off.gguf';
/** No model. */
export const notesFile = 'notes.gguf';

/** Small, so that the page can be renewed in minutes. */
const small: Architecture = {
  name: 'small',
  headDim: 64,
  headCount: 8,
  kvHeadCount: 4,
  feedForwardLength: 1408,
  layerCount: 6,
  vocabularySize: 8000,
};
const models: readonly (readonly [file: string, Architecture])[] = [
  [smallFile, small],
  [mediumFile, { ...small, name: 'medium', layerCount: 16 }],
];

/**
 * Writes the files that the commands name.
 * @returns each model with its size: "`small-Q8_0.gguf`, 28 MB"
 */
export async function writeFiles(folder: string): Promise<string[]> {
  for (const [file, architecture] of models) {
    const path = join(folder, file);
    await writeModel({ architecture, quantization: 'Q8_0', weightSeed: 1, path });
  }
  const whole = readFileSync(join(folder, smallFile));
  writeFileSync(join(folder, cutOffFile), whole.subarray(0, 20_000_000));
  writeFileSync(join(folder, notesFile), 'no model\n');
  return models.map(([file]) => `\`${file}\`, ${formatBytes(statSync(join(folder, file)).size)}`);
}
