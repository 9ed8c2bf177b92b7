import type { MeasuredDevice } from './measured-device.ts';
import {
  findGpuIndex,
  formerStateQuery,
  type GpuReading,
  parseGpuList,
  parseStateLine,
  stateQuery,
} from './nvidia.ts';
import { askGpus, listQuery, noAnswer } from './nvidia-smi.io.ts';

/** The state of a GPU, or what of it is absent this once and why. */
export type GpuState =
  | { readings: Record<GpuReading, string> }
  | { absent: string; why: string | null };

/**
 * Reads the state of the GPU that a device is, each time anew: one that could not be found or read
 * is looked for again. Where nvidia-smi hangs, a reading takes the time limit; after some it is asked
 * only now and then.
 */
export function createGpuReader(
  device: MeasuredDevice,
  timeLimitMs?: number,
): () => Promise<GpuState> {
  const read = createPatientReader(device, timeLimitMs);
  let hangs = 0;
  let leftOut = 0;
  return async () => {
    if (hangs >= mostHangs && leftOut < readingsLeftOut) {
      leftOut += 1;
      const why = `not asked again yet: ${mostHangs} times in a row there was no answer`;
      return { absent: 'nvidia-smi did not answer', why };
    }
    leftOut = 0;
    const state = await read();
    const hangsNow = 'absent' in state && (state.why?.startsWith(noAnswer) ?? false);
    hangs = hangsNow ? hangs + 1 : 0;
    return state;
  };
}

/** Each costs a whole time limit, and may leave a process that no signal ends. */
const mostHangs = 3;
const readingsLeftOut = 20;

function createPatientReader(
  device: MeasuredDevice,
  timeLimitMs?: number,
): () => Promise<GpuState> {
  let index: string | null = null;
  let queries = [stateQuery, formerStateQuery]; // until it is known which of them the driver knows
  return async () => {
    if (index === null) {
      const absent = 'no GPU of nvidia-smi could be matched';
      const listed = await askGpus(listQuery, timeLimitMs);
      if ('fault' in listed) return { absent, why: listed.fault };
      const gpus = parseGpuList(listed.stdout);
      index = findGpuIndex(device, gpus, process.env.CUDA_VISIBLE_DEVICES);
      if (index === null) return { absent, why: null };
    }
    let why = '';
    for (const query of queries) {
      const answer = await askGpus(query, timeLimitMs, index);
      if ('stdout' in answer) {
        const readings = findState(answer.stdout);
        if (readings !== null) {
          queries = [query];
          return { readings };
        }
        why = 'what it printed is no state of a GPU';
      } else {
        why = answer.fault;
        if (answer.exitStatus === null) break; // another name of a field would not help
      }
    }
    return { absent: 'nvidia-smi did not answer', why };
  };
}

/** It may print warnings beside, of a corrupted infoROM say. */
function findState(stdout: string): Record<GpuReading, string> | null {
  for (const line of stdout.split('\n')) {
    const readings = parseStateLine(line);
    if (readings !== null) return readings;
  }
  return null;
}
