import { readFileSync } from 'node:fs';
import { RooflawError } from '../../src/errors.ts';
import {
  type LlamaBenchImport,
  type LlamaBenchLayout,
  llamaBenchImportSchema,
} from '../../src/formats/llama-bench-import.ts';
import { importLlamaBench } from '../../src/llama-bench/import-llama-bench.ts';

/**
 * What llama-bench (llama.cpp v0.4.0) printed for a model of 65,856 parameters on one thread of a
 * CPU. Files with the same letter are of one run, which printed two formats at once; `one` is -r 1.
 */
export function readOutput(name: string): Uint8Array {
  return readFileSync(new URL(`outputs/${name}.out`, import.meta.url));
}

/** The import of a text or of bytes; it always has the published form. */
export function importText(
  content: string | Uint8Array,
  layout: LlamaBenchLayout | null = null,
): LlamaBenchImport {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const result = importLlamaBench(bytes, 'bench.out', layout);
  return llamaBenchImportSchema.parse(JSON.parse(JSON.stringify(result)));
}

/** The error of an import that is refused. */
export function refusalOf(content: string | Uint8Array): RooflawError {
  try {
    importText(content);
  } catch (error) {
    if (error instanceof RooflawError) return error;
    throw error;
  }
  throw new Error('it was imported');
}

/** A row of today's JSON; values are JSON text, so that a test can write what no number is. */
export function formatRow(values: Record<string, string | undefined> = {}): string {
  const row: Record<string, string | undefined> = {
    build_commit: '"0123abc"',
    build_number: '5163',
    model_filename: '"models/small.gguf"',
    n_threads: '8',
    flash_attn: '-1',
    use_mmap: 'true',
    n_prompt: '512',
    n_gen: '0',
    n_depth: '0',
    test_time: '"2026-01-02T03:04:05Z"',
    ...values,
  };
  const members = Object.entries(row).filter(([, value]) => value !== undefined);
  return `  {\n${members.map(([name, value]) => `    "${name}": ${value}`).join(',\n')}\n  }`;
}

export function formatRows(...rows: Record<string, string | undefined>[]): string {
  return `[\n${rows.map(formatRow).join(',\n')}\n]\n`;
}

/** Reported for llama-bench: issue 24951 of ggml-org/llama.cpp. */
export const overflown = {
  samples_ns: '[ 12140144300, 12308847400, 12225136900, 12154929400, 11909783400 ]',
  avg_ns: '12147768280',
  stddev_ns: '3722529745',
};
