import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type ErrorCode, type Fault, RooflawError, throwFaults } from '../errors.ts';
import { identityOf } from '../hash.ts';
import { formatWhole } from '../units.ts';
import { isSameState, recallHash, rememberHash } from './hash-cache.io.ts';
import {
  collectFacts,
  formatPartName,
  listPartNames,
  type ModelFileFacts,
  type ModelPart,
  readSplit,
} from './model-file.ts';
import { type HeaderReading, readHeader } from './read-header.ts';

export interface OpenModelFileOptions {
  /** Hears, in a sentence, what could not be checked, such as tensors of an unknown type. */
  onNotChecked?: (sentence: string) => void;
}

/**
 * Reads what the header of a GGUF file says, and checks that all its tensors are there. Of a split
 * model any part may be named; the others are looked for beside it. No weights are read.
 * @returns the facts, and the absolute paths of the parts in order.
 * @throws RooflawError `not-found`, `invalid-input` with every fault
 */
export async function openModelFile(
  path: string,
  { onNotChecked }: OpenModelFileOptions = {},
): Promise<ModelFileFacts & { paths: string[] }> {
  const named = await readPart(path);
  if (named.state === 'unreadable') {
    const { code, fault } = named;
    throw new RooflawError(code, `${fault.where}: ${fault.what}`, { hint: fault.hint! });
  }
  if (named.state === 'broken') throwFaults(`model ${path}`, [named.fault]);
  const { paths, parts } = await readParts(path, (named as { part: ModelPart }).part);
  const { facts, faults, notChecked } = collectFacts(parts);
  throwFaults(`model ${path}`, faults);
  for (const sentence of notChecked) onNotChecked?.(sentence);
  return { ...facts!, paths };
}

export interface HashModelFileOptions {
  /** Hashes are remembered in its folder `hashes`. */
  cacheDirectory: string;
  /** Bytes of all parts; what is remembered is done at once. */
  onProgress?: (bytesDone: number, bytesTotal: number) => void;
  signal?: AbortSignal;
}

export interface ModelFileHash {
  /** Of the file; of a split model, of the canonical JSON of the list of its parts' hashes. */
  sha256: string;
  parts: { name: string; bytes: number; sha256: string }[];
}

/**
 * Hashes a model. A file that has not changed since it was hashed last is not read again: device,
 * inode, size and the times of the last changes, in nanoseconds, tell.
 * @throws RooflawError `not-found`, `invalid-input`, `interrupted`, and `model-mismatch` when a file
 * changes while it is hashed
 */
export async function hashModelFile(
  paths: string[],
  options: HashModelFileOptions,
): Promise<ModelFileHash> {
  const { cacheDirectory, onProgress, signal } = options;
  const folder = join(cacheDirectory, 'hashes');
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  const parts: ModelFileHash['parts'] = [];
  for (const path of paths) {
    const onPartProgress = (bytes: number) => onProgress?.(done + bytes, total);
    const { bytes, sha256 } = await hashPart(path, folder, onPartProgress, signal);
    done += bytes;
    parts.push({ name: basename(path), bytes, sha256 });
  }
  const hashes = parts.map(({ sha256 }) => sha256);
  return { sha256: hashes.length === 1 ? hashes[0]! : identityOf(hashes), parts };
}

type PartReading =
  | { state: 'read'; part: ModelPart }
  /** Its bytes are no sound header. */
  | { state: 'broken'; fault: Fault }
  | { state: 'unreadable'; code: ErrorCode; fault: Fault };

/** llama.cpp counts them in 16 bits. */
const mostParts = 65_535;

