import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chainAnew, readEntries, shaveTimes } from '../../scripts/tamper/chain-anew.ts';
import { registerSeal } from '../../src/commands/seal.ts';
import { registerVerify } from '../../src/commands/verify.ts';
import { RooflawError } from '../../src/errors.ts';
import { type Seal, sealFileSchema, textToSign } from '../../src/formats/seal.ts';
import { buildLedger, buildPlan, createLedger } from '../support/ledger-builder.ts';
import { makeFolder, writeLedger } from '../support/ledger-folder.ts';
import { printedBy } from '../support/printed-by.ts';

const seal = (...words: string[]) => printedBy(registerSeal, ['seal', ...words]);
const complete = () => buildLedger(buildPlan(), () => [900, 800, 700, 600]);
const sealsOf = (folder: string): Seal[] =>
  sealFileSchema.parse(JSON.parse(readFileSync(join(folder, 'seal.json'), 'utf8')));

async function verify(...words: string[]) {
  const before = process.exitCode;
  process.exitCode = 0;
  const text = await printedBy(registerVerify, ['verify', ...words]);
  const status = process.exitCode;
  process.exitCode = before;
  return { text, status };
}

async function refusal(promise: Promise<unknown>): Promise<RooflawError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RooflawError);
  return error as RooflawError;
}

/** A key outside of any campaign. */
async function makeKey(): Promise<{ file: string; fingerprint: string }> {
  const file = join(makeFolder(), 'key');
  return { file, fingerprint: (await seal('--new-key', file)).trim() };
}

test('a sealed ledger is vouched for up to its last line, by the key that sealed it', async () => {
  const { file, fingerprint } = await makeKey();
  const folder = writeLedger(complete());
  expect((await verify(folder)).text).toContain('no seal: a change of the last line');
  expect(await seal(folder, '--key', file)).toContain(`sealed 83 lines`);
  const { text, status } = await verify(folder, '--key', `${file}.pub`);
  expect(status).toBe(0);
  expect(text).toContain(`sealed up to line 83 of 83 by key ${fingerprint}`);
  expect((await verify(folder, '--key', fingerprint)).status).toBe(0);
});

test('a chain made anew passes without a seal, and not with one', async () => {
  const { file } = await makeKey();
  const folder = writeLedger(complete());
  await seal(folder, '--key', file);
  const path = join(folder, 'ledger.ndjson');
  const [changed] = shaveTimes(readFileSync(path));
  writeFileSync(path, changed!.bytes);
  const sealed = await verify(folder);
  expect(sealed.status).toBe(5);
  expect(sealed.text).toMatch(/^line 83: is not the line that was sealed/m);
  expect(sealed.text).not.toContain('sealed up to');
  rmSync(join(folder, 'seal.json'));
  expect((await verify(folder)).status).toBe(0);
  expect((await verify(folder, '--key', `${file}.pub`)).text).toContain('no seal is here');
});

test('lines that were cut off are missed by the seal', async () => {
  const { file } = await makeKey();
  const entries = complete();
  const folder = writeLedger(entries);
  await seal(folder, '--key', file);
  writeFileSync(join(folder, 'ledger.ndjson'), chainAnew(entries.slice(0, 80)));
  const { text, status } = await verify(folder);
  expect(status).toBe(5);
  expect(text).toMatch(/^line 81: missing: 83 lines were sealed, and 80 are here/m);
});

test('a seal of another key is refused where one key is required', async () => {
  const [mine, other] = [await makeKey(), await makeKey()];
  const folder = writeLedger(complete());
  await seal(folder, '--key', other.file);
  expect((await verify(folder)).status).toBe(0);
  const { text, status } = await verify(folder, '--key', `${mine.file}.pub`);
  expect(status).toBe(5);
  expect(text).toContain(`no seal of key ${mine.fingerprint} that holds`);
  const [forged] = sealsOf(folder);
  const publicKey = mineOf(mine.file);
  writeFileSync(join(folder, 'seal.json'), JSON.stringify([{ ...forged!, publicKey }]));
  const named = await verify(folder, '--key', mine.fingerprint);
  expect(named.status).toBe(5);
  expect(named.text).toContain('seal 1: was not signed by the key that it names');
});

/** A public key as a seal spells it, from its PEM. */
function mineOf(file: string): string {
  return readFileSync(`${file}.pub`, 'utf8').replaceAll(/-----[^-]+-----|\n/g, '');
}

test('a ledger that has grown is sealed again, and the earlier seal stays and holds', async () => {
  const { file } = await makeKey();
  const ledger = createLedger();
  ledger.observe(0, [900, 800, 700, 600]);
  const folder = writeLedger(ledger.entries);
  await seal(folder, '--key', file);
  ledger.observe(1, [900, 800, 700, 600]);
  writeFileSync(join(folder, 'ledger.ndjson'), chainAnew(ledger.entries));
  expect((await verify(folder)).text).toContain('2 lines after line 4 that nothing vouches for');
  const early = await verify(folder, '--key', `${file}.pub`);
  expect(early).toMatchObject({ status: 5 });
  expect(early.text).toContain('vouches for 4 lines, and not for what was measured up to line 6');
  await seal(folder, '--key', file);
  const first = readFileSync(join(folder, 'seal.json'));
  expect(sealsOf(folder).map(({ lines }) => lines)).toEqual([4, 6]);
  expect(await seal(folder, '--key', file)).toContain('sealed already');
  expect(readFileSync(join(folder, 'seal.json'))).toEqual(first);
  expect((await verify(folder, '--key', `${file}.pub`)).status).toBe(0);
  ledger.add({ type: 'note', text: 'measures nothing' });
  writeFileSync(join(folder, 'ledger.ndjson'), chainAnew(ledger.entries));
  expect((await verify(folder, '--key', `${file}.pub`)).status).toBe(0);
});

