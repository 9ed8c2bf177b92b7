import { formatCount } from '../../src/units.ts';
import {
  describeAgreement,
  describeFirstSample,
  describeOverlap,
  describeTyped,
} from './describe-rows.ts';
import { mediumFile, smallFile } from './models.ts';
import { readFirstObject, readTable } from './read-output.ts';
import type { Ran, RunCommand } from './run-command.ts';
import { drawTable, showBench, showRan, showUntil, showWholeBench } from './show.ts';

/** One command that people type. */
interface Section {
  title: string;
  /** For both programs. */
  options: string;
  /** For Rooflaw besides. */
  own?: string;
  /** How often llama-bench is started (1). */
  times?: number;
  /** What differs and why; stands above what was printed. */
  differs: string;
  /** Sentences that follow from the numbers; stand below them. An empty one is left out. */
  found: (theirs: readonly Ran[], ours: Ran) => string[];
  /** A further command on the same campaign, shown up to a line. */
  afterwards?: { command: string; until: RegExp };
}

/** So that the page takes minutes; `--yes`: more where a busy machine needs more. */
const ownOptions = '--budget 15s --yes';

const rowsOf = ({ stdout }: Ran) => readTable(stdout);
const agreement: Section['found'] = ([theirs], ours) => [
  describeAgreement(rowsOf(theirs!), rowsOf(ours)),
];
const overlap: Section['found'] = (_theirs, ours) => [describeOverlap(rowsOf(ours))];

