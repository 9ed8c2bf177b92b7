/**
 * How fast model files are made, hashing included. Run: node bench/gguf.ts [FOLDER ON A DISK]
 * To a memory file system (/dev/shm): 1,000 MB/s in F16 and 300 million weights/s in Q8_0 and Q4_0
 * on 2 cores are the goals; to a disk, 80 % of what dd writes there in the same run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Architecture, Quantization } from '../src/formats/architecture.ts';
import { writeModel } from '../src/gguf/write-model.io.ts';
import { countParameters } from '../src/space/parameters.ts';

/** 684 million parameters: 1.37 GB in F16, one to two seconds of work. */
const architecture: Architecture = {
  name: 'bench',
  headDim: 64,
  headCount: 32,
  kvHeadCount: 8,
  feedForwardLength: 5632,
  layerCount: 12,
  vocabularySize: 32_000,
};
const workers = 2;
const repetitions = 5;
/** dd's block, 4 MiB. */
const blockBytes = 4 * 2 ** 20;

interface Timed {
  bytes: number;
  seconds: number;
  /** Of all cores; half of it is the time that two free cores would take at best. */
  cpuSeconds: number;
}

async function timeModel(folder: string, quantization: Quantization): Promise<Timed> {
  const path = join(folder, 'bench.gguf');
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  const { bytes } = await writeModel({ architecture, quantization, weightSeed: 1, workers, path });
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - start) / 1000;
  rmSync(path);
  return { bytes, seconds, cpuSeconds: (user + system) / 1e6 };
}

/** dd bs=4M conv=fsync of as many bytes. */
function timeDd(folder: string, bytes: number): Omit<Timed, 'cpuSeconds'> {
  const path = join(folder, 'bench.dd');
  const count = Math.round(bytes / blockBytes);
  const start = performance.now();
  const { status } = spawnSync('dd', [
    'if=/dev/zero',
    `of=${path}`,
    'bs=4M',
    `count=${count}`,
    'conv=fsync',
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error('dd failed');
  rmSync(path);
  return { bytes: count * blockBytes, seconds };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

const megabytesPerSecond = ({ bytes, seconds }: Omit<Timed, 'cpuSeconds'>) => bytes / 1e6 / seconds;
const format = (values: number[], digits = 0) =>
  `median ${median(values).toFixed(digits)} (${values.map((v) => v.toFixed(digits)).join(', ')})`;
const formatLoad = () =>
  loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');

async function benchMemory(folder: string): Promise<void> {
  await timeModel(folder, 'F16'); // the machine hands out its memory for the first time
  for (const quantization of ['F16', 'Q8_0', 'Q4_0'] as const) {
    const runs: Timed[] = [];
    for (let run = 0; run < repetitions; run++) runs.push(await timeModel(folder, quantization));
    const weights = runs.map(({ seconds }) => countParameters(architecture) / 1e6 / seconds);
    console.log(`memory ${quantization}: MB/s ${format(runs.map(megabytesPerSecond))}`);
    console.log(`memory ${quantization}: million weights/s ${format(weights)}`);
    const cpu = runs.map(({ bytes, cpuSeconds }) => cpuSeconds / (bytes / 1e9));
    console.log(`memory ${quantization}: core-seconds/GB ${format(cpu, 2)}`);
  }
}

async function benchDisk(folder: string): Promise<void> {
  const models: number[] = [];
  const dds: number[] = [];
  for (let run = 0; run < repetitions; run++) {
    const model = await timeModel(folder, 'F16');
    models.push(megabytesPerSecond(model));
    dds.push(megabytesPerSecond(timeDd(folder, model.bytes)));
  }
  console.log(`disk F16: MB/s ${format(models)}`);
  console.log(`disk dd bs=4M conv=fsync: MB/s ${format(dds)}`);
  console.log(`disk: ${((100 * median(models)) / median(dds)).toFixed(0)} % of dd`);
}

async function inFolder(parent: string, bench: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(parent, 'rooflaw-bench-'));
  try {
    await bench(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
console.log(`${workers} workers; load before: ${formatLoad()}`);
await inFolder('/dev/shm', benchMemory);
await inFolder(positionals[0] ?? tmpdir(), benchDisk);
console.log(`load after: ${formatLoad()}`);
