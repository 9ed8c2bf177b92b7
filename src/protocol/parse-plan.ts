import { throwFaults } from '../errors.ts';
import { decodeJson } from '../formats/parse.ts';
import { type Plan, planSchema } from '../formats/plan.ts';
import { findPlanFaults } from './plan-faults.ts';

/** Reads a plan. @throws RooflawError `invalid-input` with every fault. */
export function parsePlan(text: string, subject: string): Plan {
  const value = decodeJson(text, subject);
  throwFaults(subject, findPlanFaults(value));
  return planSchema.parse(value);
}
