import { throwFaults } from '../errors.ts';
import type { Phase } from '../formats/architecture.ts';
import { phaseSchema } from '../formats/architecture.ts';
import type { FileModel, Plan, Variant } from '../formats/plan.ts';
import type { Execution, Stopping } from '../formats/protocol.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { createBenchPlan } from '../protocol/create-bench-plan.ts';
import { createBenchProtocol } from '../protocol/create-bench-protocol.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { seedOf } from '../protocol/schedule-seed.ts';

/** A model under a named variant: what a plan measures of a side. */
export interface PlannedSide {
  /** `a`, `b`; `base`, `base-again`, `candidate`. */
  variant: string;
  model: FileModel;
  /** The backend's label. */
  backend: string;
  execution: Execution;
}

/** A process that hangs is ended after this. */
const trialTimeLimitSeconds = 3600;

/** Counts of a campaign; with a stopping rule `processes` is the maximum of rounds. */
export interface Counts {
  processes: number;
  warmup: number;
  kept: number;
}

/**
 * A plan that measures each side in each test, in the same randomised rounds. Sides that come to the
 * same are variants of two names, so that each has trials of its own. The order in the rounds follows
 * from the campaign's name, so that another run has another order.
 * @param input.pairs places of the sides that are compared, as b against a; their comparisons stand in
 *   the plan pair by pair, test by test
 * @throws RooflawError `invalid-input` with what the rule cannot decide or a schema refuses
 */
export function createSidesPlan(input: {
  name: string;
  question: string;
  targetDifference: number;
  protocolName: string;
  description: string;
  sides: readonly PlannedSide[];
  tests: readonly BenchTest[];
  counts: Counts;
  cachePreparation: 'compute' | 'restore';
  rule: { stopping: Stopping; pairs: readonly { a: number; b: number }[] } | null;
}): Plan {
  const { name, question, targetDifference, sides, tests, counts, cachePreparation, rule } = input;
  const phases = phaseSchema.options.filter((phase: Phase) =>
    tests.some((test) => test.phase === phase),
  );
  const protocol = createBenchProtocol({
    name: cachePreparation === 'restore' ? `${input.protocolName}-restored` : input.protocolName,
    description: input.description,
    execution: sides[0]!.execution,
    phases,
    decodeSteps: tests.find(({ phase }) => phase === 'decode')?.tokens ?? 1,
    ...counts,
    cachePreparation,
    ...(rule === null ? {} : { stopping: rule.stopping }),
    trialTimeLimitSeconds,
  });
  const models = [...new Map(sides.map(({ model }) => [model.sha256, model])).values()];
  const variants = sides.map(({ variant, backend, execution }): Variant => {
    return { name: variant, backend, execution };
  });
  const nameSide = (place: number) => {
    const { model, variant } = sides[place]!;
    return { modelSha256: model.sha256, variant };
  };
  const everything = createBenchPlan({
    name,
    question,
    targetDifference,
    protocol,
    scheduleSeed: seedOf(name),
    work: { models, variants, tests },
    compare: (rule?.pairs ?? []).map(({ a, b }) => ({ a: nameSide(a), b: nameSide(b) })),
  });
  const wanted = new Set(sides.map(({ model, variant }) => `${model.sha256} ${variant}`));
  const plan: Plan = {
    ...everything,
    conditions: everything.conditions.filter(({ modelSha256, variant }) =>
      wanted.has(`${modelSha256} ${variant}`),
    ),
  };
  throwFaults('the plan', findPlanFaults(plan));
  return plan;
}
