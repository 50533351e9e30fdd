# Completions of hotword for fish, made by 'hotword completions fish'.

complete -c hotword -f
complete -c hotword -n __fish_use_subcommand -l help -d 'show the commands'
complete -c hotword -n __fish_use_subcommand -l version -d 'show the version'
complete -c hotword -n __fish_use_subcommand -a mix -d 'mix sounds: all of them'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l model -r -F -a '(hotword models 2>/dev/null)' -d 'a model\'s name [or path]'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l form -x -a 'json text' -d 'how (default: text)'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l output -r -F -d 'where to'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l floor -x -d 'a floor'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l name -d 'a name'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l fast -d 'hurry'
complete -c hotword -n '__fish_seen_subcommand_from mix' -l help -d 'show the options and examples'
complete -c hotword -n '__fish_seen_subcommand_from mix' -F
complete -c hotword -n __fish_use_subcommand -a look -d 'look about'
complete -c hotword -n '__fish_seen_subcommand_from look' -l help -d 'show the options and examples'
complete -c hotword -n '__fish_seen_subcommand_from look; and not __fish_seen_subcommand_from list show' -a 'list show'
complete -c hotword -n '__fish_seen_subcommand_from look; and __fish_seen_subcommand_from list show' -F -a '(hotword models 2>/dev/null)'
complete -c hotword -n __fish_use_subcommand -a keep -d 'keep things'
complete -c hotword -n '__fish_seen_subcommand_from keep' -l into -x -a '(__fish_complete_directories)' -d 'a folder'
complete -c hotword -n '__fish_seen_subcommand_from keep' -l help -d 'show the options and examples'
complete -c hotword -n '__fish_seen_subcommand_from keep' -a '(__fish_complete_directories)'
