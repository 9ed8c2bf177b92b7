import type { Counters } from '../../src/formats/treatment.ts';
import { arm, smallExperiment } from '../support/experiment-plan.ts';
import { reportOf, resultOf } from './build-result.ts';

export const us = 1000;
export const readings = [
  'cpu-time',
  'placement',
  'context-switches',
  'scheduler-wait',
  'frequency',
] as const;
export const watched = smallExperiment({
  arms: [arm('watched', { treatment: { readings: [...readings] } })],
  comparisons: [],
  natural: ['watched'],
  blocks: 8,
});
export const whole = reportOf([...readings, 'migrations']);

/** The seed's usual case: 19.05 ms, of it 19.03 ms of CPU time. */
export const usual = (changes: Partial<Counters> = {}) => ({
  wallNs: 19_050 * us,
  counters: {
    mainCpuNs: 19_030 * us,
    processCpuNs: 19_100 * us,
    startCpu: 1,
    endCpu: 1,
    migrations: 0,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    schedulerWaitNs: 0,
    aperf: 1_500_000,
    mperf: 1_000_000,
    ...changes,
  },
});
export const slow = (wallUs: number, cpuUs: number, changes: Partial<Counters> = {}) => ({
  ...usual({ mainCpuNs: cpuUs * us, ...changes }),
  wallNs: wallUs * us,
});

/** One slow repetition in the last place of some blocks, usual ones elsewhere. */
export const watch = (cases: Readonly<Record<number, ReturnType<typeof usual>>>, report = whole) =>
  resultOf(watched, (_, block) => [usual(), cases[block] ?? usual()], { report }).natural[0]!;
