import type { Fault } from '../errors.ts';
import { sha256Hex } from '../hash.ts';
import { type ChainHead, emptyChain } from './chain.ts';
import type { Link } from './link.ts';

/** Checks that lines are tied to one another; knows nothing of what they say. */
export interface ChainCheck {
  /**
   * @param bytes the next line without its newline
   * @param link how it says that it is tied; null where it says nothing, and is not looked at
   */
  next(bytes: Uint8Array, link: Link | null): readonly Fault[];
  readonly head: ChainHead;
}

/**
 * Numbers, hashes and canonical form. After a fault it goes on: the next line is tied to the bytes
 * that are there.
 */
export function createChainCheck(): ChainCheck {
  let head = emptyChain;
  return {
    get head() {
      return head;
    },
    next(bytes, link) {
      const expected = head;
      head = { length: expected.length + 1, sha256: sha256Hex(bytes) };
      return link === null ? none : findChainFaults(link, expected);
    },
  };
}

const none: readonly Fault[] = [];

function findChainFaults({ isCanonical, prev, seq }: Link, expected: ChainHead): readonly Fault[] {
  if (isCanonical && prev === expected.sha256 && seq === expected.length) return none;
  const where = `line ${expected.length + 1}`;
  const faults: Fault[] = [];
  if (!isCanonical) {
    const hint = 'the line was written by another hand';
    faults.push({ where, what: 'not in canonical form', hint });
  }
  if (prev !== null && prev !== expected.sha256) {
    faults.push({
      where,
      what: 'its "prev" is not the hash of the line before',
      hint: 'this line or the one before was changed, removed, added or moved after it was written',
    });
  }
  if (seq !== null && seq !== expected.length) {
    faults.push({ where, what: `its "seq" is ${seq} where ${expected.length} was due` });
  }
  return faults;
}
