import type { Backend } from '../formats/ledger.ts';
import type { RunnerDescription } from '../formats/trial.ts';

/** A llama.cpp and the runner linked to it, ready to execute trials. */
export interface PreparedBackend {
  backend: Backend;
  description: RunnerDescription;
  /** Absolute path of the compiled runner. */
  runnerPath: string;
  /** Absolute path of the folder with llama.cpp's libraries. */
  libraryDirectory: string;
}
