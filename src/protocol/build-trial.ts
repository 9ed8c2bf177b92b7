import type { Item } from '../formats/architecture.ts';
import type { Model } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { Trial } from '../formats/trial.ts';

/** A device as the backend names it; `cpu` has nothing to offload to. */
export interface TrialDevice {
  name: string;
  type: 'cpu' | 'gpu' | 'igpu' | 'accelerator' | 'other';
}

/** The runner's input for one item: every setting spelt out. */
export function buildTrial(
  protocol: Protocol,
  item: Item,
  model: Model,
  modelPath: string,
  device: TrialDevice,
): Trial {
  const { contextSize: _rule, gpuLayers, ...execution } = protocol.execution;
  const layersTotal = model.architecture.layerCount + 1; // llama.cpp counts the output as a layer
  const decodedTokens = item.phase === 'decode' ? protocol.decodeSteps : 0;
  return {
    ...execution,
    format: 'rooflaw-trial',
    formatVersion: 1,
    modelPath,
    modelSha256: model.sha256,
    phase: item.phase,
    sequenceLength: item.sequenceLength,
    decodeSteps: protocol.decodeSteps,
    repetitions: protocol.repetitions.warmup + protocol.repetitions.kept,
    tokenSeed: protocol.tokenSeed,
    contextSize: item.sequenceLength + decodedTokens,
    devices: [device.name],
    gpuLayers: device.type === 'cpu' ? 0 : gpuLayers === 'all' ? layersTotal : gpuLayers,
  };
}
