import { open } from 'node:fs/promises';
import { createLineSplitter, type FileLine } from './split-lines.ts';

/** Small enough to stay in a core's cache until its lines are read. */
const chunkBytes = 1 << 18;

/** A file's bytes, a chunk at a time; the next overwrites the last. */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await open(path);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The lines of a file as bytes, streamed. */
export async function* readLines(path: string): AsyncGenerator<FileLine, void, undefined> {
  const splitter = createLineSplitter();
  for await (const chunk of readChunks(path)) yield* splitter.push(chunk);
  yield* splitter.finish();
}
