import { type ExecFileException, execFile } from 'node:child_process';
import { type ListedGpu, parseGpuList } from './nvidia.ts';

/** Milliseconds; without persistence mode a first query starts the driver, which takes seconds. */
const usualTimeLimitMs = 10_000;
/** Eight GPUs and a thousand processes on them need a tenth of it. */
const maxOutputBytes = 1024 * 1024;

/** How the reason begins where it hangs. */
export const noAnswer = 'no answer within';

/** What nvidia-smi printed, or why there is nothing of it; the exit status where it ended by itself. */
export type NvidiaSmiAnswer = { stdout: string } | { fault: string; exitStatus: number | null };

/** Never rejects, and ends at the time limit whatever nvidia-smi does. */
export function askNvidiaSmi(
  options: readonly string[],
  timeLimitMs = usualTimeLimitMs,
): Promise<NvidiaSmiAnswer> {
  return new Promise((resolve) => {
    const fail = (fault: string, exitStatus: number | null = null) =>
      resolve({ fault, exitStatus });
    try {
      const limits = { maxBuffer: maxOutputBytes, killSignal: 'SIGKILL' } as const;
      const child = execFile('nvidia-smi', options, limits, (error, stdout) => {
        clearTimeout(limit);
        if (error === null) resolve({ stdout });
        else if (typeof error.code === 'number') fail(`exit status ${error.code}`, error.code);
        else fail(explainError(error));
      });
      // when a GPU is lost it may hang in the driver, where no signal reaches it: it is not waited for
      const limit = setTimeout(() => {
        child.kill('SIGKILL');
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.unref();
        fail(`${noAnswer} ${timeLimitMs / 1000} s`);
      }, timeLimitMs);
    } catch (error) {
      fail(`it could not be started: ${error}`); // without memory for a process, say
    }
  });
}

function explainError({ code, signal }: ExecFileException): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `more than ${maxOutputBytes} bytes`;
  return signal ? `ended by ${signal}` : `it could not be started: ${code}`;
}

/** Standard output of nvidia-smi, or null when there is none of it or it fails. */
export async function runNvidiaSmi(options: readonly string[]): Promise<string | null> {
  const answer = await askNvidiaSmi(options);
  return 'stdout' in answer ? answer.stdout : null;
}

const gpuOptions = (fields: readonly string[], index?: string) => [
  ...(index === undefined ? [] : ['-i', index]),
  `--query-gpu=${fields.join(',')}`,
  '--format=csv,noheader,nounits',
];

/** Values of the named fields, one line a GPU, without units. */
export const queryGpus = (fields: readonly string[], index?: string): Promise<string | null> =>
  runNvidiaSmi(gpuOptions(fields, index));

/** The same with the reason where there are none. */
export const askGpus = (
  fields: readonly string[],
  timeLimitMs?: number,
  index?: string,
): Promise<NvidiaSmiAnswer> => askNvidiaSmi(gpuOptions(fields, index), timeLimitMs);

export const listQuery = ['index', 'uuid', 'name'];

/** GPUs of this machine; empty without nvidia-smi. */
export async function listGpus(): Promise<ListedGpu[]> {
  return parseGpuList((await queryGpus(listQuery)) ?? '');
}
