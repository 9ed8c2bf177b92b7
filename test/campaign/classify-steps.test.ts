import { expect, test } from 'vitest';
import { classifyTrial } from '../../src/campaign/classify.ts';
import type { PlainTrial } from '../../src/formats/trial.ts';
import { soundRecord } from '../support/fake-runner.ts';
import { createTrial } from '../support/real-backend.ts';

interface StepTimes {
  stepNs?: number[];
  prefillNs?: number | null;
}

/** A decode of three steps, two repetitions of 60 ns, each of which took 1000 ns to prepare. */
function classify(changes: Partial<PlainTrial>, clockNs: number | null, steps: StepTimes[]) {
  const trial = createTrial('/m.gguf', changes);
  const record = soundRecord(trial);
  const lines = record.lines.map((text) => {
    const line = JSON.parse(text);
    if (line.type === 'load') line.clockNs = clockNs;
    if (line.type === 'repetition') Object.assign(line, { wallNs: 60 }, steps[line.index]);
    return JSON.stringify(line);
  });
  return classifyTrial(trial, { ...record, lines });
}

const stepTimes = { stepTimes: true };
const restored = { stepTimes: true, cachePreparation: 'restore' } as const;
const sound = { stepNs: [10, 20, 30], prefillNs: 900 };
const later = { stepNs: [10, 20, 30], prefillNs: null };

test('the times of steps are kept, with what a reading of the clock costs', () => {
  const { state, measured } = classify(stepTimes, 22.5, [sound, sound]);
  expect(state).toBe('observed');
  expect(measured.load?.clockNs).toBe(22.5);
  const { repetitions } = measured;
  const whole = { wallNs: 60, prepareNs: 1000, stepNs: [10, 20, 30], prefillNs: 900 };
  expect(repetitions).toStrictEqual([whole, whole]);
  expect(classify(restored, 0, [sound, later]).state).toBe('observed');
});

test('a trial without them is recorded as before there were any', () => {
  const { state, measured } = classify({}, null, []);
  expect(state).toBe('observed');
  expect(Object.keys(measured.load ?? {}).sort()).toEqual(['applied', 'contextNs', 'loadNs']);
  const { repetitions } = measured;
  const whole = { wallNs: 60, prepareNs: 1000 };
  expect(repetitions).toStrictEqual([whole, whole]);
});

test.each<
  [message: string, changes: Partial<PlainTrial>, clockNs: number | null, steps: StepTimes[]]
>([
  ['clockNs is null where stepTimes is true', stepTimes, null, [sound, sound]],
  ['clockNs is 22.5 where stepTimes is false', {}, 22.5, []],
  ['repetition 1 has times of steps that nobody asked for', {}, null, [{}, sound]],
  ['repetition 0 has 0 of 3 times of steps', stepTimes, 22.5, [{ prefillNs: 1 }, sound]],
  [
    'repetition 1 has 2 of 3 times of steps',
    stepTimes,
    22.5,
    [sound, { ...sound, stepNs: [30, 30] }],
  ],
  ['repetition 1 has prefillNs undefined', stepTimes, 22.5, [sound, { stepNs: [10, 20, 30] }]],
  ['repetition 1 has prefillNs null', stepTimes, 22.5, [sound, later]],
  ['repetition 1 has prefillNs 900', restored, 22.5, [sound, sound]],
  ['repetition 0 has prefillNs 900', { ...stepTimes, sequenceLength: 0 }, 22.5, [sound, later]],
])('bad output: %s', (message, changes, clockNs, steps) => {
  expect(classify(changes, clockNs, steps)).toMatchObject({ code: 'bad-output', message });
});

test('steps that do not add up to the repetition make its time invalid', () => {
  const wrong = { ...sound, stepNs: [10, 20, 31] };
  expect(classify(stepTimes, 22.5, [sound, wrong])).toMatchObject({
    code: 'invalid-time',
    message: 'the steps of repetition 1 add up to 61 ns, not to its 60 ns',
  });
});

test('a prefill that took longer than all the preparing is invalid', () => {
  expect(classify(stepTimes, 22.5, [{ ...sound, prefillNs: 1001 }, sound])).toMatchObject({
    code: 'invalid-time',
    message: 'repetition 0 took 1001 ns to fill the cache, of 1000 ns to prepare',
  });
});
