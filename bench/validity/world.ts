import { type RandomSource, shuffled } from '../../src/random.ts';

/** What disturbs the trials of a simulated campaign. All sizes are logarithms of time ratios. */
export interface World {
  name: string;
  /** Disturbance of one trial with scale `sd`. */
  noise(draw: Draw, sd: number): number;
  /** The same of the second arm, where it has its own. */
  noiseOfB?: (draw: Draw, sd: number) => number;
  /** The noise's median in units of sd. */
  medianNoise: number;
  /** From the first trial of the campaign to the last, linearly. */
  drift: number;
  /** Of the last slot of a round against the first, linearly. */
  slotEffect: number;
  /** Standard deviation of what a whole round shares, and of what the whole campaign shares. */
  roundSd: number;
  campaignSd: number;
  isOrderRandom: boolean;
}

/** Standard deviation (or scale) of a trial's noise unless a study says otherwise: 0.5 %. */
export const usualSd = 0.005;

const still = {
  noise: (draw: Draw, sd: number) => sd * draw.normal(),
  medianNoise: 0,
  drift: 0,
  slotEffect: 0,
  roundSd: 0,
  campaignSd: 0,
  isOrderRandom: true,
};

/** One trial in ten is slower by at least 3 %, Pareto with index 1.5: no finite variance. */
const spiked = (draw: Draw, sd: number) =>
  sd * draw.normal() + (draw.uniform() < 0.1 ? Math.log1p(0.03 * draw.uniform() ** (-1 / 1.5)) : 0);

/** Two speeds, so many trials at the slow one. Only the tail is asked there, never the median. */
const mixWithSlow = (share: number) => (draw: Draw, sd: number) =>
  sd * draw.normal() + (draw.uniform() < share ? Math.log(1.2) : 0);

/** Normal quantiles of 5/9 and 5/7: where 0.9 and 0.7 of the noise lie half of all. */
const medianOfSpiked = 0.139710298881862;
const medianOfTwoSpeeds = 0.565948821932863;

export const worlds = {
  still: { ...still, name: 'no disturbance' },
  drift: { ...still, name: '3 % linear drift', drift: Math.log(1.03) },
  slot: { ...still, name: '1 % order effect', slotEffect: Math.log(1.01) },
  rounds: { ...still, name: 'rounds vary together (sd 1 %)', roundSd: 0.01 },
  student: {
    ...still,
    name: 'heavy tails: Student t, 3 degrees',
    noise: (draw, sd) => sd * draw.student3(),
  },
  spikes: {
    ...still,
    name: 'heavy tails: 10 % Pareto spikes',
    noise: spiked,
    medianNoise: medianOfSpiked,
  },
  twoSpeeds: {
    ...still,
    name: 'two speeds: 30 % of trials 8 % slower',
    noise: (draw, sd) => sd * draw.normal() + (draw.uniform() < 0.3 ? Math.log(1.08) : 0),
    medianNoise: medianOfTwoSpeeds,
  },
  slowTenth: { ...still, name: '10 % of trials 20 % slower', noise: mixWithSlow(0.1) },
  slowThird: { ...still, name: '30 % of trials 20 % slower', noise: mixWithSlow(0.3) },
  slowHalf: { ...still, name: '45 % of trials 20 % slower', noise: mixWithSlow(0.45) },
  spikesInOne: {
    ...still,
    name: 'the spikes in one arm alone',
    noise: spiked,
    noiseOfB: still.noise,
    medianNoise: medianOfSpiked,
  },
  fixedOrder: {
    ...still,
    name: '1 % order effect, order not randomised',
    slotEffect: Math.log(1.01),
    isOrderRandom: false,
  },
  days: { ...still, name: 'the whole campaign is off (sd 1 %)', campaignSd: 0.01 },
} satisfies Record<string, World>;
export type WorldKey = keyof typeof worlds;

/** Random numbers from a seeded source. */
export interface Draw {
  random: RandomSource;
  /** In (0, 1). */
  uniform(): number;
  normal(): number;
  student3(): number;
}

export function createDraw(random: RandomSource): Draw {
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  const angle = () => Math.cos(2 * Math.PI * uniform());
  return {
    random,
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * angle(), // Box & Muller 1958
    student3: () => Math.sqrt(3 * (uniform() ** (-2 / 3) - 1)) * angle(), // Bailey 1994
  };
}

export interface Design {
  arms: number;
  /** Trials a round; more than `arms` when the others are not looked at. */
  slots: number;
  rounds: number;
  sd: number;
}

/** [arm][round] log times of one campaign whose arms do not differ but for their noise. */
export function simulateCampaign(world: World, design: Design, draw: Draw): number[][] {
  const { arms, slots, rounds, sd } = design;
  const logs = Array.from({ length: arms }, () => new Array<number>(rounds));
  const campaign = world.campaignSd * draw.normal();
  // Where the order is not drawn, the first arm is first and the second last.
  const inOrder = Array.from({ length: slots }, (_, arm) => (slots - arm) % slots);
  for (let round = 0; round < rounds; round++) {
    const slotOf = world.isOrderRandom ? drawSlots(arms, inOrder, draw) : inOrder;
    const shared = campaign + world.roundSd * draw.normal();
    for (let arm = 0; arm < arms; arm++) {
      const slot = slotOf[arm]!;
      const noise = (arm === 1 ? world.noiseOfB : undefined) ?? world.noise;
      logs[arm]![round] =
        shared +
        world.slotEffect * (slot / Math.max(1, slots - 1)) +
        world.drift * ((round * slots + slot) / Math.max(1, rounds * slots - 1)) +
        noise(draw, sd);
    }
  }
  return logs;
}

/** Of all arms, or of the only one that is looked at. */
function drawSlots(arms: number, slots: readonly number[], { random }: Draw): number[] {
  return arms === 1 ? [random.nextBelow(slots.length)] : shuffled(slots, random);
}
