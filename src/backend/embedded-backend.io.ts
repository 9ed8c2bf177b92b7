import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RooflawError } from '../errors.ts';

/** Where the package node-llama-cpp keeps llama.cpp. */
export interface EmbeddedBackend {
  libraryDirectory: string;
  /** A git bundle with llama.cpp's sources. */
  sourceBundle: string;
  /** Changes that were made to these sources before they were built. */
  patchFiles: string[];
}

/** The packages without CUDA and Vulkan; those are used through `--backend`. */
const packageOfMachine: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

const require = createRequire(import.meta.url);
const packageRoot = () => dirname(dirname(require.resolve('node-llama-cpp')));

/** The sources that the headers are taken from, whichever libraries are used. */
export function locateSourceBundle(): string {
  return join(packageRoot(), 'llama', 'gitRelease.bundle');
}

/** @throws RooflawError `no-backend` when there are no libraries for this machine. */
export async function findEmbeddedBackend(): Promise<EmbeddedBackend> {
  const machine = `${process.platform}-${process.arch}`;
  const name = packageOfMachine[machine];
  const libraryDirectory = name === undefined ? undefined : locateLibraries(name);
  if (libraryDirectory === undefined) {
    throw new RooflawError('no-backend', `no llama.cpp for ${machine} is installed`, {
      hint: 'install on this machine with optional packages (`npm ci --include=optional`), or build llama.cpp and name its folder with --backend',
    });
  }
  const patches = join(packageRoot(), 'llama', 'patches');
  const patchNames = await readdir(patches).catch(() => []);
  return {
    libraryDirectory,
    sourceBundle: locateSourceBundle(),
    patchFiles: patchNames.sort().map((file) => join(patches, file)),
  };
}

function locateLibraries(name: string): string | undefined {
  try {
    const entry = createRequire(require.resolve('node-llama-cpp')).resolve(
      `@node-llama-cpp/${name}`,
    );
    return join(dirname(dirname(entry)), 'bins', name);
  } catch {
    return undefined; // an optional package that was not installed
  }
}
