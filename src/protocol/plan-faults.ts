import type { Fault } from '../errors.ts';
import { workKey } from '../formats/architecture.ts';
import { faultsOf, readableMembers } from '../formats/parse.ts';
import {
  isGenerated,
  type Model,
  modelSchema,
  nameOfModel,
  type Plan,
  type PlannedCondition,
  plannedComparisonSchema,
  plannedConditionSchema,
  planSchema,
  type Variant,
  variantSchema,
} from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import { canonicalJson, identityOf } from '../hash.ts';
import { findArchitectureFaults } from '../space/constraints.ts';
import { findComparisonFaults } from './comparison-faults.ts';
import { weightsKey } from './create-plan.ts';
import { findExperimentPlanFaults } from './experiment-faults.ts';
import { findExecutionFaults, findProtocolFaults } from './protocol-faults.ts';

/** Every fault of a plan: its shape, and whether the parts whose shape is right agree. */
export function findPlanFaults(value: unknown): Fault[] {
  const { protocol, protocolSha256, reference, experiment } = readableMembers(planSchema, value);
  const parts = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const models = listOf(parts.models).map((item) => modelSchema.safeParse(item).data);
  const conditions = listOf(parts.conditions).map(
    (item) => plannedConditionSchema.safeParse(item).data,
  );
  const variants =
    parts.variants === undefined
      ? null
      : listOf(parts.variants).map((item) => variantSchema.safeParse(item).data);
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
    ...findVariantFaults(variants ?? []),
    ...findConditionFaults(conditions, models, variants, protocol),
    ...(reference ? findReferenceFaults(reference, conditions, models, protocol) : []),
    ...(reference && !reference.partOfSpace
      ? findWorkFaults(reference, 'reference', variants)
      : []),
    ...(protocol && reference
      ? findComparisonFaults(
          { protocol, reference, conditions, comparisons },
          parts.comparisons !== undefined,
        )
      : []),
    ...(protocol ? findExperimentPlanFaults({ experiment, protocol, variants, conditions }) : []),
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
    if (hashes.has(model.sha256)) faults.push({ where, what: 'the same model stands here twice' });
    hashes.add(model.sha256);
    if (isGenerated(model)) {
      faults.push(...findArchitectureFaults(model.architecture, `${where}.architecture`));
    }
    const name = nameOfModel(model);
    const identity = identityOfName(model);
    if ((names.get(name) ?? identity) !== identity) {
      const what = isGenerated(model) ? 'architectures' : 'models';
      faults.push({
        where: isGenerated(model) ? `${where}.architecture.name` : `${where}.name`,
        what: `"${name}" names two different ${what}`,
        hint: `give each of the ${what} a name of its own`,
      });
    }
    names.set(name, identity);
  });
  return faults;
}

/** What a model's name stands for: an architecture, or one file. */
function identityOfName(model: Model): string {
  if (!isGenerated(model)) return model.sha256;
  const { name: _name, ...dimensions } = model.architecture;
  return canonicalJson(dimensions);
}

const noSuchModel = 'no model of the plan has this hash';
const hasModel = (models: readonly (Model | undefined)[], sha256: string) =>
  models.some((model) => model?.sha256 === sha256);

function findConditionFaults(
  conditions: readonly (PlannedCondition | undefined)[],
  models: readonly (Model | undefined)[],
  variants: readonly (Variant | undefined)[] | null,
  protocol: Protocol | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const known = new Set<string>();
  const knownItems = new Set<string>();
  conditions.forEach((condition, index) => {
    if (condition === undefined) return;
    const where = `conditions[${index}]`;
    if (!hasModel(models, condition.modelSha256)) {
      faults.push({ where: `${where}.modelSha256`, what: noSuchModel });
    }
    faults.push(...findWorkFaults(condition, where, variants));
    const { phase } = condition;
    if (phase !== undefined && protocol !== undefined && !protocol.phases.includes(phase)) {
      faults.push({ where: `${where}.phase`, what: `the protocol has no phase ${phase}` });
    }
    const key = canonicalJson(condition);
    const items = listItemKeys(condition, protocol);
    if (known.has(key)) faults.push({ where, what: 'the same condition stands here twice' });
    else if (items.some((item) => knownItems.has(item))) {
      const what = 'an earlier condition has the same item';
      faults.push({ where, what, hint: 'give each a phase, or leave one out' });
    }
    known.add(key);
    for (const item of items) knownItems.add(item);
  });
  return faults;
}

