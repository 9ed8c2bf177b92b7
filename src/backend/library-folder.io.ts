import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { RooflawError } from '../errors.ts';
import type { Backend } from '../formats/ledger.ts';
import { hashFile } from '../gguf/hash-file.io.ts';
import {
  findLinkedLibraries,
  type LinkedLibraries,
  selectLoadableLibraries,
} from './library-names.ts';
import { headerBytes, type LibraryTarget, readLibraryTargets } from './library-target.ts';

/** A folder with llama.cpp's shared libraries, built for this machine. */
export interface LibraryFolder {
  path: string;
  linked: LinkedLibraries;
  /** Every library that the runner can come to load, links resolved. */
  libraries: Backend['libraries'];
}

/**
 * Finds the libraries in `directory` or in its folder `bin`, where llama.cpp's build puts them.
 * @throws RooflawError `no-backend` when they are missing or built for another machine.
 */
export async function openLibraryFolder(
  directory: string,
  signal?: AbortSignal,
): Promise<LibraryFolder> {
  for (const path of [resolve(directory), resolve(directory, 'bin')]) {
    const names = await readdir(path).catch(() => []);
    const { llama, ggml, ggmlBase } = findLinkedLibraries(names);
    if (llama === undefined || ggml === undefined || ggmlBase === undefined) continue;
    refuseDividedPath(path);
    const linked = { llama, ggml, ggmlBase };
    for (const name of Object.values(linked)) await requireThisMachine(join(path, name));
    return { path, linked, libraries: await hashLibraries(path, names, signal) };
  }
  throw new RooflawError(
    'no-backend',
    `no shared libraries of llama.cpp (llama, ggml and ggml-base) in ${directory}`,
    {
      hint: 'name the folder of a llama.cpp that was built with -DBUILD_SHARED_LIBS=ON, such as llama.cpp/build',
    },
  );
}

async function requireThisMachine(path: string): Promise<void> {
  const targets = readLibraryTargets(await readHeader(path));
  if (targets.some(isThisMachine)) return;
  const built =
    targets.length === 0
      ? 'is not a shared library'
      : `is built for ${targets.map(formatTarget).join(' and ')}`;
  const here = formatTarget({ platform: process.platform, arch: process.arch });
  throw new RooflawError('no-backend', `${path} ${built}; this machine is ${here}`, {
    hint: 'build llama.cpp on this machine and name that folder, or leave --backend out',
  });
}

const isThisMachine = ({ platform, arch }: LibraryTarget) =>
  platform === process.platform && arch === process.arch;

const formatTarget = ({ platform, arch }: { platform: string; arch: string }) =>
  `${platform} ${arch}`;

async function readHeader(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Links to one file count once, under the name of the file itself. */
async function hashLibraries(
  path: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Backend['libraries']> {
  const files = new Set<string>();
  for (const name of selectLoadableLibraries(names)) files.add(await realpath(join(path, name)));
  const libraries: Backend['libraries'] = [];
  for (const file of [...files].sort()) {
    const { size } = await stat(file);
    libraries.push({ name: basename(file), bytes: size, sha256: await hashFile(file, { signal }) });
  }
  return libraries;
}

/** Folders are given to the loader in a list, in which no colon (or semicolon) can be meant as a letter. */
function refuseDividedPath(path: string): void {
  if (process.platform === 'win32' || !/[:;]/.test(path)) return;
  throw new RooflawError('no-backend', `${path}: the loader takes no path with ":" or ";"`, {
    hint: 'rename the folder, or name it by a link without them',
  });
}
