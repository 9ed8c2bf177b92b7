import { execFile } from 'node:child_process';
import { type ListedGpu, parseGpuList } from './nvidia.ts';

/** Milliseconds; without persistence mode a first query starts the driver, which takes seconds. */
const timeLimitMs = 10_000;

/** Standard output of nvidia-smi, or null when there is none of it or it fails. */
export function runNvidiaSmi(options: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile('nvidia-smi', options, (error, stdout) => {
      clearTimeout(limit);
      resolve(error === null ? stdout : null);
    });
    // when a GPU is lost it may hang in the driver, where no signal reaches it: it is not waited for
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(null);
    }, timeLimitMs);
  });
}

/** Values of the named fields, one line a GPU, without units. */
export function queryGpus(fields: readonly string[], index?: string): Promise<string | null> {
  const which = index === undefined ? [] : ['-i', index];
  return runNvidiaSmi([
    ...which,
    `--query-gpu=${fields.join(',')}`,
    '--format=csv,noheader,nounits',
  ]);
}

/** GPUs of this machine; empty without nvidia-smi. */
export async function listGpus(): Promise<ListedGpu[]> {
  return parseGpuList((await queryGpus(['index', 'uuid', 'name'])) ?? '');
}
