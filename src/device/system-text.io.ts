import { readdirSync, readFileSync } from 'node:fs';

/** A file of the system, trimmed; null when it is missing or may not be read. */
export function readSystemText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Names in a folder of the system that match; none when it is missing. */
export function listSystemFolder(path: string, pattern: RegExp): string[] {
  try {
    return readdirSync(path).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}
