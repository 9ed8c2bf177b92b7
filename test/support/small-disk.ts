import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** A disk of 160 kB until the end of the test. @returns its path; null where this process may not mount */
export function mountSmallDisk(path: string): string | null {
  try {
    mkdirSync(path);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'tmpfs', path], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', [path]));
    return path;
  } catch {
    return null;
  }
}
