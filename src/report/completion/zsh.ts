import { writeWalk } from './posix-shell.ts';
import { alsoFiles, type Vocabulary } from './vocabulary.ts';

/** compadd quotes what it adds. */
export function writeZsh(vocabulary: Vocabulary): string {
  return `#compdef rooflaw rooflaw.js
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
  compdef _rooflaw rooflaw rooflaw.js # zsh completes what an alias stands for
fi
`;
}
