import type { Fault } from '../errors.ts';
import { sha256Hex } from '../hash.ts';
import { type ChainHead, emptyChain } from './chain.ts';
import { type Link, readLink } from './link.ts';
import { createLineSplitter } from './split-lines.ts';

/** Checks that lines are tied to one another; knows nothing of what they say. */
export interface ChainCheck {
  /** @param bytes the line without its newline. @param lineNumber from 1. */
  next(bytes: Uint8Array, lineNumber: number): Fault[];
  /** Goes on to the next line without a look at this one. */
  skip(bytes: Uint8Array): void;
  readonly head: ChainHead;
}

/**
 * Numbers, hashes and canonical form. After a fault it goes on: the next line is tied to the bytes
 * that are there.
 */
export function createChainCheck(): ChainCheck {
  let head = emptyChain;
  function skip(bytes: Uint8Array): void {
    head = { length: head.length + 1, sha256: sha256Hex(bytes) };
  }
  return {
    get head() {
      return head;
    },
    skip,
    next(bytes, lineNumber) {
      const expected = head;
      skip(bytes);
      const link = readLink(bytes);
      return link === null ? [] : findChainFaults(link, expected, `line ${lineNumber}`);
    },
  };
}

/** A fault and the line it is in, from 1. */
export interface LineFault {
  line: number;
  fault: Fault;
}

/** More faults than this are not listed: the file is no ledger, or all that follows is off. */
export const mostFaultsListed = 1000;

/** The whole chain of a file that comes in chunks. */
export interface ChunkedChainCheck {
  push(chunk: Uint8Array): void;
  finish(): ChainVerdict;
}

export interface ChainVerdict {
  faults: LineFault[];
  head: ChainHead;
}

export function createChunkedChainCheck(): ChunkedChainCheck {
  const splitter = createLineSplitter();
  const check = createChainCheck();
  const faults: LineFault[] = [];
  return {
    push(chunk) {
      for (const { number, bytes } of splitter.push(chunk)) {
        if (faults.length >= mostFaultsListed) check.skip(bytes);
        else for (const fault of check.next(bytes, number)) faults.push({ line: number, fault });
      }
    },
    finish: () => ({ faults, head: check.head }),
  };
}

function findChainFaults({ isCanonical, prev, seq }: Link, expected: ChainHead, where: string) {
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
