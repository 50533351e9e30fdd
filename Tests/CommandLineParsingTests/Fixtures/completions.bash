# Completions of hotword for bash, made by 'hotword completions bash'.

_hotword() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local options= valued= kind= index word place=0
  local -a operands=()
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "mix look keep help --help --version" -- "$cur"))
    return
  fi
  # In bash, --option=value is three words.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case ${COMP_WORDS[1]} in
    mix)
      options="--model --form --output --floor --name --fast"
      valued="--model --form --output --floor"
      case $prev in
        --model) kind="@model" ;;
        --form) kind="json text" ;;
        --output) kind="@file" ;;
        --floor) kind="@word" ;;
      esac
      operands=("@word" "@file")
      ;;
    look)
      operands=("list show" "@model")
      ;;
    keep)
      options="--into"
      valued="--into"
      case $prev in
        --into) kind="@folder" ;;
      esac
      operands=("@folder")
      ;;
    help) operands=("mix look keep") ;;
    *) return ;;
  esac
  if [[ -z $kind && $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
    return
  fi
  if [[ -z $kind ]]; then
    for ((index = 2; index < COMP_CWORD; index++)); do
      word=${COMP_WORDS[index]}
      if [[ $word != -?* ]]; then
        ((place += 1))
      elif [[ ${COMP_WORDS[index+1]} == "=" ]]; then
        ((index += 2))
      elif [[ " $valued " == *" $word "* ]]; then
        ((index += 1))
      fi
    done
    ((place < ${#operands[@]})) || place=$((${#operands[@]} - 1))
    ((place < 0)) || kind=${operands[place]}
  fi
  case $kind in
    "") COMPREPLY=($(compgen -W "$options --help" -- "$cur")) ;;
    @word) ;;
    @file) compopt -o default ;;
    @folder) compopt -o dirnames ;;
    @model)
      COMPREPLY=($(compgen -W "$("$1" models 2>/dev/null | cut -f 1)" -- "$cur"))
      compopt -o default
      ;;
    *) COMPREPLY=($(compgen -W "$kind" -- "$cur")) ;;
  esac
}

complete -F _hotword hotword
