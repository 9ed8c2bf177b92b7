import { type Fault, RooflawError } from '../errors.ts';
import type { Seal } from '../formats/seal.ts';
import type { LedgerPoint } from './point.ts';
import { createSealCheck } from './seal-check.ts';
import { readSeals, sealFile } from './seal-file.io.ts';
import { fingerprintOf, isSignedByItsKey } from './seal-signature.io.ts';

/** One seal and whether it holds. */
export interface SealStanding {
  campaign: string;
  /** How many lines it is of, counted from the first. */
  lines: number;
  lastLineSha256: string;
  sealedAt: string;
  /** Fingerprint of its key. */
  keySha256: string;
  /** Signed by its key, of the lines that are there; and these are sound. */
  holds: boolean;
}

/** The seals beside one ledger, looked at while its lines pass by. */
export interface SealExamination {
  next(point: LedgerPoint): void;
  /**
   * @param campaign as the first line names it; null where no line does
   * @param isLedgerSound no seal vouches for lines whose chain is broken
   */
  finish(
    campaign: string | null,
    isLedgerSound: boolean,
  ): { standings: SealStanding[]; faults: Fault[] };
}

/**
 * @param requiredKey the fingerprint of a key of which a seal must be there and hold
 */
export function examineSeals(ledger: string, requiredKey: string | null): SealExamination {
  const { seals, faults: fileFaults } = readSealsOrFaults(ledger);
  const check = createSealCheck(seals, isSignedByItsKey);
  return {
    next: check.next,
    finish(campaign, isLedgerSound) {
      const findings = check.finish(campaign);
      const standings = findings.map(({ seal, faults }) => ({
        campaign: seal.campaign,
        lines: seal.lines,
        lastLineSha256: seal.lastLineSha256,
        sealedAt: seal.sealedAt,
        keySha256: fingerprintOf(seal.publicKey),
        holds: faults.length === 0,
      }));
      const faults = [...fileFaults, ...findings.flatMap((finding) => finding.faults)];
      faults.push(...findMissingKey(standings, requiredKey));
      if (isLedgerSound) return { standings, faults };
      return { standings: standings.map((seal) => ({ ...seal, holds: false })), faults };
    },
  };
}

function readSealsOrFaults(ledger: string): { seals: Seal[]; faults: Fault[] } {
  try {
    return { seals: readSeals(ledger), faults: [] };
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    if (error.faults.length === 0) {
      return { seals: [], faults: [{ where: sealFile, what: error.message }] };
    }
    const faults = error.faults.map(({ where, what }) => ({
      where: `${sealFile}, ${where}`,
      what,
    }));
    return { seals: [], faults };
  }
}

function findMissingKey(standings: readonly SealStanding[], key: string | null): Fault[] {
  if (key === null || standings.some(({ keySha256, holds }) => holds && keySha256 === key))
    return [];
  const own = standings.filter(({ keySha256 }) => keySha256 === key);
  if (own.length > 0) {
    const what = `key ${key} has sealed another ledger than this, or one that was longer`;
    return [
      { where: sealFile, what, hint: 'ask the holder of the key for the ledger as it was sealed' },
    ];
  }
  const others = [...new Set(standings.map(({ keySha256 }) => keySha256))];
  const what =
    others.length === 0
      ? `no seal is here, so none of key ${key}`
      : `no seal of key ${key} that holds; there are seals of ${others.join(', ')}`;
  return [{ where: sealFile, what, hint: 'ask the holder of the key for the seal' }];
}
