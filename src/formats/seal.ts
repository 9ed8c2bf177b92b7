import { z } from 'zod';
import { canonicalJson } from '../hash.ts';
import { nameSchema, sha256Schema } from './architecture.ts';
import { versionOneSchema } from './version.ts';

/**
 * `seal.json` beside a ledger, format 1: a list of seals. Each stands for itself and can be passed on
 * alone. All that it says but the signature is what is signed, as canonical JSON in UTF-8.
 */

/** Base64 with padding in its one canonical spelling, of this many bytes. */
const base64Of = (bytes: number) =>
  z
    .string()
    .length(Math.ceil(bytes / 3) * 4)
    .refine((text) => isCanonicalBase64(text, bytes), {
      message: `is not the base64 of ${bytes} bytes`,
    });

/** What an Ed25519 key comes to as SPKI in DER: 12 bytes that name the kind, 32 of the key. */
const publicKeyBytes = 44;
const signatureBytes = 64;

export const sealSchema = z.strictObject({
  format: z.literal('rooflaw-seal'),
  formatVersion: versionOneSchema,
  /** As the ledger's first line names it. */
  campaign: nameSchema,
  /** How many lines are sealed, counted from the first. */
  lines: z.int().min(1),
  /** Size of these lines with their newlines. */
  bytes: z.int().min(1),
  /** SHA-256 of the last of them without its newline; by the chain it stands for all. */
  lastLineSha256: sha256Schema,
  /** When it was sealed, as the sealing machine's clock had it. */
  sealedAt: z.iso.datetime(),
  /** Ed25519, as SPKI in DER, base64. */
  publicKey: base64Of(publicKeyBytes),
  /** Ed25519 over the canonical JSON of all the rest, base64. */
  signature: base64Of(signatureBytes),
});
export type Seal = z.infer<typeof sealSchema>;

/** What a seal says, before it is signed. */
export type SealStatement = Omit<Seal, 'signature'>;

export const sealFileSchema = z.array(sealSchema).min(1);

/** The text that is signed. */
export function textToSign(seal: Seal | SealStatement): string {
  const { signature: _signature, ...statement } = seal as Seal;
  return canonicalJson(statement);
}

/** Other spellings of the same bytes would be changes that no signature shows. */
function isCanonicalBase64(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}
