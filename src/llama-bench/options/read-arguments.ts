import type { Fault } from '../../errors.ts';
import { findNearestName } from './nearest-name.ts';
import { type BenchOption, benchOptions } from './option-table.ts';
import { quote } from './value-lists.ts';

/** One option as it stands on the command line. */
export interface GivenOption {
  option: BenchOption;
  /** As it was typed. */
  name: string;
  /** '' for a switch. */
  value: string;
}

/** Whose command line is read, so that messages name it. */
export interface OptionReader {
  verb: string;
  /** Its options beside those of bench, which it has taken out before. */
  ownOptions: readonly string[];
  /** What to do in place of options that it does not have, by their names. */
  instead: Readonly<Record<string, string>>;
}

export const benchReader: OptionReader = { verb: 'bench', ownOptions: [], instead: {} };

const optionOf: ReadonlyMap<string, BenchOption> = new Map(
  benchOptions.flatMap((option) => option.names.map((name) => [name, option] as const)),
);

/** Whoever has made so many has made one mistake: a list of files in the wrong place, say. */
const mostFaults = 100;

/**
 * Options and their values, in order, with every unknown, unsupported or incomplete one as a fault.
 * Underscores of long names are dashes, as in llama-bench; beyond it `--name=value` is taken too.
 */
export function readArguments(
  args: readonly string[],
  faults: Fault[],
  reader: OptionReader = benchReader,
): GivenOption[] {
  const given: GivenOption[] = [];
  for (let index = 0; index < args.length; index++) {
    if (faults.length >= mostFaults) {
      faults.push({ where: 'the rest', what: `is unread after ${mostFaults} faults` });
      break;
    }
    const { name, attached } = splitAttached(args[index]!);
    const option = optionOf.get(normaliseName(name));
    if (option === undefined) {
      faults.push(describeUnknown(name, reader));
      const next = args[index + 1];
      if (name.startsWith('-') && attached === null && next && !next.startsWith('-')) index += 1;
      continue;
    }
    let value = attached ?? '';
    if (option.value !== null && attached === null) {
      const next = args[index + 1];
      if (next === undefined || optionOf.has(normaliseName(splitAttached(next).name))) {
        faults.push({ where: name, what: `needs a value: ${name} ${option.value}` });
        continue;
      }
      value = next;
      index += 1;
    }
    if (option.value === null && attached !== null) {
      faults.push({ where: name, what: `takes no value, and has ${quote(attached)}` });
    } else if (option.refusal === undefined) {
      given.push({ option, name, value });
    } else if (value !== option.refusal.harmless) {
      const { why, instead } = option.refusal;
      faults.push({ where: name, what: `is not supported: ${why}`, hint: instead });
    }
  }
  return given;
}

function splitAttached(argument: string): { name: string; attached: string | null } {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  if (equals === -1) return { name: argument, attached: null };
  return { name: argument.slice(0, equals), attached: argument.slice(equals + 1) };
}

function normaliseName(name: string): string {
  return name.startsWith('--') ? name.replaceAll('_', '-') : name;
}

function describeUnknown(name: string, { verb, ownOptions, instead }: OptionReader): Fault {
  const help = `rooflaw ${verb} --help lists the options`;
  if (!name.startsWith('-')) {
    const hint = /\.gguf$/i.test(name) ? `-m ${name}` : help;
    return { where: quote(name), what: 'belongs to no option', hint };
  }
  const isInstead = Object.hasOwn(instead, normaliseName(name));
  const nearest = findNearestName(name, [...ownOptions, ...optionOf.keys()]);
  const hint = isInstead ? instead[normaliseName(name)]! : (nearest ?? help);
  return { where: name, what: `is no option of rooflaw ${verb} or llama-bench`, hint };
}
