import { expect, test } from 'vitest';
import { trialSchema } from '../../src/formats/trial.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { readProtocol } from '../../src/protocol/shipped.io.ts';
import { smallPlan } from '../support/small-plan.ts';

const v1 = readProtocol('v1');
const model = smallPlan().models[0]!; // 2 layers
const item = (phase: 'prefill' | 'decode', execution = v1.execution) => ({
  item: { architecture: 'tiny', quantization: 'Q8_0', sequenceLength: 512, phase },
  model,
  execution,
});
const cpu = { name: 'CPU', type: 'cpu' } as const;
const gpu = { name: 'CUDA0', type: 'gpu' } as const;

test('a trial of v1 has every field that the runner asks for, and no other', () => {
  const trial = buildTrial(v1, item('decode'), '/m.gguf', gpu);
  expect(trialSchema.parse(trial)).toEqual(trial);
  expect(trial).toMatchObject({ threads: 4, repetitions: 25, decodeSteps: 64, devices: ['CUDA0'] });
});

test('the context holds S tokens in prefill and the decoded ones besides in decode', () => {
  expect(buildTrial(v1, item('prefill'), '/m', cpu).contextSize).toBe(512);
  expect(buildTrial(v1, item('decode'), '/m', cpu).contextSize).toBe(576);
});

test('all layers are those of the model and the output; a CPU has nothing to offload to', () => {
  expect(buildTrial(v1, item('decode'), '/m', gpu).gpuLayers).toBe(3);
  expect(buildTrial(v1, item('decode'), '/m', cpu).gpuLayers).toBe(0);
  const two = item('decode', { ...v1.execution, gpuLayers: 2 });
  expect(buildTrial(v1, two, '/m', gpu).gpuLayers).toBe(2);
});
