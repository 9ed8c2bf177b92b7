import { expect, test } from 'vitest';
import { classifyTrial } from '../../src/campaign/classify.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { soundRecord } from '../support/fake-runner.ts';
import { smallPlan } from '../support/small-plan.ts';

const plan = smallPlan();
const trial = buildTrial(plan.protocol, planTrials(plan)[0]!, '/m.gguf', {
  name: 'CPU',
  type: 'cpu',
});
const sound = soundRecord(trial);
const [load, first, second, third, end] = sound.lines as [string, string, string, string, string];
const classify = (changes: Partial<typeof sound>) => classifyTrial(trial, { ...sound, ...changes });

test('a sound record is observed', () => {
  expect(classify({}).state).toBe('observed');
});

test.each([
  ['a repetition is missing in the middle', [load, first, third, end]],
  ['repetitions are swapped', [load, second, first, third, end]],
  ['there is no load', [first, second, third, end]],
  ['there are two loads', [load, load, first, second, third, end]],
  ['something follows the end', [load, first, second, third, end, first]],
  ['the end is missing', [load, first, second, third]],
  ['a line has an unknown field', [load, first.replace('}', ',"cpuNs":1}'), second, third, end]],
  ['a line is cut off', [load, first, second, third, end.slice(0, -3)]],
  [
    'another model was loaded',
    [load.replace(trial.modelSha256, '0'.repeat(64)), first, second, third, end],
  ],
  ['nothing was printed', []],
])('bad output: %s', (_what, lines) => {
  expect(classify({ lines })).toMatchObject({ state: 'failed', code: 'bad-output' });
});

test('an end that counts differently is a wrong repetition count', () => {
  const lines = [load, first, second, third, end.replace('"repetitions":3', '"repetitions":2')];
  expect(classify({ lines })).toMatchObject({ code: 'wrong-repetition-count' });
});

test('times that add up to more than the process lived are invalid', () => {
  expect(classify({ processNs: 9_003_002 })).toMatchObject({ code: 'invalid-time' });
  expect(classify({ processNs: 9_003_003 }).state).toBe('observed'); // 6 ms load, 3.000003 ms timed, 3 us between
});

test('what the runner says of its own failure is kept with what was measured before', () => {
  const failure = JSON.stringify({
    type: 'failure',
    code: 'setting-not-taken',
    message: 'asked 4',
  });
  const outcome = classify({ lines: [load, first, failure], exitStatus: 4 });
  expect(outcome).toMatchObject({
    state: 'failed',
    code: 'refused-by-runner',
    message: 'setting-not-taken: asked 4',
  });
  expect(outcome.measured.repetitions).toHaveLength(1);
});

test('a kill by the kernel for memory is told apart from any other signal', () => {
  const killed = { signal: 'SIGKILL', exitStatus: null };
  expect(classify({ ...killed, outOfMemoryKill: true })).toMatchObject({ code: 'out-of-memory' });
  expect(classify(killed)).toMatchObject({ code: 'signal', message: 'ended by SIGKILL' });
});

test('a log that only mentions memory does not turn a sound trial into a failure', () => {
  expect(classify({ stderrEnd: 'warning: out of memory is near' }).state).toBe('observed');
});

test('a sound transcript with a bad exit status is a failure', () => {
  expect(classify({ exitStatus: 1 })).toMatchObject({ code: 'exit-status' });
});
