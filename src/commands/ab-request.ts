import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { Execution } from '../formats/protocol.ts';
import { canonicalJson } from '../hash.ts';
import {
  type BenchRequest,
  type BenchVariant,
  parseBenchOptions,
} from '../llama-bench/options/parse.ts';
import { readArguments } from '../llama-bench/options/read-arguments.ts';
import { splitWords } from './ab-arguments.ts';

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
 * Reads two sides from a command line of `bench`: two folders, two texts of options, or two files.
 * @param words what `bench` takes, without the options that name the sides
 * @param named folders are also taken from two `--backend`
 * @param flags how options and folders are named in messages
 * @param faults what was found before; thrown with the others
 * @throws RooflawError `invalid-input` with every fault
 */
export function readSides(
  verb: string,
  words: readonly string[],
  named: Named,
  faults: Fault[],
): SidesRequest {
  const defaults = { threads: availableParallelism() };
  const parse = (more: readonly string[], where: string | null): BenchRequest | null => {
    try {
      return parseBenchOptions([...words, ...more], defaults);
    } catch (error) {
      if (!(error instanceof RooflawError)) throw error;
      const prefix = where === null ? '' : `${where}, `;
      faults.push(...error.faults.map((fault) => ({ ...fault, where: prefix + fault.where })));
      return null;
    }
  };
  const shared = parse([], null);
  if (shared === null) {
    throwFaults(`options of ${verb}`, faults);
    throw new Error('unreachable: no request and no fault');
  }
  const files = readArguments(words, [])
    .filter(({ option }) => option.names[0] === '-m')
    .flatMap(({ value }) => value.split(','));
  const folders = named.backends ?? (shared.ours.backends.length > 1 ? shared.ours.backends : null);
  const oneFolder = folders === null ? shared.ours.backends[0] : undefined;
  faults.push(...findSidesFaults(verb, { files, folders, named, oneFolder, shared }));
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
  throwFaults(`options of ${verb}`, distinctFaults(faults));
  return { a: a!, b: b!, shared, notes: shared.notes.filter((note) => !/^-m /.test(note)) };
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

/** Whether exactly two sides are named, in one way. */
function findSidesFaults(
  verb: string,
  given: {
    files: readonly string[];
    folders: readonly string[] | null;
    named: Named;
    oneFolder: string | undefined;
    shared: BenchRequest;
  },
): Fault[] {
  const { files, folders, named, shared } = given;
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
  if (named.backends !== null && shared.ours.backends.length > 0) {
    faults.push({
      where: '--backend',
      what: 'stands beside --base and --candidate, which name the folders',
    });
  }
  const { budgetNs, processes, protocol } = shared.ours;
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
  if (shared.output !== 'md' && shared.output !== 'json') {
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
      what: `make ${request.variants.length} combinations where a side is one: ${labels}`,
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
