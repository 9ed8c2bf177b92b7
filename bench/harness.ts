/**
 * What the harness itself costs, in a real campaign of very short trials:
 *
 *   node bench/harness.ts [--rounds 250] [--cache DIR]
 *
 * Prints the wall time of a trial beyond the runner's process and the reads of the device's state
 * (goal: at most 15 ms), and how the harness's memory grows with the number of repetitions (goal: at
 * most 1 KB a repetition).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import type { Architecture } from '../src/formats/architecture.ts';
import type { Protocol } from '../src/formats/protocol.ts';
import type { Space } from '../src/formats/space.ts';
import { readLedger } from '../src/ledger/read.io.ts';
import { readProtocol } from '../src/protocol/shipped.io.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '250' },
    cache: { type: 'string', default: dirname(cacheFolder()) },
  },
});
const program = fileURLToPath(new URL('../bin/rooflaw.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-bench-'));

const architecture: Architecture = {
  name: 'tiny',
  headDim: 32,
  headCount: 2,
  kvHeadCount: 1,
  feedForwardLength: 64,
  layerCount: 2,
  vocabularySize: 128,
};
const space: Space = {
  format: 'rooflaw-space',
  formatVersion: 1,
  name: 'tiny',
  description: '',
  weightSeed: 1,
  design: null,
  architectures: [architecture],
  conditions: [{ architecture: 'tiny', quantization: 'Q8_0', sequenceLength: 16 }],
};
const v1 = readProtocol('v1');
const protocol: Protocol = {
  ...v1,
  name: 'bench',
  processesPerItem: Number(values.rounds),
  reference: { architecture, quantization: 'Q8_0', sequenceLength: 16, weightSeed: 1 },
  execution: { ...v1.execution, threads: 1, threadsBatch: 1 },
};
writeFileSync(join(folder, 'space.json'), JSON.stringify(space));
writeFileSync(join(folder, 'protocol.json'), JSON.stringify(protocol));

/** Runs the program, sampling its resident memory. @returns bytes every tenth of a second. */
function run(args: string[]): Promise<number[]> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: values.cache, ROOFLAW_LOCKS: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const samples: number[] = [];
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      samples.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024);
    } catch {
      // it ended
    }
  }, 100);
  return new Promise((resolve, reject) => {
    child.on('exit', (status) => {
      clearInterval(timer);
      if (status === 0) resolve(samples);
      else reject(new Error(`rooflaw ${args[0]} ended with ${status}`));
    });
  });
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

try {
  const files = ['--space', 'space.json', '--protocol', 'protocol.json', '--out', 'plan.json'];
  await run(['plan', ...files, '--seed', '1']);
  const samples = await run(['run', 'plan.json', '--device', 'CPU']);
  const harnessMs: number[] = [];
  let repetitions = 0;
  await readLedger(join(folder, 'campaigns/tiny/ledger.ndjson'), (entry) => {
    if (entry.type !== 'observed') return;
    harnessMs.push(entry.harnessNs / 1e6);
    repetitions += entry.repetitions.length;
  });
  harnessMs.sort((a, b) => a - b);
  const [median, p95, most] = [0.5, 0.95, 1].map((share) => quantile(harnessMs, share).toFixed(2));
  // the first third holds loading and warming up; the rest shows what grows with the campaign
  const start = Math.floor(samples.length / 3);
  const early = quantile(
    samples.slice(start, start + 20).sort((a, b) => a - b),
    0.5,
  );
  const late = quantile(
    samples.slice(-20).sort((a, b) => a - b),
    0.5,
  );
  const grown = (late - early) / ((repetitions * 2) / 3);
  const load = loadavg().map((value) => value.toFixed(2));
  console.log(`${cpus()[0]?.model}, ${cpus().length} CPUs, load ${load.join(' ')}`);
  console.log(`${harnessMs.length} trials, ${repetitions} repetitions`);
  console.log(`harness: median ${median} ms a trial, 95 % at most ${p95} ms, most ${most} ms`);
  console.log(
    `memory: ${(early / 1e6).toFixed(1)} MB early, ${(late / 1e6).toFixed(1)} MB late: ${grown.toFixed(0)} bytes a repetition`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
