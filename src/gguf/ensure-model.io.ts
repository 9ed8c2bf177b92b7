import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheHint, explainFileError } from '../file-error.ts';
import { hashFile } from './hash-file.io.ts';
import { layoutModel } from './layout.ts';
import { formatModelFileName, type ModelSpec } from './model-spec.ts';
import { type GenerationOptions, hashModel, type ModelHash, writeModel } from './write-model.io.ts';

export interface EnsureModelRequest extends ModelSpec, GenerationOptions {
  /** Models lie in its folder `models`. */
  cacheDirectory: string;
  /** The hash that the plan names. Without it, checking an existing file costs a generation. */
  expectedSha256?: string;
}

export interface EnsuredModel extends ModelHash {
  path: string;
  outcome:
    | { state: 'created' }
    /** The file was there, and its bytes have the right hash. */
    | { state: 'reused' }
    /** The file was there, was not what it should be, and was generated again. */
    | { state: 'replaced'; reason: string };
}

/**
 * A model in the cache. A file that is there is read and hashed, not trusted. Calls of several
 * processes at once do not disturb each other: each writes a file of its own and renames it.
 * @throws RooflawError `invalid-input`, `no-space`, `not-writable`, `model-mismatch`, `interrupted`
 */
export async function ensureModel(request: EnsureModelRequest): Promise<EnsuredModel> {
  const { cacheDirectory, ...model } = request;
  const path = join(cacheDirectory, 'models', formatModelFileName(request));
  await createFolder(join(cacheDirectory, 'models'));
  const existing = await inspectFile(path, request);
  if (existing.state === 'sound') {
    return { path, ...existing.hash, outcome: { state: 'reused' } };
  }
  const written = await writeModel({ ...model, path });
  const outcome: EnsuredModel['outcome'] =
    existing.state === 'absent'
      ? { state: 'created' }
      : { state: 'replaced', reason: existing.reason };
  return { path, ...written, outcome };
}

type Inspection =
  | { state: 'absent' }
  | { state: 'sound'; hash: ModelHash }
  | { state: 'different'; reason: string };

async function inspectFile(path: string, request: EnsureModelRequest): Promise<Inspection> {
  const { architecture, quantization, weightSeed, expectedSha256, signal } = request;
  const bytes = await sizeOf(path);
  if (bytes === undefined) return { state: 'absent' };
  const { fileBytes } = layoutModel(architecture, quantization, weightSeed);
  if (bytes !== fileBytes) {
    return { state: 'different', reason: `it had ${bytes} bytes instead of ${fileBytes}` };
  }
  const sha256 = await hashFile(path, {
    signal,
    stop: { message: 'stopped while a model was checked' },
  });
  const expected = expectedSha256 ?? (await hashModel(request)).sha256;
  if (sha256 === expected) return { state: 'sound', hash: { sha256, bytes } };
  return { state: 'different', reason: `its SHA-256 was ${sha256} instead of ${expected}` };
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw explainFileError(error, folder, cacheHint);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
