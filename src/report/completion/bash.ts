import { writeWalk } from './posix-shell.ts';
import { alsoFiles, type Vocabulary } from './vocabulary.ts';

/** Candidates are compared and quoted as words; `compgen -W` would expand what stands in them. */
export function writeBash(vocabulary: Vocabulary): string {
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

complete -o default -F _rooflaw rooflaw rooflaw.js
`;
}
