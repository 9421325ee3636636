# bash completion of coenergy: verbs, their options and files, asked from the program itself
_coenergy() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$(coenergy --help 2>/dev/null | sed -n '/ubcommands/,$p' | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
  elif [[ $word == -* ]]; then
    words=$(coenergy "$verb" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _coenergy coenergy
