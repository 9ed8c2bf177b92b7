import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runnerArguments } from '../../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { classifyTrial } from '../../src/campaign/classify.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { createTrial, findRealBackend, writeTinyModel } from '../support/real-backend.ts';

const backend = await findRealBackend();

/** llama.cpp in a process that may have so much address space. */
async function runWithin(kibibytes: number, changes: Parameters<typeof createTrial>[1]) {
  if (backend.state !== 'ready') throw new Error(backend.what);
  const { prepared } = backend;
  const limited = ['-c', `ulimit -v ${kibibytes}; exec "$0" "$@"`, prepared.runnerPath];
  const runner = createProcessRunner(
    '/bin/sh',
    [...limited, ...runnerArguments(prepared)],
    runnerEnvironment(prepared, process.env),
  );
  const model = await writeTinyModel('F16');
  const trial = createTrial(model, changes);
  const log = join(makeFolder(), 'trial.log');
  const record = await runner.run(trial, log, 60_000, new AbortController().signal);
  await rm(model);
  return classifyTrial(trial, record);
}

describe.skipIf(backend.state === 'missing' || process.platform !== 'linux')(
  'a process whose memory is limited',
  () => {
    test('ends as out of memory, whether ggml aborts or refuses', async () => {
      const huge = { contextSize: 1_000_000 };
      for (const kibibytes of [100_000, 200_000]) {
        const outcome = await runWithin(kibibytes, huge);
        expect({ kibibytes, ...outcome }).toMatchObject({ kibibytes, code: 'out-of-memory' });
      }
      const codes = [];
      for (const kibibytes of [26_000, 30_000, 34_000]) {
        const outcome = await runWithin(kibibytes, {}); // where ggml aborts depends on the machine
        codes.push(outcome.state === 'failed' ? outcome.code : outcome.state);
      }
      expect(codes).toContain('out-of-memory');
    });

    test('measures where the limit is far away', async () => {
      expect(await runWithin(8_000_000, {})).toMatchObject({ state: 'observed' });
    });
  },
);
