import { formatCount, formatDuration } from '../../src/units.ts';
import { readDisturbed } from './read-output.ts';
import type { Ran } from './run-command.ts';
import { sections } from './sections.ts';

export interface Results {
  /** One for each of `sections`. */
  sectionTexts: readonly string[];
  options: string;
  refusals: string;
  more: string;
  /** Every command, in order. */
  all: readonly Ran[];
  /** Each model with its size. */
  models: readonly string[];
  machine: {
    /** `2026-11-29`. */
    day: string;
    cpu: string;
    cpuCount: number;
    system: string;
    release: string;
    /** Load average before the first command. */
    loadBefore: number;
    seconds: number;
  };
}

export function composePage(results: Results): string {
  const { sectionTexts, options, refusals, more, all, models, machine } = results;
  const { day, cpu, cpuCount, system, release, loadBefore, seconds } = machine;
  return `${[
    '# From llama-bench',
    '',
    '<!-- Written by scripts/write-from-llama-bench.ts; edit that and run it again. -->',
    '',
    'Ten commands of llama-bench, what it prints, what `rooflaw bench` prints, and what differs. Both used the same llama.cpp libraries and',
    'the same files. Nothing was picked: each command ran once, or as often as its section says.',
    '',
    '* **Fresh processes.** llama-bench repeats in one process; Rooflaw repeats the process, and each is one sample.',
    '* **Mixed order.** llama-bench measures row after row; Rooflaw mixes all rows in random rounds, so slow minutes hit all alike.',
    '* **An interval** for the median over processes, with how often such intervals cover it, beside the ±.',
    '* **It takes longer**: a short pilot, then as long as `--budget` says; longer where a busy machine needs that for the fewest processes (six). How long, and which interval to expect, is said beforehand.',
    '',
    `Made on ${day} on ${cpu}, ${cpuCount} CPUs, ${system}, in ${formatDuration(seconds * 1e9)}; llama.cpp ${release}. ${describeDisturbed(all)} ` +
      `The load average was ${loadBefore.toFixed(1)} when it began. ` +
      `The models (${models.join('; ')}) have random weights and are small, so that the page can be renewed in minutes: read the form ` +
      `of the outputs, not the speeds. The seconds are what a whole command took; all of llama-bench took ${secondsOf(all, 'llama-bench')}, all of ` +
      `\`rooflaw bench\` ${secondsOf(all, 'rooflaw bench')}.`,
    '',
    'With `--budget 15s --yes` Rooflaw measures for about 15 s after its pilot, and longer without asking where a busy machine needs that for ' +
      'six processes, the fewest that give an interval.',
    '',
    'Columns that say the same in every row (model, size, params, backend, threads) are left out, and so are progress and, after the first command, ' +
      "the legend. Lines below Rooflaw's tables: DISTURBED, others used the CPUs while so many of its processes ran; DRIFT, rows took more or less time " +
      'in the last rounds than in the first. Nothing is removed for either, and llama-bench looks for neither.',
    '',
    ...sections.flatMap(({ title }, at) => [`## ${at + 1}. ${title}`, '', sectionTexts[at]!, '']),
    '## Options',
    '',
    options,
    '',
    '## When something is wrong',
    '',
    refusals,
    '',
    '## What llama-bench has no command for',
    '',
    more.trimEnd(),
  ].join('\n')}\n`;
}

/** Whether the machine was quiet, by what Rooflaw saw. */
export function describeDisturbed(all: readonly Ran[]): string {
  const found = all.flatMap(({ command, stdout }) =>
    command.startsWith('rooflaw bench') ? (readDisturbed(stdout) ?? []) : [],
  );
  if (found.length === 0) return 'Rooflaw saw nobody else at work.';
  const total = (member: 'seen' | 'all') => found.reduce((sum, each) => sum + each[member], 0);
  return (
    `**Others were at work**: Rooflaw saw them in ${total('seen')} of ${total('all')} processes of ${formatCount(found.length, 'command')}, ` +
    'and the numbers of both programs show it.'
  );
}

function secondsOf(all: readonly Ran[], start: string): string {
  const ours = all.filter(({ command }) => command.startsWith(start));
  return formatDuration(ours.reduce((sum, { seconds }) => sum + seconds, 0) * 1e9);
}
