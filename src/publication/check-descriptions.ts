import { z } from 'zod';
import type { Fault } from '../errors.ts';
import { sha256Hex } from '../hash.ts';
import type { FolderFiles } from './check-sums.ts';
import { croissantFile, dataPackageFile } from './file-names.ts';

/** What the data descriptions say of files; the rest of them is for other programs. */
const packageFilesSchema = z.looseObject({
  resources: z.array(z.looseObject({ path: z.string(), bytes: z.int(), hash: z.string() })),
});
const croissantFilesSchema = z.looseObject({
  distribution: z.array(
    z.looseObject({ name: z.string(), contentSize: z.string(), sha256: z.string() }),
  ),
});

/** Whether both data descriptions name files that are there, with their size and hash. */
export function checkDescriptions(files: FolderFiles): Fault[] {
  const { resources = [] } = readLoosely(files.get(dataPackageFile), packageFilesSchema) ?? {};
  const { distribution = [] } = readLoosely(files.get(croissantFile), croissantFilesSchema) ?? {};
  const claims = [
    ...resources.map(({ path, bytes, hash }) => ({
      where: dataPackageFile,
      claim: { name: path, size: String(bytes), sha256: hash.replace(/^sha256:/, '') },
    })),
    ...distribution.map(({ name, contentSize, sha256 }) => ({
      where: croissantFile,
      claim: { name, size: contentSize.replace(/ B$/, ''), sha256 },
    })),
  ];
  return claims.flatMap(({ where, claim: { name, size, sha256 } }) => {
    const bytes = files.get(name);
    if (bytes === undefined) return [{ where, what: `describes ${name}, which is not here` }];
    if (size === String(bytes.length) && sha256 === sha256Hex(bytes)) return [];
    return [{ where, what: `describes another ${name}: size or hash differ` }];
  });
}

/** null for what is missing or of another form: `checkFolder` says so of the files that it reads. */
function readLoosely<Schema extends z.ZodType>(
  bytes: Uint8Array | undefined,
  schema: Schema,
): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
