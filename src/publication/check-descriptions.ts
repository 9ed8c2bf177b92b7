import { z } from 'zod';
import type { Fault } from '../errors.ts';
import { cutText } from '../formats/strict-csv.ts';
import { sha256Hex } from '../hash.ts';
import type { FolderFiles } from './check-sums.ts';
import type { DataPackage } from './data-package.ts';
import { croissantFile, dataPackageFile } from './file-names.ts';

/** What it says of files; the rest of it is for other programs. */
export const croissantSchema = z.looseObject({
  distribution: z.array(
    z.looseObject({ name: z.string(), contentSize: z.string(), sha256: z.string() }),
  ),
});

/**
 * Whether both data descriptions, where they could be read, name each data file once, with its size
 * and hash, and nothing else.
 */
export function checkDescriptions(
  files: FolderFiles,
  dataPackage: DataPackage | null,
  croissant: z.infer<typeof croissantSchema> | null,
  dataFiles: readonly string[],
): Fault[] {
  const inPackage = dataPackage?.resources.map(({ path, bytes, hash }) => ({
    ...{ name: path, size: String(bytes), sha256: hash.replace(/^sha256:/, '') },
  }));
  const inCroissant = croissant?.distribution.map(({ name, contentSize, sha256 }) => ({
    ...{ name, size: contentSize.replace(/ B$/, ''), sha256 },
  }));
  return [
    ...compareClaims(dataPackageFile, inPackage, files, dataFiles),
    ...compareClaims(croissantFile, inCroissant, files, dataFiles),
  ];
}

interface Claim {
  name: string;
  size: string;
  sha256: string;
}

function compareClaims(
  where: string,
  claims: readonly Claim[] | undefined,
  files: FolderFiles,
  dataFiles: readonly string[],
): Fault[] {
  if (claims === undefined) return [];
  const faults: Fault[] = [];
  const due = new Set(dataFiles);
  for (const { name, size, sha256 } of claims) {
    const bytes = files.get(name);
    if (!due.delete(name)) {
      const what = `describes ${cutText(name)}, which is no data file or stands there twice`;
      faults.push({ where, what });
    } else if (bytes === undefined) {
      faults.push({ where, what: `describes ${name}, which is not here` });
    } else if (size !== String(bytes.length) || sha256 !== sha256Hex(bytes)) {
      faults.push({ where, what: `describes another ${name}: size or hash differ` });
    }
  }
  for (const name of due) faults.push({ where, what: `does not describe ${name}` });
  return faults;
}
