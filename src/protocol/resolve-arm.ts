import type { Arm, Experiment } from '../formats/experiment.ts';
import type { Variant } from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';
import { noTreatment, plainLaunch } from '../formats/treatment.ts';

/** The variant that an arm becomes: what it changes, put into what holds for all of them. */
export function resolveArm(
  { name, execution, treatment, launch, cachePreparation, repetitions }: Arm,
  base: Execution,
  backend: string,
): Variant {
  return {
    name,
    backend,
    execution: put(base, execution),
    ...(treatment === undefined ? {} : { treatment: put(noTreatment, treatment) }),
    ...(launch === undefined ? {} : { launch: put(plainLaunch, launch) }),
    ...(cachePreparation === undefined ? {} : { cachePreparation }),
    ...(repetitions === undefined ? {} : { repetitions }),
  };
}

/** What came out of JSON has no member that is undefined. */
type Changes<Whole> = { [Key in keyof Whole]?: Whole[Key] | undefined };
const put = <Whole extends object>(base: Whole, changes: Changes<Whole> = {}): Whole => ({
  ...base,
  ...(changes as Partial<Whole>),
});

/** Whether its arms differ in the weights of the model, and perhaps in nothing else. */
export const changesWeights = ({ arms }: Pick<Experiment, 'arms'>): boolean =>
  arms.some(({ weights }) => weights !== undefined);
