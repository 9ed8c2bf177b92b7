import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { countUsableCores } from '../device/physical-cores.io.ts';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { Execution } from '../formats/protocol.ts';
import { canonicalJson } from '../hash.ts';
import { describeLoweredBatches } from '../llama-bench/options/lowered-batches.ts';
import {
  type BenchRequest,
  type BenchVariant,
  type OptionReader,
  parseBenchOptions,
} from '../llama-bench/options/parse.ts';
import { readArguments } from '../llama-bench/options/read-arguments.ts';
import { findUnquotedSides, splitWords } from './ab-arguments.ts';

/** What `--protocol` may be for two sides. */
export const sidesProtocols: readonly string[] = ['bench', 'bench-restored'];

/** One side as it was asked for; nothing is known to exist. */
export interface SideRequest {
  /** As a person gave it. */
  label: string;
  model: string;
  /** null: the embedded one. */
  backend: string | null;
  variant: BenchVariant;
  execution: Execution;
}

/** Two sides, and what is the same for both. */
export interface SidesRequest {
  a: SideRequest;
  b: SideRequest;
  /** What was said once: tests, counts, device, name. */
  shared: BenchRequest;
  notes: string[];
}

/** How two sides may be named; exactly one of these must hold. */
interface Named {
  /** Two folders. */
  backends: readonly [string, string] | null;
  /** Two texts of options. */
  options: readonly [string, string] | null;
}

/**
 * @throws RooflawError `invalid-input` where a shell has divided the options of a side; whatever else is
 *   wrong then follows from it
 */
export function refuseUnquotedSides(verb: string, words: readonly string[]): void {
  throwFaults(`options of ${verb}`, findUnquotedSides(words));
}

/**
 * Reads two sides from a command line of `bench`: two folders, two texts of options, or two files.
 * @param words what `bench` takes, without the options that name the sides
 * @param named folders are also taken from two `--backend`
 * @param faults what was found before; thrown with the others
 * @throws RooflawError `invalid-input` with every fault
 */
export function readSides(
  reader: OptionReader,
  words: readonly string[],
  named: Named,
  faults: Fault[],
): SidesRequest {
  const subject = `options of ${reader.verb}`;
  const defaults = { threads: countUsableCores(), fileExists: existsSync };
  const parse = (more: readonly string[], side: string | null): BenchRequest | null => {
    try {
      return parseBenchOptions(
        [...words, ...more],
        defaults,
        side === null ? reader : insideOfSide(reader),
      );
    } catch (error) {
      if (!(error instanceof RooflawError)) throw error;
      const prefix = side === null ? '' : `${side}, `;
      faults.push(...error.faults.map((fault) => ({ ...fault, where: prefix + fault.where })));
      return null;
    }
  };
  const shared = parse([], null);
  const given = readArguments(words, []);
  const valuesOf = (option: string) =>
    given.filter((one) => one.option.names[0] === option).map(({ value }) => value);
  const files = valuesOf('-m').flatMap((value) => (existsSync(value) ? [value] : value.split(',')));
  const backends = valuesOf('--backend');
  const folders = named.backends ?? (backends.length > 1 ? backends : null);
  const oneFolder = folders === null ? backends[0] : undefined;
  faults.push(...findSidesFaults(reader.verb, { files, backends, folders, named }));
  if (shared === null) {
    throwFaults(subject, faults);
    throw new Error('unreachable: no request and no fault');
  }
  faults.push(...findSharedFaults(reader.verb, shared));
  const notes: string[] = [];
  const sideOf = (place: 0 | 1): SideRequest | null => {
    const flag = place === 0 ? '--a' : '--b';
    const text = named.options?.[place] ?? '';
    const extra = splitWords(text);
    if (extra === null) {
      faults.push({ where: flag, what: 'has a quote that is not closed' });
      return null;
    }
    const request = extra.length === 0 ? shared : parse(extra, flag);
    if (request === null) return null;
    faults.push(...findSideFaults(flag, request, shared, extra.length > 0));
    notes.push(...request.notes);
    const variant = request.variants[0]!;
    const folder = folders?.[place] ?? oneFolder;
    const model = files[files.length === 2 ? place : 0]!;
    return {
      label: labelOf({ folder, text, model }, folders !== null, named.options !== null),
      model,
      backend: folder === undefined || folder === 'embedded' ? null : folder,
      variant,
      execution: { ...request.base, ...variant.changes },
    };
  };
  const [a, b] = [sideOf(0), sideOf(1)];
  throwFaults(subject, distinctFaults(faults));
  if (named.options !== null) notes.push(...describeSameSides(a!, b!, shared));
  const told = new Set(notes.filter((note) => !note.startsWith('-m names a file twice')));
  return { a: a!, b: b!, shared, notes: [...told] };
}

