import type { Launch } from '../formats/treatment.ts';
import type { Trial } from '../formats/trial.ts';
import type { WhoRan } from '../formats/who-ran.ts';

/** How a trial's process went, before anything is made of it. */
export interface ProcessRecord {
  /** Lines of the runner's own channel, undecoded, without their newlines. */
  lines: string[];
  exitStatus: number | null;
  signal: string | null;
  /** Why the harness ended the process, or null when it ended by itself. */
  endedBy: 'time-limit' | 'too-much-output' | 'stopped' | null;
  /** Set when the process could not be started at all. */
  startError: string | null;
  /** The kernel's out-of-memory killer struck while the process ran, as far as it can be seen. */
  outOfMemoryKill: boolean;
  stderrEnd: string;
  /** The last line of standard error that says why a process fails, as it stands there; null where none was looked for. */
  lastWords: string | null;
  /** What is wrong with its output or log as a whole, in words: too long, not UTF-8. Absent: nothing. */
  outputFault?: string | null;
  /** Processes that it left running, in words, and what became of them. Absent: none was found. */
  leftRunning?: string | null;
  /** Memory of the machine; no process can have had more. Absent: not known. */
  machineMemoryBytes?: number;
  /** Who had the main thread's CPU, where the launch asks for it. */
  whoRan?: WhoRan;
  /** From before the start of the process to its end. */
  processNs: number;
  /** How long the harness itself stood still meanwhile, at least, and so saw the end late. Absent: not known. */
  stoodStillNs?: number;
}

/** Executes one trial in a fresh process; a fake stands behind the same port in tests. */
export interface TrialRunner {
  /**
   * Never rejects for what the process does; a failed trial is data. Rejects when its log cannot be
   * written, since that stops every trial.
   * @param logPath where the process's standard error goes, in full.
   * @param stop ends the trial early: the process is killed and the record says `stopped`.
   * @param launch how the process is started, in an experiment; absent: directly
   */
  run(
    trial: Trial,
    logPath: string,
    timeLimitMs: number,
    stop: AbortSignal,
    launch?: Launch,
  ): Promise<ProcessRecord>;
}
