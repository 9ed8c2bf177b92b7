import type { Fault } from '../errors.ts';
import { faultsOf, readableMembers } from '../formats/parse.ts';
import {
  type Model,
  modelSchema,
  type PlannedCondition,
  plannedComparisonSchema,
  plannedConditionSchema,
  planSchema,
} from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import { canonicalJson, identityOf } from '../hash.ts';
import { findArchitectureFaults } from '../space/constraints.ts';
import { findComparisonFaults } from './comparison-faults.ts';
import { weightsKey } from './create-plan.ts';
import { findProtocolFaults } from './protocol-faults.ts';

/** Every fault of a plan: its shape, and whether the parts whose shape is right agree. */
export function findPlanFaults(value: unknown): Fault[] {
  const { protocol, protocolSha256, reference } = readableMembers(planSchema, value);
  const parts = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const models = listOf(parts.models).map((item) => modelSchema.safeParse(item).data);
  const conditions = listOf(parts.conditions).map(
    (item) => plannedConditionSchema.safeParse(item).data,
  );
  const comparisons = listOf(parts.comparisons).map(
    (item) => plannedComparisonSchema.safeParse(item).data,
  );
  const protocolFaults = findProtocolFaults(parts.protocol).map((fault) => ({
    ...fault,
    where: `protocol.${fault.where}`,
  }));
  const faults = [
    ...faultsOf(planSchema, value),
    ...(parts.protocol === undefined ? [] : protocolFaults),
    ...(protocol && protocolSha256 ? findHashFaults(protocol, protocolSha256) : []),
    ...findModelFaults(models),
    ...findConditionFaults(conditions, models),
    ...(reference ? findReferenceFaults(reference, conditions, models, protocol) : []),
    ...(protocol && reference
      ? findComparisonFaults(
          { protocol, reference, conditions, comparisons },
          parts.comparisons !== undefined,
        )
      : []),
  ];
  const known = new Set<string>();
  return faults.filter(({ where, what }) => {
    const key = `${where}: ${what}`;
    return known.has(key) ? false : known.add(key);
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function findHashFaults(protocol: Protocol, stated: string): Fault[] {
  const expected = identityOf(protocol);
  if (stated === expected) return [];
  return [
    {
      where: 'protocolSha256',
      what: `the protocol in this plan has the hash ${expected}`,
      hint: 'a changed protocol is another protocol: make a new plan with `rooflaw plan`',
    },
  ];
}

/** @param models `undefined` keeps the place of one whose shape is wrong. */
function findModelFaults(models: readonly (Model | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  const names = new Map<string, string>();
  const hashes = new Set<string>();
  models.forEach((model, index) => {
    if (model === undefined) return;
    const where = `models[${index}]`;
    const { architecture, sha256 } = model;
    faults.push(...findArchitectureFaults(architecture, `${where}.architecture`));
    if (hashes.has(sha256)) faults.push({ where, what: 'the same model stands here twice' });
    hashes.add(sha256);
    const { name, ...dimensions } = architecture;
    const identity = canonicalJson(dimensions);
    if ((names.get(name) ?? identity) !== identity) {
      faults.push({
        where: `${where}.architecture.name`,
        what: `"${name}" names two different architectures`,
        hint: 'give each architecture a name of its own',
      });
    }
    names.set(name, identity);
  });
  return faults;
}

const noSuchModel = 'no model of the plan has this hash';
const hasModel = (models: readonly (Model | undefined)[], sha256: string) =>
  models.some((model) => model?.sha256 === sha256);

function findConditionFaults(
  conditions: readonly (PlannedCondition | undefined)[],
  models: readonly (Model | undefined)[],
): Fault[] {
  const faults: Fault[] = [];
  const known = new Set<string>();
  conditions.forEach((condition, index) => {
    if (condition === undefined) return;
    const where = `conditions[${index}]`;
    if (!hasModel(models, condition.modelSha256)) {
      faults.push({ where: `${where}.modelSha256`, what: noSuchModel });
    }
    const key = canonicalJson(condition);
    if (known.has(key)) faults.push({ where, what: 'the same condition stands here twice' });
    known.add(key);
  });
  return faults;
}

function findReferenceFaults(
  reference: PlannedCondition & { partOfSpace: boolean },
  conditions: readonly (PlannedCondition | undefined)[],
  models: readonly (Model | undefined)[],
  protocol: Protocol | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const { modelSha256, sequenceLength, partOfSpace } = reference;
  const model = models.find((candidate) => candidate?.sha256 === modelSha256);
  if (model === undefined) {
    faults.push({ where: 'reference.modelSha256', what: noSuchModel });
  } else if (protocol !== undefined && weightsKey(model) !== weightsKey(protocol.reference)) {
    faults.push({
      where: 'reference.modelSha256',
      what: 'this model is not the reference that the protocol names',
      hint: 'the reference belongs to the protocol: make a new plan with `rooflaw plan`',
    });
  }
  if (protocol !== undefined && sequenceLength !== protocol.reference.sequenceLength) {
    const what = `the protocol’s reference has ${protocol.reference.sequenceLength}`;
    faults.push({ where: 'reference.sequenceLength', what });
  }
  const isCondition = conditions.some(
    (condition) =>
      condition?.modelSha256 === modelSha256 && condition.sequenceLength === sequenceLength,
  );
  if (isCondition !== partOfSpace) {
    faults.push({
      where: 'reference.partOfSpace',
      what: partOfSpace
        ? 'no condition is the reference'
        : 'the reference is one of the conditions',
    });
  }
  return faults;
}
