import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceState, emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import { identityOf } from '../../src/hash.ts';
import { createLedger, reopenLedger } from '../../src/ledger/append.io.ts';
import { readLedger, verifyLedger } from '../../src/ledger/read.io.ts';
import { createRandom } from '../../src/random.ts';
import { fakeEnvironment } from '../support/fake-environment.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { smallPlan } from '../support/small-plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'ledger.ndjson');
const plan = smallPlan();

/** A complete small campaign with a fake runner, written by the real ledger. */
async function writeCampaign(): Promise<void> {
  rmSync(path, { force: true });
  const state = emptyState();
  const writer = await createLedger(path, {
    type: 'campaign',
    format: 'rooflaw-ledger',
    formatVersion: 1,
    name: 'small',
    plan,
    planSha256: identityOf(plan),
    protocolSha256: plan.protocolSha256,
    scheduleSeed: plan.scheduleSeed,
    ...fakeEnvironment,
  });
  advanceState(
    state,
    await writer.append({
      type: 'session',
      session: 0,
      bootId: null,
      differences: [],
      tornLine: null,
    }),
  );
  const entries = runCampaign(plan, state, 0, fakePorts());
  for await (const entry of entries) advanceState(state, await writer.append(entry));
  await writer.close();
}

let original: Buffer;
let lines: string[];
beforeEach(async () => {
  if (original === undefined) {
    await writeCampaign();
    original = readFileSync(path);
    lines = original.toString('utf8').trimEnd().split('\n');
  }
  writeFileSync(path, original);
});

const rewrite = (changed: readonly string[]) => writeFileSync(path, `${changed.join('\n')}\n`);
const faultyLines = async () => (await verifyLedger(path)).faults.map(({ where }) => where);

test('a campaign’s ledger is sound and tells its whole story', async () => {
  const types: string[] = [];
  const verdict = await verifyLedger(path, (entry) => types.push(entry.type));
  expect(verdict).toMatchObject({ faults: [], tornBytes: 0, head: { length: 27 } });
  expect(types.filter((type) => type === 'observed')).toHaveLength(12);
  expect([types[0], types[1], types.at(-1)]).toEqual(['campaign', 'session', 'end']);
});

test('a changed byte is found in every line, and the line is named', async () => {
  const random = createRandom('flip');
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const changed = Buffer.from(original);
    const at = start + random.nextBelow(Buffer.byteLength(line));
    changed[at] = (changed[at] ?? 0) ^ (1 << random.nextBelow(7));
    writeFileSync(path, changed);
    const where = (await faultyLines()).join('; ');
    // a changed byte shows in its own line, or in the hash that the next line holds
    expect(where, `byte ${at} in line ${index + 1}`).toMatch(
      new RegExp(`line (${index + 1}|${index + 2})\\b`),
    );
    start += Buffer.byteLength(line) + 1;
  }
});

test('a removed, repeated or moved line is found wherever it is', async () => {
  for (let index = 0; index < lines.length - 1; index++) {
    rewrite(lines.filter((_, other) => other !== index));
    expect(await faultyLines(), `line ${index + 1} removed`).not.toEqual([]);
    rewrite(lines.flatMap((line, other) => (other === index ? [line, line] : [line])));
    expect(await faultyLines(), `line ${index + 1} repeated`).not.toEqual([]);
    const swapped = [...lines];
    [swapped[index], swapped[index + 1]] = [swapped[index + 1]!, swapped[index]!];
    rewrite(swapped);
    expect(await faultyLines(), `line ${index + 1} moved down`).not.toEqual([]);
  }
});

test('a slow trial that was cut out and chained anew leaves a gap in the schedule', async () => {
  const kept = lines
    .map((line) => JSON.parse(line) as LedgerEntry)
    .filter((entry) => !('trial' in entry) || entry.trial !== 5);
  rmSync(path);
  const [first, ...rest] = kept.map(({ seq: _seq, prev: _prev, time: _time, ...entry }) => entry);
  const writer = await createLedger(path, first as UnchainedEntry);
  for (const entry of rest) await writer.append(entry as UnchainedEntry);
  await writer.close();
  const { faults } = await verifyLedger(path);
  expect(faults[0]).toMatchObject({ what: 'trial 6 where trial 5 of the schedule was due' });
});

test('a line that a crash cut off is no data; reopening sets it aside and goes on', async () => {
  writeFileSync(path, original.subarray(0, original.length - 20));
  const complete = lines.length - 1;
  expect(await verifyLedger(path)).toMatchObject({ faults: [], head: { length: complete } });
  const { writer, tornLine } = await reopenLedger(path, () => {});
  expect(tornLine).toMatchObject({ bytes: Buffer.byteLength(lines.at(-1)!) - 19 });
  await writer.append({ type: 'note', text: 'after the crash' });
  await writer.close();
  expect(await verifyLedger(path)).toMatchObject({ faults: [], head: { length: complete + 1 } });
  expect(readFileSync(join(folder, tornLine!.file)).length).toBe(tornLine!.bytes);
});

test('reading leaves out what a crash cut off, even when it looks whole', async () => {
  writeFileSync(path, original.subarray(0, original.length - 1)); // only the newline is missing
  const types: string[] = [];
  await readLedger(path, (entry) => types.push(entry.type));
  expect(types).toHaveLength(lines.length - 1);
  expect(types).not.toContain('end');
});

