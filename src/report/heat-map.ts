import { wantedCoverage } from '../analysis/item.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { nameItemOf } from '../llama-bench/item-name.ts';
import {
  fewestForSimultaneousInterval,
  simultaneousInterval,
} from '../stats/simultaneous-interval.ts';
import { listAlike } from './heat-map-alike.ts';
import { findHeatAxes, type HeatAxis, type HeatPoint, listSettings } from './heat-map-axes.ts';

/** Fewer variants are read more easily as rows of a table. */
export const fewestVariantsOfHeatMap = 4;

/**
 * `best`: the largest rate. `not-told-apart`: its interval overlaps that of the best; `slower`: it
 * does not. `no-interval`: it or the best has none, so nothing is said. `not-measured`: no time.
 */
export type HeatState = 'best' | 'not-told-apart' | 'slower' | 'no-interval' | 'not-measured';

/** One variant under one test. */
export interface HeatCell {
  /** Indices into the values of the axes; 0 where there is none. */
  row: number;
  column: number;
  variant: string;
  /** Of the representative. */
  tokensPerSecond: number | null;
  /** Tokens per second; holds together with those of all cells of the test. */
  interval: { lower: number; upper: number } | null;
  state: HeatState;
}

/** Cells that share every setting but those of the axes. */
export interface HeatBlock {
  /** `flashAttention on, kvTypeK F16`; empty where there is one block. */
  label: string;
  cells: HeatCell[];
}

/** One test (a model and its work in one phase) under every variant. */
export interface HeatMap {
  /** `tiny Q8_0 pp512`; of a space `tiny Q8_0 S512 prefill` */
  title: string;
  phase: Phase;
  /** The most varying settings; null where fewer vary. */
  rows: HeatAxis | null;
  columns: HeatAxis | null;
  blocks: HeatBlock[];
  /** Of `listAlike`: groups of variants that are the same in this test. */
  alike: string[][];
  /** Cells with a time: over these the intervals share the error. */
  familySize: number;
  /** Processes that an interval needs in so large a family. */
  processesNeeded: number;
}

/**
 * The tests of a campaign as maps from settings to tokens per second, in the order of its items; none
 * where the plan has fewer variants than two. Intervals are order statistics of the processes' means,
 * simultaneous over the cells of one test (Bonferroni), 95 % together.
 */
export function listHeatMaps(analysis: Analysis): HeatMap[] {
  const { protocol } = analysis;
  const { space, variants = [] } = analysis.identity;
  if (variants.length < 2) return [];
  const points = new Map(listSettings(analysis).map((point) => [point.variant, point]));
  const tests = Map.groupBy(
    analysis.items.flatMap((item, index) => {
      const point = item.variant === undefined ? undefined : points.get(item.variant);
      return point === undefined ? [] : [{ item, index, point }];
    }),
    ({ item: { variant: _variant, ...item } }) => nameItemOf({ space, protocol }, item),
  );
  const means = Map.groupBy(
    analysis.trials.filter(({ trialMeanNs }) => trialMeanNs !== null),
    ({ item }) => item,
  );
  return [...tests].map(([title, cells]) => ({
    ...buildHeatMap(
      title,
      cells.map(({ item, index, point }) => ({
        item,
        point,
        sortedNs: (means.get(index) ?? [])
          .map(({ trialMeanNs }) => trialMeanNs!)
          .sort((a, b) => a - b),
      })),
    ),
    alike: listAlike(
      analysis,
      cells.map(({ item }) => item),
    ),
  }));
}

interface Candidate {
  item: ItemAnalysis;
  point: HeatPoint;
  sortedNs: readonly number[];
}

function buildHeatMap(title: string, candidates: readonly Candidate[]): Omit<HeatMap, 'alike'> {
  const { rows, columns, others } = findHeatAxes(candidates.map(({ point }) => point));
  const familySize = candidates.filter(({ item }) => item.tokensPerSecond !== null).length;
  const cells = candidates.map(({ item, point, sortedNs }) => ({
    point,
    row: placeOn(rows, point),
    column: placeOn(columns, point),
    variant: point.variant,
    tokensPerSecond: item.tokensPerSecond,
    interval: findInterval(item, sortedNs, familySize),
  }));
  const best = cells.reduce<(typeof cells)[number] | null>(
    (most, cell) => ((cell.tokensPerSecond ?? 0) > (most?.tokensPerSecond ?? 0) ? cell : most),
    null,
  );
  const judged = cells.map((cell) => ({ ...cell, state: judge(cell, best) }));
  const blocks = Map.groupBy(judged, ({ point }) =>
    others.map(({ setting }) => `${setting} ${point.settings.get(setting)}`).join(', '),
  );
  return {
    title,
    phase: candidates[0]!.item.phase,
    rows,
    columns,
    blocks: [...blocks].map(([label, members]) => ({
      label,
      cells: members.map(({ point: _point, ...cell }) => cell),
    })),
    familySize,
    processesNeeded: fewestForSimultaneousInterval(Math.max(familySize, 1), wantedCoverage),
  };
}

function placeOn(axis: HeatAxis | null, { settings }: HeatPoint): number {
  return axis === null ? 0 : axis.values.indexOf(settings.get(axis.setting)!);
}

/** The rate falls as the time rises, so that the ends change places. */
function findInterval(
  { representativeNs, tokensPerSecond }: ItemAnalysis,
  sortedNs: readonly number[],
  familySize: number,
): HeatCell['interval'] {
  if (representativeNs === null || tokensPerSecond === null) return null;
  // only the places matter: which of the sorted means are the ends
  const places = sortedNs.map((_, place) => BigInt(place));
  const found = simultaneousInterval(places, familySize, wantedCoverage);
  if (found === null) return null;
  const tokensTimesNs = tokensPerSecond * representativeNs;
  const [fast, slow] = found.ranks.map((rank) => sortedNs[rank - 1]!) as [number, number];
  return { lower: tokensTimesNs / slow, upper: tokensTimesNs / fast };
}

function judge(cell: Omit<HeatCell, 'state'>, best: Omit<HeatCell, 'state'> | null): HeatState {
  if (cell.tokensPerSecond === null || best === null) return 'not-measured';
  if (cell === best) return 'best';
  if (cell.interval === null || best.interval === null) return 'no-interval';
  return cell.interval.upper >= best.interval.lower ? 'not-told-apart' : 'slower';
}
