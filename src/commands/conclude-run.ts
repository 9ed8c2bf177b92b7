import { exitStatus } from '../errors.ts';
import { formatCount } from '../units.ts';
import { countDecided } from './count-decided.ts';
import type { Progress } from './progress.ts';
import type { RunResult } from './run-plan.ts';

/** Says how it went and sets the exit status. @param howToResume where another command does it */
export function concludeRun(
  { folder, state, stopped }: RunResult,
  progress: Progress,
  howToResume = 'the same command resumes',
): void {
  const failures = state.failed === 0 ? '' : `, ${state.failed} failed`;
  progress.say(`${folder.ledger}: ${state.observed} trials observed${failures}`);
  if (state.failed > 0) {
    progress.say(
      'a failure is an outcome and is not measured again: `rooflaw analyze` lists why; measure anew under another name if the cause is gone',
    );
  }
  const { decision } = state;
  if (decision !== null && state.ended) {
    const rounds = `${formatCount(decision.round + 1, 'round')}: ${countDecided(decision)}`;
    progress.say(decision.stop ? `stopped by the rule after ${rounds}` : rounds);
  }
  if (stopped && !state.ended) {
    progress.say(`stopped before the end; ${howToResume}`);
    process.exitCode = exitStatus.interrupted;
  } else if (state.failed > 0) {
    process.exitCode = exitStatus.trialsFailed;
  }
}
