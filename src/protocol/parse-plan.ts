import { type Fault, throwFaults } from '../errors.ts';
import { decodeJson, faultsOf } from '../formats/parse.ts';
import { type Plan, planSchema } from '../formats/plan.ts';
import { identityOf } from '../hash.ts';
import { findArchitectureFaults } from '../space/constraints.ts';
import { findProtocolFaults } from './protocol-faults.ts';

/** Reads a plan. @throws RooflawError `invalid-input` with every fault. */
export function parsePlan(text: string, subject: string): Plan {
  const value = decodeJson(text, subject);
  throwFaults(subject, findPlanFaults(value));
  return planSchema.parse(value);
}

/** Every fault of a plan: its shape first, then whether its parts agree. */
export function findPlanFaults(value: unknown): Fault[] {
  const faults = faultsOf(planSchema, value);
  return faults.length > 0 ? faults : findContradictions(value as Plan);
}

function findContradictions(plan: Plan): Fault[] {
  const faults: Fault[] = findProtocolFaults(plan.protocol).map((fault) => ({
    ...fault,
    where: `protocol.${fault.where}`,
  }));
  const expected = identityOf(plan.protocol);
  if (plan.protocolSha256 !== expected) {
    faults.push({
      where: 'protocolSha256',
      what: `the protocol in this plan has the hash ${expected}`,
      hint: 'a changed protocol is another protocol: make a new plan with `rooflaw plan`',
    });
  }
  const names = new Map<string, string>();
  const models = new Set<string>();
  plan.models.forEach((model, index) => {
    const where = `models[${index}]`;
    faults.push(...findArchitectureFaults(model.architecture, `${where}.architecture`));
    if (models.has(model.sha256)) faults.push({ where, what: 'the same model stands here twice' });
    models.add(model.sha256);
    const { name, ...dimensions } = model.architecture;
    const identity = identityOf(dimensions);
    if ((names.get(name) ?? identity) !== identity) {
      faults.push({
        where: `${where}.architecture.name`,
        what: `"${name}" names two different architectures`,
        hint: 'give each architecture a name of its own',
      });
    }
    names.set(name, identity);
  });
  const conditions = new Set<string>();
  plan.conditions.forEach(({ modelSha256, sequenceLength }, index) => {
    const where = `conditions[${index}]`;
    if (!models.has(modelSha256)) {
      faults.push({ where: `${where}.modelSha256`, what: 'no model of the plan has this hash' });
    }
    const key = `${modelSha256}/${sequenceLength}`;
    if (conditions.has(key)) faults.push({ where, what: 'the same condition stands here twice' });
    conditions.add(key);
  });
  const { modelSha256, sequenceLength, partOfSpace } = plan.reference;
  if (!models.has(modelSha256)) {
    faults.push({ where: 'reference.modelSha256', what: 'no model of the plan has this hash' });
  }
  if (conditions.has(`${modelSha256}/${sequenceLength}`) !== partOfSpace) {
    faults.push({
      where: 'reference.partOfSpace',
      what: partOfSpace
        ? 'no condition is the reference'
        : 'the reference is one of the conditions',
    });
  }
  return faults;
}
