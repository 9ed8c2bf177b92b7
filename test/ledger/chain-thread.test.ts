import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startChainThread } from '../../src/ledger/chain-thread.io.ts';

const path = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const sound = readFileSync(path);

async function check(bytes: Uint8Array, fileBytes: number, chunkBytes: number) {
  using thread = startChainThread(fileBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await thread.send(bytes.subarray(at, at + chunkBytes));
  }
  return await thread.finish(); // before the thread is disposed of
}

test.each([
  ['here', 0],
  ['in a thread', 1e9],
])('a chain that is checked %s has the head that is written down', async (_, fileBytes) => {
  const { faults, head } = await check(sound, fileBytes, 10_007); // more chunks than may wait
  expect(faults).toEqual([]);
  expect(head).toEqual({
    length: 483,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(
    readFileSync(fileURLToPath(new URL('../../results/README.md', import.meta.url)), 'utf8'),
  ).toContain(head.sha256);
});

test.each([
  ['here', 0],
  ['in a thread', 1e9],
])('a changed digit is found %s at the line after it', async (_, fileBytes) => {
  const changed = Buffer.from(sound);
  const at = changed.indexOf('"wallNs":', 200_000) + '"wallNs":'.length;
  changed[at] = changed[at] === 0x39 ? 0x38 : 0x39;
  const line = changed.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
  const { faults } = await check(changed, fileBytes, 1 << 16);
  expect(faults.map((fault) => fault.line)).toEqual([line + 1]);
});
