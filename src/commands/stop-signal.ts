import { isatty } from 'node:tty';
import type { Progress } from './progress.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof signals)[number];

/** Those who listen now, one inside the other. */
const listening: AbortController[] = [];

/**
 * Ctrl-C, SIGTERM and a closed terminal end what runs in good order. Who is attached to no terminal,
 * as under nohup, has none that closes, and goes on at SIGHUP: Node has forgotten by then what nohup
 * told the system to ignore.
 * @param words said at once, unless something inside listens too and says its own
 */
export function listenForStop(
  words: string,
  progress: Progress,
  hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor)),
) {
  const controller = new AbortController();
  const onSignal = (signal: StopSignal) => {
    const isSpeaker = listening.at(-1) === controller;
    if (signal === 'SIGHUP' && !hasTerminal) {
      if (isSpeaker)
        progress.say('SIGHUP: it goes on, as no terminal is attached that could close');
      return;
    }
    if (!controller.signal.aborted && isSpeaker) progress.say(words);
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
