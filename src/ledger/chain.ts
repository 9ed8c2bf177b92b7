import type { LedgerEntry, UnchainedEntry } from '../formats/ledger.ts';
import { canonicalJson, sha256Hex } from '../hash.ts';

/** `prev` of the first line. */
export const chainStart = '0'.repeat(64);

/** Where the next line is to be tied: how many lines there are, and the hash of the last. */
export interface ChainHead {
  length: number;
  sha256: string;
}

export const emptyChain: ChainHead = { length: 0, sha256: chainStart };

export interface ChainedLine {
  entry: LedgerEntry;
  /** Canonical JSON, without the newline that ends it in the file. */
  line: string;
  head: ChainHead;
}

/** Ties an entry to the chain. @param time ISO 8601 in UTC. */
export function chainEntry(entry: UnchainedEntry, head: ChainHead, time: string): ChainedLine {
  const chained = { ...entry, seq: head.length, prev: head.sha256, time } as LedgerEntry;
  const line = canonicalJson(chained);
  return { entry: chained, line, head: { length: head.length + 1, sha256: sha256Hex(line) } };
}
