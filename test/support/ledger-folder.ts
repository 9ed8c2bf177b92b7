import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { canonicalJson } from '../../src/hash.ts';

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes entries as the ledger of a campaign folder. @returns the folder */
export function writeLedger(entries: readonly LedgerEntry[]): string {
  const folder = makeFolder();
  const lines = entries.map((entry) => `${canonicalJson(entry)}\n`);
  writeFileSync(join(folder, 'ledger.ndjson'), lines.join(''));
  return folder;
}
