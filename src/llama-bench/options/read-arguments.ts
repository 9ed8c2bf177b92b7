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

const optionOf: ReadonlyMap<string, BenchOption> = new Map(
  benchOptions.flatMap((option) => option.names.map((name) => [name, option] as const)),
);

/**
 * Options and their values, in order, with every unknown, unsupported or incomplete one as a fault.
 * Underscores of long names are dashes, as in llama-bench; beyond it `--name=value` is taken too.
 */
export function readArguments(args: readonly string[], faults: Fault[]): GivenOption[] {
  const given: GivenOption[] = [];
  for (let index = 0; index < args.length; index++) {
    const { name, attached } = splitAttached(args[index]!);
    const option = optionOf.get(normaliseName(name));
    if (option === undefined) {
      faults.push(describeUnknown(name));
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

function describeUnknown(name: string): Fault {
  if (!name.startsWith('-')) {
    const hint = /\.gguf$/i.test(name) ? `-m ${name}` : 'rooflaw bench --help lists the options';
    return { where: quote(name), what: 'belongs to no option', hint };
  }
  const nearest = findNearestName(name, [...optionOf.keys()]);
  const hint = nearest ?? 'rooflaw bench --help lists the options';
  return { where: name, what: 'is no option of rooflaw bench or llama-bench', hint };
}
