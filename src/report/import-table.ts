import type {
  LlamaBenchImport,
  LlamaBenchRun,
  PrintedFigure,
  SampleStatistics,
} from '../formats/llama-bench-import.ts';
import { sampleLimits } from '../llama-bench/sample-kind.ts';
import { toPrintable } from '../printable.ts';
import { tellSettings } from './import-settings.ts';
import { chooseTimeUnit, formatIn, formatPercent } from './quantities.ts';
import { formatColumns, formatLegend, type Terminal } from './terminal.ts';
import type { Column } from './text-layout.ts';

/** One line a test: what the samples give beside what llama-bench printed. */
export function formatImportTable(result: LlamaBenchImport, terminal: Terminal): string[] {
  const { runs } = result;
  const { differing } = tellSettings(result);
  const column = (
    heading: string,
    cellOf: (run: LlamaBenchRun) => string,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: runs.map(cellOf) });
  const settingsOf = ({ condition }: LlamaBenchRun) => {
    const { fields } = result.conditions[condition]!;
    return differing
      .filter((name) => Object.hasOwn(fields, name))
      .map((name) => ` ${name}=${cutLong(fields[name]!)}`)
      .join('');
  };
  const first = column(
    'row  test',
    (run) => toPrintable(`${String(run.row).padEnd(3)}  ${run.test}${settingsOf(run)}`),
    'left',
  );
  const hasStatistics = runs.some(({ statistics }) => statistics !== null);
  const groups = hasStatistics ? recomputedColumns(column) : [];
  const explained = explainColumns(runs);
  const printed = [...printedColumns(column, hasStatistics), verdictColumn(column, terminal)];
  return [
    '',
    ...formatColumns(terminal, first, [...groups, printed]),
    '',
    ...formatLegend(terminal, hasStatistics ? `${explained} ${printedLegend}` : printedLegend),
  ];
}

const longestSetting = 32;

/** The end of a long path tells more than its beginning. */
function cutLong(value: string): string {
  return value.length > longestSetting ? `…${value.slice(-longestSetting)}` : value;
}

type MakeColumn = (
  heading: string,
  cellOf: (run: LlamaBenchRun) => string,
  align?: Column['align'],
) => Column;

function recomputedColumns(column: MakeColumn): Column[][] {
  const timesOf = (run: LlamaBenchRun) => run.statistics && describeTimes(run.statistics);
  return [
    [
      column('n', ({ statistics, samplesNs }) => `${statistics?.n ?? (samplesNs ? 0 : '?')}`),
      column('median', (run) => timesOf(run)?.median ?? '-'),
      column('mean ± sd of time', (run) => timesOf(run)?.mean ?? '-'),
      column('CV', ({ statistics }) => (statistics?.cv ? formatPercent(statistics.cv.value) : '-')),
      column('min', (run) => timesOf(run)?.minimum ?? '-'),
      column('max', (run) => timesOf(run)?.maximum ?? '-'),
    ],
    [
      column('mean ± sd of t/s', ({ statistics }) => {
        if (statistics === null) return '-';
        const { meanOfRates, sdOfRates } = statistics.tokensPerSecond;
        return `${meanOfRates.toFixed(2)} ± ${sdOfRates?.toFixed(2) ?? 'unknown'}`;
      }),
      column('tokens / mean time', ({ statistics }) => {
        return statistics?.tokensPerSecond.overMeanTime.toFixed(2) ?? '-';
      }),
    ],
  ];
}

function printedColumns(column: MakeColumn, hasStatistics: boolean): Column[] {
  const ofTimes = column('printed ns', ({ printed }) => {
    return describePrinted(printed.avg_ns, printed.stddev_ns, 0);
  });
  const ofRates = column('printed t/s', ({ printed }) => {
    return describePrinted(printed.avg_ts, printed.stddev_ts, 2);
  });
  return hasStatistics || ofTimes.cells.every((cell) => cell === '-')
    ? [ofRates]
    : [ofTimes, ofRates];
}

function verdictColumn(column: MakeColumn, { paint }: Terminal): Column {
  return {
    ...column('printed figures', describeVerdict, 'left'),
    paint: (text) => (text.startsWith('wrong') ? paint('red', text) : text),
  };
}

function explainColumns(runs: readonly LlamaBenchRun[]): string {
  const ofProcesses = runs.filter(isOfProcesses).length;
  const [samples, together] =
    ofProcesses === 0
      ? ['all in one process', 'what the repetitions took together']
      : ofProcesses === runs.length
        ? ['each the mean of one process', 'what the processes took together']
        : ['in one process, or each the mean of one (see below)', 'what they took together'];
  return (
    `n: samples, ${samples}; median, mean, sd (standard deviation, ddof 1), CV (sd / mean), min, max: recomputed from them. ` +
    `mean of t/s: of each sample’s tokens/s, as llama-bench has it; tokens / mean time: ${together}.`
  );
}

/** Whether each sample of a test is the mean of a process of its own, as `rooflaw bench` writes it. */
export function isOfProcesses({ missing }: LlamaBenchRun): boolean {
  return missing.some(({ reason }) => reason === sampleLimits.process);
}

const printedLegend =
  'printed: mean ± sd as in the file; its deviation of a single repetition, 0, is unknown. -: not there, or cannot be given.';

function describeTimes({ medianNs, meanNs, sdNs, minNs, maxNs }: SampleStatistics) {
  const unit = chooseTimeUnit(medianNs);
  const format = (ns: number) => `${formatIn(unit, ns)} ${unit.name}`;
  return {
    median: format(medianNs),
    mean: `${formatIn(unit, meanNs)} ± ${sdNs === null ? 'unknown' : format(sdNs)}`,
    minimum: format(minNs),
    maximum: format(maxNs),
  };
}

function describePrinted(
  average: PrintedFigure | null,
  deviation: PrintedFigure | null,
  decimals: number,
): string {
  if (average === null) return '-';
  const show = (figure: PrintedFigure | null) => figure?.value?.toFixed(decimals) ?? 'unknown';
  return `${show(average)} ± ${show(deviation)}`;
}

function describeVerdict({ printed, statistics, findings }: LlamaBenchRun): string {
  const columnsWith = (verdict: PrintedFigure['verdict']) =>
    Object.entries(printed).flatMap(([name, figure]) =>
      figure?.verdict === verdict ? [name] : [],
    );
  const wrong = findings.filter(({ severity }) => severity === 'wrong');
  if (wrong.length > 0) return `wrong: ${wrong.map(({ column }) => column).join(', ')}`;
  if (statistics === null) return 'not checkable';
  const inexact = columnsWith('inexact');
  return inexact.length > 0 ? `nearly right: ${inexact.join(', ')}` : 'right';
}
