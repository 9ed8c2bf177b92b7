import { isUtf8 } from 'node:buffer';

/** The lines of a runner's output without their newlines, and what is wrong with its bytes as a whole. */
export function splitOutput(bytes: Uint8Array): { lines: string[]; fault: string | null } {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines, fault: isUtf8(bytes) ? null : 'printed bytes that are no UTF-8' };
}
