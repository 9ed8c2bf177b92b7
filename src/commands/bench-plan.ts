import { itemKey } from '../analysis/item-key.ts';
import { RooflawError, throwFaults } from '../errors.ts';
import { type Phase, phaseSchema } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { identityOf } from '../hash.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { createBenchPlan } from '../protocol/create-bench-plan.ts';
import { createBenchProtocol } from '../protocol/create-bench-protocol.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { listItems } from '../protocol/schedule.ts';
import { seedOf } from '../protocol/schedule-seed.ts';
import type { PreparedBench } from './prepare-bench.ts';

/** A process that hangs is ended after this. */
const trialTimeLimitSeconds = 3600;

/** Protocols of bench by their names. */
export const protocolNames = [
  'bench',
  'few-loads',
  'bench-restored',
  'few-loads-restored',
] as const;
export type BenchProtocolName = (typeof protocolNames)[number];

const descriptions: Record<BenchProtocolName, string> = {
  bench: 'Fresh processes for every item, counts from a pilot or from the person who asked.',
  'few-loads':
    'As few fresh processes as an interval needs and more repetitions in each, where loading is most of the cost.',
  'bench-restored': 'As bench; before a repetition the cache is restored, not computed again.',
  'few-loads-restored':
    'As few-loads; before a repetition the cache is restored, not computed again.',
};

export interface BenchCounts {
  processes: number;
  warmup: number;
  kept: number;
}

/** @throws RooflawError `invalid-input` with the names there are */
export function readProtocolName(text: string | null): BenchProtocolName {
  if (text === null) return 'bench';
  const known = protocolNames.find((name) => name === text);
  if (known !== undefined) return known;
  throw new RooflawError('invalid-input', `bench has no protocol "${text}"`, {
    hint: `one of ${protocolNames.join(', ')}; other protocols measure spaces: \`rooflaw plan\``,
  });
}

/** Every model under every variant in every test. @throws RooflawError `invalid-input` */
export function makeBenchPlan(input: {
  name: string;
  protocolName: BenchProtocolName;
  prepared: PreparedBench;
  tests: readonly BenchTest[];
  counts: BenchCounts;
}): Plan {
  const { name, protocolName, prepared, tests, counts } = input;
  const phases = phaseSchema.options.filter((phase: Phase) =>
    tests.some((test) => test.phase === phase),
  );
  const protocol = createBenchProtocol({
    name: protocolName,
    description: descriptions[protocolName],
    execution: prepared.execution,
    phases,
    decodeSteps: tests.find(({ phase }) => phase === 'decode')?.tokens ?? 1,
    ...counts,
    cachePreparation: protocolName.endsWith('restored') ? 'restore' : 'compute',
    trialTimeLimitSeconds,
  });
  const plan = createBenchPlan({
    name,
    question: 'What do these files cost under these options on this machine?',
    targetDifference: 0.1,
    protocol,
    scheduleSeed: seedOf(name),
    work: { models: prepared.models.map(({ model }) => model), variants: prepared.variants, tests },
  });
  throwFaults('the plan of bench', findPlanFaults(plan));
  return plan;
}

/**
 * The plan without some of its items, and without models, variants and phases that have none left.
 * @param leftOut by `itemKey`, not all
 */
export function leaveOut(plan: Plan, leftOut: ReadonlySet<string>): Plan {
  if (leftOut.size === 0) return plan;
  const kept = listItems(plan).map(({ item, model }) => !leftOut.has(itemKey(item, model.sha256)));
  // each condition of bench has one phase, so that it is one item
  const conditions = plan.conditions.filter((_, at) => kept[at]);
  const { phase: _phase, ...reference } = conditions[0]!;
  const protocol = {
    ...plan.protocol,
    phases: plan.protocol.phases.filter((phase) => conditions.some((one) => one.phase === phase)),
  };
  const { variants } = plan;
  const lesser: Plan = {
    ...plan,
    protocol,
    protocolSha256: identityOf(protocol),
    models: plan.models.filter(({ sha256 }) =>
      conditions.some((one) => one.modelSha256 === sha256),
    ),
    ...(variants === undefined
      ? {}
      : {
          variants: variants.filter(({ name }) => conditions.some((one) => one.variant === name)),
        }),
    conditions,
    reference: { ...reference, partOfSpace: true },
  };
  throwFaults('the plan of bench', findPlanFaults(lesser));
  return lesser;
}
