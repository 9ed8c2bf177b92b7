import { describeError, RooflawError } from '../../src/errors.ts';
import type { Target } from './target.ts';

/** Longest time for an input of up to 1 MiB, in milliseconds of its own thread's CPU time. */
export const mostMilliseconds = 1000;

/** What an input brought to light. */
export interface Finding {
  kind: 'thrown' | 'slow' | 'hang' | 'memory' | 'pollution' | 'unprintable';
  /** What tells it from others of its kind. */
  what: string;
}

export interface Examined {
  milliseconds: number;
  /** Whether the parser took it. */
  taken: boolean;
  /** Which way through the parser it took, about: digits and quoted words left out. */
  shape: string;
  finding: Finding | null;
}

/** All that may stand in the text for a terminal is its own line ends. */
const steering = /[^\P{C}\n\p{Cs}\p{Co}\p{Cn}]/u;

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const describePrototypes = () =>
  prototypes.map((one) => Reflect.ownKeys(one).map(String).join()).join('\n');
const soundPrototypes = describePrototypes();

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Gives one input to a parser. Never throws. */
export async function examine(
  target: Target,
  input: Uint8Array,
  folder: string,
): Promise<Examined> {
  const start = cpuMilliseconds();
  let taken = true;
  let printed: string;
  let finding: Finding | null = null;
  try {
    printed = await target.read(input, folder);
  } catch (error) {
    taken = false;
    if (error instanceof RooflawError) printed = describeError(error);
    else {
      printed = '';
      finding = { kind: 'thrown', what: describeThrown(error) };
    }
  }
  const milliseconds = cpuMilliseconds() - start;
  const found = steering.exec(printed);
  if (found !== null) {
    const at = printed.slice(Math.max(0, found.index - 40), found.index + 20);
    finding ??= { kind: 'unprintable', what: JSON.stringify(at) };
  }
  if (describePrototypes() !== soundPrototypes) {
    finding ??= { kind: 'pollution', what: 'a prototype has changed' };
  }
  if (milliseconds > mostMilliseconds) {
    finding ??= { kind: 'slow', what: `${Math.round(milliseconds)} ms of CPU time` };
  }
  return { milliseconds, taken, shape: shapeOf(printed, taken), finding };
}

function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error}`;
  const [frame = ''] = error.stack?.match(/[\w.-]+\.ts:\d+/) ?? [];
  return `${error.name}: ${error.message.slice(0, 120)} at ${frame}`;
}

const shapeCharacters = 300;

function shapeOf(printed: string, taken: boolean): string {
  const words = printed
    .slice(0, shapeCharacters)
    .replaceAll(/"[^"\n]*"/g, '""')
    .replaceAll(/\d+/g, '0');
  return `${taken} ${words}`;
}
