import type { Closure } from '../formats/closure.ts';
import type { Measurements } from './measurements.ts';

/** The difference that matters and how near to it an item's interval must keep. */
export interface Target {
  difference: number;
  maxShareOfTarget: number;
  source: Closure['targetSource'];
  /** What the plan declares, when something else was asked for afterwards. */
  declaredDifference: number | null;
}

/** The rule where nobody declared one: an endpoint distance of at most half of 10 %. */
const usualTarget = { difference: 0.1, maxShareOfTarget: 0.5 };

/** The declared target, unless another was asked for; the usual one where nobody did either. */
export function chooseTarget({ declaration, targetDifference }: Measurements): Target {
  const declared = declaration?.targetDifference ?? null;
  const difference = targetDifference ?? declared ?? usualTarget.difference;
  const isAsked = targetDifference !== null && targetDifference !== declared;
  return {
    difference,
    maxShareOfTarget: declaration?.closureRule.maxShareOfTarget ?? usualTarget.maxShareOfTarget,
    source: isAsked ? 'command-line' : declared === null ? 'default' : 'plan',
    declaredDifference: isAsked ? declared : null,
  };
}
