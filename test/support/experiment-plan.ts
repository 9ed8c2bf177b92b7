import { declareExperiment } from '../../src/experiment/builtin.ts';
import type { Arm, Experiment } from '../../src/formats/experiment.ts';
import type { Model, Plan } from '../../src/formats/plan.ts';
import { createExperimentPlan } from '../../src/protocol/create-experiment-plan.ts';
import { benchExecution, fileModel } from './variant-plan.ts';

export function arm(name: string, parts: Partial<Arm> = {}): Arm {
  return { name, levels: { level: name }, ...parts };
}

/** Two arms, logs in a file and off, in 4 blocks of 1 warm-up and 2 kept repetitions. */
export function smallExperiment(changes: Partial<Experiment> = {}): Experiment {
  const arms = changes.arms ?? [arm('file'), arm('off', { execution: { logSink: 'off' } })];
  const [a, b] = arms;
  return declareExperiment({
    name: 'small',
    question: 'Does the log cost time?',
    factors: [{ name: 'level', levels: arms.map(({ name }) => name) }],
    blocks: 4,
    repetitions: { warmup: 1, kept: 2 },
    comparisons: [
      {
        name: 'log',
        a: { arm: a!.name, metric: 'time' },
        b: { arm: (b ?? a)!.name, metric: b === undefined ? 'first-repetition' : 'time' },
      },
    ],
    ...changes,
    arms,
  });
}

/** Of two files in decode after 128 tokens. */
export function smallExperimentPlan(
  experiment: Experiment = smallExperiment(),
  models: readonly Model[] = [fileModel('one', '1'), fileModel('two', '2')],
): Plan {
  return createExperimentPlan({
    name: experiment.name,
    experiment,
    cells: models.map((model) => ({ phase: 'decode', sequenceLength: 128, modelOf: () => model })),
    execution: benchExecution,
    decodeSteps: 16,
    scheduleSeed: 1,
  });
}
