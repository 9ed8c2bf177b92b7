// Makes results/h200-pilot-a/ out of the raw lines of an earlier harness:
//   node scripts/convert-h200-pilot-a.ts h200-pilot-a.jsonl.gz results/h200-pilot-a
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { itemSchema } from '../src/formats/architecture.ts';
import { formatRepetitionTable, type TrialRepetitions } from '../src/formats/repetition-table.ts';
import { formatTrialTable, type TrialRow } from '../src/formats/trial-table.ts';
import { toNumber } from '../src/stats/fraction.ts';
import { takeTrialSample } from '../src/stats/trial-sample.ts';
import { coefficientOfVariation } from '../src/stats/variation.ts';

/** What that harness did, as v1 does. */
const counts = { warmup: 20, kept: 5 };

const lineSchema = z.object({
  round: z.int(),
  pos: z.int(),
  arch: z.string(),
  quant: z.string(),
  S: z.int(),
  phase: z.string(),
  rc: z.literal(0),
  process_ms: z.int(),
  reps: z.array(z.object({ r: z.int(), wall_ns: z.int() })),
});

const [source, folder] = process.argv.slice(2);
if (source === undefined || folder === undefined) throw new Error('name the file and the folder');
const trials: TrialRow[] = [];
const repetitions: TrialRepetitions[] = [];
for (const text of gunzipSync(readFileSync(source)).toString('utf8').trimEnd().split('\n')) {
  const line = lineSchema.parse(JSON.parse(text));
  const { round, pos: position, arch: architecture, quant: quantization, phase } = line;
  const item = itemSchema.parse({ architecture, quantization, sequenceLength: line.S, phase });
  const wallNs = line.reps.toSorted((a, b) => a.r - b.r).map(({ wall_ns }) => wall_ns);
  const sample = takeTrialSample(wallNs, counts);
  if (sample.state !== 'valid')
    throw new Error(`round ${round}, place ${position}: ${sample.code}`);
  trials.push({
    ...{ campaign: 'h200-pilot-a', protocol: 'v1-like', device: 'NVIDIA H200' },
    ...{ item, round, position, state: 'observed' },
    trialMeanNs: toNumber({ numerator: sample.keptSum, denominator: BigInt(counts.kept) }),
    inTrialCv: coefficientOfVariation(sample.kept)?.value ?? null,
    processNs: line.process_ms * 1e6,
  });
  // what came before each repetition was not measured
  const prepareNs = wallNs.map(() => null);
  repetitions.push({ item, round, position, warmup: counts.warmup, wallNs, prepareNs });
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'trials.csv'), formatTrialTable(trials));
writeFileSync(join(folder, 'repetitions.csv'), formatRepetitionTable(repetitions));
