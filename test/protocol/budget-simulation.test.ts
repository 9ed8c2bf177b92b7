import { expect, test } from 'vitest';
import { chooseForBudget, type PilotItem } from '../../src/protocol/budget.ts';
import { expectItem } from '../../src/protocol/budget-expectation.ts';
import { summarisePilot } from '../../src/protocol/budget-pilot.ts';
import { createRandom } from '../../src/random.ts';
import { expectedHalfWidth } from '../../src/stats/expected-interval.ts';
import { medianInterval } from '../../src/stats/median-interval.ts';

/** Standard normal values by Box & Muller (1958), one of each pair; the same from the same seed. */
function createNormal(seed: string): () => number {
  const random = createRandom(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Processes around 100 ms with a slow first repetition; spread between and inside them in ms. */
function drawProcesses(
  normal: () => number,
  count: number,
  repetitions: number,
  spread: { between: number; within: number },
): PilotItem {
  const processes = Array.from({ length: count }, () => {
    const level = 100 + spread.between * normal();
    const wallNs = Array.from({ length: repetitions }, (_, at) =>
      Math.round(1e6 * (level + spread.within * normal()) * (at === 0 ? 3 : 1)),
    );
    return { overheadNs: 1e9, wallNs, prepareNs: wallNs.map(() => 1e7) };
  });
  return { processes };
}

const limits = { minProcesses: 6, maxProcesses: 200, maxRepetitions: 100 };
const nothingFixed = { processes: null, warmup: null, kept: null };

test.each([
  ['between processes', { between: 2, within: 0.5 }],
  ['inside them', { between: 0.5, within: 3 }],
])(
  'a campaign of the counts chosen has the half-width that was expected, spread %s',
  (name, spread) => {
    const normal = createNormal(`campaign/${name}`);
    // A pilot of 200 processes knows the spread, so that only the rule is tested.
    const items = [drawProcesses(normal, 200, 12, spread)];
    const choice = chooseForBudget({ items, budgetNs: 30e9, fixed: nothingFixed, limits });
    expect(choice.expectedNs).toBeLessThanOrEqual(30e9);
    const campaigns = 400;
    let halfWidths = 0;
    let timeNs = 0;
    for (let campaign = 0; campaign < campaigns; campaign++) {
      const repetitions = choice.warmup + choice.kept;
      const { processes } = drawProcesses(normal, choice.processes, repetitions, spread);
      const means = processes.map(({ wallNs }) => {
        const kept = wallNs.slice(choice.warmup);
        return BigInt(Math.round(kept.reduce((sum, ns) => sum + ns, 0) / kept.length));
      });
      const { lower, upper } = medianInterval(means, 0.95)!;
      halfWidths += Number(upper - lower) / 2 / 1e8;
      for (const { overheadNs, wallNs, prepareNs } of processes) {
        timeNs += [overheadNs, ...wallNs, ...prepareNs].reduce((sum, ns) => sum + ns, 0);
      }
    }
    const ratio = halfWidths / campaigns / choice.items[0]!.relativeHalfWidth!;
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.05);
    expect(timeNs / campaigns / choice.expectedNs).toBeCloseTo(1, 2);
  },
);

test.each([
  ['between processes', { between: 2, within: 0.5 }, 0.92],
  ['inside them', { between: 0.5, within: 3 }, 0.92],
])(
  'of short pilots about 95 %% have the true half-width in their range, spread %s',
  (name, spread, least) => {
    const normal = createNormal(`range/${name}`);
    const counts = { processes: 20, warmup: 2, kept: 5 };
    const deviation = Math.sqrt(spread.between ** 2 + spread.within ** 2 / counts.kept) / 100;
    const trueHalfWidth = expectedHalfWidth(20, 0.95)! * deviation;
    const pilots = 600;
    let held = 0;
    for (let at = 0; at < pilots; at++) {
      const pilot = summarisePilot(drawProcesses(normal, 3, 10, spread));
      const [lower, upper] = expectItem(pilot, counts).relativeHalfWidthRange!;
      if (lower <= trueHalfWidth && trueHalfWidth <= upper) held += 1;
    }
    expect(held / pilots).toBeGreaterThan(least);
    expect(held / pilots).toBeLessThan(0.98);
  },
);

test('the kept repetitions chosen leave no more error in a given time than any others, within a few percent', () => {
  const spread = { between: 0.5, within: 3 };
  const pilot = drawProcesses(createNormal('optimum'), 200, 12, spread);
  const { warmup, kept } = chooseForBudget({
    items: [pilot],
    budgetNs: 100e9,
    fixed: nothingFixed,
    limits,
  });
  // One process: 1 s, warm-up and kept of 110 ms, the first 310 ms; error squared times time.
  const effort = (count: number) =>
    (1.2 + 0.11 * (warmup + count)) * (spread.between ** 2 + spread.within ** 2 / count);
  const best = Math.min(...Array.from({ length: 60 }, (_, at) => effort(at + 1)));
  expect(effort(kept) / best).toBeLessThan(1.1);
});
