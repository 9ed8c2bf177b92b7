import { listRules, type Rule } from './rules.ts';
import { alsoFiles, type Vocabulary } from './vocabulary.ts';

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
export function writeFish(vocabulary: Vocabulary): string {
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
