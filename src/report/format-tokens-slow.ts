import type { SlowSteps, TokenItem } from '../formats/token-analysis.ts';
import { formatCount, formatWhole } from '../units.ts';
import { formatShare, formatTime } from './quantities.ts';
import { formatColumns, formatLegend, formatSentence, type Terminal } from './terminal.ts';

/** In a terminal; all of them are in the JSON. */
const mostShown = 10;

/** How many steps of an item were slow, when in a repetition, and which. */
export function formatSlowSteps({ slow, n, steps }: TokenItem, terminal: Terminal): string[] {
  if (slow === null) return [];
  const { count, ofSteps, timesMedian, shareOfTime, processes } = slow;
  const rule = `above ${timesMedian} median steps of their process`;
  if (count === 0) {
    return formatSentence(terminal, `No slow steps (${rule}) among ${formatWhole(ofSteps)}.`);
  }
  return [
    ...formatSentence(
      terminal,
      `Slow steps (${rule}): ${formatWhole(count)} of ${formatWhole(ofSteps)}, ${formatShare(shareOfTime)} of the decode time, in ${processes} of ${n} ${n === 1 ? 'process' : 'processes'}.`,
    ),
    ...formatSentence(terminal, describePlaces(slow, steps)),
    ...formatList(slow, terminal),
  ];
}

function describePlaces(slow: SlowSteps, steps: number): string {
  const { expectedPerStep, most, firstStep, cacheBorders } = slow;
  const borders =
    cacheBorders.steps === 0
      ? ''
      : `; at ${cacheBorders.steps === 1 ? 'the border' : `the ${cacheBorders.steps} borders`} of 256 cached tokens ${cacheBorders.count}, where ${round(cacheBorders.expected)} would be expected (standard deviation ${round(cacheBorders.standardDeviation)})`;
  return `If all ${formatCount(steps, 'place')} of a repetition were alike, ${round(expectedPerStep.mean)} at each (standard deviation ${round(expectedPerStep.standardDeviation)}). There were ${firstStep.count} at the first step${borders}; most at step ${most!.step + 1}: ${most!.count}.`;
}

const round = (value: number) => `${Number(value.toPrecision(3))}`;

function formatList({ listed, count }: SlowSteps, terminal: Terminal): string[] {
  const shown = listed.slice(0, mostShown);
  const column = (heading: string, cells: string[]) => ({
    heading,
    align: 'right' as const,
    cells,
  });
  const rest =
    count > shown.length
      ? formatLegend(
          terminal,
          `the ${shown.length} longest of ${formatWhole(count)}; --json lists ${formatWhole(listed.length)}`,
        )
      : [];
  return [
    ...formatColumns(
      terminal,
      column(
        'trial',
        shown.map(({ trial }) => `${trial + 1}`),
      ),
      [
        [
          column(
            'repetition',
            shown.map(({ repetition }) => `${repetition + 1}`),
          ),
          column(
            'step',
            shown.map(({ step }) => `${step + 1}`),
          ),
          column(
            'time',
            shown.map(({ stepNs }) => formatTime(stepNs)),
          ),
          column(
            'of the median',
            shown.map(({ stepNs, processMedianNs }) =>
              processMedianNs === 0 ? '–' : `${(stepNs / processMedianNs).toFixed(1)} x`,
            ),
          ),
        ],
      ],
    ),
    ...rest,
  ];
}
