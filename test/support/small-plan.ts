import type { Architecture, Quantization } from '../../src/formats/architecture.ts';
import type { GeneratedModel, Plan } from '../../src/formats/plan.ts';
import type { Protocol } from '../../src/formats/protocol.ts';
import { identityOf } from '../../src/hash.ts';
import { readProtocol } from '../../src/protocol/shipped.io.ts';

export const tinyArchitecture: Architecture = {
  name: 'tiny',
  headDim: 32,
  headCount: 2,
  kvHeadCount: 1,
  feedForwardLength: 64,
  layerCount: 2,
  vocabularySize: 128,
};

/** v1 with fewer of everything, so that tests end soon. */
export function smallProtocol(changes: Partial<Protocol> = {}): Protocol {
  return {
    ...readProtocol('v1'),
    name: 'small',
    processesPerItem: 3,
    repetitions: { warmup: 1, kept: 2 },
    decodeSteps: 4,
    trialTimeLimitSeconds: 20,
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 2, edgeRounds: 1, above: 0.05 },
    },
    reference: {
      architecture: tinyArchitecture,
      quantization: 'Q8_0',
      sequenceLength: 16,
      weightSeed: 1,
    },
    ...changes,
  };
}

const model = (quantization: Quantization, digit: string): GeneratedModel => ({
  architecture: tinyArchitecture,
  quantization,
  weightSeed: 1,
  generatorVersion: 1,
  fileBytes: 1000,
  sha256: digit.repeat(64),
});

/** Two models, two conditions (the first is the reference), two phases: four items. */
export function smallPlan(changes: Partial<Plan> = {}): Plan {
  const protocol = changes.protocol ?? smallProtocol();
  return {
    format: 'rooflaw-plan',
    formatVersion: 1,
    name: 'small',
    declaration: {
      question: 'Is this a test?',
      targetDifference: 0.1,
      comparisonFamily: 'all items',
      closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
      tailsAreAGoal: false,
    },
    space: { name: 'small', sha256: '5'.repeat(64) },
    protocol,
    protocolSha256: identityOf(protocol),
    scheduleSeed: 7,
    models: [model('Q8_0', 'a'), model('F16', 'b')],
    conditions: [
      { modelSha256: 'a'.repeat(64), sequenceLength: 16 },
      { modelSha256: 'b'.repeat(64), sequenceLength: 16 },
    ],
    reference: { modelSha256: 'a'.repeat(64), sequenceLength: 16, partOfSpace: true },
    ...changes,
  };
}
