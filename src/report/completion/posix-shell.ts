import { listRules, type Rule } from './rules.ts';
import type { Vocabulary } from './vocabulary.ts';

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
export function writeWalk(vocabulary: Vocabulary, findCampaigns: string): string {
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
