import { type FileHandle, readdir } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type ErrorCode, type Fault, RooflawError, throwFaults } from '../errors.ts';
import { formatWhole } from '../units.ts';
import type { ModelPart } from './measure-part.ts';
import {
  collectFacts,
  formatPartName,
  listPartNames,
  type ModelFileFacts,
  readSplit,
} from './model-file.ts';
import { type HeaderReading, readHeader } from './read-header.ts';
import { explainReadError, openRegularFile } from './regular-file.io.ts';

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
  /** Read where many are missing: a header may claim 65,535 of them. */
  let listing: ReadonlySet<string> | null = null;
  for (const [index, partPath] of paths.entries()) {
    if (missing.length >= listedParts) {
      listing ??= await listFolder(dirname(path));
      if (!listing.has(basename(partPath))) {
        missing.push(basename(partPath));
        continue;
      }
    }
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

/** Empty where it may not be listed. */
const listFolder = async (folder: string): Promise<ReadonlySet<string>> =>
  new Set(await readdir(folder).catch(() => []));

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
