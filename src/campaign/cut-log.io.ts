import { fstatSync, ftruncateSync, readSync } from 'node:fs';
import { refuseFullDisk, writeFullySync } from './full-disk.io.ts';

/** llama.cpp writes some 100 KB in a trial, 10 MB when it debugs; a thousand logs must not fill a disk. */
export const maxLogBytes = 64 * 1024 * 1024;
/** Kept at either end of a log that is longer: how it began, and what came last. */
const keptBytes = 1024 * 1024;

/**
 * Takes the middle out of a log that is longer than it may be, and writes into the gap what was taken.
 * @returns how long it was, or null where nothing was cut.
 * @throws RooflawError `no-space` or `not-writable` where the disk takes no more of it, so that lines may
 * be missing, and from the output beside it too
 */
export function cutLog(file: number, maxBytes = maxLogBytes): { bytes: number } | null {
  const { size } = fstatSync(file);
  if (size <= maxBytes) {
    refuseFullDisk(file, size);
    return null;
  }
  const end = Buffer.alloc(keptBytes);
  const endBytes = readSync(file, end, 0, end.length, size - keptBytes);
  const gap = Buffer.from(`\n[cut here: ${size - 2 * keptBytes} of ${size} bytes]\n`);
  ftruncateSync(file, keptBytes);
  writeFullySync(file, gap, keptBytes);
  writeFullySync(file, end.subarray(0, endBytes), keptBytes + gap.length);
  return { bytes: size };
}
