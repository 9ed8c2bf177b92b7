export interface DecodedText {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Some bytes are no text in that encoding; U+FFFD stands in their place. */
  hasInvalidBytes: boolean;
}

/** Enough of a file to see whether every other byte is zero. */
const sniffedBytes = 512;

/**
 * The text of a file and its encoding: by its byte order mark, which is taken off; without one
 * UTF-16 when its zero bytes stand in every other place, and else UTF-8. Windows PowerShell writes
 * redirected output as UTF-16 with a mark.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = detectEncoding(bytes);
  try {
    return { text: decode(bytes, encoding, true), encoding, hasInvalidBytes: false };
  } catch {
    return { text: decode(bytes, encoding, false), encoding, hasInvalidBytes: true };
  }
}

function decode(bytes: Uint8Array, encoding: DecodedText['encoding'], fatal: boolean): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}

function detectEncoding(bytes: Uint8Array): DecodedText['encoding'] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  bytes.subarray(0, sniffedBytes).forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]! += 1;
  });
  const half = Math.min(bytes.length, sniffedBytes) / 2;
  if (zeros[1]! > half / 2 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > half / 2 && zeros[1] === 0) return 'utf-16be';
  return 'utf-8';
}
