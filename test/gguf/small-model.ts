import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Architecture } from '../../src/formats/architecture.ts';

/** Grouped queries, two layers, nothing a power of two: 151,392 parameters. */
export const tiny: Architecture = {
  name: 'tiny',
  headDim: 32,
  headCount: 3,
  kvHeadCount: 1,
  feedForwardLength: 160,
  layerCount: 2,
  vocabularySize: 50,
};

/** One layer, an embedding of 1,049,600 weights: two whole chunks and a short third one. */
export const wide: Architecture = {
  name: 'wide',
  headDim: 32,
  headCount: 4,
  kvHeadCount: 4,
  feedForwardLength: 32,
  layerCount: 1,
  vocabularySize: 8200,
};

/** An empty folder for one test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-gguf-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
