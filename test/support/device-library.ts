import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureCacheEntry } from '../../src/backend/cache-entry.io.ts';
import { findCompiler } from '../../src/backend/compiler.io.ts';
import { locateSourceBundle } from '../../src/backend/embedded-backend.io.ts';
import { runTool } from '../../src/backend/run-tool.io.ts';
import { unpackBundle } from '../../src/backend/source-tree.io.ts';
import { hashFile } from '../../src/gguf/hash-file.io.ts';
import { identityOf } from '../../src/hash.ts';
import { testCache } from './real-backend.ts';

/** llama.cpp's device over a network, which the embedded libraries lack. */
const sourcePaths = [
  'include',
  'ggml/include',
  'ggml/src/ggml-rpc',
  'ggml/src/ggml-impl.h',
  'ggml/src/ggml-backend-impl.h',
];
const source = join(import.meta.dirname, '../runner/device-library.cpp');

/**
 * Compiles the library that gives llama.cpp a device `RPC0` without a GPU; once, then from the cache.
 * @returns its absolute path, for LD_PRELOAD
 */
export async function buildDeviceLibrary(): Promise<string> {
  const sources = await unpackBundle(
    locateSourceBundle(),
    sourcePaths,
    join(testCache, 'headers'),
    () => {},
  );
  const identity = identityOf({ sources: sources.path, source: await hashFile(source, {}) });
  const entry = join(testCache, 'device-library', identity);
  await ensureCacheEntry(entry, async (temporary) => {
    const compiler = await findCompiler(process.env);
    const includes = ['include', 'ggml/include', 'ggml/src'];
    const files = ['ggml-rpc.cpp', 'transport.cpp'].map((name) => `ggml/src/ggml-rpc/${name}`);
    const built = await runTool(compiler.command, [
      ...compiler.baseArguments,
      ...['-std=c++17', '-O1', '-shared', '-fPIC', '-DGGML_BACKEND_SHARED', '-DGGML_SHARED'],
      ...includes.map((folder) => `-I${join(sources.path, folder)}`),
      ...[source, ...files.map((file) => join(sources.path, file))],
      ...['-o', join(temporary, 'device-library.so'), '-ldl'],
    ]);
    if (built.exitStatus !== 0) throw new Error(built.stderr);
  });
  return join(entry, 'device-library.so');
}

/** Of this machine; nobody listens there yet. */
export async function findFreeEndpoint(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}
