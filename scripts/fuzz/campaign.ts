import fc from 'fast-check';
import { createRandom } from '../../src/random.ts';
import { examine, type Finding } from './examine.ts';
import { listLongInputs } from './long-inputs.ts';
import { mutate } from './mutate.ts';
import { oddWords } from './odd-words.ts';
import { structuredInputs } from './structured.ts';
import { type Target, toBytes } from './target.ts';

/** How much of a target is run. */
export interface Effort {
  seed: string;
  /** Inputs besides the valid ones; null: until the time is over. */
  inputs: number | null;
  /** Milliseconds from the start of the target. */
  untilMs: number;
  /** One of so many inputs of 1 MiB; 1: all of them. */
  everyLongInput: number;
}

/** What was found, and in how many inputs. */
export interface Tally {
  inputs: number;
  taken: number;
  /** Ways through the parser, about. */
  shapes: number;
  longestMs: number;
}

export interface Listener {
  /** Before an input is read: it is what ended the process, if anything does. */
  onInput(input: Uint8Array): void;
  onFinding(finding: Finding, input: Uint8Array): void;
  onTally(tally: Tally): void;
}

/** Of the time, for inputs of 1 MiB at most: each takes as long as a hundred small ones. */
const longShare = 1 / 3;
/** Inputs that fast-check makes at a time. */
const batch = 20;
/** Inputs that opened a new way are mutated further, so many of them. */
const mostKept = 2000;

/** Gives a parser valid inputs, long ones, structured ones and mutations, the same for one seed. */
export async function fuzzTarget(
  target: Target,
  effort: Effort,
  folder: string,
  listener: Listener,
): Promise<Tally> {
  const random = createRandom(`${target.name}/${effort.seed}`);
  const corpus = await target.corpus();
  const pool = [...corpus];
  const words = [...oddWords, ...target.words].map(toBytes);
  const shapes = new Set<string>();
  const tally: Tally = { inputs: 0, taken: 0, shapes: 0, longestMs: 0 };
  const startMs = performance.now();
  const isOver = () =>
    performance.now() - startMs > effort.untilMs ||
    (effort.inputs !== null && tally.inputs >= effort.inputs);

  async function give(input: Uint8Array): Promise<boolean> {
    listener.onInput(input);
    const { milliseconds, taken, shape, finding } = await examine(target, input, folder);
    tally.inputs += 1;
    tally.taken += taken ? 1 : 0;
    tally.longestMs = Math.max(tally.longestMs, milliseconds);
    if (finding !== null) listener.onFinding(finding, input);
    if (!shapes.has(shape)) {
      shapes.add(shape);
      if (input.length < 65_536 && pool.length < mostKept) pool.push(input);
    }
    tally.shapes = shapes.size;
    if (tally.inputs % 100 === 0) listener.onTally(tally);
    return taken;
  }

  for (const input of corpus) {
    if (await give(input)) continue;
    const finding: Finding = { kind: 'thrown', what: 'a valid input was refused' };
    listener.onFinding(finding, input);
  }
  const firstLong = random.nextBelow(effort.everyLongInput);
  const long = listLongInputs(corpus, target.words).filter(
    (_, place) => (place + firstLong) % effort.everyLongInput === 0,
  );
  // in the seed's order: where time is short, other seeds give the ones that are left out
  while (long.length > 0 && performance.now() - startMs < longShare * effort.untilMs) {
    const [make] = long.splice(random.nextBelow(long.length), 1);
    await give(make!());
  }
  const structured = structuredInputs(target.kind, corpus);
  while (!isOver()) {
    const seed = random.nextUint32() | 0;
    for (const input of fc.sample(structured, { seed, numRuns: batch })) await give(input);
    for (let count = 0; count < 2 * batch && !isOver(); count++) {
      await give(mutate({ random, pool, words }));
    }
  }
  listener.onTally(tally);
  return tally;
}
