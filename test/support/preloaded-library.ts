import { join } from 'node:path';
import { findCompiler } from '../../src/backend/compiler.io.ts';
import { locateSourceBundle } from '../../src/backend/embedded-backend.io.ts';
import { runTool } from '../../src/backend/run-tool.io.ts';
import { headerPaths, unpackBundle } from '../../src/backend/source-tree.io.ts';
import { testCache } from './real-backend.ts';

/** Libraries are preloaded with LD_PRELOAD. */
export const canPreload = process.platform === 'linux';

/**
 * Compiles a library that stands before llama.cpp.
 * @param source absolute path of a C++ file
 * @returns absolute path of the library, of this process alone
 */
export async function buildPreloadedLibrary(source: string, name: string): Promise<string> {
  const library = join(testCache, `${name}-${process.pid}.so`);
  const folder = join(testCache, 'headers');
  const headers = await unpackBundle(locateSourceBundle(), headerPaths, folder, () => {});
  const compiler = await findCompiler(process.env);
  const includes = ['include', 'ggml/include'].map((part) => `-I${join(headers.path, part)}`);
  const options = ['-std=c++17', '-shared', '-fPIC', ...includes, source, '-o', library, '-ldl'];
  const built = await runTool(compiler.command, [...compiler.baseArguments, ...options]);
  if (built.stderr !== '') throw new Error(built.stderr);
  return library;
}
