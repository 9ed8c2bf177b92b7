import { toNumber } from '../../src/stats/fraction.ts';
import { shiftInterval } from '../../src/stats/mann-whitney.ts';
import { lowerRankFor, medianCoverage } from '../../src/stats/median-interval.ts';
import { walshInterval } from '../../src/stats/signed-rank.ts';
import { jointCoverage, simultaneousInterval } from '../../src/stats/simultaneous-interval.ts';
import { level } from './compare.ts';
import { formatRuns, formatTable, shareOf } from './figure.ts';
import type { Cell, Results } from './results.ts';
import { counts, jointWorlds, manyArms, ratioWorlds, sampleWorlds, tailCases } from './tasks.ts';
import { type WorldKey, worlds } from './world.ts';

/** What `rooflaw` prints as the coverage of each interval of n values. */
const printedMedian = (n: number) => toNumber(medianCoverage(n, lowerRankFor(n, level)));
const flat = (n: number) => new Array<number>(n).fill(0);

interface RatioMethod {
  key: string;
  title: string;
  printed: (n: number) => number;
  designs: { arms: number; n: number }[];
  /** Worlds in which what the interval assumes does not hold. */
  brokenIn: readonly WorldKey[];
}

const twoArms = counts.map((n) => ({ arms: 2, n }));

const ratioMethods: RatioMethod[] = [
  {
    key: 'randomisation',
    title: 'Interval of the decision (g)',
    printed: () => level,
    designs: [...twoArms, { arms: manyArms, n: 10 }],
    brokenIn: ['spikesInOne'],
  },
  {
    key: 'paired',
    title: 'Interval (f), order statistics of paired ratios',
    printed: printedMedian,
    designs: twoArms,
    brokenIn: ['spikesInOne'],
  },
  {
    key: 'Walsh',
    title: 'Walsh averages of paired ratios',
    printed: (n) => walshInterval(flat(n), level)!.coverage,
    designs: twoArms,
    brokenIn: ['spikesInOne'],
  },
  {
    key: 'Hodges-Lehmann',
    title: 'Sensitivity (c), Hodges-Lehmann shift, which takes all trials as independent',
    printed: (n) => shiftInterval(flat(n), flat(n), level)!.coverage,
    designs: twoArms,
    brokenIn: ['spikesInOne', 'drift', 'slot', 'rounds'],
  },
];

const percent = (share: number, digits = 2) => (100 * share).toFixed(digits);

/** One table a method: coverage of the real ratio, and the median width of the interval. */
export function writeRatioTables(results: Results): string {
  return ratioMethods
    .map((method) => `### ${method.title}\n\n${writeRatioTable(results, method)}`)
    .join('\n\n');
}

function writeRatioTable(results: Results, method: RatioMethod): string {
  const { key, title, printed, designs, brokenIn } = method;
  const tallyOf = (world: WorldKey, design: { arms: number; n: number }) =>
    results.tally({ study: 'coverage', world, ...design }, key);
  const head = designs.map((design) => {
    const { arms, n } = design;
    const runs = formatRuns(tallyOf('still', design));
    return `${arms} arms, n = ${n}${runs}, printed ${percent(printed(n))}`;
  });
  const rows = ratioWorlds.map((world) => [
    worlds[world].name,
    ...designs.map((design) => {
      const { arms, n } = design;
      const tally = tallyOf(world, design);
      const where = `${title}, ${worlds[world].name}, ${arms} arms, n = ${n}`;
      const isPromised = !brokenIn.includes(world);
      const goal = { kind: 'at-least', bound: printed(n), isPromised } as const;
      return `${results.judge(where, tally, goal)} (${percent(tally.size!)})`;
    }),
  ]);
  return formatTable(['% covered (median width, %)', ...head], rows);
}

/** Two things that the interval of one item's median may be taken for. */
const truths: { key: string; label: string; brokenIn: readonly WorldKey[] }[] = [
  { key: 'here', label: 'this campaign', brokenIn: ['days'] },
  { key: 'undisturbed', label: 'no disturbance', brokenIn: ['drift', 'slot', 'days'] },
];

/** The interval of one item's median, against both. */
export function writeSampleTable(results: Results): string {
  const cellOf = (world: WorldKey, n: number): Cell => ({
    study: 'one-sample',
    world,
    arms: manyArms,
    n,
  });
  const head = counts.map((n) => {
    const runs = formatRuns(results.tally(cellOf('still', n), 'here'));
    return `n = ${n}${runs}, printed ${percent(printedMedian(n))}`;
  });
  const rows = sampleWorlds.flatMap((world) =>
    truths
      .filter(({ key }) => key === 'undisturbed' || hasOwnMedian(world))
      .map(({ key, label, brokenIn }) => [
        worlds[world].name,
        label,
        ...counts.map((n) => {
          const where = `interval of one item, ${worlds[world].name}, of ${label}, n = ${n}`;
          return results.judge(where, results.tally(cellOf(world, n), key), {
            kind: 'at-least',
            bound: printedMedian(n),
            isPromised: !brokenIn.includes(world),
          });
        }),
      ]),
  );
  return formatTable(['% covered', 'median of', ...head], rows);
}

/** Whether the campaign's median is another than that without disturbance. */
const hasOwnMedian = (world: WorldKey) => worlds[world].drift + worlds[world].slotEffect > 0;

/** All simultaneous intervals of a campaign. */
export function writeJointTable(results: Results): string {
  const n = 10;
  const values = Array.from({ length: n }, (_, i) => BigInt(i));
  const { coverage } = simultaneousInterval(values, manyArms, level)!;
  const bound = toNumber(jointCoverage(new Array(manyArms).fill(coverage)));
  const tallyOf = (world: WorldKey) =>
    results.tally({ study: 'joint', world, arms: manyArms, n }, 'joint');
  const rows = jointWorlds.map((world) => {
    const tally = tallyOf(world);
    const where = `simultaneous intervals, ${worlds[world].name}`;
    const goal = { kind: 'at-least', bound, isPromised: true } as const;
    return [worlds[world].name, results.judge(where, tally, goal)];
  });
  const label = `all ${manyArms} items covered, n = ${n}${formatRuns(tallyOf('still'))}`;
  return formatTable(['% of campaigns', `${label}, printed ${percent(bound, 4)}`], rows);
}

/** Bounds of the share of slow trials, were they always given and as they are given. */
export function writeTailTable(results: Results): string {
  const tallyOf = (at: (typeof tailCases)[number], n: number, method: string) =>
    results.tally({ study: 'tail', arms: 1, n, ...at }, method);
  const head = counts.flatMap((n) => [
    `n = ${n}${formatRuns(tallyOf(tailCases[0], n, 'always'))}, always given`,
    `n = ${n}, not with two speeds (given in)`,
  ]);
  const rows = tailCases.map((at) => {
    const { name } = worlds[at.world];
    const cells = counts.flatMap((n) => {
      const judge = (method: string, isPromised: boolean) =>
        results.judge(`share of slow trials ${method}, ${name}, n = ${n}`, tallyOf(at, n, method), {
          kind: 'at-least',
          bound: level,
          isPromised,
        });
      const given = shareOf(tallyOf(at, n, 'given'));
      return [judge('always', false), `${judge('as given', true)} (${percent(given, 1)})`];
    });
    return [`${name} (sd ${100 * at.sd} %)`, ...cells];
  });
  return formatTable(['% without a wrong bound', ...head], rows);
}