/** All parts of a model, of which one was read. */
async function readParts(
  path: string,
  named: ModelPart,
): Promise<{ paths: string[]; parts: ModelPart[] }> {
  const split = readSplit(named.header);
  if (split === null) return { paths: [resolve(path)], parts: [named] };
  if (split.count > mostParts) {
    const what = `says it has ${formatWhole(split.count)} parts; at most ${formatWhole(mostParts)} are read`;
    const hint = 'copy or download the file again';
    throwFaults(`model ${path}`, [{ where: named.name, what, hint }]);
  }
  const names = listPartNames(named.name, split);
  if (names === null) {
    const what = `says it is part ${split.index + 1} of ${split.count}, and its name does not`;
    const hint = `rename it to ${formatPartName(split)}, as llama.cpp looks for parts by name`;
    throwFaults(`model ${path}`, [{ where: named.name, what, hint }]);
  }
  const paths = names!.map((name) => resolve(dirname(path), name));
  const parts: ModelPart[] = [];
  const faults: Fault[] = [];
  const missing: string[] = [];
  for (const [index, partPath] of paths.entries()) {
    const reading: PartReading =
      index === split.index ? { state: 'read', part: named } : await readPart(partPath);
    if (reading.state === 'read') parts.push(reading.part);
    else if (reading.state === 'broken') {
      faults.push({ ...reading.fault, where: `${basename(partPath)}: ${reading.fault.where}` });
    } else if (reading.code === 'not-found') missing.push(basename(partPath));
    else faults.push({ ...reading.fault, where: basename(partPath) });
  }
  throwFaults(`model ${path}`, [...describeMissing(missing, dirname(path)), ...faults]);
  return { paths, parts };
}

/** Names of missing parts that are told one by one. */
const listedParts = 20;

function describeMissing(missing: readonly string[], folder: string): Fault[] {
  const faults: Fault[] = missing.slice(0, listedParts).map((name) => ({
    where: name,
    what: `this part is not in ${folder}`,
    hint: 'put all parts of the model into one folder',
  }));
  const more = missing.length - faults.length;
  if (more > 0) faults.push({ where: folder, what: `and ${formatWhole(more)} more are missing` });
  return faults;
}

async function readPart(path: string): Promise<PartReading> {
  try {
    await using file = await openRegularFile(path);
    const bytes = (await file.stat()).size;
    const reading = await readHeaderOf(file, bytes);
    if (reading.state === 'broken') return reading;
    return { state: 'read', part: { name: basename(path), bytes, header: reading.header } };
  } catch (error) {
    const { code, fault } = explainReadError(error, path);
    return { state: 'unreadable', code, fault };
  }
}

async function readHeaderOf(file: FileHandle, fileBytes: number): Promise<HeaderReading> {
  const reading = readHeader(fileBytes);
  let step = reading.next();
  while (!step.done)
    step = reading.next(await readPiece(file, step.value.offset, step.value.length));
  return step.value;
}

/** Fewer bytes than asked for only where the file ends. */
async function readPiece(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const piece = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(piece, done, length - done, offset + done);
    if (bytesRead === 0) return piece.subarray(0, done);
    done += bytesRead;
  }
  return piece;
}

/** What is wrong with a path, before anything is read. */
class NotAFile extends Error {
  readonly hint: string;

  constructor(what: string, hint: string) {
    super(what);
    this.hint = hint;
  }
}

/** Opening a pipe would wait for a writer, so what it is must be known before. */
async function openRegularFile(path: string): Promise<FileHandle> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new NotAFile('is a folder', await proposeFile(path));
  if (!stats.isFile()) {
    const what = stats.isFIFO() ? 'is a pipe' : 'is a device or a socket';
    throw new NotAFile(`${what}, not a file`, 'write the model into a file and name that');
  }
  if (stats.size === 0) {
    throw new NotAFile('is empty', 'copy or download the file again');
  }
  return open(path, 'r');
}

async function proposeFile(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const [first] = names.filter((name) => name.endsWith('.gguf')).sort();
  return first === undefined
    ? 'name a file that ends in .gguf; there is none in this folder'
    : `name a file in it, such as ${join(folder, first)}`;
}

