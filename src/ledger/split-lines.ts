export interface FileLine {
  /** From 1, as editors count. */
  number: number;
  bytes: Uint8Array;
  /** Whether the newline was there; only the last line can lack it. */
  complete: boolean;
}

/** Cuts chunks of a file into lines of bytes: nothing is decoded, so that nothing is repaired. */
export interface LineSplitter {
  /** The lines that end in this chunk; their bytes may be the chunk's own. */
  push(chunk: Uint8Array): FileLine[];
  /** What stands after the last newline, if anything does. */
  finish(): FileLine[];
}

const newline = 0x0a;

export function createLineSplitter(): LineSplitter {
  let number = 0;
  let rest: Uint8Array[] = [];
  return {
    push(chunk) {
      const lines: FileLine[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const part = chunk.subarray(start, end);
        const bytes = rest.length === 0 ? part : Buffer.concat([...rest, part]);
        rest = [];
        number += 1;
        lines.push({ number, bytes, complete: true });
        start = end + 1;
      }
      if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
      return lines;
    },
    finish() {
      if (rest.length === 0) return [];
      return [{ number: number + 1, bytes: Buffer.concat(rest), complete: false }];
    },
  };
}
