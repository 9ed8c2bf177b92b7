import type { CostPart } from '../formats/analysis.ts';

/** The parts of the cost in plain words. */
export const costWords: Record<CostPart, string> = {
  load: 'loading model and context',
  warmup: 'warm-up repetitions',
  'warmup-preparation': 'preparing the warm-up ones (clearing; prefill before decode)',
  kept: 'kept repetitions',
  'kept-preparation': 'preparing the kept ones (clearing; prefill before decode)',
  'process-rest': 'process start, exit and the rest',
  failed: 'failed trials',
  interrupted: 'interrupted attempts',
  'device-reads': 'reading the device state',
  'idle-wait': 'waiting for an idle device',
  harness: 'harness',
};

/** What the whole is the time of. */
export const whatCostHolds =
  'All from the start of a session’s first trial to the end of its last. Not in it: building models and runner, pauses between sessions, the report.';
