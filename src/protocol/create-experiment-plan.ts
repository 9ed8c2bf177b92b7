import { throwFaults } from '../errors.ts';
import { formatCondition, type Phase, phaseSchema } from '../formats/architecture.ts';
import type { Arm, Experiment } from '../formats/experiment.ts';
import {
  type FileModel,
  isGenerated,
  type Model,
  nameOfModel,
  type Plan,
  type PlannedCondition,
} from '../formats/plan.ts';
import type { Execution, Protocol } from '../formats/protocol.ts';
import { identityOf } from '../hash.ts';
import { countParameters } from '../space/parameters.ts';
import { createBenchProtocol } from './create-bench-protocol.ts';
import { findPlanFaults } from './plan-faults.ts';
import { resolveArm } from './resolve-arm.ts';

/** One condition of which every arm is measured. */
export interface ExperimentCell {
  phase: Phase;
  sequenceLength: number;
  /** The model of each arm: the same, unless the arms differ in their weights. */
  modelOf(arm: Arm): Model;
}

/** A process that hangs is ended after this. */
const trialTimeLimitSeconds = 3600;

/**
 * The plan of an experiment. Its protocol is the experiment's own: nothing measured under it can be
 * pooled with data of another.
 * @param input.execution what holds in every arm that does not change it
 * @throws RooflawError `invalid-input` with every fault of the experiment
 */
export function createExperimentPlan(input: {
  name: string;
  experiment: Experiment;
  cells: readonly ExperimentCell[];
  execution: Execution;
  decodeSteps: number;
  scheduleSeed: number;
}): Plan {
  const { name, experiment, cells, execution, decodeSteps, scheduleSeed } = input;
  const protocol = createProtocol(experiment, execution, cells, decodeSteps);
  const conditions = cells.flatMap(({ phase, sequenceLength, modelOf }) =>
    experiment.arms.map((arm): PlannedCondition => {
      const modelSha256 = modelOf(arm).sha256;
      return { modelSha256, sequenceLength, phase, variant: arm.name };
    }),
  );
  const models = cells.flatMap(({ modelOf }) => experiment.arms.map(modelOf));
  const { phase: _phase, ...reference } = conditions[0]!;
  const plan: Plan = {
    format: 'rooflaw-plan',
    formatVersion: 1,
    name,
    declaration: {
      question: experiment.question,
      targetDifference: experiment.effectThatMatters,
      comparisonFamily: 'the comparisons of the experiment in every condition',
      closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
      tailsAreAGoal: experiment.natural.length > 0,
    },
    space: null,
    protocol,
    protocolSha256: identityOf(protocol),
    scheduleSeed,
    models: [...new Map(models.map((model) => [model.sha256, model])).values()],
    variants: experiment.arms.map((arm) => resolveArm(arm, execution, 'embedded')),
    conditions,
    reference: { ...reference, partOfSpace: true },
    experiment,
  };
  throwFaults(`experiment ${experiment.name}`, findPlanFaults(plan));
  return plan;
}

function createProtocol(
  { name, question, blocks, repetitions, cachePreparation }: Experiment,
  execution: Execution,
  cells: readonly ExperimentCell[],
  decodeSteps: number,
): Protocol {
  const phases = phaseSchema.options.filter((phase: Phase) =>
    cells.some((cell) => cell.phase === phase),
  );
  const rules = { phases, decodeSteps, execution, processes: blocks, trialTimeLimitSeconds };
  const protocol = createBenchProtocol({
    name: `experiment-${name}`.slice(0, 64),
    description: `Of a controlled experiment and no baseline: ${question}`,
    ...rules,
    ...repetitions,
    cachePreparation,
  });
  return {
    ...protocol,
    order: 'balanced-blocks',
    observation: { ...protocol.observation, hostCounters: 'by-arm', profiler: 'by-arm' },
  };
}

/** What a group of an experiment's plan measures, in words: `middle Q8_0 S128 decode`. */
export function nameCell(cell: Pick<ExperimentCell, 'phase' | 'sequenceLength'>, model: Model) {
  const { phase, sequenceLength } = cell;
  const architecture = nameOfModel(model);
  const item = { architecture, quantization: model.quantization, sequenceLength, phase };
  return `${formatCondition(item)} ${phase}`;
}

/**
 * Whether two models cost the same work if the content of weights costs nothing: the same dimensions and formats.
 * @returns what differs, in words, or null
 */
export function findOtherShape(a: Model, b: Model): string | null {
  if (isGenerated(a) && isGenerated(b)) {
    const [{ name: _a, ...left }, { name: _b, ...right }] = [a.architecture, b.architecture];
    if (identityOf(left) !== identityOf(right)) return 'they have other dimensions';
    return a.quantization === b.quantization ? null : 'they are of other formats';
  }
  const [left, right] = [describeShape(a), describeShape(b)];
  const other = (Object.keys(left) as (keyof Shape)[]).find((key) => left[key] !== right[key]);
  if (other === undefined) return null;
  return `${shapeWords[other]}: ${left[other]} and ${right[other]}`;
}

type Shape = Pick<FileModel, 'layerCount' | 'quantization' | 'parameterCount'>;
const shapeWords: Record<keyof Shape, string> = {
  layerCount: 'layers',
  quantization: 'format',
  parameterCount: 'parameters',
};

function describeShape(model: Model): Shape {
  const { quantization } = model;
  if (!isGenerated(model)) {
    const { layerCount, parameterCount } = model;
    return { layerCount, quantization, parameterCount };
  }
  const { architecture } = model;
  const { layerCount } = architecture;
  return { layerCount, quantization, parameterCount: countParameters(architecture) };
}
