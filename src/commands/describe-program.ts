import type { Command, Option } from 'commander';
import { listBenchOptions } from '../llama-bench/options/parse.ts';
import { benchOutputs } from '../llama-bench/options/request.ts';
import { listProtocols } from '../protocol/shipped.io.ts';
import type { Level, Vocabulary } from '../report/completion/vocabulary.ts';
import { allTerms } from '../report/terms/all-terms.ts';
import { listSpaces } from '../space/shipped.io.ts';
import type { OwnOption } from './ab-arguments.ts';
import { sidesProtocols } from './ab-request.ts';
import { abOptions } from './ab-words.ts';
import { protocolNames } from './bench-plan.ts';
import { gateFileOptions, gateOptions } from './gate-words.ts';
import { tokensProtocols } from './tokens.ts';

/** A command that reads its command line itself, as bench does: commander knows none of its options. */
interface OwnReader {
  options: readonly OwnOption[];
  /** Options of bench that it refuses, by their first name. */
  refused: readonly string[];
  outputs: readonly string[];
  protocols: readonly string[];
  /** What its arguments are, where commander does not know. */
  values: string[] | null;
}

const sides = {
  refused: ['--budget', '--processes'],
  outputs: ['md', 'json'],
  protocols: sidesProtocols,
  values: null,
};
const ownReaders: Readonly<Record<string, OwnReader>> = {
  bench: {
    options: [],
    refused: [],
    outputs: benchOutputs,
    protocols: protocolNames,
    values: null,
  },
  ab: { ...sides, options: abOptions },
  gate: { ...sides, options: [...gateOptions, ...gateFileOptions] },
  tokens: {
    options: [],
    refused: ['--budget'],
    outputs: ['md', 'json'],
    protocols: tokensProtocols,
    values: ['campaigns'],
  },
};

/** All commands that a program has, with their options and arguments, for a shell to complete. */
export function describeProgram(program: Command): Vocabulary {
  const lists = new Map<string, readonly string[]>([
    ['protocols', listProtocols()],
    ['spaces', listSpaces()],
    ['terms', allTerms.map(({ name }) => name)],
  ]);
  const nameValue = (names: readonly string[], choices: readonly string[] | undefined): string => {
    if (choices === undefined) return kindOf(names);
    const name = `choices: ${choices.join(' ')}`;
    lists.set(name, choices);
    return name;
  };
  const describe = (command: Command, path: string): Level[] => {
    const help = command.createHelp();
    const children = help.visibleCommands(command);
    const reader = ownReaders[command.name()];
    const values =
      reader?.values ??
      command.registeredArguments.map((argument) =>
        nameValue([argument.name()], argument.argChoices),
      );
    const level: Level = {
      path,
      subcommands: children.map((child) => child.name()),
      options: [
        ...help.visibleOptions(command).map((option) => ({
          flags: [option.short, option.long].filter((flag) => flag !== undefined),
          value: takesValue(option)
            ? nameValue([option.attributeName(), placeholderOf(option)], option.argChoices)
            : null,
        })),
        ...(reader === undefined ? [] : describeOwnOptions(reader, nameValue)),
      ],
      values,
      isVariadic: reader?.values == null && (command.registeredArguments.at(-1)?.variadic ?? false),
    };
    return [level, ...children.flatMap((child) => describe(child, `${path} ${child.name()}`))];
  };
  return { lists, levels: describe(program, program.name()) };
}

/** The options of bench that a command takes, and its own. */
function describeOwnOptions(
  { options, refused, outputs, protocols }: OwnReader,
  nameValue: (names: readonly string[], choices: readonly string[] | undefined) => string,
): Level['options'] {
  const choicesOf = (name: string) => {
    if (name === '-o') return outputs;
    return name === '--protocol' ? protocols : undefined;
  };
  const taken = listBenchOptions().filter(
    ({ name, section }) => section !== 'refused' && !refused.includes(name),
  );
  return [
    ...options.map(({ name, value }) => ({
      flags: [name],
      value: kindOf([name.replace(/^-+/, ''), value]),
    })),
    ...taken.map(({ name, aliases, value }) => ({
      flags: [name, ...aliases],
      value: value === null ? null : nameValue([name.replace(/^-+/, ''), value], choicesOf(name)),
    })),
  ];
}

const takesValue = (option: Option) => option.required || option.optional;

/** `<name|file>` without its brackets. */
const placeholderOf = ({ flags }: Option) => /[<[](.+)[\]>]/.exec(flags)?.[1] ?? '';

/** What an argument or a value is, by what the help calls it. */
function kindOf(names: readonly string[]): string {
  const isCalled = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (isCalled(/^protocol$/)) return 'protocols';
  if (isCalled(/^space$/)) return 'spaces';
  if (isCalled(/^term$/)) return 'terms';
  if (isCalled(/^ledger$/)) return 'campaigns';
  // `--campaign <name>` names one inside a table, which nobody but the table knows.
  if (names.length === 1 && isCalled(/^(campaign|samples|subjects)$/)) return 'campaigns';
  return isCalled(/file|folder|^dir\b|^plan$|^backend$/i) ? 'files' : 'nothing';
}
