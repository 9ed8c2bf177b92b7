import { createReadStream } from 'node:fs';
import { createLineSplitter, type FileLine } from './split-lines.ts';

const chunkBytes = 1 << 20;

/** A file's bytes, a megabyte at a time. */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path, { highWaterMark: chunkBytes });
}

/** The lines of a file as bytes, streamed. */
export async function* readLines(path: string): AsyncGenerator<FileLine, void, undefined> {
  const splitter = createLineSplitter();
  for await (const chunk of readChunks(path)) yield* splitter.push(chunk);
  yield* splitter.finish();
}
