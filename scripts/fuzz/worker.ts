import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type Effort, fuzzTarget, type Tally } from './campaign.ts';
import { findTarget } from './targets.ts';

/** What the thread is given, and what it tells. The input at hand lies in shared memory. */
export interface WorkerData {
  targets: readonly string[];
  effort: Effort;
  /** Two numbers, the input's count and its length, then its bytes. */
  shared: SharedArrayBuffer;
}

export const headBytes = 8;

/** Of two runs. */
export function addTally(a: Tally, b: Tally): Tally {
  return {
    inputs: a.inputs + b.inputs,
    taken: a.taken + b.taken,
    shapes: a.shapes + b.shapes,
    longestMs: Math.max(a.longestMs, b.longestMs),
  };
}

if (parentPort !== null && (workerData as WorkerData | null)?.shared !== undefined) {
  const { targets, effort, shared } = workerData as WorkerData;
  const port = parentPort;
  const head = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, headBytes);
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-fuzz-'));
  let before: Tally = { inputs: 0, taken: 0, shapes: 0, longestMs: 0 };
  try {
    for (const name of targets) {
      const tally = await fuzzTarget(findTarget(name), effort, folder, {
        onInput(input) {
          bytes.set(input.subarray(0, bytes.length));
          Atomics.store(head, 1, Math.min(input.length, bytes.length));
          Atomics.add(head, 0, 1);
        },
        onFinding(finding, input) {
          const what = targets.length === 1 ? finding.what : `${name}: ${finding.what}`;
          port.postMessage({ finding: { ...finding, what }, input: Uint8Array.from(input) });
        },
        onTally: (tally) => port.postMessage({ tally: addTally(before, tally) }),
      });
      before = addTally(before, tally);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
