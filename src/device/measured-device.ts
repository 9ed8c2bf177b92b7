import type { RunnerDescription } from '../formats/trial.ts';

/** The device of a campaign, as the runner describes it. */
export type MeasuredDevice = Pick<
  RunnerDescription['devices'][number],
  'name' | 'description' | 'memoryBytes' | 'type'
>;
