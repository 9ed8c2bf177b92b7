// One life of a harness: runs or resumes a campaign until it ends, is stopped or is killed.
// usage: node life.ts LIFE_AS_JSON. Standard output: `at STAGE`, `ack SEQ SHA256_OF_LINE`.
import { writeSync } from 'node:fs';
import { createProgress } from '../../src/commands/progress.ts';
import { describeError, exitStatus, RooflawError } from '../../src/errors.ts';
import { canonicalJson, sha256Hex } from '../../src/hash.ts';
import { type Life, liveOnce } from './live.ts';

process.stderr.on('error', () => {}); // as cli.ts: nobody reads it
try {
  const life = JSON.parse(process.argv[2] ?? '') as Life;
  const { stopped, ended, failed } = await liveOnce(life, createProgress(), {
    acknowledge: (entry) => {
      writeSync(1, `ack ${entry.seq} ${sha256Hex(canonicalJson(entry))}\n`);
    },
    reach: (stage) => {
      writeSync(1, `at ${stage}\n`);
    },
  });
  if (stopped && !ended) process.exitCode = exitStatus.interrupted;
  else if (failed > 0) process.exitCode = exitStatus.trialsFailed;
} catch (error) {
  const isExpected = error instanceof RooflawError;
  process.exitCode = isExpected ? error.exitStatus : exitStatus.unexpected;
  const text = isExpected ? describeError(error) : (error as Error).stack;
  process.stderr.write(`${text}\n`);
}