/** Where options differ, and llama.cpp lowers what differs to the same. */
function describeSameSides(
  a: SideRequest,
  b: SideRequest,
  { base, tests }: BenchRequest,
): string[] {
  if (canonicalJson(a.execution) === canonicalJson(b.execution)) return [];
  const variants = [
    { ...a.variant, label: 'a' },
    { ...b.variant, label: 'b' },
  ];
  return describeLoweredBatches(variants, base, tests);
}

function labelOf(
  { folder, text, model }: { folder: string | undefined; text: string; model: string },
  areFolders: boolean,
  areOptions: boolean,
): string {
  if (areFolders) return folder!;
  if (areOptions) return text.trim() === '' ? 'no further options' : text.trim();
  return basename(model);
}

/** In the options of one side there are none of the command's own. */
function insideOfSide({ verb, ownOptions }: OptionReader): OptionReader {
  const instead = Object.fromEntries(
    ownOptions.map((name) => [name, 'say it outside of --a and --b']),
  );
  return { verb, ownOptions: [], instead };
}

/** Whether exactly two sides are named, in one way. */
function findSidesFaults(
  verb: string,
  given: {
    files: readonly string[];
    backends: readonly string[];
    folders: readonly string[] | null;
    named: Named;
  },
): Fault[] {
  const { files, backends, folders, named } = given;
  const faults: Fault[] = [];
  const ways = [
    ...(folders === null ? [] : ['two folders']),
    ...(named.options === null ? [] : ['two sets of options']),
    ...(files.length > 1 ? ['several files'] : []),
  ];
  const hint =
    verb === 'gate'
      ? '--base FOLDER --candidate FOLDER, --a OPTIONS --b OPTIONS, or -m BASE.gguf -m CANDIDATE.gguf'
      : '--backend A --backend B, --a OPTIONS --b OPTIONS, or -m A.gguf -m B.gguf';
  if (ways.length === 0) faults.push({ where: 'the sides', what: 'are not named', hint });
  if (ways.length > 1) {
    const what = `differ in ${ways.join(' and ')}; which of them made the difference could not be told`;
    faults.push({ where: 'the sides', what, hint });
  }
  if (files.length > 2)
    faults.push({ where: '-m', what: `names ${files.length} files; two sides are compared` });
  if (folders !== null && folders.length > 2) {
    faults.push({
      where: '--backend',
      what: `names ${folders.length} folders; two sides are compared`,
    });
  }
  if (named.backends !== null && backends.length > 0) {
    faults.push({
      where: '--backend',
      what: 'stands beside --base and --candidate, which name the folders',
    });
  }
  return faults;
}

/** What of bench two sides do not have. */
function findSharedFaults(verb: string, { ours, output }: BenchRequest): Fault[] {
  const faults: Fault[] = [];
  const { budgetNs, processes, protocol } = ours;
  if (budgetNs !== null) {
    const instead = verb === 'gate' ? '--time' : '--max-rounds';
    faults.push({
      where: '--budget',
      what: `is bench’s; here ${instead} says how long`,
      hint: instead,
    });
  }
  if (processes !== null) {
    const instead = verb === 'gate' ? '--time' : '--max-rounds';
    faults.push({
      where: '--processes',
      what: `is bench’s; here ${instead} says how many at most`,
      hint: instead,
    });
  }
  if (protocol !== null && !sidesProtocols.includes(protocol)) {
    faults.push({
      where: '--protocol',
      what: `"${protocol}" cannot be taken over here`,
      hint: sidesProtocols.join(' or '),
    });
  }
  if (output !== 'md' && output !== 'json') {
    faults.push({ where: '-o', what: `${verb} prints text or, with --json, JSON` });
  }
  return faults;
}

/** Whether a side is one set of options, and differs in nothing else. */
function findSideFaults(
  flag: string,
  request: BenchRequest,
  shared: BenchRequest,
  hasWords: boolean,
): Fault[] {
  const faults: Fault[] = [];
  if (request.variants.length !== 1) {
    const labels = request.variants.map(({ label }) => label).join('; ');
    faults.push({
      where: hasWords ? flag : 'the options',
      what: `makes ${request.variants.length} combinations where a side is one: ${labels}`,
      hint: 'give what differs once in --a and once in --b, and nowhere else',
    });
  }
  if (!hasWords) return faults;
  const others = ['models', 'tests', 'ours', 'repetitions', 'output'] as const;
  for (const member of others) {
    if (canonicalJson(request[member]) === canonicalJson(shared[member])) continue;
    faults.push({
      where: flag,
      what: `changes ${member === 'ours' ? 'options of rooflaw' : member}, which must be the same for both sides`,
      hint: 'say it outside of --a and --b',
    });
  }
  return faults;
}

function distinctFaults(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.where}: ${fault.what}`, fault])).values()];
}
