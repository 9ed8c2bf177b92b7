import { RooflawError } from '../errors.ts';
import type { Architecture } from '../formats/architecture.ts';
import type { Declaration, GeneratedModel, Plan } from '../formats/plan.ts';
import type { Protocol, Reference } from '../formats/protocol.ts';
import type { Space } from '../formats/space.ts';
import { canonicalJson, identityOf } from '../hash.ts';
import { listItems } from './schedule.ts';
import { selectComparisons } from './select-comparisons.ts';

/** A model that a plan needs, before its file and hash are known. */
export type WantedModel = Pick<GeneratedModel, 'architecture' | 'quantization' | 'weightSeed'>;

/** Two requests for the same weights: names don't matter, they are not in the file. */
export function weightsKey({ architecture, quantization, weightSeed }: WantedModel): string {
  const { name: _name, ...dimensions } = architecture;
  return canonicalJson({ dimensions, quantization, weightSeed });
}

/** The reference that the protocol names. @throws RooflawError `invalid-input` when it names none */
function referenceOf({ name, reference }: Protocol): Reference {
  if (reference !== 'first-condition') return reference;
  throw new RooflawError('invalid-input', `protocol ${name} names no reference model of its own`, {
    hint: 'it is for files; take a protocol with a reference for a space',
  });
}

function wantedReference(space: Space, protocol: Protocol): WantedModel {
  const { architecture, quantization, weightSeed } = referenceOf(protocol);
  const taken = space.architectures.some(({ name }) => name === architecture.name);
  const name = taken ? `reference-${architecture.name}` : architecture.name;
  return { architecture: { ...architecture, name }, quantization, weightSeed };
}

function architectureOf(space: Space, name: string): Architecture {
  const architecture = space.architectures.find((candidate) => candidate.name === name);
  if (architecture === undefined) throw new Error(`the space has no architecture ${name}`);
  return architecture;
}

/** Every model of the space's conditions and of the protocol's reference, once each. */
export function listWantedModels(space: Space, protocol: Protocol): WantedModel[] {
  const wanted = new Map<string, WantedModel>();
  for (const condition of space.conditions) {
    const architecture = architectureOf(space, condition.architecture);
    const { quantization } = condition;
    const model = { architecture, quantization, weightSeed: space.weightSeed };
    wanted.set(weightsKey(model), model);
  }
  const reference = wantedReference(space, protocol);
  const key = weightsKey(reference);
  if (!wanted.has(key)) wanted.set(key, reference);
  return [...wanted.values()];
}

/**
 * Puts a plan together; pure, so that the same inputs give the same plan and hash.
 * @param input.models the wanted models with their hashes, from `listWantedModels`.
 * @param input.compare comparisons for a protocol that decides declared ones, as people write them
 * @throws RooflawError `invalid-input` when one of them selects no two items
 */
export function createPlan(input: {
  name: string;
  space: Space;
  protocol: Protocol;
  declaration: Declaration;
  scheduleSeed: number;
  models: readonly GeneratedModel[];
  compare?: readonly string[];
}): Plan {
  const { name, space, protocol, declaration, scheduleSeed, models, compare = [] } = input;
  const hashes = new Map(models.map((model) => [weightsKey(model), model.sha256]));
  const hashOf = (wanted: WantedModel): string => {
    const sha256 = hashes.get(weightsKey(wanted));
    if (sha256 === undefined) throw new Error(`no model for ${wanted.architecture.name}`);
    return sha256;
  };
  const conditions = space.conditions.map(({ architecture, quantization, sequenceLength }) => ({
    modelSha256: hashOf({
      architecture: architectureOf(space, architecture),
      quantization,
      weightSeed: space.weightSeed,
    }),
    sequenceLength,
  }));
  const reference = {
    modelSha256: hashOf(referenceOf(protocol)),
    sequenceLength: referenceOf(protocol).sequenceLength,
  };
  const partOfSpace = conditions.some(
    ({ modelSha256, sequenceLength }) =>
      modelSha256 === reference.modelSha256 && sequenceLength === reference.sequenceLength,
  );
  const plan: Plan = {
    format: 'rooflaw-plan',
    formatVersion: 1,
    name,
    declaration,
    space: { name: space.name, sha256: identityOf(space) },
    protocol,
    protocolSha256: identityOf(protocol),
    scheduleSeed,
    models: [...models],
    conditions,
    reference: { ...reference, partOfSpace },
  };
  if (compare.length === 0) return plan;
  return { ...plan, comparisons: selectComparisons(listItems(plan), compare) };
}