test('a broken ledger is not appended to', async () => {
  rewrite(lines.filter((_, index) => index !== 3));
  const before = readFileSync(path);
  await expect(reopenLedger(path, () => {})).rejects.toMatchObject({ code: 'ledger-broken' });
  expect(readFileSync(path)).toEqual(before);
});

test('reading stops at the first line that is not sound', async () => {
  rewrite(lines.filter((_, index) => index !== 3));
  const seen: LedgerEntry[] = [];
  await expect(readLedger(path, (entry) => seen.push(entry))).rejects.toMatchObject({
    code: 'ledger-broken',
  });
  expect(seen).toHaveLength(3);
});

test('a ledger of a later format is refused as such, not called broken', async () => {
  rewrite([
    lines[0]!.replace('"formatVersion":1,"name"', '"formatVersion":2,"name"'),
    ...lines.slice(1),
  ]);
  const refusal = {
    code: 'invalid-input',
    message: expect.stringContaining('is 2; this version of rooflaw knows format version 1 only'),
  };
  await expect(verifyLedger(path)).rejects.toMatchObject(refusal);
  await expect(readLedger(path, () => {})).rejects.toMatchObject(refusal);
});

test('an existing ledger is never started anew', async () => {
  const first = JSON.parse(lines[0]!) as UnchainedEntry;
  await expect(createLedger(path, first)).rejects.toMatchObject({ code: 'not-writable' });
  expect(readFileSync(path)).toEqual(original);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('an empty file is no sound ledger', async () => {
  writeFileSync(path, '');
  expect(await faultyLines()).toEqual(['line 1']);
});

test('bytes that are no text are faults, not crashes', async () => {
  appendFileSync(path, Buffer.from([0xff, 0xfe, 0x0a, 0x0a, 0x7b, 0x0a]));
  expect(await faultyLines()).toEqual(['line 28', 'line 29', 'line 30']);
});

test('of a file of junk a thousand faults are listed, and the rest is not looked at', async () => {
  writeFileSync(path, '\n'.repeat(100_000));
  const { faults, head } = await verifyLedger(path);
  expect(faults).toHaveLength(1001);
  expect(faults.at(-1)).toEqual({
    where: 'the rest',
    what: 'is not looked at: 1000 faults are enough',
  });
  expect(head.length).toBeLessThan(1001);
});

test('a line nested deeper than any entry is a fault, not a crash', async () => {
  await writeCampaign();
  const arrays = '['.repeat(100_000) + ']'.repeat(100_000);
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  appendFileSync(path, `${arrays}\n${objects}\n`);
  const { faults, head } = await verifyLedger(path);
  const last = `line ${head.length}`;
  expect(faults.some(({ where }) => where.startsWith(last))).toBe(true);
  expect(faults.some(({ where }) => where.startsWith(`line ${head.length - 1}`))).toBe(true);
});

test('the writer refuses what the reader would refuse', async () => {
  const { writer } = await reopenLedger(path, () => {});
  await expect(writer.append({ type: 'note', text: '' })).rejects.toMatchObject({
    code: 'invalid-input',
  });
  await writer.close();
  expect(readFileSync(path)).toEqual(original);
});

test('a ledger that somebody else wrote to or deleted meanwhile is not written to', async () => {
  const { writer } = await reopenLedger(path, () => {});
  appendFileSync(path, 'x\n');
  const broken = { code: 'ledger-broken' };
  await expect(writer.append({ type: 'note', text: 'a' })).rejects.toMatchObject(broken);
  await writer.close();
  writeFileSync(path, original);
  const { writer: other } = await reopenLedger(path, () => {});
  renameSync(path, `${path}.moved`);
  await expect(other.append({ type: 'note', text: 'a' })).rejects.toMatchObject(broken);
  await other.close();
});

describe.skipIf(process.platform === 'win32')('a ledger that is a symbolic link', () => {
  const elsewhere = join(folder, 'elsewhere.ndjson');
  const refusal = { code: 'invalid-input', message: expect.stringContaining('a symbolic link') };
  const becomeLink = () => {
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
  };

  test('is not written through, and a torn line of its target is left there', async () => {
    appendFileSync(path, '{"attempt":');
    const before = readFileSync(path);
    becomeLink();
    rmSync(join(folder, 'ledger.torn-06b6e2772297'), { force: true }); // of these bytes
    await expect(reopenLedger(path, () => {})).rejects.toMatchObject(refusal);
    expect(readFileSync(elsewhere)).toEqual(before);
    expect(readdirSync(folder)).not.toContain('ledger.torn-06b6e2772297');
    rmSync(path);
  });

  test('is not when it becomes one while it is read', async () => {
    const before = readFileSync(path);
    const becomeLinkOnce = ({ seq }: LedgerEntry) => {
      if (seq === 0) becomeLink();
    };
    await expect(reopenLedger(path, becomeLinkOnce)).rejects.toMatchObject(refusal);
    expect(readFileSync(elsewhere)).toEqual(before);
    rmSync(path);
  });

  test('is not when it becomes one while the campaign is running', async () => {
    const { writer } = await reopenLedger(path, () => {});
    const before = readFileSync(path);
    becomeLink();
    await expect(writer.append({ type: 'note', text: 'x' })).rejects.toMatchObject({
      code: 'ledger-broken',
      message: 'the ledger was moved or deleted while the campaign was running',
    });
    await writer.close();
    expect(readFileSync(elsewhere)).toEqual(before);
    rmSync(path);
  });
});
