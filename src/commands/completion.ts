import { Argument, type Command, type Option } from 'commander';
import { listBenchOptions } from '../llama-bench/options/parse.ts';
import { listProtocols } from '../protocol/shipped.io.ts';
import { allTerms } from '../report/terms/all-terms.ts';
import { listSpaces } from '../space/shipped.io.ts';

/** How the program loads each of its commands, by their names. */
type Loaders = Readonly<Record<string, () => Promise<(program: Command) => void>>>;

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish };
type Shell = keyof typeof writers;

/** The command that prints what a shell needs to complete all the others. */
export function completionOf(loaders: Loaders): (program: Command) => void {
  return (program) => {
    program
      .command('completion')
      .description('Print a script by which your shell completes commands, options and names.')
      .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(writers)))
      .addHelpText(
        'after',
        `
Example:
  $ eval "$(rooflaw completion bash)"          # in ~/.bashrc
  $ source <(rooflaw completion zsh)           # in ~/.zshrc, after compinit
  $ rooflaw completion fish > ~/.config/fish/completions/rooflaw.fish

It completes campaigns of the folder you are in, shipped protocols and spaces, and the terms of
rooflaw explain. Print it anew after an update.

Exit status: 0 printed, 2 no such shell`,
      )
      .action(async (shell: Shell) => {
        for (const [name, load] of Object.entries(loaders)) {
          if (!program.commands.some((known) => known.name() === name)) (await load())(program);
        }
        process.stdout.write(writers[shell](describeProgram(program)));
      });
  };
}

/** What may stand in a place: `campaigns` and `files` are found by the shell, others are lists. */
interface Vocabulary {
  /** By the name that a script uses for it. */
  lists: Map<string, readonly string[]>;
  levels: Level[];
}

/** A command and what may follow it. */
interface Level {
  /** `rooflaw space show` */
  path: string;
  subcommands: string[];
  options: { flags: string[]; value: string | null }[];
  /** What each argument is; the last one again and again where it is variadic. */
  values: string[];
  isVariadic: boolean;
}

/** Files may stand where these are asked for. */
const alsoFiles = ['files', 'campaigns', 'protocols', 'spaces'];