const readErrors: ReadonlyMap<string, { code: ErrorCode; what: string; hint: string }> = new Map([
  ['ENOENT', { code: 'not-found', what: 'there is no such file', hint: 'check the path' }],
  [
    'ENOTDIR',
    {
      code: 'not-found',
      what: 'a part of the path is a file, not a folder',
      hint: 'check the path',
    },
  ],
  [
    'ELOOP',
    { code: 'not-found', what: 'a link that leads back to itself', hint: 'make the link anew' },
  ],
  [
    'EACCES',
    {
      code: 'invalid-input',
      what: 'no permission to read it',
      hint: 'allow reading the file and entering its folders, or name a copy of your own',
    },
  ],
  [
    'EIO',
    {
      code: 'invalid-input',
      what: 'the disk failed (input/output error)',
      hint: 'look at the disk, and take the file from another place',
    },
  ],
]);

/** A failure of reading, as a fault; errors that are not the system's are thrown as they are. */
function explainReadError(error: unknown, path: string): { code: ErrorCode; fault: Fault } {
  if (error instanceof NotAFile) {
    const fault = { where: path, what: error.message, hint: error.hint };
    return { code: 'invalid-input', fault };
  }
  const system = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof system !== 'string') throw error;
  const { code, what, hint } = readErrors.get(system) ?? {
    code: 'invalid-input' as const,
    what: `it cannot be read (${system})`,
    hint: 'name another file',
  };
  const isAddress = code === 'not-found' && /^[a-z]+:\/\//i.test(path);
  const fault = { where: path, what, hint: isAddress ? 'download it and name the file' : hint };
  return { code, fault };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw toReadError(error, path);
  }
}

function toReadError(error: unknown, path: string): RooflawError {
  if (error instanceof RooflawError) return error;
  const { code, fault } = explainReadError(error, path);
  return new RooflawError(code, `${fault.where}: ${fault.what}`, {
    hint: fault.hint!,
    cause: error,
  });
}

async function hashPart(
  path: string,
  folder: string,
  onProgress: (bytesDone: number) => void,
  signal: AbortSignal | undefined,
): Promise<{ bytes: number; sha256: string }> {
  try {
    await using file = await openRegularFile(path);
    const before = await file.stat({ bigint: true });
    const bytes = Number(before.size);
    const remembered = await recallHash(folder, before);
    if (remembered !== undefined) {
      onProgress(bytes);
      return { bytes, sha256: remembered };
    }
    const sha256 = await hashOpenFile(file, onProgress, signal);
    await requireUnchanged(file, before, path);
    await rememberHash(folder, before, sha256);
    return { bytes, sha256 };
  } catch (error) {
    throw toReadError(error, path);
  }
}

/** Bytes read at a time; two such buffers take turns, so that reading and hashing overlap. */
const hashedBytes = 2 ** 21;

async function hashOpenFile(
  file: FileHandle,
  onProgress: (bytesDone: number) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = createHash('sha256');
  let [current, next] = [Buffer.allocUnsafe(hashedBytes), Buffer.allocUnsafe(hashedBytes)];
  let done = 0;
  let { bytesRead } = await file.read(current, 0, hashedBytes, 0);
  while (bytesRead > 0) {
    if (signal?.aborted) {
      const options = { hint: 'the same command begins again', cause: signal.reason };
      throw new RooflawError('interrupted', 'stopped while a model was hashed', options);
    }
    const reading = file.read(next, 0, hashedBytes, done + bytesRead);
    hash.update(current.subarray(0, bytesRead));
    done += bytesRead;
    onProgress(done);
    ({ bytesRead } = await reading);
    [current, next] = [next, current];
  }
  return hash.digest('hex');
}

async function requireUnchanged(file: FileHandle, before: BigIntStats, path: string) {
  if (isSameState(before, await file.stat({ bigint: true }))) return;
  throw new RooflawError('model-mismatch', `${path} changed while it was hashed`, {
    hint: 'wait until whatever writes it (a download?) is done, and try again',
  });
}
