import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listenForStop } from '../../src/commands/stop-signal.ts';
import { makeFolder } from '../support/ledger-folder.ts';

test('of two that listen the inner one speaks, once, and both are stopped', () => {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  using outer = listenForStop('stopping', progress);
  {
    using inner = listenForStop('stopping; measured again', progress);
    process.emit('SIGINT');
    process.emit('SIGINT');
    expect(inner.signal.aborted).toBe(true);
  }
  expect(outer.signal.aborted).toBe(true);
  expect(said).toEqual(['stopping; measured again']);
});

test('the outer one speaks again when the inner one has ended', () => {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  using outer = listenForStop('stopping', progress);
  listenForStop('inside', progress)[Symbol.dispose]();
  process.emit('SIGTERM');
  expect(outer.signal.aborted).toBe(true);
  expect(said).toEqual(['stopping']);
});

test('SIGHUP stops what has a terminal, and nothing else', () => {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  for (const [hasTerminal, words] of [
    [true, 'stopping'],
    [false, 'SIGHUP: it goes on, as no terminal is attached that could close'],
  ] as const) {
    using listener = listenForStop('stopping', progress, hasTerminal);
    process.emit('SIGHUP', 'SIGHUP');
    expect(listener.signal.aborted).toBe(hasTerminal);
    expect(said.splice(0)).toEqual([words]);
  }
});

const hasScript = spawnSync('script', ['--version']).status === 0;
test.skipIf(!hasScript)('a terminal that is closed stops what was started in it', async () => {
  const source = fileURLToPath(new URL('../../src/commands/stop-signal.ts', import.meta.url));
  const [told, code] = ['told', 'code.mjs'].map((name) => join(makeFolder(), name)) as [
    string,
    string,
  ];
  writeFileSync(
    code,
    `import { writeFileSync } from 'node:fs';
import { listenForStop } from ${JSON.stringify(source)};
const progress = { say: () => {}, show: () => {}, done: () => {} };
listenForStop('stopping', progress).signal.onabort = () => {
  writeFileSync(${JSON.stringify(told)}, 'stopped');
  process.exit();
};
writeFileSync(${JSON.stringify(`${told}.ready`)}, '');
setTimeout(() => {}, 60_000);`,
  );
  const terminal = spawn('script', ['-qfc', `${process.execPath} ${code}`, '/dev/null']);
  await expect.poll(() => existsSync(`${told}.ready`), { timeout: 20_000 }).toBe(true);
  terminal.kill('SIGKILL');
  await expect
    .poll(() => existsSync(told) && readFileSync(told, 'utf8'), { timeout: 20_000 })
    .toBe('stopped');
});
