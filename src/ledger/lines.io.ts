import { createReadStream } from 'node:fs';

export interface FileLine {
  /** From 1, as editors count. */
  number: number;
  bytes: Buffer;
  /** Whether the newline was there; only the last line can lack it. */
  complete: boolean;
}

/** The lines of a file as bytes, streamed: nothing is decoded, so that nothing is repaired. */
export async function* readLines(path: string): AsyncGenerator<FileLine, void, undefined> {
  let number = 0;
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const buffer = chunk as Buffer;
    let start = 0;
    for (;;) {
      const newline = buffer.indexOf(0x0a, start);
      if (newline === -1) break;
      const part = buffer.subarray(start, newline);
      const bytes = rest.length === 0 ? part : Buffer.concat([...rest, part]);
      rest = [];
      number += 1;
      yield { number, bytes, complete: true };
      start = newline + 1;
    }
    if (start < buffer.length) rest.push(buffer.subarray(start));
  }
  if (rest.length > 0) yield { number: number + 1, bytes: Buffer.concat(rest), complete: false };
}
