import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../bin/rooflaw.js', import.meta.url));

/** A Node of this machine that is older than what the sources need; undefined where there is none. */
function findOlderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = [...folders, '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, 'node'));
  return places.find((path) => {
    try {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
      return Number(/^v(\d+)/.exec(version)?.[1]) < 24;
    } catch {
      return false;
    }
  });
}

const olderNode = findOlderNode();

test.skipIf(olderNode === undefined)('an older Node hands over to the one of the checkout', () => {
  const said = execFileSync(olderNode!, [program, '--version'], { encoding: 'utf8' });
  expect(said).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('what starts the program imports nothing by name that Node 18 lacks', () => {
  const imports = readFileSync(program, 'utf8').match(/^import .*/gm)!;
  expect(imports.filter((line) => line.includes('node:module'))).toEqual([
    expect.stringContaining('* as'),
  ]);
});
