import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';

/** llama.cpp writes some 100 KB in a trial, 10 MB when it debugs; a thousand logs must not fill a disk. */
export const maxLogBytes = 64 * 1024 * 1024;
/** Kept at either end of a log that is longer: how it began, and what came last. */
const keptBytes = 1024 * 1024;

/**
 * Takes the middle out of a log that is longer than it may be, and writes into the gap what was taken.
 * @returns how long it was, or null where nothing was cut.
 */
export function cutLog(file: number, maxBytes = maxLogBytes): { bytes: number } | null {
  const { size } = fstatSync(file);
  if (size <= maxBytes) return null;
  const end = Buffer.alloc(keptBytes);
  const endBytes = readSync(file, end, 0, end.length, size - keptBytes);
  const gap = Buffer.from(`\n[cut here: ${size - 2 * keptBytes} of ${size} bytes]\n`);
  ftruncateSync(file, keptBytes);
  writeSync(file, gap, 0, gap.length, keptBytes);
  writeSync(file, end, 0, endBytes, keptBytes + gap.length);
  return { bytes: size };
}
