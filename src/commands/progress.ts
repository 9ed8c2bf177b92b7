import { toPrintable } from '../printable.ts';

/** What is going on, on standard error: a line that redraws itself on a terminal, plain lines elsewhere. */
export interface Progress {
  /** A lasting line: something began or was decided. Words from outside are made printable. */
  say(text: string): void;
  /** The current state; replaces the last one on a terminal and is left out elsewhere. */
  show(text: string): void;
  /** Ends the line that redraws itself. */
  done(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let shown = false;
  const clear = () => {
    if (shown) stream.write('\r\x1b[2K');
    shown = false;
  };
  return {
    say(text) {
      clear();
      stream.write(`${toPrintable(text)}\n`);
    },
    show(text) {
      if (!stream.isTTY) return;
      clear();
      stream.write(toPrintable(text).slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
      shown = true;
    },
    done: clear,
  };
}

/** `[#####.....] 48%` */
export function drawBar(share: number, width = 24): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`;
}