test('neither a broken ledger nor one beside the seal of another is sealed', async () => {
  const { file } = await makeKey();
  const folder = writeLedger(complete());
  const path = join(folder, 'ledger.ndjson');
  await seal(folder, '--key', file);
  const before = readFileSync(join(folder, 'seal.json'));
  const entries = readEntries(readFileSync(path));
  writeFileSync(
    path,
    chainAnew(entries.with(-1, { ...entries.at(-1)!, time: '2026-02-01T00:00:00.000Z' })),
  );
  expect(await refusal(seal(folder, '--key', file))).toMatchObject({ exitStatus: 5 });
  expect(readFileSync(join(folder, 'seal.json'))).toEqual(before);
  rmSync(join(folder, 'seal.json'));
  appendFileSync(path, '{}\n');
  const { exitStatus, message } = await refusal(seal(folder, '--key', file));
  expect([exitStatus, message]).toEqual([5, expect.stringContaining('it is not sealed')]);
  expect(existsSync(join(folder, 'seal.json'))).toBe(false);
});

test('a private key is its owner’s alone, is never overwritten and lies in no campaign', async () => {
  const { file } = await makeKey();
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  expect(await refusal(seal('--new-key', file))).toMatchObject({ code: 'already-exists' });
  expect(readFileSync(file)).toEqual(before);
  const folder = writeLedger(complete());
  const inside = join(folder, 'key');
  writeFileSync(join(folder, 'plan.json'), ''); // a ledger alone makes no campaign of a home folder
  expect((await refusal(seal('--new-key', inside))).faults[0]!.what).toContain('of a campaign');
  expect([existsSync(inside), existsSync(`${inside}.pub`)]).toEqual([false, false]);
  writeFileSync(inside, before, { mode: 0o600 });
  expect(await refusal(seal(folder, '--key', inside))).toMatchObject({ exitStatus: 2 });
  if (process.platform === 'win32') return;
  chmodSync(file, 0o644);
  expect((await refusal(seal(folder, '--key', file))).faults[0]!.hint).toContain('chmod 600');
});

test.each<[string, () => string | Buffer, RegExp]>([
  ['no text', () => Buffer.from([0xff, 0xfe, 0]), /is not text/],
  ['no key', () => 'a word', /holds no private key/],
  ['a key of another kind', otherKind, /of the kind ec, not ed25519/],
])('%s does not seal', async (_, content, message) => {
  const file = join(makeFolder(), 'key');
  writeFileSync(file, content(), { mode: 0o600 });
  const error = await refusal(seal(writeLedger(complete()), '--key', file));
  expect([error.exitStatus, error.message]).toEqual([2, expect.stringMatching(message)]);
});

function otherKind(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

test('what is wrong with seal.json is a fault of the verdict', async () => {
  const { file } = await makeKey();
  const folder = writeLedger(complete());
  await seal(folder, '--key', file);
  const [one] = sealsOf(folder);
  for (const [content, what] of [
    ['{', /^seal\.json: .* is not JSON/m],
    ['[]', /^seal\.json, /m],
    [JSON.stringify([{ ...one!, formatVersion: 2 }]), /format version 1 only/],
    [
      JSON.stringify([{ ...one!, campaign: 'other' }]),
      /^seal 1: was not signed[\s\S]*of the campaign other/m,
    ],
    [JSON.stringify([{ ...one!, bytes: one!.bytes - 1 }]), /the seal says \d+$/m],
  ] as const) {
    writeFileSync(join(folder, 'seal.json'), content);
    const { text, status } = await verify(folder);
    expect([status, text]).toEqual([5, expect.stringMatching(what)]);
  }
});

test('a hash that was written down is looked for among all lines', async () => {
  const entries = complete();
  const folder = writeLedger(entries);
  const head = entries[20]!.prev;
  const found = await verify(folder, '--head', head);
  expect(found).toMatchObject({ status: 0, text: expect.stringContaining('line 20 of 83 has') });
  const missing = await verify(folder, '--head', 'f'.repeat(64));
  expect(missing).toMatchObject({
    status: 5,
    text: expect.stringContaining('no line has the hash'),
  });
});

test('openssl checks a seal too', async (context) => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
  } catch {
    context.skip('no openssl here');
  }
  const { file } = await makeKey();
  const folder = writeLedger(complete());
  await seal(folder, '--key', file);
  const [one] = sealsOf(folder);
  const statement = join(folder, 'statement');
  writeFileSync(statement, textToSign(one!));
  writeFileSync(join(folder, 'signature'), Buffer.from(one!.signature, 'base64'));
  const words = ['pkeyutl', '-verify', '-pubin', '-inkey', `${file}.pub`, '-rawin'];
  const files = ['-in', statement, '-sigfile', join(folder, 'signature')];
  const printed = execFileSync('openssl', [...words, ...files], { encoding: 'utf8' });
  expect(printed).toContain('Verified Successfully');
});

test('a ledger without its end is sound, and not where its end is required', async () => {
  const ledger = createLedger();
  ledger.observe(0, [900, 800, 700, 600]);
  const folder = writeLedger(ledger.entries);
  expect((await verify(folder)).status).toBe(0);
  const required = await verify(folder, '--complete');
  expect(required.status).toBe(5);
  expect(required.text).toContain('line 4: is the last, and not the end of the campaign');
  expect((await verify(writeLedger(complete()), '--complete')).status).toBe(0);
});
