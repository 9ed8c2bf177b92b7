import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../src/hash.ts';
import { formatBytes, formatWhole } from '../src/units.ts';
import { type FoundInput, runTargets } from './fuzz/run-target.ts';
import { targets } from './fuzz/targets.ts';
import { readOptions } from './read-options.ts';

/**
 * Gives every parser of the program hostile input, each target so many seconds, and prints how many
 * inputs it read. Exit status 1 when anything was found; what found it lies in a folder that is named.
 *
 *   npm run fuzz -- --seconds 60 --seed 1 --target plan
 */
const usage = `npm run fuzz -- [--seconds N] [--seed S] [--target NAME]: each target so many seconds (10)
targets: ${targets.map(({ name }) => name).join(', ')}`;
const { values } = readOptions(usage, {
  options: {
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
  },
});

const folder = join(tmpdir(), 'rooflaw-fuzz-findings');

function keep(target: string, { finding, input }: FoundInput): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${target}-${finding.kind}-${sha256Hex(input).slice(0, 12)}`);
  writeFileSync(path, input);
  return path;
}

const seconds = Number(values.seconds);
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target);
if (chosen.length === 0 || !(seconds > 0)) {
  process.stderr.write(
    `--seconds N, and --target one of ${targets.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
let [inputs, findings] = [0, 0];
process.stdout.write(`seed ${values.seed}, ${seconds} s a target\n`);
process.stdout.write(
  'target              inputs     taken  ways  longest CPU  grown by  findings\n',
);
for (const { name } of chosen) {
  const effort = { seed: values.seed, inputs: null, untilMs: seconds * 1000, everyLongInput: 1 };
  const run = await runTargets([name], effort);
  inputs += run.inputs;
  findings += run.found.length;
  const cells = [
    name.padEnd(17),
    formatWhole(run.inputs).padStart(9),
    formatWhole(run.taken).padStart(9),
    String(run.shapes).padStart(5),
    `${Math.round(run.longestMs)} ms`.padStart(12),
    formatBytes(run.grownBytes).padStart(9),
    String(run.found.length).padStart(9),
  ];
  process.stdout.write(`${cells.join(' ')}\n`);
  for (const one of run.found) {
    const { kind, what } = one.finding;
    process.stdout.write(`  ${kind}: ${what}\n    ${keep(name, one)}\n`);
  }
}
process.stdout.write(`${formatWhole(inputs)} inputs, ${findings} findings\n`);
process.exitCode = findings > 0 ? 1 : 0;
