import type { FileModel } from '../formats/plan.ts';
import { listBenchOptions } from '../llama-bench/options/parse.ts';
import { quoteWord } from '../quote-word.ts';
import { formatBytes, formatWhole } from '../units.ts';
import type { BenchModel } from './bench-models.ts';

/** 64, which names may have, without `-pilot`. */
export const longestName = 58;

/** What a header says, and the hash that names the model. */
export function describeModel({ model, facts }: BenchModel): string {
  const { file, family, title, quantization, layerCount, parameterCount, sha256 } = model;
  const experts =
    facts.expertCount === null || facts.expertCount === 0
      ? ''
      : `, ${facts.expertCount} experts of which ${facts.expertUsedCount ?? '?'} are used`;
  const parts = model.parts.length === 1 ? '' : ` in ${model.parts.length} parts`;
  return `${file}: ${title === null ? '' : `${title}, `}${family} ${quantization}, ${formatWhole(parameterCount)} parameters in ${layerCount} layers${experts}, ${formatBytes(model.fileBytes)}${parts}, sha256 ${sha256}`;
}

/** `qwen-7b-2026-11-29-143005`: what was measured, and when it was begun. */
export function nameBench(models: readonly FileModel[], now: Date): string {
  const [day, time] = now.toISOString().slice(0, 19).split('T') as [string, string];
  const others = models.length === 1 ? '' : `-and-${models.length - 1}`;
  const rest = `${others}-${day}-${time.replaceAll(':', '')}`;
  return `${models[0]!.name.slice(0, longestName - rest.length)}${rest}`;
}

/** How to go on with a campaign that was stopped. */
export function describeResume(
  name: string,
  { models = [], backend, backends, device }: ResumeOptions,
): string {
  const words = [
    `rooflaw run campaigns/${name}/plan.json --name ${name}`,
    ...models.map((model) => `--model ${quoteWord(model)}`),
    ...(backend === undefined ? [] : [`--backend ${quoteWord(backend)}`]),
    ...[...(backends ?? [])].flatMap(([label, folder]) =>
      folder === null ? [] : [`--backend ${quoteWord(`${label}=${folder}`)}`],
    ),
    ...(device === undefined ? [] : [`--device ${quoteWord(device)}`]),
  ];
  return `to resume: ${words.join(' ')}`;
}

interface ResumeOptions {
  models?: readonly string[];
  backend?: string;
  backends?: ReadonlyMap<string, string | null>;
  device?: string;
}

/** The help: llama-bench's options by their names, then ours. */
export function describeBench(): string {
  const options = listBenchOptions();
  const heads = options.map(({ name, aliases, value }) =>
    [[name, ...aliases].join(', '), ...(value === null ? [] : [value])].join(' '),
  );
  const width = Math.min(34, Math.max(...heads.map((head) => head.length)));
  const lines = options.map(({ sentence }, index) => {
    const head = heads[index]!;
    return head.length > width
      ? `  ${head}\n  ${' '.repeat(width)}  ${sentence}`
      : `  ${head.padEnd(width)}  ${sentence}`;
  });
  return `Usage: rooflaw bench -m FILE.gguf [options]

Measure GGUF files as llama-bench does, in fresh processes, with intervals. Options are those of
llama-bench; lists and ranges make variants, which are measured in the same randomised rounds.

${lines.join('\n')}

Example:
  $ rooflaw bench -m model.gguf
  $ rooflaw bench -m model.gguf -p 512,2048 -n 128 -fa 0,1 --budget 10m
  $ rooflaw bench -m model.gguf -t 2,4,8 -b 128,512 -o json > sweep.json

A short pilot chooses processes and repetitions; it is said beforehand how long the measuring takes and
which interval to expect. What cannot be loaded is left out, and the rest is measured. Everything is kept in campaigns/NAME: \`rooflaw analyze NAME\` says more, and the same command with --name NAME goes on after a stop.

Exit status: 0 measured, 2 invalid options or file, or another campaign has the name, 3 some trials or
all failed, or something was left out, 4 the machine lacks something, 5 a file changed, 6 device in use,
130 stopped
`;
}
