/** A line of a ledger as text and as the JSON value it holds. */
export interface DecodedLine {
  text: string;
  value: unknown;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** null when it is no JSON in UTF-8. */
export function decodeLine(bytes: Uint8Array): DecodedLine | null {
  try {
    const text = decoder.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    return null;
  }
}
