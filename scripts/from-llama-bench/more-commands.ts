import { smallFile } from './models.ts';
import type { RunCommand } from './run-command.ts';
import { showUntil } from './show.ts';

/** What llama-bench has no command for. */
interface MoreCommand {
  why: string;
  command: string;
  /** Exit statuses that a working machine may give. */
  expected: readonly number[];
  /** Below this line stands a legend. */
  until: RegExp;
}

export const moreCommands: readonly MoreCommand[] = [
  {
    why: 'Is one of two settings, builds or files faster? llama-bench prints two rows. `rooflaw ab` measures until that is decided, or says that it is not; b / a is the median of the rounds’ ratios, not the ratio of the medians.',
    command: `rooflaw ab -m ${smallFile} --a "-fa 0" --b "-fa 1" -p 256 -n 0 --max-rounds 15`,
    expected: [0],
    until: /^(b \/ a:|The same on both sides)/,
  },
  {
    why: 'May this change be merged? With llama-bench a script compares two means. `rooflaw gate` also measures the old side against itself: on a machine where that is not shown to be equally fast, it says nothing about the new one. Exit status: 0 pass, 1 regression, 2 inconclusive or unfit machine, 3 broken.',
    command: `rooflaw gate -m ${smallFile} --a "-fa 1" --b "-fa 0" -p 256 -n 0 --time 45s`,
    expected: [0, 1, 2],
    until: /^(Verdict –:|Change:|The same on both sides)/,
  },
  {
    why: 'How long does the slowest token take, and the first? llama-bench times all of an answer together. `rooflaw tokens` reads the clock after each.',
    command: `rooflaw tokens -m ${smallFile} -d 256 -n 64 -fa 1 --processes 6`,
    expected: [0],
    until: /^( {2}|trial +repetition|Each row is)/,
  },
];

export async function runMoreCommands(run: RunCommand): Promise<string> {
  const texts: string[] = [];
  for (const { why, command, expected, until } of moreCommands) {
    const ran = await run(command, expected);
    texts.push(`${why}\n\n${showUntil(ran, until)}`);
  }
  return texts.join('\n');
}
