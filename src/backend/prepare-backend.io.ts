import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RooflawError } from '../errors.ts';
import { parseText } from '../formats/parse.ts';
import { type RunnerDescription, runnerDescriptionSchema } from '../formats/trial.ts';
import { sha256Hex } from '../hash.ts';
import { buildRunner } from './build-runner.io.ts';
import { findCompiler } from './compiler.io.ts';
import { findEmbeddedBackend, locateSourceBundle } from './embedded-backend.io.ts';
import { openLibraryFolder } from './library-folder.io.ts';
import type { PreparedBackend } from './prepared-backend.ts';
import { runTool } from './run-tool.io.ts';
import { describeArguments } from './runner-arguments.ts';
import { runnerEnvironment } from './runner-environment.ts';
import { headerPaths, readTreeHash, type SourceTree, unpackBundle } from './source-tree.io.ts';

export interface BackendRequest {
  /** A llama.cpp that the user has built; without it the embedded one is used. */
  directory?: string;
  /** Its folders `headers` and `runners` are used. */
  cacheDirectory: string;
  onProgress: (text: string) => void;
  signal?: AbortSignal;
}

/** Loading every backend and asking every device takes seconds at most; a driver may hang. */
const describeLimitMs = 60_000;

/**
 * Finds a llama.cpp, compiles the runner for it unless that was done before, and describes both.
 * @throws RooflawError `no-backend`, `no-compiler`, `build-failed`, `runner-unusable`,
 * `not-writable`, `no-space`, `interrupted`
 */
export async function prepareBackend(request: BackendRequest): Promise<PreparedBackend> {
  const { directory, cacheDirectory, onProgress, signal } = request;
  const embedded = directory === undefined ? await findEmbeddedBackend() : undefined;
  const libraries = await openLibraryFolder(embedded?.libraryDirectory ?? directory ?? '', signal);
  const compiler = await findCompiler(process.env, signal);
  const own = directory === undefined ? undefined : await findCheckout(directory, signal);
  const sources = own ?? (await unpackHeaders(request));

  const runner = await buildRunner({
    libraries,
    sources,
    compiler,
    cacheFolder: join(cacheDirectory, 'runners'),
    onProgress,
    signal,
  });
  const paths = { runnerPath: runner.path, libraryDirectory: libraries.path };
  const description = await describeRunner(paths, signal);
  const { allowedCpus: _now, ...lasting } = description;
  return {
    ...paths,
    description,
    backend: {
      name: directory === undefined ? 'embedded' : basename(resolve(directory)),
      release: description.llamaRelease,
      commit: description.llamaCommit,
      // Headers from elsewhere say nothing about the libraries.
      sourceTreeHash: embedded === undefined && own === undefined ? null : sources.treeHash,
      patches: await Promise.all((embedded?.patchFiles ?? []).map(describeFile)),
      libraries: libraries.libraries,
      runner: { ...(await describeFile(runner.path)), sha256: runner.sha256 },
      runnerSourceSha256: runner.sourceSha256,
      description: lasting,
    },
  };
}

async function unpackHeaders(request: BackendRequest): Promise<SourceTree> {
  const { cacheDirectory, directory, onProgress, signal } = request;
  if (directory !== undefined) {
    onProgress(
      `${directory} is in no llama.cpp checkout: using the headers that Rooflaw comes with`,
    );
  }
  const folder = join(cacheDirectory, 'headers');
  return unpackBundle(locateSourceBundle(), headerPaths, folder, onProgress, signal);
}

/** The checkout that a build folder lies in, if it lies in one. */
async function findCheckout(
  directory: string,
  signal?: AbortSignal,
): Promise<SourceTree | undefined> {
  const needed = ['include/llama.h', 'ggml/include/ggml.h', 'vendor/nlohmann/json.hpp'];
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    if (needed.every((file) => existsSync(join(folder, file)))) {
      return { path: folder, treeHash: await readTreeHash(folder, signal) };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

async function describeRunner(
  prepared: Pick<PreparedBackend, 'runnerPath' | 'libraryDirectory'>,
  signal?: AbortSignal,
): Promise<RunnerDescription> {
  const result = await runTool(prepared.runnerPath, describeArguments(prepared), {
    env: runnerEnvironment(prepared, process.env),
    signal,
    timeLimitMs: describeLimitMs,
  });
  if (result.exitStatus !== 0) {
    const lastLine = (result.stdout + result.stderr).trim().split('\n').at(-1);
    const ending = result.signal === null ? `status ${result.exitStatus}` : `${result.signal}`;
    const reason = result.startError ?? (lastLine || `it ended with ${ending} and said nothing`);
    throw new RooflawError('runner-unusable', `the runner does not start here: ${reason}`, {
      hint: 'the libraries may need a newer system or driver: build llama.cpp on this machine and name its folder with --backend',
    });
  }
  return parseText(runnerDescriptionSchema, result.stdout, 'what the runner says of itself');
}

async function describeFile(path: string) {
  const { size } = await stat(path);
  return { name: basename(path), bytes: size, sha256: sha256Hex(await readFile(path)) };
}
