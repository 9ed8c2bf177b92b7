import type { Fault } from '../errors.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../formats/ledger.ts';
import { faultsOf } from '../formats/parse.ts';
import { canonicalJson, sha256Hex } from '../hash.ts';
import { type ChainHead, emptyChain } from './chain.ts';
import { createStoryCheck } from './story.ts';

export interface CheckedLine {
  /** null when the line is no entry. */
  entry: LedgerEntry | null;
  /** Everything wrong with this line; empty for a sound one. */
  faults: Fault[];
}

/** Checks a ledger line by line; keeps only what the next line needs. */
export interface LedgerCheck {
  /** @param lineNumber from 1. @param bytes the line without its newline. */
  next(bytes: Uint8Array, lineNumber: number): CheckedLine;
  /** What only the end can show: nothing at all, for instance. */
  finish(): Fault[];
  readonly head: ChainHead;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks the chain (numbers and hashes), each line's form (schema, canonical JSON) and the story
 * the entries tell (see `createStoryCheck`). After a fault it goes on, so that one report names
 * them all: the next line is tied to the bytes that are there.
 */
export function createLedgerCheck(): LedgerCheck {
  let head = emptyChain;
  const story = createStoryCheck();
  return {
    get head() {
      return head;
    },
    next(bytes, lineNumber) {
      const where = `line ${lineNumber}`;
      const faults: Fault[] = [];
      const expected = head;
      head = { length: expected.length + 1, sha256: sha256Hex(bytes) };
      const entry = readEntry(bytes, where, faults);
      if (entry === null) return { entry, faults };
      if (entry.prev !== expected.sha256) {
        faults.push({
          where,
          what: 'its "prev" is not the hash of the line before',
          hint: 'this line or the one before was changed, removed, added or moved after it was written',
        });
      }
      if (entry.seq !== expected.length) {
        faults.push({ where, what: `its "seq" is ${entry.seq} where ${expected.length} was due` });
      }
      faults.push(...story.next(entry).map((what) => ({ where, what })));
      return { entry, faults };
    },
    finish() {
      if (head.length > 0) return [];
      return [
        { where: 'line 1', what: 'the ledger is empty', hint: 'was anything ever measured?' },
      ];
    },
  };
}

function readEntry(bytes: Uint8Array, where: string, faults: Fault[]): LedgerEntry | null {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    faults.push({ where, what: 'not JSON in UTF-8' });
    return null;
  }
  const parsed = ledgerEntrySchema.safeParse(value);
  if (!parsed.success) {
    for (const fault of faultsOf(ledgerEntrySchema, value)) {
      faults.push({ where: `${where}, ${fault.where}`, what: fault.what });
    }
    return null;
  }
  if (canonicalJson(parsed.data) !== text) {
    faults.push({
      where,
      what: 'not in canonical form',
      hint: 'the line was written by another hand',
    });
  }
  return parsed.data;
}
