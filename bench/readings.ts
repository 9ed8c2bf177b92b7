/**
 * What looking costs, for each reading: how long one pair of looks takes, before and behind the timer and so in no
 * measured time, and how much slower or faster the measured time is for it all the same.
 *
 *   node bench/readings.ts [--rounds 24] [--repetitions 8] [--seed 1]
 *
 * First the pairs of looks, by themselves in the runner's own sources (median of 101 batches of 200). Then trials of
 * a small model's decode on one thread, each in a fresh process: in every round one without a treatment, one that
 * reads nothing, one for each reading and one with all of them, in random order. Printed are the median over the
 * rounds of the ratio to the untreated trial of the same round, and the order-statistic interval of that median.
 * About two minutes. `--rounds 0`: the pairs alone.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareBackend } from '../src/backend/prepare-backend.io.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import { noTreatment, type Reading, readingSchema } from '../src/formats/treatment.ts';
import type { Trial } from '../src/formats/trial.ts';
import { ensureModel } from '../src/gguf/ensure-model.io.ts';
import { createRandom, shuffled } from '../src/random.ts';
import { readSpace } from '../src/space/shipped.io.ts';
import { medianOfNumbers } from '../src/stats/number-median.ts';
import { pairedInterval } from '../src/stats/paired-interval.ts';
import { createTrial } from './neutrality/trial.ts';
import { createMeasure } from './readings/measure.ts';
import { timePairsOfLooks } from './readings/pairs.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '24' },
    repetitions: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const repetitions = Number(values.repetitions);
/** The first ones of a process are not like the others. */
const warmup = 3;

const load = loadavg().map((value) => value.toFixed(1));
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} CPUs, load ${load.join(' ')}`,
);
console.log('\none pair of looks, ns:');
console.log(await timePairsOfLooks());
if (rounds > 0) await measureTrials();

async function measureTrials(): Promise<void> {
  const architecture = readSpace('pocket').architectures.find(({ name }) => name === 'middle')!;
  const model = await ensureModel({
    architecture,
    quantization: 'Q8_0',
    weightSeed: 1,
    cacheDirectory: cacheFolder(),
  });
  const plain = createTrial('decode', model, {
    sequenceLength: 32,
    decodeSteps: 8,
    cachePreparation: 'restore',
    repetitions: warmup + repetitions,
    threads: 1,
    device: 'CPU',
    layerCount: architecture.layerCount,
  });
  const read = (readings: Reading[]): Trial => ({
    ...plain,
    formatVersion: 2,
    treatment: { ...noTreatment, readings },
  });
  const untreated = 'untreated';
  const arms = new Map<string, Trial>([
    [untreated, plain],
    ['none', read([])],
    ...readingSchema.options.map((reading) => [reading, read([reading])] as const),
    ['all', read([...readingSchema.options])],
  ]);
  const prepared = await prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => console.error(text),
  });
  const measure = createMeasure(prepared);
  const random = createRandom(`readings/${values.seed}`);
  const medianNs = new Map([...arms.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, trial] of shuffled([...arms], random)) {
      const wallNs = await measure(trial);
      medianNs.get(name)!.push(medianOfNumbers(wallNs.slice(warmup))!);
    }
  }

  const references = medianNs.get(untreated)!;
  const ms = (ns: number) => `${(ns / 1e6).toFixed(2)} ms`;
  console.log(
    `\nmeasured time of 8 steps, over that of the untreated trial of the same round (${rounds} rounds, medians of ${repetitions} repetitions after ${warmup}):`,
  );
  console.log(
    `${untreated} ${ms(medianOfNumbers(references)!)} (${ms(Math.min(...references))} to ${ms(Math.max(...references))})`,
  );
  for (const [name, times] of medianNs) {
    if (name !== untreated) console.log(`${name} ${compare(times, references)}`);
  }
}

function compare(times: readonly number[], references: readonly number[]): string {
  const logRatios = times.map((ns, round) => Math.log(ns / references[round]!));
  const percent = (logRatio: number) => {
    const value = 100 * Math.expm1(logRatio);
    return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)} %`;
  };
  const interval = pairedInterval(logRatios, 0.95);
  const limits =
    interval === null
      ? 'too few rounds for an interval'
      : `${percent(interval.lower)} to ${percent(interval.upper)}`;
  const slower = logRatios.filter((ratio) => ratio > 0).length;
  return `${percent(medianOfNumbers(logRatios)!)} (${limits}), slower in ${slower} of ${times.length} rounds`;
}
