import type { Progress } from './progress.ts';

/** Ctrl-C and SIGTERM end the running trial and leave a campaign that can be resumed. */
export function listenForStop(progress: Progress) {
  const controller = new AbortController();
  const onSignal = () => {
    if (!controller.signal.aborted)
      progress.say('stopping; the trial that runs will be measured again');
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
