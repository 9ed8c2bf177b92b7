import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCacheEntry } from '../../src/backend/cache-entry.io.ts';
import { findCompiler } from '../../src/backend/compiler.io.ts';
import { locateSourceBundle } from '../../src/backend/embedded-backend.io.ts';
import type { PreparedBackend } from '../../src/backend/prepared-backend.ts';
import { runTool } from '../../src/backend/run-tool.io.ts';
import { unpackBundle } from '../../src/backend/source-tree.io.ts';
import { identityOf } from '../../src/hash.ts';

const headerFolders = ['include', 'ggml/include', 'common', 'vendor'];
const toolFolder = 'tools/llama-bench';

/**
 * llama-bench from llama.cpp's bundled sources, linked to the libraries that Rooflaw measures with;
 * compiled once and kept in the cache, where bench/neutrality.ts finds the same one.
 * Linux only, as the names of the libraries are.
 * @returns its path
 */
export async function buildLlamaBench(
  { backend, libraryDirectory }: PreparedBackend,
  cacheDirectory: string,
  say: (text: string) => void,
): Promise<string> {
  const sources = await unpackBundle(
    locateSourceBundle(),
    [...headerFolders, toolFolder],
    join(cacheDirectory, 'headers'),
    say,
  );
  const compiler = await findCompiler(process.env);
  const linked = ['libllama-common.so', ...backend.libraries.map(({ name }) => name)].filter(
    (name) => /^lib(?:llama|ggml|ggml-base)[.v0-9]*\.so|common/.test(name),
  );
  const args = [
    ...compiler.baseArguments,
    '-std=c++17',
    '-O2',
    '-DNDEBUG',
    ...headerFolders.map((folder) => `-I${join(sources.path, folder)}`),
    ...['main.cpp', 'llama-bench.cpp'].map((file) => join(sources.path, toolFolder, file)),
    `-L${libraryDirectory}`,
    ...linked.map((name) => `-l:${name}`),
    `-Wl,-rpath-link,${libraryDirectory}`,
    '-pthread',
  ];
  const { libraries } = backend;
  const key = identityOf({ args, compiler, directory: libraryDirectory, libraries });
  const folder = join(cacheDirectory, 'llama-bench', key);
  await ensureCacheEntry(folder, async (temporary) => {
    say('compiling llama-bench (once)');
    const out = join(temporary, 'llama-bench');
    const { exitStatus, stderr } = await runTool(compiler.command, [...args, '-o', out]);
    if (exitStatus !== 0) throw new Error(`llama-bench does not compile: ${stderr}`);
    // it looks for its backends beside itself
    for (const { name } of libraries) {
      await symlink(join(libraryDirectory, name), join(temporary, name));
    }
  });
  return join(folder, 'llama-bench');
}