export const sections: readonly Section[] = [
  {
    title: 'The plain command',
    options: `-m ${smallFile}`,
    times: 5,
    differs:
      'llama-bench prints the mean of five repetitions in one process; its ± is their scatter and cannot hold what ' +
      'changes from process to process, so it was typed five times here. Rooflaw starts fresh processes, as many as ' +
      'the budget holds (without `--budget` usually ten), in random order. Its number is the median over them; ± and interval are over ' +
      'them too. **The two do not measure the same here**: llama-bench leaves `-fa` at `auto` and does not show ' +
      'what llama.cpp chose; Rooflaw measures `-fa 0` and says so. From here on both get `-fa`.',
    found: (theirs) => [describeTyped(theirs.map(rowsOf))],
  },
  {
    title: 'One repetition',
    options: `-m ${smallFile} -p 256 -n 32 -fa 1 -r 1`,
    differs:
      'llama-bench prints ± 0.00, which reads as "exact": one sample has no deviation. In Rooflaw `-r` counts the repetitions ' +
      'kept in each process, so ± and interval, over processes, are still there. Only the stable flag is unknown: it needs two ' +
      'repetitions in a process.',
    found: agreement,
  },
  {
    title: 'Several prompt lengths',
    options: `-m ${smallFile} -p 128,512 -n 0 -fa 1`,
    differs:
      'llama-bench measures one length after the other in one process. Rooflaw has processes for each length and mixes their order ' +
      'anew in every round: a machine that gets slower meanwhile does not make the second length look slow.',
    found: agreement,
  },
  {
    title: 'Generation at a depth',
    options: `-m ${smallFile} -p 0 -n 32 -fa 1 -d 0,512`,
    differs:
      'Both fill the cache outside the timer. llama-bench computes it once and restores it for the later repetitions; Rooflaw ' +
      'computes it before each one, since a restored cache leaves the processor in another state. `--protocol ' +
      'bench-restored` does as llama-bench does, and is quicker.',
    found: agreement,
  },
  {
    title: 'How many threads?',
    options: `-m ${smallFile} -p 256 -n 32 -fa 1 -t 1,2`,
    differs:
      'Which of two settings is faster? The rows must then be comparable: Rooflaw measures both settings in the same ' +
      'rounds, llama-bench one after the other.',
    found: overlap,
  },
  {
    title: 'Flash attention on or off?',
    options: `-m ${smallFile} -p 256 -n 32 -fa 0,1`,
    own: '--name flash',
    differs:
      'Neither table is a test of which setting is faster. Rooflaw keeps the campaign, and `rooflaw compare` tests. Its B/A is the median of the rounds’ ratios, not the ratio of the two medians beside it, so that the two may disagree.',
    found: overlap,
    afterwards: {
      command: 'rooflaw compare flash variant=fa0 variant=fa1',
      until: /^pair .*interval A/,
    },
  },
  {
    title: 'Batch and micro-batch',
    options: `-m ${smallFile} -p 512 -n 0 -fa 1 -b 512 -ub 64,512`,
    differs:
      'The options mean the same. A micro-batch above the batch is cut to it by llama.cpp; Rooflaw says so and shows what was ' +
      'measured, llama-bench shows what was typed.',
    found: (theirs, ours) => [...agreement(theirs, ours), ...overlap(theirs, ours)],
  },
  {
    title: 'A quantised cache',
    options: `-m ${smallFile} -p 256 -n 32 -fa 1 -ctk q8_0 -ctv q8_0`,
    differs:
      'A quantised cache of values needs flash attention. Without `-fa 1` llama-bench leaves the choice to llama.cpp; Rooflaw ' +
      'refuses before anything runs and names the option.',
    found: agreement,
  },
  {
    title: 'Two models',
    options: `-m ${smallFile},${mediumFile} -p 256 -n 32 -fa 1`,
    differs:
      'llama-bench finishes the first file before it opens the second; Rooflaw takes turns, in random order, and knows each file by ' +
      "its SHA-256. The size in llama-bench's model column is guessed from the number of layers; Rooflaw counts parameters.",
    found: agreement,
  },
  {
    title: 'JSON for a script',
    options: `-m ${smallFile} -p 0 -n 32 -fa 1 -o json`,
    differs:
      "Rooflaw has llama-bench's fields by their names and in their order, then its own, so a script goes on working. But each of its " +
      '`samples_ns` is a process, not a repetition, and `avg_ts` is their mean; the number of the table, from the median, is ' +
      '`rooflaw_representative_ts`. Both objects are cut to a few fields.',
    found: ([theirs], ours) => {
      const samples = readFirstObject(theirs!.stdout).samples_ns as number[];
      const { rooflaw_warmup: warmup } = readFirstObject(ours.stdout);
      return [
        `llama-bench warms up for a generation by one token: its first sample took ${describeFirstSample(samples)} than ` +
          `the median of its later ones, and is part of its mean. Rooflaw's pilot chose ${formatCount(Number(warmup), 'whole repetition')} for warm-up in each process.`,
      ];
    },
  },
];

/** Both commands of a section. */
export function commandsOf({ options, own }: Section): { theirs: string; ours: string } {
  const more = [ownOptions, ...(own === undefined ? [] : [own])].join(' ');
  return { theirs: `llama-bench ${options}`, ours: `rooflaw bench ${options} ${more}` };
}

/** Runs a section's commands and writes its text. */
export async function runSection(section: Section, run: RunCommand): Promise<string> {
  const { times = 1, differs, found, afterwards } = section;
  const commands = commandsOf(section);
  const theirs: Ran[] = [];
  while (theirs.length < times) theirs.push(await run(commands.theirs));
  const ours = await run(commands.ours);
  const sentences = found(theirs, ours).filter((text) => text !== '');
  return [
    differs,
    '',
    times === 1 ? showBench(theirs[0]!) : showAll(theirs),
    times === 1 ? showBench(ours) : showWholeBench(ours),
    ...sentences,
    ...(afterwards === undefined
      ? []
      : ['', showUntil(await run(afterwards.command), afterwards.until)]),
  ]
    .join('\n')
    .trimEnd();
}

/** The rows of all processes in one table. */
function showAll(runs: readonly Ran[]): string {
  const seconds = runs.reduce((sum, ran) => sum + ran.seconds, 0);
  return showRan({ ...runs[0]!, seconds }, drawTable(runs.flatMap(rowsOf)));
}
