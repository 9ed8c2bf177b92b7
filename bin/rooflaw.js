#!/usr/bin/env node
// Plain JavaScript that any Node can read: first the version, then the program.
import { existsSync } from 'node:fs';

const neededMajor = 24; // runs the sources of a checkout without a build
if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  process.stderr.write(
    `rooflaw needs Node ${neededMajor} or newer; this is Node ${process.versions.node}.\n` +
      'In a checkout, `npx rooflaw` and `npm run -s rooflaw --` use the Node that `npm ci` installed.\n',
  );
  process.exit(4);
}
const source = new URL('../src/cli.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? source.href : new URL('../dist/cli.js', import.meta.url).href
);
await main(process.argv);
