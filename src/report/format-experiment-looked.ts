import { formatMetric } from '../experiment/number-words.ts';
import type { Metric } from '../formats/experiment.ts';
import type { ExperimentResult } from '../formats/experiment-result.ts';
import { nameGroup } from './format-experiment.ts';
import type { Terminal } from './terminal.ts';
import { type Column, splitTable } from './text-layout.ts';

/** In a table; the others stand in the JSON. */
const shown: readonly Metric[] = [
  'time',
  'first-repetition',
  'slowest-repetition',
  'main-cpu-time',
  'time-off-cpu',
  'scheduler-wait',
  'migrations',
  'involuntary-switches',
  'frequency',
  'load',
];

const headings: Partial<Record<Metric, string>> = {
  'first-repetition': 'first',
  'slowest-repetition': 'slowest',
  'main-cpu-time': 'main CPU',
  'time-off-cpu': 'off CPU',
  'scheduler-wait': 'waited',
  'involuntary-switches': 'inv. switches',
};

/** Medians of every arm, which nobody declared. */
export function formatLookedAt(result: ExperimentResult, { paint, width }: Terminal): string[] {
  const { lookedAtAfterwards: rows } = result;
  const isThere = (metric: Metric) =>
    rows.some(({ medians }) => medians.some((one) => one.metric === metric));
  const first: Column = {
    heading: 'arm',
    align: 'left',
    cells: rows.map(({ arm, group }) => `${arm}, ${nameGroup(result, group)}`),
  };
  const columns = shown.filter(isThere).map((metric): Column[] => [
    {
      heading: headings[metric] ?? metric,
      align: 'right',
      cells: rows.map(({ medians }) => {
        const found = medians.find((one) => one.metric === metric);
        return found === undefined ? '-' : formatMetric(metric, found.median);
      }),
    },
  ]);
  return [
    '',
    paint('bold', 'Looked at afterwards: medians over the processes, undeclared and untested'),
    ...splitTable(first, columns, width).flatMap((piece, index) =>
      index === 0 ? piece : ['', ...piece],
    ),
  ];
}
