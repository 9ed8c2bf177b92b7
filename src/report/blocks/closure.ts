import { formatLimit } from '../../analysis/format-limit.ts';
import type { SampleAnalysis } from '../../formats/analysis.ts';
import type { Phase } from '../../formats/architecture.ts';
import {
  askQuestion,
  describeClosureItem,
  describeReopening,
  explainSupport,
  listSentences,
  listUnanswered,
} from '../closure-words.ts';
import {
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
  formatSentence,
  type Terminal,
} from '../terminal.ts';
import type { Column } from '../text-layout.ts';

/** The question again, with its answer in sentences. */
export function formatAnswer(analysis: SampleAnalysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    askQuestion(analysis.closure),
    listSentences(analysis).flatMap((sentence) => formatSentence(terminal, sentence)),
  );
}

/** Item by item: what the answer rests on and what it would take. */
export function formatSupport(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const { items, closure } = analysis;
  const phases = [...new Set(items.map(({ phase }) => phase))];
  const unanswered = listUnanswered(analysis);
  return formatBlock(terminal, 'What the answer rests on, item by item', [
    ...phases.flatMap((phase, index) => [
      ...(index === 0 ? [] : ['']),
      ...formatPhase(analysis, phase, terminal),
    ]),
    ...(unanswered.length > 0 ? formatLegend(terminal, `–: ${unanswered.join('; ')}.`) : []),
    '',
    ...formatLegend(terminal, explainSupport(closure)),
  ]);
}

function formatPhase(analysis: SampleAnalysis, phase: Phase, terminal: Terminal): string[] {
  const { closure, items } = analysis;
  const rows = closure.items
    .filter(({ item }) => items[item]!.phase === phase)
    .map((answer) => describeClosureItem(analysis, answer));
  const column = (heading: string, field: keyof (typeof rows)[number]): Column => ({
    ...{ heading, align: 'right', cells: rows.map((row) => row[field]) },
    paint: (text) =>
      field === 'explorable' && text === 'no' ? terminal.paint('yellow', text) : text,
  });
  const condition = { ...column(`${phase} item`, 'condition'), align: 'left' as const };
  return formatColumns(terminal, condition, [
    [
      column('explorable', 'explorable'),
      column('±interval', 'distance'),
      column('limit', 'limit'),
      column('trials needed', 'trialsNeeded'),
      column('target from', 'smallestTarget'),
    ],
    [
      column('upper/lower', 'upperOverLower'),
      column(`detected at ${formatLimit(closure.targetDifference)}`, 'detected'),
      column('at 0 %', 'detectedAtZero'),
    ],
  ]);
}

/** What nobody may read into the answer. */
export function formatLimits({ closure }: SampleAnalysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    'What the answer does not show',
    closure.doesNotShow.flatMap((sentence) => formatPoint(terminal, sentence)),
  );
}

/** Whether the search for causes is taken up again, and by which experiment. */
export function formatReopening(analysis: SampleAnalysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    'Reasons to reopen the diagnosis',
    analysis.closure.reopening.flatMap((one) => {
      const lines = formatSentence(terminal, describeReopening(analysis, one));
      return one.met === true ? lines.map((line) => terminal.paint('red', line)) : lines;
    }),
  );
}
