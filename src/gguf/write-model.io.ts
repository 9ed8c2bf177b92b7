import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RooflawError, throwFaults } from '../errors.ts';
import { cacheHint, explainFileError } from '../file-error.ts';
import { findArchitectureFaults } from '../space/constraints.ts';
import { layoutModel } from './layout.ts';
import type { ModelSpec } from './model-spec.ts';
import { choosePartialPath, removeAbandonedPartials } from './partial-file.io.ts';
import { stoppedBy } from './stopped-by.ts';
import { streamModel } from './stream-model.io.ts';

export interface GenerationOptions {
  /** Threads that make weights; the bytes do not depend on it. Default: the CPUs, at most 4. */
  workers?: number;
  onProgress?: (bytesDone: number, bytesTotal: number) => void;
  signal?: AbortSignal;
}

export interface WriteModelRequest extends ModelSpec, GenerationOptions {
  path: string;
  /** When given, only a file with this hash gets the name `path`. */
  expectedSha256?: string;
}

export interface ModelHash {
  sha256: string;
  bytes: number;
}

/**
 * Generates a model into a temporary file beside `path`, which then replaces `path` at once. On any
 * error, and when aborted, `path` is as it was and the temporary file is gone.
 * @throws RooflawError `invalid-input`, `no-space`, `not-writable`, `model-mismatch`, `interrupted`
 */
export async function writeModel(request: WriteModelRequest): Promise<ModelHash> {
  const { path, expectedSha256 } = request;
  const folder = dirname(path);
  const partial = choosePartialPath(path);
  try {
    await removeAbandonedPartials(folder);
    await requireFreeSpace(folder, layoutChecked(request).fileBytes);
    const written = await writeNewFile(partial, request);
    requireHash(written.sha256, expectedSha256, path);
    await rename(partial, path);
    await syncFolder(folder);
    return written;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // the first error is the one to tell
    throw explainFileError(error, `a model into ${folder}`, cacheHint);
  }
}

/**
 * The hash that `writeModel` would give, without a file.
 * @throws RooflawError `invalid-input`, `interrupted`
 */
export async function hashModel(request: ModelSpec & GenerationOptions): Promise<ModelHash> {
  return consumeModel(request, async () => {});
}

async function writeNewFile(path: string, request: WriteModelRequest): Promise<ModelHash> {
  const file = await open(path, 'wx');
  try {
    const written = await consumeModel(request, (piece, position) =>
      writeFully(file, piece, position),
    );
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

/** Hashes every piece on this thread while `write` hands it, and the one before, to the system. */
async function consumeModel(
  request: ModelSpec & GenerationOptions,
  write: (piece: Uint8Array, position: number) => Promise<void>,
): Promise<ModelHash> {
  const { workers, onProgress, signal } = request;
  const { fileBytes } = layoutChecked(request);
  const hash = createHash('sha256');
  let bytes = 0;
  let earlierWrite = Promise.resolve();
  for await (const piece of streamModel(request, workers)) {
    if (signal?.aborted) throw stoppedBy(signal);
    const writing = write(piece, bytes);
    writing.catch(() => {}); // it is awaited below, but perhaps after an earlier one has failed
    hash.update(piece);
    await earlierWrite;
    earlierWrite = writing;
    bytes += piece.length;
    onProgress?.(bytes, fileBytes);
  }
  await earlierWrite;
  return { sha256: hash.digest('hex'), bytes };
}

function layoutChecked({ architecture, quantization, weightSeed }: ModelSpec) {
  throwFaults(
    `architecture "${architecture.name}"`,
    findArchitectureFaults(architecture, 'architecture'),
  );
  return layoutModel(architecture, quantization, weightSeed);
}

async function writeFully(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}

async function requireFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
  throw new RooflawError(
    'no-space',
    `a model needs ${gigabytes(neededBytes)} in ${folder}, where ${gigabytes(freeBytes)} are free`,
    { hint: cacheHint },
  );
}

function requireHash(sha256: string, expected: string | undefined, path: string): void {
  if (expected === undefined || expected === sha256) return;
  throw new RooflawError(
    'model-mismatch',
    `${path}: the generated model has SHA-256 ${sha256}, not ${expected} as the plan says`,
    { hint: 'make the plan again with this version of Rooflaw, or use the version that made it' },
  );
}

/** The new name survives a power failure only when its folder was synced too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
