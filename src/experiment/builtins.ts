import type { BuiltIn } from './builtin.ts';
import { cpuPolicy, logOutput, state, weights } from './builtin-conditions.ts';
import { cpuMigration, moveFrequency, recovery } from './builtin-moves.ts';
import { affinityFrequency, natural, observer, schedTrace } from './builtin-observation.ts';

/** In the order in which a diagnosis asks. */
export const builtIns: readonly BuiltIn[] = [
  observer,
  natural,
  logOutput,
  cpuMigration,
  recovery,
  moveFrequency,
  affinityFrequency,
  schedTrace,
  cpuPolicy,
  state,
  weights,
];
