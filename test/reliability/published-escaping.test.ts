import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '../../src/hash.ts';
import { toPrintable } from '../../src/printable.ts';
import { everything, markup } from '../support/hostile-words.ts';
import { buildPlan, createLedger } from '../support/ledger-builder.ts';
import { type Finished, type Workspace, workIn } from '../support/rooflaw.ts';
import { workedTimes } from '../support/worked-campaign.ts';

/** What a ledger and a table can hold: no half characters, and no name of a user of some machine. */
const words = `${everything.toWellFormed().replaceAll('@root', '@somebody')} ::error::here`;
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const obeyed = /^\s*::[a-z]|##\w*\[/im;

function expectSafe({ stdout, stderr }: Finished): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(steering);
    expect(text).not.toMatch(obeyed);
    expect(text).not.toContain('unexpected error');
  }
}

/** A campaign with hostile words wherever its formats let any words through. */
function writeCampaign(work: Workspace): string {
  const plan = buildPlan();
  const declaration = { ...plan.declaration, question: words, comparisonFamily: words };
  const first = createLedger(plan).entries[0]!;
  if (first.type !== 'campaign') throw new Error('the first entry is the campaign');
  const ledger = createLedger(
    { ...plan, declaration },
    {
      fingerprint: { ...first.fingerprint, deviceDescription: words, cpuModel: words },
      backend: { ...first.backend, name: words, commit: words, release: words },
    },
  );
  const [failed, ...others] = ledger.schedule;
  ledger.fail(failed!.trial, { message: words });
  for (const one of others) ledger.observe(one.trial, workedTimes(one));
  ledger.add({ type: 'note', text: words });
  ledger.add({ type: 'end', observed: others.length, failed: 1 });
  return work.write(
    'ledger.ndjson',
    ledger.entries.map((entry) => `${canonicalJson(entry)}\n`).join(''),
  );
}

async function publish(work: Workspace): Promise<string> {
  const out = join(work.folder, 'public');
  const options = ['--title', toPrintable(words), '--license', 'MIT'];
  const published = await work.run(['publish', writeCampaign(work), '--out', out, ...options]);
  expect(published.stderr).toBe('');
  expect(published.status).toBe(0);
  expectSafe(published);
  return out;
}

/** Every member of an object, however deep. */
function* listStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* listStrings(member);
}

test('each published file holds the words in its own form, and verify and analyze print them safely', async () => {
  const work = workIn();
  const out = await publish(work);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  for (const name of ['plan.json', 'analysis.json']) {
    expect([...listStrings(JSON.parse(read(name)))], name).toContain(words);
  }
  expect(JSON.parse(read('datapackage.json')).title).toBe(toPrintable(words));
  const rows = parse(read('trials.csv'), { columns: true, relax_quotes: false }) as {
    device: string;
  }[];
  expect(rows).toHaveLength(40);
  expect(new Set(rows.map(({ device }) => device)).size).toBe(1);

  const code = /^```[\s\S]*?^```$|`[^`\n]*`/gm;
  const readme = read('README.md')
    .replace(/\\[\\`]/g, '')
    .replace(code, '');
  expect(read('README.md')).toContain('&lt;img src=x onerror=alert');
  expect(readme).not.toMatch(/<[a-z!/?]/i);
  expect(readme).not.toMatch(/(?<!\\)\]\((?!https:\/\/spdx\.org\/)|@\w|(?<=https?):\/\/x\.example/);

  for (const command of ['verify', 'analyze']) {
    const told = await work.run([command, out]);
    expect(told.stderr, command).toBe('');
    expect(told.status, command).toBe(0);
    expectSafe(told);
  }
}, 120_000);

/** Changes a published file and its hash, as somebody does who knows of SHA256SUMS. */
function tamper(out: string, name: string, change: (text: string) => string): void {
  const [path, sums] = [join(out, name), join(out, 'SHA256SUMS')];
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  const listed = readFileSync(sums, 'utf8');
  writeFileSync(sums, listed.replace(sha256Hex(before), sha256Hex(after)));
}

test('a folder with hostile names where none may be is refused in words that steer nobody', async () => {
  const work = workIn();
  const out = await publish(work);
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const json = JSON.stringify(words);
  tamper(out, 'trials.csv', (text) => text.replaceAll(',small,', () => `,${cell(words)},`));
  tamper(out, 'plan.json', (text) => text.replaceAll('"small"', () => json));
  tamper(out, 'analysis.json', (text) => text.replaceAll('"small"', () => json));
  tamper(out, 'datapackage.json', (text) => text.replaceAll('"trials.csv"', () => json));
  tamper(out, 'README.md', (text) => text.replace('&lt;img src=x', () => `${markup}\u001b[2J`));
  for (const command of ['verify', 'analyze']) {
    for (const options of [[], ['--json']]) {
      const told = await work.run([command, out, ...options]);
      expect({ command, status: told.status }).not.toEqual({ command, status: 0 });
      expectSafe(told);
    }
  }
  const { stdout, stderr } = await work.run(['verify', out]);
  expect(stdout + stderr).toContain(toPrintable(words).slice(0, 40));
}, 120_000);
