import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RooflawError } from '../errors.ts';
import { hashFile } from '../gguf/hash-file.io.ts';
import { identityOf, sha256Hex } from '../hash.ts';
import { ensureCacheEntry } from './cache-entry.io.ts';
import type { Compiler } from './compiler.io.ts';
import type { LibraryFolder } from './library-folder.io.ts';
import { runTool } from './run-tool.io.ts';
import { headerPaths, type SourceTree } from './source-tree.io.ts';

export interface BuiltRunner {
  path: string;
  sha256: string;
  /** Identity of the runner's own sources. */
  sourceSha256: string;
}

export interface BuildRequest {
  libraries: LibraryFolder;
  sources: SourceTree;
  compiler: Compiler;
  /** Compiled runners lie here, each in a folder named after everything that decides its bytes. */
  cacheFolder: string;
  onProgress: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** The same two levels up from src/backend and from dist/backend. */
const sourceFolder = fileURLToPath(new URL('../../runner/', import.meta.url));
const executable = process.platform === 'win32' ? 'runner.exe' : 'runner';

/** No assertions: they hold paths of the headers, and the runner is to be the same everywhere. */
const compileFlags = ['-std=c++17', '-O2', '-DNDEBUG'];

const linkFlags: Partial<Record<NodeJS.Platform, string[]>> = {
  // The libraries' own needs (a GPU driver, say) are met where they are loaded, not here.
  linux: ['-pthread', '-s', '-Wl,--allow-shlib-undefined'],
  win32: ['-static-libgcc', '-static-libstdc++', '-s'],
};

/** The end of a compiler's output, where what matters stands. */
const shownOutputCharacters = 4000;

/**
 * Compiles the runner and links it to the libraries, or finds that this was done before.
 * @throws RooflawError `build-failed`, `not-writable`, `no-space`, `interrupted`
 */
export async function buildRunner(request: BuildRequest): Promise<BuiltRunner> {
  const { cacheFolder, compiler, libraries, sources, signal } = request;
  const ownSources = await hashSources(sourceFolder, ['.']);
  const sourceSha256 = identityOf(ownSources);
  const key = identityOf({
    sourceSha256,
    headers: await hashSources(sources.path, headerPaths),
    treeHash: sources.treeHash,
    libraries: libraries.libraries,
    compiler,
    compileFlags,
    linkFlags: linkFlags[process.platform] ?? [],
  });
  const folder = join(cacheFolder, key);
  const path = join(folder, executable);
  const entry = { path, hashFile: join(folder, 'sha256') };

  if (!(await isIntact(entry))) await rm(folder, { recursive: true, force: true });
  await ensureCacheEntry(folder, async (temporary) => {
    request.onProgress(`compiling the runner with ${compiler.version} (once, some seconds)`);
    const names = Object.keys(ownSources).filter((name) => name.endsWith('.cpp'));
    await compileAndLink(request, names, temporary);
    const sha256 = await hashFile(join(temporary, executable), { signal });
    await writeFile(join(temporary, 'sha256'), sha256);
  });
  return { path, sha256: await hashFile(path, { signal }), sourceSha256 };
}

async function isIntact(entry: { path: string; hashFile: string }): Promise<boolean> {
  try {
    return (await hashFile(entry.path)) === (await readFile(entry.hashFile, 'utf8'));
  } catch {
    return false;
  }
}

/** Hash of each C++ file in some folders of `root`, by its path there. */
async function hashSources(
  root: string,
  folders: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const folder of folders) {
    const names = (await readdir(join(root, folder))).filter((name) =>
      /\.(?:cpp|h|hpp)$/.test(name),
    );
    for (const name of names.sort()) {
      hashes[join(folder, name)] = sha256Hex(await readFile(join(root, folder, name)));
    }
  }
  return hashes;
}

async function compileAndLink(
  request: BuildRequest,
  names: readonly string[],
  temporary: string,
): Promise<void> {
  const { libraries, sources } = request;
  const includes = ['include', 'ggml/include', 'vendor'].map(
    (part) => `-I${join(sources.path, part)}`,
  );
  const define =
    sources.treeHash === null ? [] : [`-DROOFLAW_SOURCE_TREE_HASH="${sources.treeHash}"`];
  const objectOf = (name: string) => join(temporary, `${basename(name, '.cpp')}.o`);

  const waiting = [...names];
  const compileNext = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const source = join(sourceFolder, name);
      await runCompiler(request, [
        ...compileFlags,
        ...define,
        ...includes,
        '-c',
        source,
        '-o',
        objectOf(name),
      ]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compileNext));

  const objects = names.map(objectOf);
  const { llama, ggml, ggmlBase } = libraries.linked;
  const linked = [llama, ggml, ggmlBase].map((name) =>
    // By name on Linux, so that a library without a soname is not bound to this folder.
    process.platform === 'linux' ? `-l:${name}` : join(libraries.path, name),
  );
  await runCompiler(request, [
    ...objects,
    '-o',
    join(temporary, executable),
    `-L${libraries.path}`,
    ...linked,
    ...(process.platform === 'linux'
      ? ['-Xlinker', '-rpath-link', '-Xlinker', libraries.path]
      : []),
    ...(linkFlags[process.platform] ?? []),
  ]);
  for (const object of objects) await rm(object);
}

async function runCompiler(request: BuildRequest, args: readonly string[]): Promise<void> {
  const { compiler, signal } = request;
  const all = [...compiler.baseArguments, ...args];
  const { exitStatus, stdout, stderr } = await runTool(compiler.command, all, { signal });
  if (exitStatus === 0) return;
  const output = `${stdout}${stderr}`.trim().slice(-shownOutputCharacters);
  throw new RooflawError(
    'build-failed',
    `${compiler.version} could not build the runner:\n${output}`,
    { hint: adviseBuild(output) },
  );
}

/** ld's words for a library that it cannot read. */
const damagedLibrary = /\.so\S*: (?:file too short|file (?:format )?not recognized|file truncated)/;

function adviseBuild(output: string): string {
  return damagedLibrary.test(output)
    ? 'a library of this llama.cpp is damaged or cut short: build or copy it again'
    : "check that the compiler knows C++17 and that this llama.cpp has the interface of v0.4.0, which Rooflaw's runner is written for";
}
