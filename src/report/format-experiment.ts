import { formatLimit } from '../analysis/format-limit.ts';
import { formatMetric } from '../experiment/number-words.ts';
import { formatItem } from '../formats/architecture.ts';
import type { ExperimentResult, Finding } from '../formats/experiment-result.ts';
import { formatCount } from '../units.ts';
import { formatLookedAt } from './format-experiment-looked.ts';
import { formatNatural } from './format-experiment-natural.ts';
import { createTerminal, formatBlock, formatPoint, type Terminal } from './terminal.ts';
import { type Column, splitTable, wrapText } from './text-layout.ts';

/** What an experiment says, for a terminal: what was declared, what was found, what was looked at after. */
export function formatExperiment(
  result: ExperimentResult,
  options: { colour: boolean; width: number },
): string {
  const terminal = createTerminal(options);
  const points = (title: string, sentences: readonly string[]) =>
    formatBlock(
      terminal,
      title,
      sentences.flatMap((sentence) => formatPoint(terminal, sentence)),
    );
  const lines = [
    ...formatHead(result, terminal),
    ...formatFindings(result, terminal),
    ...points(
      'Recovery',
      result.recovery.map(({ sentence, group }) => `${nameGroup(result, group)}: ${sentence}`),
    ),
    ...formatNatural(result, terminal),
    ...points(
      'Who ran',
      result.traces.flatMap(({ sentences }) => sentences),
    ),
    ...formatLookedAt(result, terminal),
    ...points('Withheld and not measured', listAbsent(result)),
    ...points(
      'Failed processes',
      result.failures.map(
        ({ arm, group, failed, message }) =>
          `${arm}, ${nameGroup(result, group)}: ${failed}, the first of them: ${message}`,
      ),
    ),
    ...points('What this does not show', result.limits),
  ];
  return `${lines.join('\n')}\n`;
}

/** `middle Q8_0 S128 decode` */
export const nameGroup = ({ groups }: ExperimentResult, group: number): string =>
  formatItem(groups[group]!);

const orderWords = { williams: 'Williams', 'latin-square': 'Latin square', random: 'random' };

function formatHead(result: ExperimentResult, { width, paint }: Terminal): string[] {
  const { declared, observed, failed, complete, deviceDescription } = result;
  const { blocks, arms, order, repetitions, effectThatMatters, correction, comparisons } = declared;
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  const say = (text: string) => wrapText(text, width);
  return [
    ...say(`${result.name}: ${declared.question}`).map((line) => paint('bold', line)),
    ...say(
      `${complete ? 'Complete' : 'Not complete'}: ${formatCount(observed, 'process').replace(/processs$/, 'processes')} observed${failures}; ${formatCount(blocks, 'block')} of ${formatCount(arms.length, 'arm')} (${arms.map(({ name }) => name).join(', ')}) in ${orderWords[order]} order, ${repetitions.warmup} warm-up and ${repetitions.kept} kept repetitions in each process. ${deviceDescription}.`,
    ),
    ...say(
      comparisons.length === 0
        ? 'Declared before the first trial: slow repetitions are looked at one by one, nothing is compared.'
        : `Declared before the first trial: ${formatCount(comparisons.length, 'comparison')} in ${formatCount(result.groups.length, 'condition')}, ${correction === 'holm' ? 'Holm’s correction over all of them' : 'no correction over several'}; ${formatLimit(effectThatMatters)} matters.`,
    ),
  ];
}

function formatFindings(result: ExperimentResult, terminal: Terminal): string[] {
  if (result.findings.length === 0) return [];
  return [
    '',
    terminal.paint('bold', 'Declared comparisons (the primary one first)'),
    ...result.groups.flatMap((_, group) => [
      ...(result.groups.length === 1 ? [] : ['']),
      ...wrapText(`${nameGroup(result, group)}:`, terminal.width),
      ...formatCondition(
        result.findings.filter((finding) => finding.group === group),
        terminal,
      ),
    ]),
  ];
}

/** A row of numbers for each comparison, and what may be said of it. */
function formatCondition(findings: readonly Finding[], terminal: Terminal): string[] {
  const cells = (of: (finding: Finding) => string) => findings.map(of);
  const number = (heading: string, of: (finding: Finding) => string): Column => ({
    heading,
    align: 'right',
    cells: cells(of),
  });
  const pieces = splitTable(
    { heading: 'comparison', align: 'left', cells: cells(nameComparison) },
    [
      [number('a', ({ a }) => formatSide(a)), number('b', ({ b }) => formatSide(b))],
      [number('b/a', formatEffect)],
      [number('larger', ({ larger, pairs }) => `${larger} of ${pairs}`)],
      [number('p', ({ adjustedPValue: p }) => (p === null ? '-' : p.toPrecision(2)))],
    ],
    terminal.width,
  );
  return [
    ...pieces.flatMap((piece, index) => (index === 0 ? piece : ['', ...piece])),
    ...findings.flatMap(({ role, sentences: [first, ...others] }) => [
      ...formatPoint(terminal, `${role}: ${first}`),
      ...others.flatMap((sentence) => wrapText(sentence, terminal.width, '    ')),
    ]),
  ];
}

function nameComparison({ a, b }: Finding): string {
  if (a.arm === b.arm) return `${a.arm}: ${a.metric} → ${b.metric}`;
  if (a.metric !== b.metric) return `${a.arm} ${a.metric} → ${b.arm} ${b.metric}`;
  return `${a.metric === 'time' ? '' : `${a.metric}: `}${a.arm} → ${b.arm}`;
}

const formatSide = ({ metric, median }: Finding['a']): string =>
  median === null ? '-' : formatMetric(metric, median);

function formatEffect({ scale, effect, b }: Finding): string {
  if (effect === null) return '-';
  return scale === 'ratio' ? effect.toFixed(4) : formatMetric(b.metric, effect);
}

function listAbsent(result: ExperimentResult): string[] {
  const { withheld, notMeasured, invalidIntervals } = result;
  return [
    ...withheld,
    ...notMeasured.map(
      ({ reading, arms, reason }) =>
        `not measured, ${reading} (${arms.join(', ')}): ${reason}; ${reading === 'migrations' ? 'moves are told from two looks where there are any, and one there and back is missed' : 'every conclusion that needs it is withheld'}`,
    ),
    ...invalidIntervals.map(
      ({ arm, group, invalid, intervals }) =>
        `frequency, ${arm}, ${nameGroup(result, group)}: ${invalid} of ${intervals} intervals are not valid, since the thread moved in them`,
    ),
  ];
}
