/** Thread that checks a ledger's chain from the bytes it is sent. See chain-thread.io.ts. */
import { parentPort } from 'node:worker_threads';
import { type ChainVerdict, createChunkedChainCheck } from './chain-check.ts';

/** A chunk of the file, or null after the last. */
export type ChainTask = Uint8Array | null;
/** null: a chunk is done with. */
export type ChainAnswer = ChainVerdict | null;

const check = createChunkedChainCheck();

parentPort?.on('message', (task: ChainTask) => {
  if (task !== null) check.push(task);
  const answer: ChainAnswer = task === null ? check.finish() : null;
  parentPort?.postMessage(answer);
});
