/**
 * Self-test by simulation: false alarms, coverage and power of what `rooflaw` prints, on campaigns
 * whose truth is known.
 *
 *   node bench/validity.ts [--write] [--share 1] [--workers 2]
 *
 * Prints the document, or with --write puts it into docs/validity.md. Seeded: the figures do not
 * depend on the machine or on the number of workers. --share 0.05 simulates a twentieth (to try things
 * out). Exit status 1 when a promise is broken beyond chance (four standard errors).
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeDocument } from './validity/document.ts';
import { createResults, isBroken } from './validity/results.ts';
import { runTasks } from './validity/run-tasks.ts';
import { listTasks } from './validity/tasks.ts';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});
const path = fileURLToPath(new URL('../docs/validity.md', import.meta.url));
const workers = Number(values.workers);
const tasks = listTasks(Number(values.share));
const simulations = tasks.reduce((sum, task) => sum + task.simulations, 0);

const start = performance.now();
const outcomes = await runTasks(tasks, workers, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${tasks.length} cells`);
});
if (process.stderr.isTTY) process.stderr.write('\n');
const seconds = Math.round((performance.now() - start) / 1000);

const { user, system } = process.cpuUsage();
const cpuSeconds = Math.round((user + system) / 1e6);
const machine = `Last run: ${simulations.toLocaleString('en')} campaigns in ${seconds} s (${cpuSeconds} s of CPU time), \
${workers} threads, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
const results = createResults(outcomes);
const document = writeDocument(results, machine);
if (values.write) writeFileSync(path, document);
else process.stdout.write(document);
const missed = results.judged().filter((figure) => !figure.isMet);
const broken = missed.filter(isBroken);
process.stderr.write(
  `${results.judged().length} promises, ${missed.length} missed, ${broken.length} of them beyond chance\n`,
);
for (const { where } of missed) process.stderr.write(`missed: ${where}\n`);
if (broken.length > 0) process.exitCode = 1;
