import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RooflawError } from '../../src/errors.ts';
import type { Seal } from '../../src/formats/seal.ts';
import { examineSeals } from '../../src/ledger/examine-seals.io.ts';
import type { LedgerPoint } from '../../src/ledger/point.ts';
import { verifyLedger } from '../../src/ledger/read.io.ts';
import { writeSeals } from '../../src/ledger/seal-file.io.ts';
import { encodePublicKey, fingerprintOf, signSeal } from '../../src/ledger/seal-signature.io.ts';

/** What `verify` makes of a changed ledger. */
export interface Judgement {
  /**
   * By the ledger alone: `named`, the first fault stands at the first line that is not what it was,
   * or at the next; `elsewhere`, it stands at another; `refused`, as of a format that is not known;
   * `incomplete`, no fault, but no end; `unseen`, nothing.
   */
  alone: 'named' | 'elsewhere' | 'refused' | 'incomplete' | 'unseen';
  /** Whether only the last line is not what it was, or all that is there is as it was. */
  isAtEnd: boolean;
  /** Whether it is found with a seal of the original beside the ledger, by the one or the other. */
  withSeal: boolean;
  firstFault: string | null;
}

export interface Judge {
  judge(changed: Buffer): Promise<Judgement>;
  readonly seal: Seal;
  readonly sealedPoint: LedgerPoint;
}

/**
 * Seals a ledger in a folder, and there runs on changed ones what `rooflaw verify` runs.
 * @throws Error when the original itself is not sound and complete
 */
export async function createJudge(original: Buffer, folder: string): Promise<Judge> {
  const path = join(folder, 'ledger.ndjson');
  writeFileSync(path, original);
  const { seal, point } = await sealIt(path);
  const key = fingerprintOf(seal.publicKey);

  async function judge(changed: Buffer): Promise<Judgement> {
    writeFileSync(path, changed);
    const line = findFirstChangedLine(original, changed);
    const seals = examineSeals(path, key);
    let campaign: string | null = null;
    let ended = false;
    let lineCount = 0;
    try {
      const { faults } = await verifyLedger(
        path,
        (entry) => {
          if (entry.type === 'campaign') campaign ??= entry.name;
          if (entry.type === 'end') ended = true;
        },
        (next) => {
          seals.next(next);
          lineCount = next.lines;
        },
      );
      const first = faults[0];
      const named = first === undefined ? null : Number(/^line (\d+)\b/.exec(first.where)?.[1]);
      return {
        alone:
          named === null
            ? ended
              ? 'unseen'
              : 'incomplete'
            : named === line || named === line + 1
              ? 'named'
              : 'elsewhere',
        isAtEnd: line >= lineCount,
        withSeal: faults.length + seals.finish(campaign, true).faults.length > 0,
        firstFault: first === undefined ? null : `${first.where}: ${first.what}`,
      };
    } catch (error) {
      if (!(error instanceof RooflawError)) throw error;
      return { alone: 'refused', isAtEnd: false, withSeal: true, firstFault: error.message };
    }
  }

  const judged = await judge(original);
  if (judged.alone !== 'unseen' || judged.withSeal) {
    throw new Error(`the original is not sound, complete and sealed: ${judged.firstFault}`);
  }
  return { judge, seal, sealedPoint: point };
}

async function sealIt(path: string): Promise<{ seal: Seal; point: LedgerPoint }> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const last: { point?: LedgerPoint; campaign?: string } = {};
  await verifyLedger(
    path,
    (entry) => {
      if (entry.type === 'campaign') last.campaign = entry.name;
    },
    (point) => {
      last.point = point;
    },
  );
  const { lines, bytes, sha256 } = last.point!;
  const seal = signSeal(
    {
      format: 'rooflaw-seal',
      formatVersion: 1,
      campaign: last.campaign!,
      ...{ lines, bytes, lastLineSha256: sha256 },
      sealedAt: '2026-01-01T00:00:00.000Z',
      publicKey: encodePublicKey(publicKey),
    },
    privateKey,
  );
  await writeSeals(path, [seal]);
  return { seal, point: last.point! };
}

/** From 1: the line of the changed file with the first byte that is not what it was there. */
export function findFirstChangedLine(original: Buffer, changed: Buffer): number {
  const size = Math.min(original.length, changed.length);
  let at = 0;
  const stride = 4096;
  while (at + stride <= size && original.compare(changed, at, at + stride, at, at + stride) === 0) {
    at += stride;
  }
  while (at < size && original[at] === changed[at]) at += 1;
  let line = 1;
  for (let next = original.indexOf(0x0a); next !== -1 && next < at; line++) {
    next = original.indexOf(0x0a, next + 1);
  }
  return line;
}
