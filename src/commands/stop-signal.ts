import type { Progress } from './progress.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C, SIGTERM and a closed terminal end what runs in good order. @param words said at once. */
export function listenForStop(words: string, progress: Progress) {
  const controller = new AbortController();
  const onSignal = () => {
    if (!controller.signal.aborted) progress.say(words);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
