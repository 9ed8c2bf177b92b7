/** Campaigns of two sides and two tests with times from a model, through `ab`'s own decisions. */
import { usualMargin } from '../../src/analysis/usual-margin.ts';
import { createSidesPlan } from '../../src/commands/ab-plan.ts';
import type { FileModel, Plan } from '../../src/formats/plan.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import type { BenchTest } from '../../src/llama-bench/options/request.ts';
import { keyOfItem } from '../../src/protocol/comparisons.ts';
import { nameItem, planRounds } from '../../src/protocol/schedule.ts';
import { createSequentialTest, type Decision } from '../../src/protocol/stopping.ts';
import { createRandom, type RandomSource } from '../../src/random.ts';
import { randomisationInterval } from '../../src/stats/randomisation-test.ts';
import { judgeRatio } from '../../src/stats/verdict.ts';

/** How the times of identical sides scatter; every draw is a factor near 1. */
export const worlds = {
  /** 1 % in standard deviation. */
  normal: (random: RandomSource) => 1 + 0.01 * drawNormal(random),
  /** The same, and one trial in ten up to 40 % slow. */
  'heavy tails': (random: RandomSource) =>
    (1 + 0.01 * drawNormal(random)) *
    (drawUniform(random) < 0.1 ? 1 + 0.4 * drawUniform(random) : 1),
  /** Normal, and 3 % slower from the first trial of the campaign to the last. */
  drift: (random: RandomSource, place: number) =>
    (1 + 0.03 * place) * (1 + 0.01 * drawNormal(random)),
} as const;
export type WorldName = keyof typeof worlds;

/** Most rounds of `ab`, and what is no difference for it. */
export interface Rule {
  maxRounds: number;
  margin: number;
}
export const usualRule: Rule = { maxRounds: 30, margin: usualMargin };

export interface AlarmCounts {
  simulations: number;
  /** Campaigns in which any test was called slower or faster: false alarms. */
  alarms: number;
  /** Tests, of all campaigns together, by what became of them. */
  slower: number;
  faster: number;
  equivalent: number;
  open: number;
  meanRounds: number;
}

/** (a): campaigns of two identical sides, two tests, `ab`'s own rule. */
export function countAlarms(
  world: WorldName,
  simulations: number,
  seed: number,
  rule: Rule = usualRule,
): AlarmCounts {
  const counts = { slower: 0, faster: 0, equivalent: 0, open: 0 };
  let alarms = 0;
  let rounds = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const name = `${world.replace(' ', '-')}-${seed}-${simulation}`;
    const random = createRandom(`ab-false-alarms/${name}`);
    const { decision, rounds: measured } = follow(planOfSides(name, rule), (_, place) =>
      worlds[world](random, place),
    );
    rounds += measured;
    for (const { state } of decision.comparisons) counts[state] += 1;
    const isAlarm = decision.comparisons.some(
      ({ state }) => state === 'slower' || state === 'faster',
    );
    if (isAlarm) alarms += 1;
  }
  return { simulations, alarms, ...counts, meanRounds: rounds / simulations };
}

const tests: BenchTest[] = [
  { phase: 'prefill', tokens: 512, depth: 0 },
  { phase: 'decode', tokens: 128, depth: 0 },
];

/** A plan as `ab` makes it; a file that nobody opens. */
export function planOfSides(name: string, { maxRounds, margin }: Rule): Plan {
  const model: FileModel = {
    name: 'model',
    file: 'model.gguf',
    family: 'llama',
    title: null,
    quantization: 'Q8_0',
    layerCount: 1,
    parameterCount: 1,
    weightBytes: 1,
    fileBytes: 1,
    sha256: 'a'.repeat(64),
    parts: [{ name: 'model.gguf', bytes: 1, sha256: 'a'.repeat(64) }],
  };
  const side = { model, backend: 'embedded', execution: createBaseExecution(1) };
  return createSidesPlan({
    name,
    question: 'Is b slower or faster than a?',
    targetDifference: 0.01,
    protocolName: 'ab',
    description: '',
    sides: [
      { variant: 'a', ...side },
      { variant: 'b', ...side },
    ],
    tests,
    counts: { processes: maxRounds, warmup: 0, kept: 1 },
    cachePreparation: 'compute',
    rule: {
      stopping: {
        method: 'S2',
        alpha: 0.05,
        margin,
        equivalence: 0.01,
        correction: 'bonferroni',
        comparisons: 'declared',
        measured: 'open',
      },
      pairs: [{ a: 0, b: 1 }],
    },
  });
}

