import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheHint, explainFileError } from '../file-error.ts';
import { layoutModel, type PlacedTensor } from './layout.ts';
import { formatModelFileName, type ModelSpec } from './model-spec.ts';
import { choosePartialPath } from './partial-file.io.ts';

/** Bytes of a piece; a multiple of every block. */
const pieceBlocks = 1 << 15;

/**
 * A model like a generated one whose matrices hold one value each, 1 over their row length, so that
 * its results stay finite; norms are 1 as ever. Only the content differs: the header, the places and
 * the formats are the same bytes.
 * @param folder where it is written, under a name of its own
 * @returns its path
 * @throws RooflawError `no-space`, `not-writable`
 */
export async function writeEqualWeights(model: ModelSpec, folder: string): Promise<string> {
  const name = formatModelFileName(model).replace(/\.gguf$/, '-equal.gguf');
  const path = join(folder, name);
  const draft = choosePartialPath(path);
  const { header, tensors, fileBytes } = layoutModel(
    model.architecture,
    model.quantization,
    model.weightSeed,
  );
  try {
    {
      await using file = await open(draft, 'wx');
      await file.writeFile(header);
      for (const tensor of tensors) await writeTensor(file, header.length + tensor.offset, tensor);
      await file.truncate(fileBytes);
      await file.sync();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // the first error is the one to tell
    throw explainFileError(error, path, cacheHint);
  }
  return path;
}

async function writeTensor(
  file: Awaited<ReturnType<typeof open>>,
  start: number,
  { type, shape, bytes }: PlacedTensor,
): Promise<void> {
  const block = encodeBlock(type, type === 'F32' ? 1 : 1 / shape[0]!);
  const piece = Buffer.alloc(block.length * pieceBlocks, block);
  for (let done = 0; done < bytes; done += piece.length) {
    await file.write(piece, 0, Math.min(piece.length, bytes - done), start + done);
  }
}

/** The bytes of one block in which every weight is `value`, as nearly as its format holds it. */
export function encodeBlock(type: PlacedTensor['type'], value: number): Buffer {
  if (type === 'F32') {
    const block = Buffer.alloc(4);
    block.writeFloatLE(value);
    return block;
  }
  const scale = Buffer.from(Float16Array.of(value).buffer);
  if (type === 'F16') return scale;
  // all of them one step above zero: 1 in Q8_0, 9 - 8 in Q4_0
  return Buffer.concat([scale, type === 'Q8_0' ? Buffer.alloc(32, 1) : Buffer.alloc(16, 0x99)]);
}
