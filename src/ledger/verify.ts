import type { Fault } from '../errors.ts';
import { compileAcceptor } from '../formats/acceptor.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../formats/ledger.ts';
import { faultsOf } from '../formats/parse.ts';
import type { ChainHead } from './chain.ts';
import { createChainCheck } from './chain-check.ts';
import { type DecodedLine, decodeLine } from './decode-line.ts';
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
  readonly head: ChainHead;
}

/**
 * Checks the chain (see `createChainCheck`), each line's form and the story the entries tell (see
 * `createStoryCheck`). After a fault it goes on, so that one report names them all.
 */
export function createLedgerCheck(): LedgerCheck {
  const chain = createChainCheck();
  const entries = createEntryCheck();
  return {
    get head() {
      return chain.head;
    },
    next(bytes, lineNumber) {
      const { entry, faults } = entries.next(decodeLine(bytes), lineNumber);
      return { entry, faults: [...chain.next(bytes, lineNumber), ...faults] };
    },
  };
}

/** The part of the check that looks at what lines say, not at how they are tied. */
export interface EntryCheck {
  /** @param line null when the bytes are no JSON */
  next(line: DecodedLine | null, lineNumber: number): CheckedLine;
}

export function createEntryCheck(): EntryCheck {
  const story = createStoryCheck();
  return {
    next(line, lineNumber) {
      const where = `line ${lineNumber}`;
      if (line === null) return { entry: null, faults: [{ where, what: 'not JSON in UTF-8' }] };
      if (!isEntry(line.value)) return { entry: null, faults: findFormFaults(line.value, where) };
      const faults = story.next(line.value).map((what) => ({ where, what }));
      return { entry: line.value, faults };
    },
  };
}

const accepts = compileAcceptor(ledgerEntrySchema);
const isEntry = (value: unknown): value is LedgerEntry => accepts(value);

function findFormFaults(value: unknown, where: string): Fault[] {
  const faults = faultsOf(ledgerEntrySchema, value).map((fault) => ({
    where: `${where}, ${fault.where}`,
    what: fault.what,
  }));
  return faults.length > 0 ? faults : [{ where, what: 'has a key that no entry may have' }];
}

/** What only the end of a ledger can show: nothing at all, for instance. */
export function findEndFaults(head: ChainHead): Fault[] {
  if (head.length > 0) return [];
  return [{ where: 'line 1', what: 'the ledger is empty', hint: 'was anything ever measured?' }];
}
