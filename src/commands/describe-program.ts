import type { Command, Option } from 'commander';
import { listBenchOptions } from '../llama-bench/options/parse.ts';
import { listProtocols } from '../protocol/shipped.io.ts';
import type { Level, Vocabulary } from '../report/completion/vocabulary.ts';
import { allTerms } from '../report/terms/all-terms.ts';
import { listSpaces } from '../space/shipped.io.ts';

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
    const values = command.registeredArguments.map((argument) =>
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
        ...(command.name() === 'bench' ? describeBenchOptions() : []),
      ],
      values,
      isVariadic: command.registeredArguments.at(-1)?.variadic ?? false,
    };
    return [level, ...children.flatMap((child) => describe(child, `${path} ${child.name()}`))];
  };
  return { lists, levels: describe(program, program.name()) };
}

/** `bench` reads llama-bench's options from a table of its own: commander does not know them. */
function describeBenchOptions(): Level['options'] {
  return listBenchOptions()
    .filter(({ section }) => section !== 'refused')
    .map(({ name, aliases, value }) => ({
      flags: [name, ...aliases],
      value: value === null ? null : kindOf([name.replace(/^-+/, ''), value]),
    }));
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
