import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Seal, type SealStatement, textToSign } from '../formats/seal.ts';
import { sha256Hex } from '../hash.ts';

/** Seals a statement with the private half of the key that it names. */
export function signSeal(statement: SealStatement, privateKey: KeyObject): Seal {
  const signature = sign(null, Buffer.from(textToSign(statement)), privateKey);
  return { ...statement, signature: signature.toString('base64') };
}

/** Whether the holder of the key that the seal names signed just what it says. */
export function isSignedByItsKey(seal: Seal): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(seal.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    const signature = Buffer.from(seal.signature, 'base64');
    return verify(null, Buffer.from(textToSign(seal)), key, signature);
  } catch {
    return false; // no key at all
  }
}

/** A public key as seals hold it: SPKI in DER, base64. @param key either half of a pair */
export function encodePublicKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** What a key is called: SHA-256 of its SPKI in DER, 64 hexadecimal digits. */
export function fingerprintOf(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, 'base64'));
}
