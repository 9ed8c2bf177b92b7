import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../errors.ts';
import type { FolderFiles } from './check-sums.ts';
import { publishedFiles } from './file-names.ts';

/** Longer than any text that this program reads as a whole. */
const mostBytes = 256 * 2 ** 20;

/**
 * The files of a publication. Of what else lies in the folder (further files, folders, links) nothing
 * is read; each is a fault.
 */
export function readFolder(folder: string): { files: FolderFiles; faults: Fault[] } {
  const files = new Map<string, Uint8Array>();
  const faults: Fault[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const status = lstatSync(path);
    if (!publishedFiles.includes(name)) {
      const kind = status.isDirectory() ? 'a folder' : 'a file';
      faults.push({ where: name, what: `is ${kind} that no publication has` });
    } else if (!status.isFile()) {
      faults.push({ where: name, what: 'is no regular file, so it was not read' });
    } else if (status.size > mostBytes) {
      faults.push({ where: name, what: 'is larger than 256 MiB, so it was not read' });
    } else files.set(name, readFileSync(path));
  }
  return { files, faults };
}
