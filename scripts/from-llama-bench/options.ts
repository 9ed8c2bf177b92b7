import { type BenchOption, benchOptions } from '../../src/llama-bench/options/option-table.ts';

/** Options that both have and that do not mean quite the same, with what differs and why. */
export const differences: readonly (readonly [name: string, theirs: string, ours: string])[] = [
  [
    '-r',
    'repetitions in the one process (5)',
    'kept repetitions in each fresh process, whose mean is one sample; a pilot chooses. `--processes` is the number of samples',
  ],
  [
    '--no-warmup',
    'one prompt, or one token, is computed before the first repetition',
    'whole repetitions come before the kept ones, as many as the pilot finds necessary; this option makes it none',
  ],
  [
    '-d',
    'the cache is computed once, then restored',
    'computed before each repetition; `--protocol bench-restored` restores it',
  ],
  [
    '-t',
    'any number',
    "at most the CPUs that may be used; more is refused, since llama.cpp's threads spin while they wait: hundreds of times slower",
  ],
  ['-fa', '`auto`: llama.cpp chooses', 'off; `auto` is refused, since it hides what was measured'],
  [
    '-lm',
    '`auto`: mmap where the devices can',
    'mmap; `auto` is refused, since it hides what was measured',
  ],
  ['-sm', '`layer`', '`none`: a process uses one device, so that times belong to that device'],
  ['-dev', 'several, divided by `/`, share a model', 'one, for the same reason'],
  ['-mg', 'the GPU for what is not split', 'the GPU that is measured'],
  ['-C', "holds for llama.cpp's threads", 'holds for the whole process'],
  ['--cpu-strict', 'also without a mask', '`1` needs a mask, `-C`'],
  ['--prio', 'raises process and threads', 'raises the threads only'],
  [
    '-ctv',
    'a quantised one turns flash attention on when `-fa` is `auto`',
    'a quantised one needs `-fa 1`, since `auto` is refused',
  ],
  [
    '-o',
    'each row as soon as it is measured',
    "all rows at the end, since rounds are mixed; Rooflaw's fields come last",
  ],
  ['-v', "shows llama.cpp's log", "llama.cpp's log is always kept in the campaign's folder"],
  ['--progress', 'off', 'always on, on standard error'],
];

const quoteNames = (options: readonly BenchOption[]) =>
  options
    .flatMap(({ names }) => names)
    .map((name) => `\`${name}\``)
    .join(', ');
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Every option of llama-bench: what differs, what is refused and why, and the rest. */
export function describeOptions(): string {
  const theirs = benchOptions.filter(({ section }) => section !== 'ours');
  const taken = theirs.filter(({ refusal }) => refusal === undefined);
  const differing = new Set(differences.map(([name]) => name));
  const same = taken.filter(({ names }) => !differing.has(names[0]));
  return [
    'Lists (`-p 128,512`), ranges (`1-8*2`) and repeated options work as in llama-bench. These differ:',
    '',
    '| option | llama-bench | rooflaw bench |',
    '|---|---|---|',
    ...differences.map(([name, their, our]) =>
      row(quoteNames(taken.filter(({ names }) => names[0] === name)), their, our),
    ),
    '',
    'These are refused, all at once and before anything runs, unless their value asks for what happens anyway, as `--delay 0` does.',
    'A trial is one process.',
    '',
    '| option | why | instead |',
    '|---|---|---|',
    ...describeRefused(theirs),
    '',
    `These mean the same: ${same.map(({ names }) => `\`${names[0]}\``).join(', ')}. A value that is named twice is measured once.`,
    'A range that runs downwards is refused (llama-bench measures its default), and so is a flag other than 0 or 1 (llama-bench takes any',
    "other word for one of them). Rooflaw's own options: `rooflaw bench --help`.",
  ].join('\n');
}

/** A row for each reason. */
function describeRefused(options: readonly BenchOption[]): string[] {
  const rows = new Map<string, BenchOption[]>();
  for (const option of options) {
    if (option.refusal === undefined) continue;
    const { why, instead } = option.refusal;
    const cells = `${why} | ${instead}`;
    rows.set(cells, [...(rows.get(cells) ?? []), option]);
  }
  return [...rows].map(([cells, refused]) => row(quoteNames(refused), cells));
}
