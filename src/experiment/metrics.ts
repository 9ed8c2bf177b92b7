import type { Metric } from '../formats/experiment.ts';
import type { ObservedEntry } from '../formats/ledger.ts';
import type { ActivityRecord, Counters } from '../formats/treatment.ts';
import { readingOfMetric } from '../protocol/experiment-faults.ts';

/** A number of one process, or why it has none. */
export type Measured = { value: number } | { missing: string };

type Repetition = ObservedEntry['repetitions'][number];

/**
 * One number of one process. Times in ns, counts a repetition, frequencies in Hz where the processor
 * says its base frequency, else as multiples of it. Means are over the kept repetitions, the last ones.
 */
export function measureProcess(metric: Metric, entry: ObservedEntry, kept: number): Measured {
  const { repetitions, load } = entry;
  const last = repetitions.slice(-kept);
  switch (metric) {
    case 'time':
      return meanOf(last, ({ wallNs }) => wallNs, 'no repetition was kept');
    case 'first-repetition':
      return valueOr(repetitions[0]?.wallNs, 'there is no repetition');
    case 'slowest-repetition':
      return last.length === 0
        ? { missing: 'no repetition was kept' }
        : { value: Math.max(...last.map(({ wallNs }) => wallNs)) };
    case 'preparation':
      return meanOf(last, ({ prepareNs }) => prepareNs, 'no repetition was kept');
    case 'load':
      return valueOr(load?.loadNs, 'the model was not loaded');
    case 'process':
      return { value: entry.processNs };
    case 'time-off-cpu':
      return meanOf(last, offCpuNs, whyMissing(metric, entry));
    case 'frequency':
      return measureFrequency(last, entry);
    case 'first-slice-throughput':
      return meanOf(
        last,
        ({ activity }) => compareSlices(throughputOf(activity)),
        'it did no integer work',
      );
    case 'first-slice-frequency':
      return meanOf(
        last,
        ({ activity }) => compareSlices(frequenciesOf(activity)),
        whyMissing(metric, entry),
      );
    default:
      return meanOf(
        last,
        ({ counters }) => countersOfMetric[metric](counters ?? {}),
        whyMissing(metric, entry),
      );
  }
}

const countersOfMetric: Record<
  | 'main-cpu-time'
  | 'process-cpu-time'
  | 'scheduler-wait'
  | 'migrations'
  | 'involuntary-switches'
  | 'voluntary-switches'
  | 'page-faults',
  (counters: Counters) => number | undefined
> = {
  'main-cpu-time': ({ mainCpuNs }) => mainCpuNs,
  'process-cpu-time': ({ processCpuNs }) => processCpuNs,
  'scheduler-wait': ({ schedulerWaitNs }) => schedulerWaitNs,
  migrations: ({ migrations, startCpu, endCpu }) =>
    migrations ??
    (startCpu === undefined || endCpu === undefined ? undefined : Number(startCpu !== endCpu)),
  'involuntary-switches': ({ involuntarySwitches }) => involuntarySwitches,
  'voluntary-switches': ({ voluntarySwitches }) => voluntarySwitches,
  'page-faults': ({ minorFaults, majorFaults }) =>
    minorFaults === undefined || majorFaults === undefined ? undefined : minorFaults + majorFaults,
};

/** Elapsed less CPU time of the main thread; reading the clocks may make it a little less than 0. */
export const offCpuNs = ({ wallNs, counters }: Repetition): number | undefined =>
  counters?.mainCpuNs === undefined ? undefined : Math.max(0, wallNs - counters.mainCpuNs);

/** APERF over MPERF; undefined where the thread moved or none was read. */
export const cyclesRatio = ({ counters }: Repetition): number | undefined =>
  counters?.aperf === undefined || !counters.mperf ? undefined : counters.aperf / counters.mperf;

function measureFrequency(last: readonly Repetition[], entry: ObservedEntry): Measured {
  const valid = last.map(cyclesRatio).filter((ratio) => ratio !== undefined);
  const said = whyMissing('frequency', entry);
  if (valid.length === 0) {
    const hasMoved = said === notGiven;
    return {
      missing: hasMoved
        ? `the thread moved in each of ${last.length} kept repetitions, so that no interval is valid`
        : said,
    };
  }
  const hertz = entry.load?.treatment?.mperfHertz ?? 1;
  return { value: hertz * mean(valid) };
}

const notGiven = 'it is not in the repetitions';

/** Why a machine has no such reading, in its own words. */
function whyMissing(metric: Metric, { load }: ObservedEntry): string {
  const reading = readingOfMetric[metric];
  if (reading === undefined) return notGiven;
  const said = load?.treatment?.readings[reading];
  if (said === undefined) return `the reading ${reading} was not asked for`;
  return 'notMeasured' in said ? said.notMeasured : notGiven;
}

/** The mean, where every one has its number. */
function meanOf(
  list: readonly Repetition[],
  numberOf: (repetition: Repetition) => number | null | undefined,
  missing: string,
): Measured {
  const values = list.map(numberOf).filter((value) => typeof value === 'number');
  return values.length === 0 || values.length < list.length ? { missing } : { value: mean(values) };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const valueOr = (value: number | undefined, missing: string): Measured =>
  value === undefined ? { missing } : { value };

/** Operations a ns in each slice. */
export function throughputOf(activity: ActivityRecord | undefined): number[] {
  const { sliceNs = [], sliceOperations = [] } = activity ?? {};
  return sliceNs.map((ns, slice) => (ns === 0 ? 0 : sliceOperations[slice]! / ns));
}

/** APERF over MPERF in each slice; 0 where it is not valid. */
export function frequenciesOf(activity: ActivityRecord | undefined): number[] {
  const { sliceAperf = [], sliceMperf = [] } = activity ?? {};
  return sliceAperf.map((aperf, slice) => (sliceMperf[slice] ? aperf / sliceMperf[slice] : 0));
}

/** The first over the mean of the last quarter; null where one of them is missing. */
function compareSlices(slices: readonly number[]): number | null {
  const quarter = slices
    .slice(-Math.max(1, Math.floor(slices.length / 4)))
    .filter((one) => one > 0);
  const [first] = slices;
  if (slices.length < 2 || !first || quarter.length === 0) return null;
  return first / mean(quarter);
}
