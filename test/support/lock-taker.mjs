// Takes a lock and holds it until it is killed or its standard input ends.
// usage: node lock-taker.mjs PATH CAMPAIGN [gated]. Prints `at CALL FILE` before each call that changes
// files and waits for a line, when gated; then `taken TAKEN_OVER_AS_JSON` or `refused ERROR_AS_JSON`.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

const [path, campaign, isGated] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
if (isGated) {
  for (const name of ['link', 'rename', 'rm']) {
    const call = fs[name];
    fs[name] = async (...args) => {
      const changed = name === 'rm' ? args[0] : args[1];
      process.stdout.write(`at ${name} ${basename(changed)}\n`);
      await lines.next();
      return call(...args);
    };
  }
  syncBuiltinESMExports(); // before the module that is tried takes its names
}
const { takeLock } = await import('../../src/campaign/lock.io.ts');
try {
  const { takenOver } = await takeLock(path, campaign, 'device CPU');
  process.stdout.write(`taken ${JSON.stringify(takenOver)}\n`);
  for await (const _ of lines);
} catch (error) {
  const { code, message, hint } = error;
  process.stdout.write(`refused ${JSON.stringify({ code, message, hint })}\n`);
  process.exit(0);
}
