import type { Fault } from '../errors.ts';
import { cutText } from '../formats/strict-csv.ts';
import { sha256Hex } from '../hash.ts';
import { publishedFiles, sumsFile } from './file-names.ts';

/** Bytes of each file of a folder, by its name. */
export type FolderFiles = ReadonlyMap<string, Uint8Array>;

/** Whether `SHA256SUMS` names every file of the folder, each with its hash, and no other. */
export function checkSums(files: FolderFiles): Fault[] {
  const sums = files.get(sumsFile);
  if (sums === undefined) {
    return [{ where: sumsFile, what: 'is missing, so nothing shows whether a file was changed' }];
  }
  const faults: Fault[] = [];
  const stated = new Map<string, string>();
  new TextDecoder()
    .decode(sums)
    .split('\n')
    .forEach((text, index) => {
      const [, sha256, name] = /^([\da-f]{64}) [ *](.+)$/.exec(text.replace(/\r$/, '')) ?? [];
      const where = `${sumsFile} line ${index + 1}`;
      if (text.trim() === '') return;
      if (sha256 === undefined || name === undefined) {
        faults.push({ where, what: 'is no hash and file name' });
      } else if (stated.has(name)) {
        faults.push({ where, what: `${cutText(name)} stands here twice` });
      } else stated.set(name, sha256);
    });
  for (const [name, sha256] of stated) {
    if (!publishedFiles.includes(name)) {
      faults.push({ where: sumsFile, what: `names ${cutText(name)}, which no publication has` });
      continue;
    }
    const bytes = files.get(name);
    if (bytes === undefined) faults.push({ where: name, what: `is missing; ${sumsFile} names it` });
    else if (sha256Hex(bytes) !== sha256) {
      faults.push({
        where: name,
        what: `is not what was published: its hash differs from ${sumsFile}`,
      });
    }
  }
  for (const name of files.keys()) {
    if (name === sumsFile || stated.has(name)) continue;
    faults.push({ where: name, what: `was not published: ${sumsFile} does not name it` });
  }
  return faults;
}
