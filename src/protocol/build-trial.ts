import { layersOfModel } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { Trial } from '../formats/trial.ts';
import type { PlannedItem } from './schedule.ts';

/** A device as the backend names it; `cpu` has nothing to offload to. */
export interface TrialDevice {
  name: string;
  type: 'cpu' | 'gpu' | 'igpu' | 'accelerator' | 'other';
}

/** The runner's input for one item: every setting spelt out. */
export function buildTrial(
  protocol: Protocol,
  { item, model, execution: settings }: Pick<PlannedItem, 'item' | 'model' | 'execution'>,
  modelPath: string,
  device: TrialDevice,
): Trial {
  const { contextSize: _rule, gpuLayers, ...execution } = settings;
  const { phase, sequenceLength, depth = 0, decodeSteps = protocol.decodeSteps } = item;
  const layersTotal = layersOfModel(model) + 1; // llama.cpp counts the output as a layer
  const isDecode = phase === 'decode';
  return {
    ...execution,
    format: 'rooflaw-trial',
    formatVersion: 1,
    modelPath,
    modelSha256: model.sha256,
    phase,
    sequenceLength,
    depth,
    decodeSteps,
    repetitions: protocol.repetitions.warmup + protocol.repetitions.kept,
    cachePreparation: protocol.cachePreparation ?? 'compute',
    stepTimes: isDecode && protocol.observation.decodeSteps === 'each',
    tokenSeed: protocol.tokenSeed,
    contextSize: depth + sequenceLength + (isDecode ? decodeSteps : 0),
    devices: [device.name],
    gpuLayers: device.type === 'cpu' ? 0 : gpuLayers === 'all' ? layersTotal : gpuLayers,
  };
}
