import { formatLimit } from '../../analysis/format-limit.ts';
import type { SampleAnalysis } from '../../formats/analysis.ts';
import type { Phase } from '../../formats/architecture.ts';
import { stateWords } from '../closure-words.ts';
import { describeItem, describeTimed, type ItemRow, listMissing } from '../item-row.ts';
import { explainMark } from '../reference-words.ts';
import { formatColumns, formatLegend, type Terminal } from '../terminal.ts';
import type { Column } from '../text-layout.ts';

/** The items of each phase, then what the columns mean. */
export function formatItems(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const phases = [...new Set(analysis.items.map(({ phase }) => phase))];
  return [
    ...phases.flatMap((phase) => formatPhase(analysis, phase, terminal)),
    '',
    ...formatLegend(terminal, explainColumns(analysis)),
  ];
}

function formatPhase(analysis: SampleAnalysis, phase: Phase, terminal: Terminal): string[] {
  const { items, closure } = analysis;
  const places = items.flatMap((item, index) => (item.phase === phase ? [index] : []));
  const rows = places.map((index) => describeItem(items[index]!, analysis));
  const { paint } = terminal;
  const column = (
    heading: string,
    field: keyof ItemRow,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: rows.map((row) => row[field]) });
  const marked = (heading: string, cells: readonly string[], mark: string): Column => ({
    ...{ heading, align: 'right', cells },
    paint: (text) => (text === mark ? paint('yellow', text) : text),
  });
  const explorable = places.map((index) => {
    const answer = closure.items.find(({ item }) => item === index);
    return stateWords[answer?.state ?? 'not-evaluable'];
  });
  const missing = listMissing(places.map((index) => items[index]!));
  return [
    '',
    `${paint('bold', phase)}: ${describePhase(analysis, phase)}`,
    ...formatColumns(terminal, column('condition', 'condition', 'left'), [
      [
        column('n', 'n'),
        column('time', 'time'),
        column('tokens/s', 'tokensPerSecond'),
        column('interval', 'interval'),
        column('covers', 'coverage'),
      ],
      [column('±interval', 'distance'), marked('explorable', explorable, 'no')],
      [
        column('CV', 'cv'),
        column('in-trial', 'inTrialCv'),
        column('range', 'range'),
        marked(
          'stable',
          rows.map(({ stable }) => stable),
          'no',
        ),
      ],
      [
        column('max/med', 'maxOverMedian'),
        column('slow', 'slow'),
        column('slow ≤', 'slowUpperBound'),
        marked(
          'speeds',
          rows.map(({ speeds }) => speeds),
          'two',
        ),
      ],
    ]),
    ...(missing.length > 0 ? formatLegend(terminal, `–: ${missing.join('; ')}.`) : []),
  ];
}

function describePhase({ protocol, items }: SampleAnalysis, phase: Phase): string {
  return describeTimed(phase, items, protocol?.decodeSteps ?? null);
}

function explainColumns(analysis: SampleAnalysis): string {
  const { closure, rules, items } = analysis;
  const { maxRelativeRange, maxInTrialCv } = rules.stable;
  const threshold = items.find(({ tail }) => tail !== null)?.tail?.threshold;
  const slow =
    threshold === undefined
      ? ''
      : `slow: trials above ${threshold} x median; slow ≤: upper bound of their share (Clopper-Pearson, two-sided 95 %). `;
  return (
    'n: valid trials (+1f: one failed besides). time: median of the trial means. interval: order statistics of that median; ' +
    'covers: what it really covers. ±interval: its farther end from the median, in % of the median; not a standard deviation. ' +
    `explorable: ±interval at most ${formatLimit(closure.limit)}, for a target of ${formatLimit(closure.targetDifference)}. ` +
    'CV: of the trial means; in-trial: largest CV of the kept repetitions in one trial; both with ddof 1, in % of the mean. ' +
    `range: (max - min) / median. stable: range at most ${formatLimit(maxRelativeRange)} and in-trial at most ${formatLimit(maxInTrialCv)}. ` +
    `max/med: slowest trial over the median. ${slow}` +
    `speeds: whether the trials fall into two groups. ${explainMark(analysis)}.`
  );
}
