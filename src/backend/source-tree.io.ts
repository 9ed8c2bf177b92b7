import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RooflawError } from '../errors.ts';
import { hashFile } from '../gguf/hash-file.io.ts';
import { identityOf } from '../hash.ts';
import { ensureCacheEntry } from './cache-entry.io.ts';
import { runTool, type ToolOptions, type ToolResult } from './run-tool.io.ts';

/** Sources of llama.cpp on disk. */
export interface SourceTree {
  /** Has `include`, `ggml/include` and `vendor`. */
  path: string;
  /** Git's hash of the whole tree, or null when it is not known. */
  treeHash: string | null;
}

/** What the runner is compiled with: llama.cpp's interface, and the JSON reader beside it. */
export const headerPaths = ['include', 'ggml/include', 'vendor/nlohmann'];

/**
 * Unpacks parts of a git bundle into the cache, once for each bundle and set of paths.
 * @throws RooflawError `no-backend` without git or with a broken bundle, `not-writable`, `no-space`
 */
export async function unpackBundle(
  bundle: string,
  paths: readonly string[],
  cacheFolder: string,
  onProgress: (text: string) => void,
  signal?: AbortSignal,
): Promise<SourceTree> {
  const entry = join(
    cacheFolder,
    identityOf({ bundle: await hashFile(bundle, { signal }), paths }),
  );
  await ensureCacheEntry(entry, async (temporary) => {
    onProgress("unpacking llama.cpp's headers");
    const repository = join(temporary, 'repository');
    await runGit(['clone', '--quiet', '--bare', bundle, repository], { signal });
    const git = ['--git-dir', repository, '-c', 'core.autocrlf=false'];
    await runGit(
      [...git, '--work-tree', temporary, 'checkout', '--quiet', 'HEAD', '--', ...paths],
      {
        signal,
      },
    );
    const { stdout } = await runGit([...git, 'rev-parse', 'HEAD^{tree}'], { signal });
    await writeFile(join(temporary, 'tree-hash'), stdout.trim());
    await rm(repository, { recursive: true });
  });
  return { path: entry, treeHash: await readFile(join(entry, 'tree-hash'), 'utf8') };
}

/**
 * The tree hash of a checkout, or null when it has changes of its own or git cannot tell.
 * @throws RooflawError `interrupted`
 */
export async function readTreeHash(checkout: string, signal?: AbortSignal): Promise<string | null> {
  const options = { cwd: checkout, env: environmentWithoutGit(), signal };
  const changes = await runTool('git', ['status', '--porcelain', '--untracked-files=no'], options);
  if (changes.exitStatus !== 0 || changes.stdout !== '') return null;
  const tree = await runTool('git', ['rev-parse', 'HEAD^{tree}'], options);
  return tree.exitStatus === 0 ? tree.stdout.trim() : null;
}

async function runGit(args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const result = await runTool('git', args, { ...options, env: environmentWithoutGit() });
  if (result.startError !== null) {
    throw new RooflawError('no-backend', `git is missing (${result.startError})`, {
      hint: 'install it (`apt install git`, `xcode-select --install`, or https://git-scm.com): it unpacks the headers of llama.cpp, once',
    });
  }
  if (result.exitStatus !== 0) {
    throw new RooflawError(
      'no-backend',
      `cannot unpack llama.cpp's sources: ${result.stderr.trim()}`,
      {
        hint: 'install the packages again with `npm ci`',
      },
    );
  }
  return result;
}

/** Run from a git hook, GIT_DIR and the like would lead to the wrong repository. */
function environmentWithoutGit(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
  );
}
