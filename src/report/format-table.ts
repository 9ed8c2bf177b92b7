import { styleText } from 'node:util';
import type { Analysis, ItemAnalysis } from '../formats/analysis.ts';
import { formatItem, type Phase } from '../formats/architecture.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatDuration } from '../units.ts';
import { costWords } from './cost-words.ts';
import { describeDisturbance } from './disturbance-words.ts';
import { describeDrift } from './drift-words.ts';
import { describeItem, type ItemRow } from './item-row.ts';
import { type Column, layOutTable, tableWidth, wrapText } from './text-layout.ts';

type Paint = (format: 'bold' | 'dim' | 'yellow' | 'red', text: string) => string;

/**
 * What a campaign says, for a terminal.
 * @param options.colour whether ANSI colours may be used: only on a terminal
 * @param options.width columns of the terminal; 120 hold a table in one piece, 80 in two
 */
export function formatTable(
  analysis: Analysis,
  options: { colour: boolean; width: number },
): string {
  const paint: Paint = (format, text) =>
    options.colour ? styleText(format, text, { validateStream: false }) : text;
  const { width } = options;
  const lines = [
    ...formatHead(analysis, width, paint),
    ...analysis.protocol.phases.flatMap((phase) => formatPhase(analysis, phase, width, paint)),
    ...formatLegend(width, paint),
    ...formatDrift(analysis, width, paint),
    ...formatCost(analysis, paint),
    ...formatFailures(analysis, width, paint),
    ...formatNotes(analysis, width, paint),
    ...formatCaveats(analysis, width, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function formatHead(analysis: Analysis, width: number, paint: Paint): string[] {
  const { name, identity, progress, declaration, items } = analysis;
  const { planned, observed, failed } = progress;
  const stable = items.filter((item) => item.stable === true).length;
  const disturbance = describeDisturbance(analysis);
  const labelStyle = identity.isV1 ? 'bold' : 'yellow';
  return [
    ...wrapText(
      `${name}: ${observed} of ${planned} trials observed, ${failed} failed; ${stable} of ${items.length} items carry the stable flag`,
      width,
    ).map((line) => paint('bold', line)),
    ...wrapText(toPrintable(declaration.question), width),
    ...wrapText(toPrintable(identity.label), width).map((line) => paint(labelStyle, line)),
    ...(disturbance ? wrapText(disturbance, width).map((line) => paint('red', line)) : []),
    ...wrapText(
      toPrintable(
        `Device ${identity.device}: ${identity.fingerprint.deviceDescription}. Baseline ${identity.baselineKey.slice(0, 12)}.`,
      ),
      width,
    ),
  ];
}

function formatPhase(analysis: Analysis, phase: Phase, width: number, paint: Paint): string[] {
  const items = analysis.items.filter((item) => item.phase === phase);
  const timed =
    phase === 'prefill'
      ? 'time to process S tokens'
      : `time of ${analysis.protocol.decodeSteps} single-token steps after S tokens`;
  return [
    '',
    `${paint('bold', phase)}: ${timed}`,
    ...formatItems(items, width).map((line, index) => {
      if (index === 0) return paint('dim', line);
      return line.replace(/ no(?= |$)/, (no) => paint('yellow', no));
    }),
  ];
}

function formatItems(items: readonly ItemAnalysis[], width: number): string[] {
  const rows = items.map(describeItem);
  const column = (
    heading: string,
    field: keyof ItemRow,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: rows.map((row) => row[field]) });
  const condition = column('condition', 'condition', 'left');
  const times = [
    column('n', 'n'),
    column('time', 'time'),
    column('tokens/s', 'tokensPerSecond'),
    column('interval', 'interval'),
    column('covers', 'coverage'),
  ];
  const spread = [
    column('CV', 'cv'),
    column('in-trial', 'inTrialCv'),
    column('range', 'range'),
    column('stable', 'stable'),
    column('max/med', 'maxOverMedian'),
    column('slow', 'slow'),
  ];
  const whole = [condition, ...times, ...spread];
  if (tableWidth(whole) <= width) return layOutTable(whole);
  return [...layOutTable([condition, ...times]), '', ...layOutTable([condition, ...spread])];
}

const legend =
  'n: valid trials (+1f: one failed besides). time: median of the trial means. interval: order statistics of that median; ' +
  'covers: what it really covers. CV: of the trial means; in-trial: largest CV of the kept ' +
  'repetitions in one trial; both with ddof 1. range: (max - min) / median. max/med: slowest trial over the median; ' +
  'slow: trials above 1.05 x median. [ref]: the reference against drift.';

function formatLegend(width: number, paint: Paint): string[] {
  return ['', ...wrapText(legend, width).map((line) => paint('dim', line))];
}

function formatDrift({ drift }: Analysis, width: number, paint: Paint): string[] {
  if (drift.length === 0) return [];
  return [
    '',
    paint('bold', 'Drift of the reference'),
    ...drift.flatMap((phase) => {
      const lines = wrapText(`${phase.phase}: ${describeDrift(phase)}`, width, '  ', '    ');
      const isMarked = phase.state === 'evaluated' && phase.exceeded;
      return isMarked ? lines.map((line) => paint('red', line)) : lines;
    }),
  ];
}

function formatCost({ cost }: Analysis, paint: Paint): string[] {
  const parts = cost.parts.filter(({ ns }) => ns !== 0);
  const unknown = cost.attemptsOfUnknownCost;
  return [
    '',
    `${paint('bold', 'Hardware time')}: ${formatDuration(cost.totalNs)}`,
    ...layOutTable([
      { heading: '', align: 'left', cells: parts.map(({ part }) => `  ${costWords[part]}`) },
      { heading: '', align: 'right', cells: parts.map(({ ns }) => formatDuration(ns)) },
      {
        heading: '',
        align: 'right',
        cells: parts.map(({ share }) => `${(share * 100).toFixed(1)} %`),
      },
    ]).slice(1),
    ...(unknown > 0
      ? [`  and ${formatCount(unknown, 'interrupted attempt')} whose time nobody knows`]
      : []),
  ];
}

function formatFailures({ failures, items }: Analysis, width: number, paint: Paint): string[] {
  if (failures.length === 0) return [];
  return [
    '',
    paint('bold', 'Failed trials'),
    ...failures.flatMap(({ trial, item, code, message }) =>
      wrapText(
        `trial ${trial}, ${formatItem(items[item]!)}: ${code}: ${toPrintable(message)}`,
        width,
        '  ',
        '    ',
      ).map((line) => paint('red', line)),
    ),
  ];
}

function formatNotes({ notes }: Analysis, width: number, paint: Paint): string[] {
  if (notes.length === 0) return [];
  return [
    '',
    paint('bold', 'After the fact'),
    ...notes.flatMap(({ time, afterTrials, text }) =>
      wrapText(
        `${time}, after ${formatCount(afterTrials, 'trial')}: ${toPrintable(text)}`,
        width,
        '  ',
        '    ',
      ),
    ),
  ];
}

function formatCaveats({ caveats }: Analysis, width: number, paint: Paint): string[] {
  return [
    '',
    paint('bold', 'What this does not show'),
    ...caveats.flatMap((caveat) => wrapText(toPrintable(caveat), width, '- ', '  ')),
  ];
}
