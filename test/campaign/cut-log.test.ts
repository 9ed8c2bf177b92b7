import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutLog } from '../../src/campaign/cut-log.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';

test('a log that is too long keeps its first and last MiB and says how much was between', () => {
  const path = join(makeFolder(), 'x.log');
  writeFileSync(path, `first\n${'x'.repeat(3_000_000)}\nlast\n`); // 3,000,012 bytes
  const file = openSync(path, 'r+');
  expect(cutLog(file, 3_000_012)).toBeNull();
  expect(cutLog(file, 3_000_011)).toEqual({ bytes: 3_000_012 });
  closeSync(file);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^first\nx/);
  expect(text).toContain('\n[cut here: 902860 of 3000012 bytes]\n');
  expect(text).toMatch(/x\nlast\n$/);
  expect(text).toHaveLength(2 * 1_048_576 + '\n[cut here: 902860 of 3000012 bytes]\n'.length);
});
