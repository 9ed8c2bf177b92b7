import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareBackend } from '../../src/backend/prepare-backend.io.ts';
import { backendSchema } from '../../src/formats/ledger.ts';
import { runnerDescriptionSchema } from '../../src/formats/trial.ts';
import { findRealBackend, testCache } from '../support/real-backend.ts';

const backend = await findRealBackend();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rooflaw-backend-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const prepareQuietly = (request: { directory?: string; cacheDirectory?: string } = {}) =>
  prepareBackend({ cacheDirectory: testCache, onProgress: () => {}, ...request });

/** A file that a library of 64-bit Linux for arm64 begins with. */
const armLibrary = () => {
  const bytes = new Uint8Array(4096);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  bytes.set([183, 0], 18);
  return bytes;
};

describe.skipIf(backend.state === 'missing')('with a compiler and the embedded llama.cpp', () => {
  const ready = () => {
    if (backend.state === 'missing') throw new Error(backend.what);
    return backend.prepared;
  };

  test('the backend is described by the hashes of all its parts', () => {
    const { backend: described, description, libraryDirectory } = ready();
    expect(backendSchema.parse(described)).toEqual(described);
    expect(runnerDescriptionSchema.parse(description)).toEqual(description);
    expect(described).toMatchObject({
      name: 'embedded',
      release: '0.4.0-dev',
      commit: null,
      sourceTreeHash: '0424752fbbc3bb01469ec830a30f2bc035497cd4',
      patches: [
        {
          name: 'PR-22566.diff',
          bytes: 2316,
          sha256: '2515e9d964fc9f601f49ee28c67771adebc84c26f63691c6733bd8a1a2403641',
        },
      ],
    });
    expect(description.devices.map((device) => device.name)).toContain('CPU');
    const names = described.libraries.map((library) => library.name);
    const backends = readdirSync(libraryDirectory).filter((name) => /ggml-cpu/.test(name));
    expect(backends.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining(backends));
    expect(names.filter((name) => /common/.test(name))).toEqual([]);
  });

  test('a second time nothing is unpacked or compiled, and the result is the same', async () => {
    const said: string[] = [];
    const again = await prepareBackend({
      cacheDirectory: testCache,
      onProgress: (text) => said.push(text),
    });
    expect(said).toEqual([]);
    expect(again).toEqual(ready());
  });

  test('a folder of one’s own is used, its libraries in bin, with a word about the headers', async () => {
    const { libraryDirectory, backend: embedded } = ready();
    const bin = join(folder, 'build', 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of readdirSync(libraryDirectory)) {
      symlinkSync(join(libraryDirectory, name), join(bin, name));
    }
    const said: string[] = [];
    const own = await prepareBackend({
      directory: join(folder, 'build'),
      cacheDirectory: testCache,
      onProgress: (text) => said.push(text),
    });
    expect(said.join()).toContain('is in no llama.cpp checkout: using the headers');
    expect(own.libraryDirectory).toBe(bin);
    expect(own.backend).toMatchObject({ name: 'build', sourceTreeHash: null, patches: [] });
    expect(own.backend.libraries).toEqual(embedded.libraries);
    expect(own.backend.runner).toEqual(embedded.runner);
  });

  test('a damaged runner in the cache is not used', async () => {
    const { runnerPath, backend: embedded } = ready();
    const cacheDirectory = join(folder, 'cache');
    const key = basename(join(runnerPath, '..'));
    const copy = join(cacheDirectory, 'runners', key, basename(runnerPath));
    mkdirSync(join(copy, '..'), { recursive: true });
    copyFileSync(runnerPath, copy);
    copyFileSync(join(runnerPath, '..', 'sha256'), join(copy, '..', 'sha256'));
    writeFileSync(copy, 'damage', { flag: 'a' });
    const again = await prepareQuietly({ cacheDirectory });
    expect(again.runnerPath).toBe(copy);
    expect(again.backend.runner).toEqual(embedded.runner);
  }, 180_000); // it compiles

  test('errors of the compiler are shown with their end', async () => {
    const compiler = join(folder, 'broken-compiler');
    writeFileSync(
      compiler,
      '#!/bin/sh\n[ "$1" = --version ] && echo "broken 1" && exit\necho "runner.cpp:1: no such thing" >&2\nexit 1\n',
    );
    chmodSync(compiler, 0o755);
    vi.stubEnv('CXX', compiler);
    await expect(prepareQuietly()).rejects.toMatchObject({
      code: 'build-failed',
      message: 'broken 1 could not build the runner:\nrunner.cpp:1: no such thing',
      hint: expect.stringContaining('v0.4.0'),
    });
  });
});

test('libraries for another processor are refused with both names', async () => {
  for (const name of ['libllama.so', 'libggml.so', 'libggml-base.so']) {
    writeFileSync(join(folder, name), armLibrary());
  }
  vi.spyOn(process, 'arch', 'get').mockReturnValue('x64');
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  await expect(prepareQuietly({ directory: folder })).rejects.toMatchObject({
    code: 'no-backend',
    message: `${join(folder, 'libllama.so')} is built for linux arm64; this machine is linux x64`,
    hint: expect.stringContaining('build llama.cpp on this machine'),
  });
});

test('files that only have the names of libraries are refused', async () => {
  for (const name of ['libllama.so', 'libggml.so', 'libggml-base.so']) {
    writeFileSync(join(folder, name), 'version https://git-lfs.github.com/spec/v1\n'.repeat(9));
  }
  await expect(prepareQuietly({ directory: folder })).rejects.toMatchObject({
    code: 'no-backend',
    message: expect.stringContaining('is not a shared library'),
  });
});

test('a folder without llama.cpp is refused with how to build one', async () => {
  await expect(prepareQuietly({ directory: join(folder, 'nothing') })).rejects.toMatchObject({
    code: 'no-backend',
    hint: expect.stringContaining('-DBUILD_SHARED_LIBS=ON'),
  });
});

test('without a compiler the package to install is named', async () => {
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CXX', undefined);
  const hint = { linux: 'apt install g++', darwin: 'xcode-select --install' }[
    process.platform as 'linux'
  ];
  await expect(prepareQuietly()).rejects.toMatchObject({
    code: 'no-compiler',
    message: 'no C++ compiler was found (c++, g++, clang++)',
    hint: expect.stringContaining(hint ?? 'install'),
  });
});

test('a compiler that CXX names and that does not work is named', async () => {
  vi.stubEnv('CXX', join(folder, 'no-such-compiler'));
  await expect(prepareQuietly()).rejects.toMatchObject({
    code: 'no-compiler',
    message: `the C++ compiler that CXX names does not work: ${join(folder, 'no-such-compiler')}`,
  });
});

test('without git, which unpacks the headers, it is named', async () => {
  const compiler = join(folder, 'some-compiler');
  writeFileSync(compiler, '#!/bin/sh\necho "some compiler"\n');
  chmodSync(compiler, 0o755);
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CXX', compiler);
  await expect(prepareQuietly({ cacheDirectory: join(folder, 'cache') })).rejects.toMatchObject({
    code: 'no-backend',
    message: 'git is missing (ENOENT)',
    hint: expect.stringContaining('apt install git'),
  });
});
