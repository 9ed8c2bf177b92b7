import { RooflawError } from '../../src/errors.ts';
import { parseText } from '../../src/formats/parse.ts';
import { type Seal, sealFileSchema } from '../../src/formats/seal.ts';
import { canonicalJson } from '../../src/hash.ts';
import type { LedgerPoint } from '../../src/ledger/point.ts';
import { createSealCheck } from '../../src/ledger/seal-check.ts';
import { isSignedByItsKey } from '../../src/ledger/seal-signature.io.ts';

/** Counts over changes of a file of seals. */
export interface SealTally {
  tried: number;
  found: number;
  /** White space, say: the file still holds the very same seal. */
  sameSeal: number;
  failures: string[];
}

/** Every `stride`-th byte of a file with one seal, changed to all 255 others. */
export function tamperWithSeal(seal: Seal, point: LedgerPoint, stride: number): SealTally {
  const original = Buffer.from(`${JSON.stringify([seal], null, 2)}\n`);
  const same = canonicalJson([seal]);
  const counts: SealTally = { tried: 0, found: 0, sameSeal: 0, failures: [] };
  for (let at = 0; at < original.length; at += stride) {
    for (let step = 1; step < 256; step++) {
      const changed = Buffer.from(original);
      changed[at] = (original[at]! + step) % 256;
      counts.tried += 1;
      const seals = read(changed);
      if (seals === null || !holds(seals, seal.campaign, point)) counts.found += 1;
      else if (canonicalJson(seals) === same) counts.sameSeal += 1;
      else counts.failures.push(`byte ${at} from ${original[at]} to ${changed[at]} is not found`);
    }
  }
  return counts;
}

function read(file: Buffer): Seal[] | null {
  try {
    return parseText(sealFileSchema, file.toString('utf8'), 'the seal');
  } catch (error) {
    if (error instanceof RooflawError) return null;
    throw error;
  }
}

function holds(seals: readonly Seal[], campaign: string, point: LedgerPoint): boolean {
  const check = createSealCheck(seals, isSignedByItsKey);
  check.next(point);
  return check.finish(campaign).every(({ faults }) => faults.length === 0);
}
