import { readlinkSync } from 'node:fs';

/** Names the process-number namespace of this process; null where there is no such thing. */
export function readPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}
