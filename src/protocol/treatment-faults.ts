import type {
  ActivityRecord,
  Counters,
  Reading,
  Treatment,
  TreatmentReport,
} from '../formats/treatment.ts';

/** The counters of each reading; a machine may lack any. */
const countersOf: Record<Reading, readonly (keyof Counters)[]> = {
  'cpu-time': ['mainCpuNs', 'processCpuNs'],
  placement: ['startCpu', 'endCpu', 'migrations'],
  'context-switches': ['voluntarySwitches', 'involuntarySwitches'],
  'page-faults': ['minorFaults', 'majorFaults'],
  'scheduler-wait': ['schedulerWaitNs'],
  frequency: ['aperf', 'mperf'],
};

interface Treated {
  counters?: Counters | undefined;
  activity?: ActivityRecord | undefined;
}

/**
 * What a trial says about its treatment that cannot be: readings that nobody asked for, ones that are
 * said to be measured and are not there, an activity that was not done or was too short.
 * @returns sentences
 */
export function findTreatmentFaults(
  { treatment }: { treatment?: Treatment | undefined },
  load: { treatment?: TreatmentReport | undefined } | null,
  repetitions: readonly Treated[],
): string[] {
  if (treatment === undefined) {
    const hasStray =
      load?.treatment !== undefined ||
      repetitions.some(({ counters, activity }) => (counters ?? activity) !== undefined);
    return hasStray ? ['readings that belong to a treatment, where there is none'] : [];
  }
  const report = load?.treatment;
  if (report === undefined) return ['a treated trial that does not say what was measured'];
  const faults = [...findReportFaults(treatment, report)];
  const asked = new Set(treatment.readings.flatMap((reading) => countersOf[reading]));
  repetitions.forEach(({ counters = {}, activity }, index) => {
    const stray = Object.keys(counters).find((key) => !asked.has(key as keyof Counters));
    if (stray !== undefined)
      faults.push(`repetition ${index} has ${stray}, which nobody asked for`);
    for (const missing of findMissing(treatment, report, counters))
      faults.push(`repetition ${index} lacks ${missing}, which is said to be measured`);
    const fault = findActivityFault(treatment.activity, activity);
    if (fault !== null) faults.push(`repetition ${index}: ${fault}`);
  });
  return faults;
}

function findReportFaults({ readings }: Treatment, report: TreatmentReport): string[] {
  const due = [...readings, ...(readings.includes('placement') ? ['migrations'] : [])].sort();
  const said = Object.keys(report.readings).sort();
  return due.join() === said.join()
    ? []
    : [
        `speaks of the readings ${said.join(', ') || 'none'}, asked were ${due.join(', ') || 'none'}`,
      ];
}

/** A frequency is left out of a repetition in which the thread moved. */
function findMissing(
  { readings }: Treatment,
  report: TreatmentReport,
  counters: Counters,
): string[] {
  const isMeasured = (name: string) => {
    const said = Object.hasOwn(report.readings, name) ? report.readings[name] : undefined;
    return said !== undefined && 'source' in said;
  };
  return readings
    .filter((reading) => reading !== 'frequency' && isMeasured(reading))
    .flatMap((reading) => countersOf[reading])
    .filter((key) => key !== 'migrations' || isMeasured('migrations'))
    .filter((key) => counters[key] === undefined);
}

/** Two clocks and a loop's last look. */
const toleranceNs = 1000;

function findActivityFault(
  asked: Treatment['activity'],
  done: ActivityRecord | undefined,
): string | null {
  if (asked === null) return done === undefined ? null : 'an activity that nobody asked for';
  if (done === undefined) return `${asked.kind} was asked for and not done`;
  if (done.elapsedNs + toleranceNs < asked.milliseconds * 1e6)
    return `${asked.kind} of ${asked.milliseconds} ms took ${done.elapsedNs} ns`;
  const { sliceNs, sliceOperations, steps } = done;
  const hasSlices = (sliceNs?.length ?? 0) > 0 && sliceNs?.length === sliceOperations?.length;
  if (asked.kind === 'integer-work' && !hasSlices) return 'integer work without its slices';
  if (asked.kind === 'decode' && !steps) return 'a decode of no steps';
  return null;
}
