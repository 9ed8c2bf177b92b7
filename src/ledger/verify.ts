import type { Fault } from '../errors.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../formats/ledger.ts';
import { faultsOf } from '../formats/parse.ts';
import { compileReader } from '../formats/reader.ts';
import type { ChainHead } from './chain.ts';
import { createChainCheck } from './chain-check.ts';
import { type DecodedLine, decodeLine } from './decode-line.ts';
import { readLink } from './link.ts';
import { createStoryCheck } from './story.ts';

export interface CheckedLine {
  /** null when the line is no entry. */
  entry: LedgerEntry | null;
  /** Everything wrong with this line; empty for a sound one. */
  faults: readonly Fault[];
}

/** Checks a ledger line by line; keeps only what the next line needs. */
export interface LedgerCheck {
  /** @param bytes the line without its newline. */
  next(bytes: Uint8Array): CheckedLine;
  readonly head: ChainHead;
}

/** After so many faults the rest is not looked at: the file is no ledger, or all that follows is off. */
export const mostFaultsListed = 1000;

const readEntry = compileReader(ledgerEntrySchema);

/**
 * Checks the chain (see `createChainCheck`), each line's form and the story the entries tell (see
 * `createStoryCheck`). After a fault it goes on, so that one report names them all.
 */
export function createLedgerCheck(): LedgerCheck {
  const chain = createChainCheck();
  const story = createStoryCheck();

  function tell(entry: LedgerEntry, untied: readonly Fault[]): CheckedLine {
    const told = story.next(entry);
    if (untied.length + told.length === 0) return { entry, faults: untied };
    const where = `line ${chain.head.length}`;
    return { entry, faults: [...untied, ...told.map((what) => ({ where, what }))] };
  }

  function checkDoubtful(bytes: Uint8Array): CheckedLine {
    const line = decodeLine(bytes);
    const untied = chain.next(bytes, line && readLink(line));
    const form = findFormFaults(line, `line ${chain.head.length}`);
    if (line === null || form.length > 0) return { entry: null, faults: [...untied, ...form] };
    return tell(line.value as LedgerEntry, untied); // as the schema takes it
  }

  return {
    get head() {
      return chain.head;
    },
    next(bytes) {
      const entry = readEntry(bytes);
      if (entry === undefined) return checkDoubtful(bytes);
      const { prev, seq } = entry;
      return tell(entry, chain.next(bytes, { isCanonical: true, prev, seq }));
    },
  };
}

function findFormFaults(line: DecodedLine | null, where: string): Fault[] {
  if (line === null) return [{ where, what: 'not JSON in UTF-8' }];
  const faults = faultsOf(ledgerEntrySchema, line.value).map((fault) => ({
    where: `${where}, ${fault.where}`,
    what: fault.what,
  }));
  if (faults.length > 0 || !line.text.includes('"__proto__":')) return faults;
  return [{ where, what: 'has a key that no entry may have' }]; // a schema would skip it
}

/** What only the end of a ledger can show: nothing at all, for instance. */
export function findEndFaults(head: ChainHead): Fault[] {
  if (head.length > 0) return [];
  return [{ where: 'line 1', what: 'the ledger is empty', hint: 'was anything ever measured?' }];
}