function describeProgram(program: Command): Vocabulary {
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

/** What a script does where the words before the cursor are these. */
interface Rule {
  when: readonly string[];
  /** Whether more may follow what `when` says. */
  isBeginning?: boolean;
  action: { kind: string } | { offer: readonly string[] } | 'descend';
}

/** The decisions of a script, by the command so far and one more word of it. */
function listRules({ levels, lists }: Vocabulary) {
  const rules = {
    /** By command and option: what the value of the option is. */
    options: levels.flatMap(({ path, options }) =>
      options.flatMap(({ flags, value }): Rule[] =>
        value === null
          ? []
          : [{ when: flags.map((flag) => `${path} ${flag}`), action: { kind: value } }],
      ),
    ),
    /** By command and word: whether it is a command of that command. */
    commands: levels.map(
      ({ path, subcommands }): Rule => ({
        when: subcommands.map((name) => `${path} ${name}`),
        action: 'descend',
      }),
    ),
    /** By command and number of arguments before: what the next one is. */
    places: levels.flatMap(({ path, values, isVariadic }) =>
      values.map((value, index): Rule => {
        const isOpen = isVariadic && index === values.length - 1;
        return {
          when: [isOpen ? `${path} ` : `${path} ${index}`],
          isBeginning: isOpen,
          action: { kind: value },
        };
      }),
    ),
    /** By command. */
    flags: levels.map(
      ({ path, options }): Rule => ({
        when: [path],
        action: { offer: options.flatMap(({ flags }) => flags) },
      }),
    ),
    /** The same: its commands come first. */
    subcommands: levels.map(
      ({ path, subcommands }): Rule => ({
        when: subcommands.length === 0 ? [] : [`${path} 0`],
        action: { offer: subcommands },
      }),
    ),
    /** By kind of value. */
    lists: [...lists].map(([name, words]): Rule => ({ when: [name], action: { offer: words } })),
  };
  return rules;
}

/** `'it'\''s'`: a word of a POSIX shell in which nothing is expanded. */
const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Branches of a `case` of bash and zsh. */
function writeBranches(rules: readonly Rule[], indent: number): string {
  const branches = rules
    .filter(({ when }) => when.length > 0)
    .map(({ when, isBeginning, action }) => {
      const pattern = when.map((words) => quote(words) + (isBeginning ? '*' : '')).join('|');
      if (action === 'descend') return `${pattern}) at="$at $word" ;;`;
      if ('kind' in action) return `${pattern}) kind=${quote(action.kind)} ;;`;
      return `${pattern}) values=(${action.offer.map(quote).join(' ')}) ;;`;
    });
  return branches.map((branch) => ' '.repeat(indent) + branch).join('\n');
}

/**
 * From the words before the cursor (`before`) and the one at it (`current`) to `values` and `kind`;
 * the same in bash and zsh.
 */
function writeWalk(vocabulary: Vocabulary, findCampaigns: string): string {
  const rules = listRules(vocabulary);
  return `  for word in "\${before[@]}"; do
    if [[ -n $kind ]]; then
      [[ $word == '=' ]] || kind=''
      continue
    fi
    if [[ -z $ended && $word == -?* ]]; then
      [[ $word == -- ]] && ended=1
      case "$at $word" in
${writeBranches(rules.options, 8)}
      esac
      continue
    fi
    case "$at $word" in
${writeBranches(rules.commands, 6)}
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ -n $kind ]]; then
    [[ $current == '=' ]] && current=''
  elif [[ -z $ended && $current == -* ]]; then
    case "$at" in
${writeBranches(rules.flags, 6)}
    esac
  else
    case "$at $count" in
${writeBranches([...rules.subcommands, ...rules.places], 6)}
    esac
  fi
  case "$kind" in
    campaigns) ${findCampaigns} ;;
${writeBranches(rules.lists, 4)}
  esac`;
}

/** Candidates are compared and quoted as words; `compgen -W` would expand what stands in them. */
function writeBash(vocabulary: Vocabulary): string {
  return `# rooflaw: completion for bash
_rooflaw() {
  local at=rooflaw kind='' ended='' count=0 word='' current="\${COMP_WORDS[COMP_CWORD]}"
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") values=()
  COMPREPLY=()
${writeWalk(vocabulary, '_rooflaw_campaigns')}
  for word in "\${values[@]}"; do _rooflaw_offer "$word"; done
  case "$kind" in
    ${alsoFiles.join('|')}) ;;
    *) compopt +o default 2>/dev/null ;;
  esac
  return 0
}

# Folders in campaigns/, into values.
_rooflaw_campaigns() {
  local entry strict=''
  shopt -q failglob && { strict=1; shopt -u failglob; }
  for entry in campaigns/*/; do
    entry="\${entry%/}"
    [[ -d $entry ]] && values+=("\${entry#campaigns/}")
  done
  [[ -n $strict ]] && shopt -s failglob
  return 0
}

# Offers a word that continues the current one, quoted so that nothing in it is expanded.
_rooflaw_offer() {
  local quoted
  case "$current" in
    \\'*) [[ $1 == "\${current#?}"* && $1 != *\\'* ]] && COMPREPLY+=("$1") ;;
    \\"*) [[ $1 == "\${current#?}"* && $1 != *[\\"\\$\\\`\\\\!]* ]] && COMPREPLY+=("$1") ;;
    *)
      printf -v quoted '%q' "$1"
      [[ $quoted == "$current"* || $1 == "$current"* ]] && COMPREPLY+=("$quoted")
      ;;
  esac
}

complete -o default -F _rooflaw rooflaw
`;
}

/** compadd quotes what it adds. */
function writeZsh(vocabulary: Vocabulary): string {
  return `#compdef rooflaw
# rooflaw: completion for zsh
_rooflaw() {
  local at=rooflaw kind='' ended='' count=0 word='' current="\${words[CURRENT]}"
  local -a before values
  before=("\${(@Q)words[2,CURRENT-1]}")
  if [[ $current == --*=* ]]; then
    before+=("\${current%%=*}")
    current=''
    compset -P '*='
  fi
${writeWalk(vocabulary, 'values=(campaigns/*(N-/:t))')}
  (( $#values )) && compadd -a values
  case "$kind" in
    ${alsoFiles.join('|')}) _files ;;
  esac
}
if [[ "\${funcstack[1]}" == _rooflaw ]]; then
  _rooflaw "$@"
else
  compdef _rooflaw rooflaw
fi
`;
}

/** `'it\'s'`: a word of fish in which nothing is expanded. */
const quoteFish = (word: string) => `'${word.replaceAll(/[\\']/g, '\\$&')}'`;

/** Branches of a `switch`, in which a quoted `*` still stands for anything. */
function writeFishBranches(rules: readonly Rule[], indent: number): string {
  const branches = rules
    .filter(({ when }) => when.length > 0)
    .map(({ when, isBeginning, action }) => {
      const pattern = when.map((words) => quoteFish(words + (isBeginning ? '*' : ''))).join(' ');
      if (action === 'descend') return `case ${pattern}; set at "$at $word"`;
      if ('kind' in action) return `case ${pattern}; set kind ${quoteFish(action.kind)}`;
      return `case ${pattern}; printf '%s\\n' ${action.offer.map(quoteFish).join(' ')}`;
    });
  return branches.map((branch) => ' '.repeat(indent) + branch).join('\n');
}

/** Candidates come out of a function: words in `complete -a` itself would be expanded. */
function writeFish(vocabulary: Vocabulary): string {
  const rules = listRules(vocabulary);
  return `# rooflaw: completion for fish
# Prints the kind of value at the cursor, then the command and the number of arguments before it.
function __rooflaw_walk
  set -l at rooflaw
  set -l kind ''
  set -l ended ''
  set -l count 0
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  string match -q -- '--*=*' "$current"; and set -a before (string split -m 1 = -- $current)[1]
  for word in $before[2..-1]
    if test -n "$kind"
      set kind ''
      continue
    end
    if test -z "$ended"; and string match -q -- '-?*' "$word"
      test "$word" = --; and set ended 1
      switch "$at $word"
${writeFishBranches(rules.options, 8)}
      end
      continue
    end
    switch "$at $word"
${writeFishBranches(rules.commands, 6)}
      case '*'; set count (math $count + 1)
    end
  end
  if test -z "$kind"
    if test -z "$ended"; and string match -q -- '-*' "$current"
      set kind flags
    else
      switch "$at $count"
${writeFishBranches(rules.places, 8)}
      end
    end
  end
  printf '%s\\n' "$kind" "$at" "$count"
end

function __rooflaw_values
  set -l walked (__rooflaw_walk)
  switch "$walked[1]"
    case flags
      switch "$walked[2]"
${writeFishBranches(rules.flags, 8)}
      end
    case ''
      switch "$walked[2] $walked[3]"
${writeFishBranches(rules.subcommands, 8)}
      end
    case campaigns
      for entry in campaigns/*/
        string replace -r '^campaigns/(.*)/$' '$1' -- $entry
      end
${writeFishBranches(rules.lists, 4)}
  end
end

# What stands behind --option= is one word with it.
function __rooflaw_complete
  set -l option (string match -r -- '^--[^=]*=' (commandline -ct))
  for value in (__rooflaw_values)
    printf '%s\\n' "$option$value"
  end
end

function __rooflaw_wants_files
  contains -- (__rooflaw_walk)[1] ${alsoFiles.join(' ')}
end

complete -c rooflaw -f -a '(__rooflaw_complete)'
complete -c rooflaw -n __rooflaw_wants_files -F
`;
}
