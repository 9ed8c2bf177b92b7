import type { ProcessRecord, TrialRunner } from '../../src/campaign/trial-runner.ts';
import type { Trial } from '../../src/formats/trial.ts';

/** Lines that a sound runner would print for a trial, with given repetition times. */
export function runnerLines(trial: Trial, wallNs = (index: number) => 1_000_000 + index): string[] {
  const load = {
    type: 'load',
    formatVersion: 1,
    modelSha256: trial.modelSha256,
    loadNs: 5_000_000,
    contextNs: 1_000_000,
    clockNs: null,
    applied: {
      threads: trial.threads,
      threadsBatch: trial.threadsBatch,
      contextSize: trial.contextSize,
      batch: Math.min(trial.batch, trial.contextSize),
      ubatch: Math.min(trial.ubatch, trial.contextSize),
      flashAttention: trial.flashAttention,
      layersOffloaded: trial.gpuLayers,
      layersTotal: trial.gpuLayers,
      modelBuffers: [{ name: 'CPU', mebibytes: 1 }],
      kvBuffers: [{ name: 'CPU', mebibytes: 1 }],
      computeBuffers: [{ name: 'CPU', mebibytes: 1 }],
      cpus: [0, 1],
    },
  };
  const repetitions = Array.from({ length: trial.repetitions }, (_, index) => ({
    type: 'repetition',
    index,
    wallNs: wallNs(index),
    prepareNs: 1000,
  }));
  const end = { type: 'end', repetitions: trial.repetitions, peakResidentBytes: 1_000_000 };
  return [load, ...repetitions, end].map((line) => JSON.stringify(line));
}

export const soundRecord = (trial: Trial): ProcessRecord => ({
  lines: runnerLines(trial),
  exitStatus: 0,
  signal: null,
  endedBy: null,
  startError: null,
  outOfMemoryKill: false,
  stderrEnd: '',
  lastWords: null,
  processNs: 100_000_000,
});

/** Answers at once; `change` decides what is different about the n-th trial it is given. */
export function createFakeRunner(
  change: (
    record: ProcessRecord,
    call: number,
    trial: Trial,
  ) => Partial<ProcessRecord> = () => ({}),
): TrialRunner & { trials: Trial[] } {
  const trials: Trial[] = [];
  return {
    trials,
    async run(trial, _logPath, _timeLimitMs, stop) {
      trials.push(trial);
      const record = soundRecord(trial);
      const stopped = stop.aborted ? { endedBy: 'stopped' as const, exitStatus: null } : {};
      return { ...record, ...stopped, ...change(record, trials.length - 1, trial) };
    },
  };
}
