#!/usr/bin/env node
// Plain JavaScript that any Node can read: first the version, then the program.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module'; // what older Nodes lack must not be imported by name
import { constants, homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const neededMajor = 24; // runs the sources of a checkout without a build
const installedNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
  const source = new URL('../src/cli.ts', import.meta.url);
  const program = existsSync(source) ? source : new URL('../dist/cli.js', import.meta.url);
  // The next start takes half the time; where nothing can be written, it does not.
  const cacheHome = process.env.XDG_CACHE_HOME;
  const cache = cacheHome && isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache');
  const compiled = join(cache, 'rooflaw', 'compiled');
  if (canMake(compiled)) nodeModule.enableCompileCache(compiled);
  const { main } = await import(program.href);
  await main(process.argv);
} else if (existsSync(installedNode)) {
  // A checkout brings its own Node; this process hands over and only waits.
  const child = spawn(installedNode, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
  child.on('error', (error) => {
    process.stderr.write(`rooflaw: cannot start ${installedNode}: ${error.message}\n`);
    process.exit(4);
  });
} else {
  process.stderr.write(
    `rooflaw needs Node ${neededMajor} or newer; this is Node ${process.versions.node}.\n` +
      'In a checkout, `npm ci` installs one.\n',
  );
  process.exitCode = 4;
}

/** Folder by folder: Node's own recursive way never ends where a folder such as /proc takes none. */
function canMake(folder) {
  if (existsSync(folder)) return true;
  if (!canMake(dirname(folder))) return false;
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return existsSync(folder);
  }
}
