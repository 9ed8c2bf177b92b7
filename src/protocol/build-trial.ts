import { layersOfModel } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { PlainTrial, Trial } from '../formats/trial.ts';
import type { PlannedItem } from './planned-items.ts';

/** A device as the backend names it; `cpu` has nothing to offload to. */
export interface TrialDevice {
  name: string;
  type: 'cpu' | 'gpu' | 'igpu' | 'accelerator' | 'other';
}

/** Of every process of an item: the protocol's counts, or those of its variant. */
export function repetitionsOf(
  protocol: Protocol,
  { variant }: Pick<PlannedItem, 'variant'>,
): Protocol['repetitions'] {
  return variant?.repetitions ?? protocol.repetitions;
}

/** The runner's input for one item: every setting spelt out. */
export function buildTrial(
  protocol: Protocol,
  planned: Pick<PlannedItem, 'item' | 'model' | 'execution' | 'variant'>,
  modelPath: string,
  device: TrialDevice,
): Trial {
  const { item, model, execution: settings, variant } = planned;
  const { warmup, kept } = repetitionsOf(protocol, planned);
  const { contextSize: _rule, gpuLayers, ...execution } = settings;
  const { phase, sequenceLength, depth = 0, decodeSteps = protocol.decodeSteps } = item;
  const layersTotal = layersOfModel(model) + 1; // llama.cpp counts the output as a layer
  const isDecode = phase === 'decode';
  const plain: PlainTrial = {
    ...execution,
    format: 'rooflaw-trial',
    formatVersion: 1,
    modelPath,
    modelSha256: model.sha256,
    phase,
    sequenceLength,
    depth,
    decodeSteps,
    repetitions: warmup + kept,
    cachePreparation: variant?.cachePreparation ?? protocol.cachePreparation ?? 'compute',
    stepTimes: isDecode && protocol.observation.decodeSteps === 'each',
    tokenSeed: protocol.tokenSeed,
    contextSize: depth + sequenceLength + (isDecode ? decodeSteps : 0),
    devices: [device.name],
    gpuLayers: device.type === 'cpu' ? 0 : gpuLayers === 'all' ? layersTotal : gpuLayers,
  };
  const treatment = variant?.treatment;
  return treatment === undefined ? plain : { ...plain, formatVersion: 2, treatment };
}
