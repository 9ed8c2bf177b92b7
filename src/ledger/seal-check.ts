import type { Fault } from '../errors.ts';
import type { Seal } from '../formats/seal.ts';
import { formatCount, formatWhole } from '../units.ts';
import type { LedgerPoint } from './point.ts';

/** Checks what seals say against the lines of a ledger as they pass by. */
export interface SealCheck {
  next(point: LedgerPoint): void;
  /** @param campaign as the first line names it; null where no line does */
  finish(campaign: string | null): SealFinding[];
}

export interface SealFinding {
  seal: Seal;
  /** Everything because of which it does not hold; empty for one that does. */
  faults: Fault[];
}

/** @param isSigned whether a seal was signed by the key that it names */
export function createSealCheck(
  seals: readonly Seal[],
  isSigned: (seal: Seal) => boolean,
): SealCheck {
  const sealedLines = new Set(seals.map(({ lines }) => lines));
  const points = new Map<number, LedgerPoint>();
  let lineCount = 0;
  return {
    next(point) {
      lineCount = point.lines;
      if (sealedLines.has(point.lines)) points.set(point.lines, point);
    },
    finish(campaign) {
      return seals.map((seal, index) => {
        const where = `seal ${index + 1}`;
        const faults = [
          ...(isSigned(seal) ? [] : [{ where, what: 'was not signed by the key that it names' }]),
          ...findOtherCampaign(seal, campaign, where),
          ...findOtherLines(seal, points.get(seal.lines), lineCount),
        ];
        return { seal, faults };
      });
    },
  };
}

function findOtherCampaign(seal: Seal, campaign: string | null, where: string): Fault[] {
  if (campaign === null || seal.campaign === campaign) return [];
  return [{ where, what: `is of the campaign ${seal.campaign}, not of ${campaign}` }];
}

function findOtherLines(seal: Seal, point: LedgerPoint | undefined, lineCount: number): Fault[] {
  if (point === undefined) {
    const what = `missing: ${formatCount(seal.lines, 'line')} were sealed, and ${formatWhole(lineCount)} are here`;
    return [{ where: `line ${lineCount + 1}`, what }];
  }
  const where = `line ${seal.lines}`;
  if (point.sha256 !== seal.lastLineSha256) {
    return [
      {
        where,
        what: 'is not the line that was sealed',
        hint: 'where no other line has a fault, one of these lines was changed and the chain made anew',
      },
    ];
  }
  if (point.bytes === seal.bytes) return [];
  return [{ where, what: `ends at byte ${point.bytes}; the seal says ${seal.bytes}` }];
}
