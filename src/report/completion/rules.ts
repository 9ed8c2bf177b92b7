import type { Vocabulary } from './vocabulary.ts';

/** What a script does where the words before the cursor are these. */
export interface Rule {
  when: readonly string[];
  /** Whether more may follow what `when` says. */
  isBeginning?: boolean;
  action: { kind: string } | { offer: readonly string[] } | 'descend';
}

/** The decisions of a script, by the command so far and one more word of it. */
export function listRules({ levels, lists }: Vocabulary) {
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
