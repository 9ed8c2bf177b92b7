import type { OptionReader } from '../llama-bench/options/parse.ts';
import type { OwnOption } from './ab-arguments.ts';

/** What gate has besides the options of bench: what is measured, and how. */
export const gateOptions: readonly OwnOption[] = [
  { name: '--a', value: 'OPTIONS' },
  { name: '--b', value: 'OPTIONS' },
  { name: '--base', value: 'FOLDER' },
  { name: '--candidate', value: 'FOLDER' },
  { name: '--max-slowdown', value: 'SHARE' },
  { name: '--time', value: 'TIME' },
];

/** And where its results go. */
export const gateFileOptions: readonly OwnOption[] = [
  { name: '--summary', value: 'FILE' },
  { name: '--junit', value: 'FILE' },
];

/** For messages about its command line. */
export const gateReader: OptionReader = {
  verb: 'gate',
  ownOptions: [...gateOptions, ...gateFileOptions].map(({ name }) => name),
  instead: {
    '--alpha': 'leave it out: a wrong verdict has a probability of at most 5 %',
    '--margin': '--max-slowdown SHARE',
    '--equivalence': '--max-slowdown SHARE',
    '--max-rounds': '--time TIME',
  },
};

export const helpOfGate = `Usage: rooflaw gate --base FOLDER --candidate FOLDER -m FILE.gguf [options]
       rooflaw gate -m FILE.gguf --a OPTIONS --b OPTIONS [options]
       rooflaw gate -m BASE.gguf -m CANDIDATE.gguf [options]

Let a change pass only if it is not slower than allowed. Base is measured twice under two names: on a
machine where base is not shown to be as fast as itself, nothing is said about the candidate.

  --base, --candidate FOLDER  two builds of llama.cpp; embedded is Rooflaw's own
  --a OPTIONS, --b OPTIONS    options of bench that base has, then those of the candidate
  -m FILE                     twice: the model of base, then of the candidate
  --max-slowdown SHARE        how much slower the candidate may be (3%)
  --time TIME                 how long all of it may take, pilot included (10m)
  --summary FILE              appends a summary in Markdown: --summary "$GITHUB_STEP_SUMMARY"
  --junit FILE                writes JUnit XML
  --json                      JSON (docs/ab-and-gate.md) in place of text
  -p, -n, -d, -t and others as in \`rooflaw bench --help\`, the same for both sides

Example:
  $ rooflaw gate --base builds/main --candidate builds/pr -m model.gguf -p 512 -n 64
  $ rooflaw gate -m model.gguf --a "-fa 0" --b "-fa 1" --max-slowdown 1% --time 30m

Exit status, other than elsewhere: 0 pass, 1 regression, 2 inconclusive or unfit machine, 3 broken: not
measured, whatever the cause, or some trials failed; 130 stopped
`;
