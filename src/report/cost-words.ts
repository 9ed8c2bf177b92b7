import type { CostPart } from '../formats/analysis.ts';

/** The parts of the cost in plain words. */
export const costWords: Record<CostPart, string> = {
  load: 'loading model and context',
  warmup: 'warm-up repetitions',
  'warmup-preparation': 'preparing them (clearing; prefill before decode)',
  kept: 'kept repetitions',
  'kept-preparation': 'preparing them (clearing; prefill before decode)',
  'process-rest': 'process start, exit and the rest',
  failed: 'failed trials',
  interrupted: 'interrupted attempts',
  'device-reads': 'reading the device state',
  'idle-wait': 'waiting for an idle device',
  harness: 'harness',
};
