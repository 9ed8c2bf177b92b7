import { workKey } from '../formats/architecture.ts';
import type {
  FileModel,
  Plan,
  PlannedComparison,
  PlannedCondition,
  PlannedItemName,
  Variant,
} from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import { identityOf } from '../hash.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { nameAllItems } from './comparison-family.ts';

/** What is measured with each model and variant: everything with everything. */
export interface BenchWork {
  models: readonly FileModel[];
  /** null: one backend, under the protocol's execution. */
  variants: readonly Variant[] | null;
  tests: readonly BenchTest[];
}

/** One model under one variant, as a side of a comparison. */
export interface BenchSide {
  modelSha256: string;
  variant: string | null;
}

/**
 * A plan without a space: files, option sets and tests named one by one. The first condition is the
 * one that drift is looked for in.
 * @param compare pairs of sides that a protocol with declared comparisons decides, test by test
 */
export function createBenchPlan(input: {
  name: string;
  question: string;
  targetDifference: number;
  protocol: Protocol;
  scheduleSeed: number;
  work: BenchWork;
  compare?: readonly { a: BenchSide; b: BenchSide }[];
}): Plan {
  const { name, question, targetDifference, protocol, scheduleSeed, work, compare = [] } = input;
  const { models, variants, tests } = work;
  const sides: BenchSide[] = models.flatMap(({ sha256 }) =>
    (variants ?? [null]).map((variant) => ({
      modelSha256: sha256,
      variant: variant?.name ?? null,
    })),
  );
  const conditions = sides.flatMap((side) =>
    tests.map((test) => describeCondition(side, test, protocol)),
  );
  const { phase: _phase, ...reference } = conditions[0]!;
  const comparisons: PlannedComparison[] = compare.flatMap(({ a, b }) =>
    tests.map((test) => ({ a: nameSide(a, test, protocol), b: nameSide(b, test, protocol) })),
  );
  return {
    format: 'rooflaw-plan',
    formatVersion: 1,
    name,
    declaration: {
      question,
      targetDifference,
      comparisonFamily:
        comparisons.length > 0
          ? 'the declared comparisons'
          : nameAllItems(tests.map(({ phase }) => phase)),
      closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
      tailsAreAGoal: false,
    },
    space: null,
    protocol,
    protocolSha256: identityOf(protocol),
    scheduleSeed,
    models: [...models],
    ...(variants === null ? {} : { variants: [...variants] }),
    conditions: removeRepeated(conditions),
    reference: { ...reference, partOfSpace: true },
    ...(comparisons.length === 0 ? {} : { comparisons }),
  };
}

/** pp512 after 4096 tokens; 128 steps from an empty cache. */
function describeCondition(
  { modelSha256, variant }: BenchSide,
  { phase, tokens, depth }: BenchTest,
  { decodeSteps }: Protocol,
): PlannedCondition {
  const under = { modelSha256, phase, ...(variant === null ? {} : { variant }) };
  if (phase === 'prefill') {
    return { ...under, sequenceLength: tokens, ...(depth === 0 ? {} : { depth }) };
  }
  const steps = tokens === decodeSteps ? {} : { decodeSteps: tokens };
  return { ...under, sequenceLength: depth, ...steps };
}

function nameSide(side: BenchSide, test: BenchTest, protocol: Protocol): PlannedItemName {
  return { ...describeCondition(side, test, protocol), phase: test.phase };
}

/** A test that was asked for twice is measured once. */
function removeRepeated(conditions: readonly PlannedCondition[]): PlannedCondition[] {
  const known = new Map(
    conditions.map((condition) => [
      `${condition.modelSha256} ${workKey(condition)} ${condition.phase}`,
      condition,
    ]),
  );
  return [...known.values()];
}
