import { type Analysis, isByPerson, type SampleAnalysis } from '../../formats/analysis.ts';
import { formatItem } from '../../formats/architecture.ts';
import { formatCount, formatDuration } from '../../units.ts';
import { costWords, whatCostHolds } from '../cost-words.ts';
import { describeDrift } from '../drift-words.ts';
import { callWatched, nameFirstItem } from '../reference-words.ts';
import { formatBlock, formatLegend, formatSentence, type Terminal } from '../terminal.ts';
import { layOutTable } from '../text-layout.ts';

export function formatDrift(analysis: SampleAnalysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    `Drift of ${callWatched(analysis)}`,
    analysis.drift.flatMap((phase) => {
      const name = nameFirstItem(analysis, phase.phase);
      const place = name === null ? phase.phase : `${name} ${phase.phase}`;
      const lines = formatSentence(terminal, `${place}: ${describeDrift(phase, analysis)}`);
      const isMarked = phase.state === 'evaluated' && phase.exceeded;
      return isMarked ? lines.map((line) => terminal.paint('red', line)) : lines;
    }),
  );
}

export function formatCost({ cost }: Analysis, terminal: Terminal): string[] {
  const parts = cost.parts.filter(({ ns }) => ns !== 0);
  const unknown = cost.attemptsOfUnknownCost;
  return [
    '',
    `${terminal.paint('bold', 'Hardware time')}: ${formatDuration(cost.totalNs)}`,
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
    ...formatLegend(terminal, whatCostHolds),
  ];
}

export function formatFailures({ failures, items }: Analysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    'Failed trials',
    failures
      .flatMap(({ trial, item, code, message }) =>
        formatSentence(
          terminal,
          `trial ${trial}, ${formatItem(items[item]!)}: ${code}: ${message}`,
        ),
      )
      .map((line) => terminal.paint('red', line)),
  );
}

export function formatNotes({ notes }: Analysis, terminal: Terminal): string[] {
  const blockOf = (title: string, shown: Analysis['notes']) =>
    formatBlock(
      terminal,
      title,
      shown.flatMap(({ time, afterTrials, text }) =>
        formatSentence(terminal, `${time}, after ${formatCount(afterTrials, 'trial')}: ${text}`),
      ),
    );
  return [
    ...blockOf(
      'Noted by the program',
      notes.filter((note) => !isByPerson(note)),
    ),
    ...blockOf('After the fact', notes.filter(isByPerson)),
  ];
}
