import { formatCount } from '../units.ts';

const heights = '▁▂▃▄▅▆▇█';

/**
 * A histogram in one line, from the first to the last count that is not 0, with what its ends and
 * its peak stand for: `4 ▁▃█▅·▁ 9 items (tallest: 31 subsets at 6)`.
 * @param histogram subsets in which k items pass, at index k
 */
export function drawBars(histogram: readonly number[], width: number): string {
  const tallest = Math.max(...histogram);
  const from = histogram.findIndex((count) => count > 0);
  const to = histogram.findLastIndex((count) => count > 0);
  const peak = histogram.indexOf(tallest);
  const tall = `tallest: ${formatCount(tallest, 'subset')}`;
  const words = ` ${formatCount(to, 'item')} (${tall} at ${peak})`;
  const bars = histogram.slice(from, to + 1).map((count) => {
    if (count === 0) return '·';
    return heights[Math.ceil((count / tallest) * heights.length) - 1]!;
  });
  if (bars.length + `${from} ${words}`.length > width)
    return `${tall} at ${formatCount(peak, 'item')}`;
  return `${from} ${bars.join('')}${words}`;
}
