import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const consent = fileURLToPath(new URL('../../src/commands/consent.ts', import.meta.url));
/** Asks, then says what came of it, on a terminal of its own. */
const program = `
import { agreesToGoOn } from ${JSON.stringify(consent)};
const progress = { say: (words) => console.error('said: ' + words), show() {}, done() {} };
const work = { what: 'this takes about 1 h', otherwise: '--budget 60s', shorter: '--budget for less' };
console.error('agreed: ' + (await agreesToGoOn(work, progress)));
`;
/** `script` runs a command on a terminal, and hands on what is typed; that of macOS has other options. */
const canType = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);

async function typeAnswer(keys: string): Promise<{ status: number | null; output: string }> {
  const command = '"$NODE" --input-type=module -e "$PROGRAM"';
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, SHELL: '/bin/sh' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    const isAsked = output.includes('[y/N]');
    output += chunk;
    if (!isAsked && output.includes('[y/N]')) child.stdin.write(keys);
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, output };
}

test.skipIf(!canType).each([
  ['y\r', 0, 'agreed: true'],
  ['yes\r', 0, 'agreed: true'],
  ['n\r', 0, 'agreed: false'],
  ['\r', 0, 'agreed: false'],
  ['\u0003', 130, 'agreed: false'],
  ['\u0004', 130, 'agreed: false'],
])('what follows %j at the question has status %d and %s', async (keys, status, said) => {
  const found = await typeAnswer(keys);
  expect(found.output).toContain('this takes about 1 h. Go on? [y/N]');
  expect(found.output).toContain(said);
  expect(found.output.includes('said: not begun; --budget for less')).toBe(said.endsWith('false'));
  expect(found.status).toBe(status);
});

test('where nobody can be asked, it is refused with what would do', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('this takes about 1 h, and nobody can be asked');
  expect(stderr).toContain("hint: '--yes to go on, or --budget 60s'");
});
