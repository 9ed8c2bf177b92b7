import type { PreparedBackend } from './prepared-backend.ts';

/** Arguments with which the runner executes the trial on its standard input. */
export function runnerArguments(prepared: Pick<PreparedBackend, 'libraryDirectory'>): string[] {
  return ['--libraries', prepared.libraryDirectory];
}

/** Arguments with which the runner describes itself and its libraries. */
export function describeArguments(prepared: Pick<PreparedBackend, 'libraryDirectory'>): string[] {
  return [...runnerArguments(prepared), '--describe'];
}
