import type { Command } from 'commander';
import { usualMargin } from '../analysis/usual-margin.ts';
import type { FileModel } from '../formats/plan.ts';
import type { OptionReader } from '../llama-bench/options/parse.ts';
import type { OwnOption } from './ab-arguments.ts';

/** What stands after the verb, as it was typed: single dashes before words are llama-bench's way. */
export function wordsAfter(command: Command): string[] {
  const typed = process.argv.slice(2);
  return typed.slice(typed.indexOf(command.name()) + 1);
}

export const asksForHelp = (words: readonly string[]): boolean =>
  words.some((word) => word === '-h' || word === '--help');

/** `ab-qwen-7b-2026-11-29-143005`; short enough for the pilot's name, which is longer by six. */
export function nameSidesCampaign(verb: 'ab' | 'gate', { name }: FileModel, now: Date): string {
  const [day, time] = now.toISOString().slice(0, 19).split('T') as [string, string];
  return `${verb}-${name.slice(0, 30)}-${day}-${time.replaceAll(':', '')}`;
}

/** What ab has besides the options of bench. */
export const abOptions: readonly OwnOption[] = [
  { name: '--a', value: 'OPTIONS' },
  { name: '--b', value: 'OPTIONS' },
  { name: '--margin', value: 'SHARE' },
  { name: '--equivalence', value: 'SHARE' },
  { name: '--max-rounds', value: 'N' },
  { name: '--alpha', value: 'SHARE' },
];

/** For messages about its command line. */
export const abReader: OptionReader = {
  verb: 'ab',
  ownOptions: abOptions.map(({ name }) => name),
  instead: {
    '--base': '--backend BASE --backend CANDIDATE: a is the first',
    '--candidate': '--backend BASE --backend CANDIDATE: a is the first',
    '--max-slowdown': '--margin SHARE; rooflaw gate has a limit',
    '--time': '--max-rounds N; rooflaw gate ends after a time',
    '--summary': '--json; rooflaw gate writes Markdown',
    '--junit': '--json; rooflaw gate writes JUnit XML',
  },
};

export const helpOfAb = `Usage: rooflaw ab -m FILE.gguf --a OPTIONS --b OPTIONS [options]
       rooflaw ab -m FILE.gguf --backend FOLDER --backend FOLDER [options]
       rooflaw ab -m A.gguf -m B.gguf [options]

Say whether b is slower or faster than a, and stop as soon as it is decided. Both sides are measured
in fresh processes in the same randomised rounds; a pilot chooses the repetitions of a process.

  --a OPTIONS, --b OPTIONS  options of bench that a side has and the other not: --a "-fa 0" --b "-fa 1"
  --backend FOLDER          twice: the llama.cpp of a, then of b; embedded is Rooflaw's own
  -m FILE                   twice: the model of a, then of b
  --margin SHARE            a ratio this near to 1 is no difference (${100 * usualMargin}%: by as much two
                            builds of the same code may differ); 0: any difference counts
  --equivalence SHARE       equivalent when within this of 1 (1%); 0: never
  --max-rounds N            ends undecided after so many rounds (30)
  --alpha SHARE             how probable a wrong decision in any test may be (0.05)
  --yes                     begins without asking where it may take more than 15 minutes
  --json                    JSON (docs/ab-and-gate.md) in place of text
  -p, -n, -d, -t and others as in \`rooflaw bench --help\`, the same for both sides

How long: at most --max-rounds x 2 sides x tests processes, each of which loads its model (30 rounds of
two tests: 120), and a pilot of two of each before, after which it says how long a round takes and asks
before more than 15 minutes. Equal sides take the longest: only equivalence ends them early.
Inconclusive is a result: what lies outside the interval is excluded. The output
says about how many rounds a new campaign (--max-rounds) would take for what is asked, or that it is out of reach.

Example:
  $ rooflaw ab -m model.gguf --a "-fa 0" --b "-fa 1"
  $ rooflaw ab -m model.gguf --backend builds/old --backend builds/new -p 512 -n 64
  $ rooflaw ab -m model-Q8_0.gguf -m model-Q4_K_M.gguf --margin 1%

Exit status: 0 measured, decided or not, or not begun; 2 invalid options or file, 3 measured but some trials failed,
4 the machine lacks something, 5 a file changed, 6 device in use, 130 stopped
`;
