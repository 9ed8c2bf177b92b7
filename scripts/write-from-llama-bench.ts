/**
 * Writes docs/from-llama-bench.md: what llama-bench and Rooflaw print for the same options, on this
 * machine, now. Every number of the page comes from these runs.
 *
 *   node scripts/write-from-llama-bench.ts [--out FILE] [--cache DIR]
 *
 * Takes about six minutes on two idle cores, longer on a busy machine. Needs a compiler once, for the
 * runner and llama-bench. It stops at the first command that fails, and then writes nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, homedir, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareBackend } from '../src/backend/prepare-backend.io.ts';
import { runnerEnvironment } from '../src/backend/runner-environment.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import { formatDuration } from '../src/units.ts';
import { buildLlamaBench } from './from-llama-bench/build-llama-bench.ts';
import { writeFiles } from './from-llama-bench/models.ts';
import { runMoreCommands } from './from-llama-bench/more-commands.ts';
import { describeOptions } from './from-llama-bench/options.ts';
import { composePage } from './from-llama-bench/page.ts';
import { runRefusals } from './from-llama-bench/refusals.ts';
import { createRunCommand, type Ran } from './from-llama-bench/run-command.ts';
import { runSection, sections } from './from-llama-bench/sections.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'docs', 'from-llama-bench.md') },
    cache: { type: 'string', default: cacheFolder() },
  },
});
const began = performance.now();
const secondsSince = () => (performance.now() - began) / 1000;
const say = (text: string) => console.error(`${secondsSince().toFixed(0)} s: ${text}`);
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));

const prepared = await prepareBackend({ cacheDirectory: values.cache, onProgress: say });
const llamaBench = await buildLlamaBench(prepared, values.cache, say);
const models = await writeFiles(folder);

const environment = runnerEnvironment(prepared, process.env);
const runCommand = createRunCommand({ folder, llamaBench, environment }, say);
const all: Ran[] = [];
const run: typeof runCommand = async (...args) => {
  const ran = await runCommand(...args);
  all.push(ran);
  return ran;
};
const loadBefore = loadavg()[0]!;
const sectionTexts: string[] = [];
for (const section of sections) sectionTexts.push(await runSection(section, run));
const refusals = await runRefusals(run);
const more = await runMoreCommands(run);

const page = composePage({
  ...{ sectionTexts, refusals, more, all, models, options: describeOptions() },
  machine: {
    day: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'an unnamed CPU',
    cpuCount: availableParallelism(),
    system: `${process.platform} ${process.arch}`,
    release: prepared.backend.release ?? 'of unknown release',
    loadBefore,
    seconds: secondsSince(),
  },
});
const named = [folder, homedir(), root].find((path) => page.includes(path));
if (named !== undefined) throw new Error(`not written: the page would name ${named}`);
writeFileSync(values.out, page);
say(`written in ${formatDuration(secondsSince() * 1e9)}: ${values.out}`);