/** What two conditions must not share, however their work is written. */
function listItemKeys(condition: PlannedCondition, protocol: Protocol | undefined): string[] {
  const { modelSha256, phase, decodeSteps = protocol?.decodeSteps } = condition;
  const phases = phase === undefined ? (protocol?.phases ?? []) : [phase];
  return phases.map((one) => {
    const steps = one === 'decode' && decodeSteps !== undefined ? { decodeSteps } : {};
    return `${modelSha256} ${workKey({ ...condition, ...steps })} ${one}`;
  });
}

/** What a condition asks for and its phase or plan has not. */
function findWorkFaults(
  { sequenceLength, phase, depth, decodeSteps, variant }: PlannedCondition,
  where: string,
  variants: readonly (Variant | undefined)[] | null,
): Fault[] {
  const faults: Fault[] = [];
  if (sequenceLength === 0 && phase !== 'decode') {
    const what = 'a prefill of no tokens';
    faults.push({ where: `${where}.sequenceLength`, what, hint: 'only a decode can start at 0' });
  }
  if (depth !== undefined && phase !== 'prefill') {
    const what = 'a depth is a prefill’s; a decode starts after sequenceLength tokens';
    faults.push({ where: `${where}.depth`, what, hint: 'give the condition "phase": "prefill"' });
  }
  if (decodeSteps !== undefined && phase !== 'decode') {
    const what = 'only a decode has steps';
    faults.push({
      where: `${where}.decodeSteps`,
      what,
      hint: 'give the condition "phase": "decode"',
    });
  }
  const isKnown = variants?.some((known) => known?.name === variant) ?? variant === undefined;
  if (!isKnown) {
    const what =
      variant === undefined ? 'names no variant' : `the plan has no variant "${variant}"`;
    faults.push({ where: `${where}.variant`, what });
  }
  return faults;
}

function findVariantFaults(variants: readonly (Variant | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  variants.forEach((variant, index) => {
    if (variant === undefined) return;
    const where = `variants[${index}]`;
    if (names.has(variant.name)) faults.push({ where, what: 'another variant has this name' });
    names.add(variant.name);
    faults.push(...findExecutionFaults(variant.execution, `${where}.execution`));
  });
  return faults;
}

function findReferenceFaults(
  reference: Plan['reference'],
  conditions: readonly (PlannedCondition | undefined)[],
  models: readonly (Model | undefined)[],
  protocol: Protocol | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const { modelSha256, sequenceLength, partOfSpace } = reference;
  const named = protocol?.reference;
  const model = models.find((candidate) => candidate?.sha256 === modelSha256);
  if (model === undefined) {
    faults.push({ where: 'reference.modelSha256', what: noSuchModel });
  } else if (named !== undefined && !isNamed(named, model)) {
    faults.push({
      where: 'reference.modelSha256',
      what: 'this model is not the reference that the protocol names',
      hint: 'the reference belongs to the protocol: make a new plan with `rooflaw plan`',
    });
  }
  if (typeof named === 'object' && sequenceLength !== named.sequenceLength) {
    const what = `the protocol’s reference has ${named.sequenceLength}`;
    faults.push({ where: 'reference.sequenceLength', what });
  }
  const isSame = (condition: PlannedCondition | undefined) =>
    condition?.modelSha256 === modelSha256 && workKey(condition) === workKey(reference);
  if (named === 'first-condition' && conditions[0] !== undefined && !isSame(conditions[0])) {
    faults.push({ where: 'reference', what: 'is not the first condition' });
  }
  const isCondition = conditions.some(isSame);
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

function isNamed(named: Protocol['reference'], model: Model): boolean {
  if (named === 'first-condition') return true;
  return isGenerated(model) && weightsKey(model) === weightsKey(named);
}
