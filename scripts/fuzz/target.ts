/**
 * How the inputs of a parser are built, which says where one can be changed and stay well-formed. `fields`:
 * words and numbers between spaces, commas and colons, as the kernel writes them.
 */
export type InputKind = 'json' | 'ndjson' | 'csv' | 'fields' | 'text' | 'bytes';

/** One parser, as the program calls it. */
export interface Target {
  name: string;
  kind: InputKind;
  /** Valid inputs. */
  corpus(): Promise<Uint8Array[]> | Uint8Array[];
  /** Pieces of its language, for mutations. */
  words: readonly string[];
  /**
   * Reads an input.
   * @param folder a place for files of its own
   * @returns what the program would print of it
   * @throws RooflawError for what it refuses; anything else is a defect
   */
  read(input: Uint8Array, folder: string): Promise<string> | string;
}

const encoder = new TextEncoder();

export const toBytes = (text: string): Uint8Array => encoder.encode(text);

/** As the program reads a file of text: wrong bytes become U+FFFD. */
export const toText = (input: Uint8Array): string => Buffer.from(input).toString('utf8');
