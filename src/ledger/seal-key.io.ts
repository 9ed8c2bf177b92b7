import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Fault, isNotFound, RooflawError, throwFaults } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { readText } from '../read-text.io.ts';
import { syncFolderIfReadable } from '../sync-folder.io.ts';
import { encodePublicKey, fingerprintOf } from './seal-signature.io.ts';

export interface NewKey {
  privateKeyFile: string;
  publicKeyFile: string;
  fingerprint: string;
}

/**
 * Makes a pair of keys: the private one in `path`, readable by its owner alone, the public one in
 * `path.pub`. Nothing is ever overwritten.
 * @throws RooflawError `already-exists`, `invalid-input` or what the disk says
 */
export async function createKeyFiles(path: string): Promise<NewKey> {
  const publicKeyFile = `${path}.pub`;
  refuseTakenNames([path, publicKeyFile]);
  throwFaults('the new key', findBadPlace(path, 'the new key'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const privateText = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await writeNew(path, privateText, 0o600);
  try {
    const publicText = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    await writeNew(publicKeyFile, publicText, 0o644);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {}); // half a pair, written just now
    throw error;
  }
  const fingerprint = fingerprintOf(encodePublicKey(publicKey));
  return { privateKeyFile: path, publicKeyFile, fingerprint };
}

function refuseTakenNames(paths: readonly string[]): void {
  const faults = paths
    .filter((path) => existsSync(path))
    .map((where) => ({ where, what: 'is there' }));
  if (faults.length === 0) return;
  const [privateKey] = paths;
  const isHalf = faults.length === 1 && faults[0]!.where === privateKey;
  throw new RooflawError('already-exists', 'a key is never overwritten', {
    faults,
    hint: isHalf
      ? `choose another name; or, if ${privateKey} is a key whose public half was lost: openssl pkey -in ${privateKey} -pubout -out ${privateKey}.pub`
      : 'choose another name, or use the key that is there',
  });
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  let isMade = false;
  try {
    {
      await using file = await open(path, 'wx', mode);
      isMade = true;
      await file.chmod(mode); // whatever the umask leaves
      await file.writeFile(text);
      await file.sync();
    }
    await syncFolderIfReadable(dirname(path));
  } catch (error) {
    if (isMade) await rm(path, { force: true }).catch(() => {}); // half a key would be in the way
    throw explainFileError(error, path, 'name a file in a folder that is there and can be written');
  }
}

/**
 * Reads the private key that seals.
 * @throws RooflawError `not-found`, or `invalid-input` with all that is wrong with the file
 */
export function readPrivateKey(path: string): KeyObject {
  const text = readKeyText(path);
  throwFaults(`the key ${path}`, [...findBadPlace(path, 'the file'), ...findOpenDoors(path)]);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw notKey(path, 'holds no private key that can be read without a passphrase', cause);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw notKey(path, `holds a key of the kind ${key.asymmetricKeyType}, not ed25519`);
}

/**
 * Where a key would be passed on with the campaign that it seals: in its folder, or below. A ledger
 * alone, in a home folder say, makes no campaign of it.
 */
function findBadPlace(path: string, where: string): Fault[] {
  for (const start of [dirname(resolve(path)), realFolderOf(path)]) {
    for (let folder = start; dirname(folder) !== folder; folder = dirname(folder)) {
      const isThere = (name: string) => existsSync(join(folder, name));
      if (isThere('ledger.ndjson') && (isThere('logs') || isThere('plan.json'))) {
        const what = `lies in the folder of a campaign, ${folder}, which may be passed on`;
        return [{ where, what, hint: 'keep keys elsewhere, in your home folder for instance' }];
      }
    }
  }
  return [];
}

function realFolderOf(path: string): string {
  try {
    return dirname(existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), '_'));
  } catch {
    return dirname(resolve(path)); // no such folder: writing will say so
  }
}

function findOpenDoors(path: string): Fault[] {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return [];
  const hint = `chmod 600 ${path}`;
  return [{ where: 'the file', what: 'can be read or written by others', hint }];
}

/**
 * The public key that a word stands for.
 * @param word a fingerprint, or a file with a public key in PEM
 * @returns the fingerprint
 * @throws RooflawError `not-found` or `invalid-input`
 */
export function readFingerprint(word: string): string {
  if (/^[0-9a-f]{64}$/i.test(word) && !existsSync(word)) return word.toLowerCase();
  if (!existsSync(word)) {
    throw new RooflawError('not-found', `${word} is neither a file nor a fingerprint`, {
      hint: 'ask the holder of the key for its public half (FILE.pub) or its fingerprint, all 64 digits of it',
    });
  }
  const text = readKeyText(word);
  if (text.includes('PRIVATE KEY'))
    throw notKey(word, 'holds a private key, which verifies nothing');
  let key: KeyObject;
  try {
    key = createPublicKey(text);
  } catch (cause) {
    throw notKey(word, 'holds no public key', cause);
  }
  if (key.asymmetricKeyType === 'ed25519') return fingerprintOf(encodePublicKey(key));
  throw notKey(word, `holds a key of the kind ${key.asymmetricKeyType}, not ed25519`);
}

/** Far above any key; what is larger is another file. */
const mostKeyBytes = 65_536;

function readKeyText(path: string): string {
  try {
    return readText(path, mostKeyBytes);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new RooflawError('not-found', `there is no key that can be read at ${path}`, {
      hint: '`rooflaw seal --new-key FILE` makes one: FILE seals, FILE.pub verifies',
      cause,
    });
  }
}

function notKey(path: string, what: string, cause?: unknown): RooflawError {
  return new RooflawError('invalid-input', `${path} ${what}`, {
    hint: '`rooflaw seal --new-key FILE` makes a pair: FILE seals, FILE.pub verifies',
    cause,
  });
}