/** What `ab` does not measure any more, a factor for each trial that it does. */
type Draw = (trial: { side: Side; test: number; round: number }, place: number) => number;
type Side = 'a' | 'b';

const trialNs = 100_000_000;

/** @returns `trials`: those that were measured, without what was decided before */
export function follow(
  plan: Plan,
  draw: Draw,
): { decision: Decision; rounds: number; trials: number } {
  const test = createSequentialTest(plan)!;
  const rounds = planRounds(plan);
  const count = rounds.flat().length;
  const phases = tests.map(({ phase }) => phase);
  let decision: Decision | undefined;
  let [measured, trials] = [0, 0];
  for (const [round, planned] of rounds.entries()) {
    const sums = new Map<string, bigint>();
    for (const { item, model, trial } of planned) {
      const key = keyOfItem(nameItem({ item, model }));
      if (test.leavesOut(key)) continue;
      const place = { side: item.variant as Side, test: phases.indexOf(item.phase), round };
      sums.set(key, BigInt(Math.round(trialNs * draw(place, trial / count))));
    }
    trials += sums.size;
    decision = test.next(sums);
    measured += 1;
    if (decision.stop) break;
  }
  return { decision: decision!, rounds: measured, trials };
}

export interface PlantCounts {
  /** Share of tests that are called slower. */
  decided: number;
  /** Of the two measured sides' processes over those of ten of each: what `ab` costs. */
  processes: number;
  /** The share that ten of each decides, by `compare`'s method (g). */
  decidedByTen: number;
}

/** b 5 % slower than a in both tests, and processes that scatter normally by `deviation` of their time. */
export function countPlants(
  deviation: number,
  simulations: number,
  seed: number,
  rule: Rule = usualRule,
): PlantCounts {
  const slowdown = 1.05;
  const perSide = 10;
  const level = 1 - 0.05 / tests.length;
  let [decided, trials, decidedByTen] = [0, 0, 0];
  for (let simulation = 0; simulation < simulations; simulation++) {
    const name = `planted-${deviation}-${seed}-${simulation}`;
    const random = createRandom(`ab-false-alarms/${name}`);
    const drawTime = (side: Side) =>
      (side === 'b' ? slowdown : 1) * Math.exp(deviation * drawNormal(random));
    const followed = follow(planOfSides(name, rule), ({ side }) => drawTime(side));
    trials += followed.trials;
    decided += followed.decision.comparisons.filter(({ state }) => state === 'slower').length;
    for (const _ of tests) {
      const [a, b] = (['a', 'b'] as const).map((side) =>
        Array.from({ length: perSide }, () => Math.log(drawTime(side))),
      ) as [number[], number[]];
      const logs = randomisationInterval(a, b, level);
      const ratios = logs && {
        ...logs,
        lower: Math.exp(logs.lower),
        upper: Math.exp(logs.upper),
      };
      if (judgeRatio(ratios, { margin: rule.margin, equivalence: null }) === 'slower')
        decidedByTen += 1;
    }
  }
  const all = tests.length * simulations;
  return {
    decided: decided / all,
    processes: trials / (2 * perSide * all),
    decidedByTen: decidedByTen / all,
  };
}

/** In (0, 1). */
export function drawUniform(random: RandomSource): number {
  return (random.nextUint32() + 0.5) / 2 ** 32;
}

/** Box & Muller (1958), doi:10.1214/aoms/1177706645; the second one is left. */
function drawNormal(random: RandomSource): number {
  const radius = Math.sqrt(-2 * Math.log(drawUniform(random)));
  return radius * Math.cos(2 * Math.PI * drawUniform(random));
}
