import { expect, test } from 'vitest';
import { registerDoctor } from '../../src/commands/doctor.ts';
import { printedBy } from '../support/printed-by.ts';

const run = (...words: string[]) => printedBy(registerDoctor, ['doctor', ...words]);

test('doctor prints every finding, and what to do about a warning', async () => {
  const lines = (await run('--threads', '5000')).split('\n');
  expect(lines[0]).toMatch(/^WARNING +threads +5000 threads, \d+ CPUs$/);
  expect(lines[1]).toMatch(/^ +try: use a protocol with fewer threads/);
  expect(lines.at(-2)).toMatch(/^\d+ of \d+ findings may disturb measuring$/);
});

test('doctor --json prints readings and findings', async () => {
  const { readings, findings } = JSON.parse(await run('--json', '--threads', '1'));
  expect(readings.allowedCpuCount).toBeGreaterThanOrEqual(1);
  expect(findings[0]).toMatchObject({ what: 'threads', state: 'ok', advice: null });
});
