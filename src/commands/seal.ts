import { type Command, InvalidArgumentError } from 'commander';
import { type CampaignFolder, locateCampaign } from '../campaign/locate.io.ts';
import { takeLock } from '../campaign/lock.io.ts';
import { RooflawError } from '../errors.ts';
import type { Seal } from '../formats/seal.ts';
import type { LedgerPoint } from '../ledger/point.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { createSealCheck } from '../ledger/seal-check.ts';
import { readSeals, sealFile, sealPathOf, writeSeals } from '../ledger/seal-file.io.ts';
import { createKeyFiles, readPrivateKey } from '../ledger/seal-key.io.ts';
import {
  encodePublicKey,
  fingerprintOf,
  isSignedByItsKey,
  signSeal,
} from '../ledger/seal-signature.io.ts';
import { toPrintable } from '../printable.ts';
import { formatCount } from '../units.ts';

interface SealOptions {
  key?: string;
  newKey?: string;
}

export function registerSeal(program: Command): void {
  program
    .command('seal')
    .description('Sign a ledger, so that nobody without your key can change it unseen.')
    .argument('[campaign]', 'name, folder or ledger')
    .option('--key <file>', 'the private key that signs', parseFile)
    .option('--new-key <file>', 'make a key here, and its public half in FILE.pub', parseFile)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw seal --new-key ~/rooflaw-key
  $ rooflaw seal pocket --key ~/rooflaw-key
  $ rooflaw verify pocket --key ~/rooflaw-key.pub

Writes seal.json beside the ledger. A ledger that has grown may be sealed again, and by several
keys; earlier seals stay. What a seal shows and what it does not: docs/seal.md.

Exit status: 0 sealed, 2 no such campaign, no usable key, or the key exists, 4 not writable, 5 the
ledger is not as it was written or as it was sealed before, 6 somebody else is sealing it`,
    )
    .action(async (campaign: string | undefined, { key, newKey }: SealOptions) => {
      if (newKey !== undefined && (campaign !== undefined || key !== undefined)) {
        throw wrongWords('--new-key stands alone: make the key, then seal with it');
      }
      if (newKey !== undefined) return makeKey(newKey);
      if (campaign === undefined || key === undefined) {
        throw wrongWords('a campaign and the --key that seals it must be named');
      }
      await seal(locateCampaign(campaign), key);
    });
}

async function makeKey(path: string): Promise<void> {
  const { privateKeyFile, publicKeyFile, fingerprint } = await createKeyFiles(path);
  process.stderr.write(
    `${toPrintable(privateKeyFile)} seals: keep it to yourself, and a copy of it; it has no passphrase\n${toPrintable(publicKeyFile)} verifies: pass it on, or this fingerprint of it\n`,
  );
  process.stdout.write(`${fingerprint}\n`);
}

async function seal(folder: CampaignFolder, keyFile: string): Promise<void> {
  const { ledger } = folder;
  // others may seal the same ledger: each adds to what is there
  const lock = await takeLock(`${sealPathOf(ledger)}.lock`, folder.name, sealFile);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(lock.release);
  const privateKey = readPrivateKey(keyFile);
  const publicKey = encodePublicKey(privateKey);
  const earlier = readSeals(ledger);
  const { point, campaign, ended, tornBytes } = await examineLedger(ledger, earlier);
  if (tornBytes > 0) {
    process.stderr.write('warning: what a crash left behind the last line is not sealed\n');
  }
  if (!ended) {
    process.stderr.write(
      'warning: the campaign is not complete; seal again when it has come to its end\n',
    );
  }
  const print = (word: string) =>
    process.stdout.write(
      `${toPrintable(sealPathOf(ledger))}: ${word} ${formatCount(point.lines, 'line')}, last line ${point.sha256}, by key ${fingerprintOf(publicKey)}\n`,
    );
  if (earlier.some((there) => there.lines === point.lines && there.publicKey === publicKey)) {
    print('sealed already:');
    return;
  }
  const sealed = signSeal(
    {
      format: 'rooflaw-seal',
      formatVersion: 1,
      campaign,
      lines: point.lines,
      bytes: point.bytes,
      lastLineSha256: point.sha256,
      sealedAt: new Date().toISOString(),
      publicKey,
    },
    privateKey,
  );
  await writeSeals(ledger, [...earlier, sealed]);
  print('sealed');
}

/** @throws RooflawError `ledger-broken` when anything is wrong with the ledger or an earlier seal */
async function examineLedger(
  ledger: string,
  earlier: readonly Seal[],
): Promise<{ point: LedgerPoint; campaign: string; ended: boolean; tornBytes: number }> {
  const check = createSealCheck(earlier, isSignedByItsKey);
  let point: LedgerPoint | null = null;
  let campaign: string | null = null;
  let ended = false;
  const { faults, tornBytes } = await verifyLedger(
    ledger,
    (entry) => {
      if (entry.type === 'campaign') campaign ??= entry.name;
      if (entry.type === 'end') ended = true;
    },
    (next) => {
      point = next;
      check.next(next);
    },
  );
  if (faults.length > 0) {
    throw new RooflawError(
      'ledger-broken',
      `${ledger} is not as it was written: it is not sealed`,
      {
        faults,
        hint: 'only a sound ledger is sealed; look for a copy that is whole',
      },
    );
  }
  const broken = check.finish(campaign).flatMap((finding) => finding.faults);
  if (broken.length > 0) {
    const path = sealPathOf(ledger);
    throw new RooflawError('ledger-broken', `${path} is not of this ledger: it stays as it is`, {
      faults: broken,
      hint: 'find out which of the two was changed; a seal of another ledger belongs elsewhere',
    });
  }
  if (point === null || campaign === null) throw new Error('a sound ledger has a first line');
  return { point, campaign, ended, tornBytes };
}

function wrongWords(what: string): RooflawError {
  return new RooflawError('invalid-input', what, {
    hint: '`rooflaw seal --help` has an example of each',
  });
}

function parseFile(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('it must name a file');
}
