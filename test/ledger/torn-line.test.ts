import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/hash.ts';
import { listTornLines } from '../../src/ledger/torn-line.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';

test('a torn line is told of by its hash; one that was edited since is no torn line', async () => {
  const folder = makeFolder();
  const nameOf = (text: string) => `ledger.torn-${sha256Hex(text).slice(0, 12)}`;
  writeFileSync(join(folder, nameOf('{"a":')), '{"a":');
  writeFileSync(join(folder, nameOf('{"b":')), '{"b":\n');
  writeFileSync(join(folder, nameOf('{"c":')), '');
  expect(await listTornLines(join(folder, 'ledger.ndjson'))).toEqual([
    { file: nameOf('{"a":'), bytes: 5, sha256: sha256Hex('{"a":') },
  ]);
});

test('a pipe, a link to a device and a folder in the place of a torn line are not waited for', async () => {
  const folder = makeFolder();
  const place = (digit: string) => join(folder, `ledger.torn-${digit.repeat(12)}`);
  execFileSync('mkfifo', [place('0')]);
  symlinkSync('/dev/zero', place('1'));
  mkdirSync(place('2'));
  expect(await listTornLines(join(folder, 'ledger.ndjson'))).toEqual([]);
});
