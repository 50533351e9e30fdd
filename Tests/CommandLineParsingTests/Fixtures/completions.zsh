#compdef hotword
# Completions of hotword for zsh, made by 'hotword completions zsh'.

_hotword_models() {
  local -a names
  names=(${(f)"$(hotword models 2>/dev/null | cut -f 1)"})
  _alternative "models:model:($names)" 'files:file:_files'
}

_hotword() {
  local -a commands
  commands=(
    'mix:mix sounds\: all of them'
    'look:look about'
    'keep:keep things'
    'help:show the help of a command'
  )
  if ((CURRENT == 2)); then
    _describe -t commands 'hotword command' commands
    return
  fi
  shift words
  ((CURRENT -= 1))
  case $words[1] in
    mix)
      _arguments \
        '*--model=[a model'\''s name (or path)]:M:_hotword_models' \
        '--form=[how (default\: text)]:json|text:(json text)' \
        '--output=[where to]:FILE:_files' \
        '--floor=[a floor]:F: ' \
        '--name=[a name]::NAME: ' \
        '--fast[hurry]' \
        '--help[show the options and examples]' \
        '1:text: ' \
        '*:file:_files'
      ;;
    look)
      _arguments \
        '--help[show the options and examples]' \
        '1:what:(list show)' \
        '2:model:_hotword_models'
      ;;
    keep)
      _arguments \
        '--into=[a folder]:DIR:_files -/' \
        '--help[show the options and examples]' \
        '1:folder:_files -/'
      ;;
    help) _describe -t commands 'hotword command' commands ;;
  esac
}

_hotword "$@"
