import { randomBytes } from 'node:crypto';
import { ftruncateSync, writeSync } from 'node:fs';
import { explainFileError } from '../file-error.ts';

/** More than is left in a file's last block, on all but the largest file systems. */
const probeBytes = 8192;

/**
 * Whether a disk still takes what a runner prints can only be told by writing, where the runner wrote:
 * no count of free blocks knows of quotas or of broken disks. The file is as before afterwards.
 * @throws RooflawError `no-space` or `not-writable`: what a runner failed to print is no fault of its
 */
export function refuseFullDisk(file: number, size: number): void {
  try {
    writeFullySync(file, randomBytes(probeBytes), size); // zeros take no room on some file systems
    ftruncateSync(file, size);
  } catch (error) {
    throw explainFileError(
      error,
      'a trial’s output and log, in logs/ beside the ledger',
      'it was not failed for that: make room or see to the disk, then run the same command to resume',
    );
  }
}

export function writeFullySync(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}
