import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import { sha256Hex } from '../../src/hash.ts';
import { chainEntry, emptyChain } from '../../src/ledger/chain.ts';
import { createMutation, type Mutation } from './mutation.ts';

export function readEntries(ledger: Buffer): LedgerEntry[] {
  const lines = ledger.toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as LedgerEntry);
}

/**
 * What somebody writes who knows the format: numbers, hashes and times all fit.
 * @param spell makes of a line what is written in its place; the next is tied to that
 */
export function chainAnew(
  entries: readonly LedgerEntry[],
  spell: (line: string, index: number) => string = (line) => line,
): Buffer {
  let head = emptyChain;
  const lines = entries.map(({ seq: _seq, prev: _prev, time, ...entry }, index) => {
    const { line } = chainEntry(entry as UnchainedEntry, head, time);
    const written = spell(line, index);
    head = { length: head.length + 1, sha256: sha256Hex(written) };
    return `${written}\n`;
  });
  return Buffer.from(lines.join(''));
}

/** Every line with a number that was not due, and every line with a space that no writer puts there. */
export function* respellLines(original: Buffer): Generator<Mutation> {
  const entries = readEntries(original);
  for (const changed of entries.keys()) {
    const spellOne = (spell: (line: string) => string) => () =>
      chainAnew(entries, (line, index) => (index === changed ? spell(line) : line));
    const what = `line ${changed + 1}`;
    const misnumber = (line: string) => line.replace(`"seq":${changed},`, `"seq":${changed + 1},`);
    yield createMutation('number changed, chained anew', what, spellOne(misnumber));
    const space = (line: string) => `{ ${line.slice(1)}`;
    yield createMutation('space inserted, chained anew', what, spellOne(space));
  }
}

const hasTrial = (entry: LedgerEntry): entry is Extract<LedgerEntry, { trial: number }> =>
  'trial' in entry;

function countAnew(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const count = (type: string) => entries.filter((entry) => entry.type === type).length;
  return entries.map((entry) =>
    entry.type === 'end'
      ? { ...entry, observed: count('observed'), failed: count('failed') }
      : entry,
  );
}

/** Every trial cut out, with the counts at the end made to fit; and with all later ones renumbered. */
export function* cutTrials(original: Buffer): Generator<Mutation> {
  const entries = readEntries(original);
  const trials = new Set(entries.filter(hasTrial).map(({ trial }) => trial));
  for (const gone of trials) {
    const keep = () =>
      countAnew(entries.filter((entry) => !hasTrial(entry) || entry.trial !== gone));
    const renumber = () =>
      keep().map((entry) =>
        hasTrial(entry) && entry.trial > gone ? { ...entry, trial: entry.trial - 1 } : entry,
      );
    const what = `trial ${gone}`;
    yield createMutation('trial cut out', what, () => chainAnew(keep()));
    yield createMutation('trial cut out, later ones renumbered', what, () => chainAnew(renumber()));
  }
}

/** Every decision made to say the opposite. */
export function* turnDecisions(original: Buffer): Generator<Mutation> {
  const entries = readEntries(original);
  for (const [index, entry] of entries.entries()) {
    if (entry.type !== 'decision') continue;
    yield createMutation('decision turned round', `line ${index + 1}`, () =>
      chainAnew(entries.with(index, { ...entry, stop: !entry.stop })),
    );
  }
}

/** In every observed trial one nanosecond taken from the last repetition: no rule forbids that. */
export function* shaveTimes(original: Buffer): Generator<Mutation> {
  const entries = readEntries(original);
  for (const [index, entry] of entries.entries()) {
    if (entry.type !== 'observed') continue;
    const repetitions = entry.repetitions.map((repetition, place) =>
      place === entry.repetitions.length - 1
        ? { ...repetition, wallNs: repetition.wallNs - 1 }
        : repetition,
    );
    yield createMutation('time of a repetition changed', `line ${index + 1}`, () =>
      chainAnew(entries.with(index, { ...entry, repetitions })),
    );
  }
}
