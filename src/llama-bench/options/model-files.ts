import type { Fault } from '../../errors.ts';
import { quote } from './value-lists.ts';

/**
 * The files that -m names, each once. A comma divides two files, as in llama-bench, unless a file has
 * the whole name.
 * @param texts values of -m
 * @param fileExists whether there is a file of this name; null: not known
 * @param notes gets where a comma was taken to divide, and not all parts are there
 */
export function readModelFiles(
  texts: readonly string[],
  fileExists: ((path: string) => boolean) | null,
  faults: Fault[],
  notes: string[],
): string[] {
  const named = texts.flatMap((text) => {
    if (!text.includes(',') || fileExists?.(text)) return [text];
    const parts = text.split(',');
    if (parts.includes('')) {
      const what = `${quote(text)} is no file, and divided at its commas it names an empty one`;
      faults.push({ where: '-m', what });
    } else if (fileExists !== null && !parts.every(fileExists)) {
      const words = parts.map(quote).join(' and ');
      notes.push(`-m ${text}: no file has this whole name, so its commas divide: ${words}`);
    }
    return parts;
  });
  if (texts.includes('')) faults.push({ where: '-m', what: 'names an empty file' });
  if (named.length === 0) {
    faults.push({ where: '-m', what: 'is missing: no model is named', hint: '-m model.gguf' });
  }
  const models = [...new Set(named)];
  if (models.length < named.length) notes.push('-m names a file twice; it is measured once');
  return models;
}
