import type { Progress } from './progress.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Those who listen now, one inside the other. */
const listening: AbortController[] = [];

/**
 * Ctrl-C, SIGTERM and a closed terminal end what runs in good order.
 * @param words said at once, unless something inside listens too and says its own
 */
export function listenForStop(words: string, progress: Progress) {
  const controller = new AbortController();
  const onSignal = () => {
    if (!controller.signal.aborted && listening.at(-1) === controller) progress.say(words);
    controller.abort();
  };
  listening.push(controller);
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      listening.splice(listening.indexOf(controller), 1);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
