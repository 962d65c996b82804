# fish completion for continuo; it asks the program for verbs and options
function __continuo_options
    set -l words (commandline -opc)
    continuo completions options -- $words[2] | while read -l -d \t name kind help
        printf '%s\t%s\n' $name $help
    end
end
complete -c continuo -n __fish_use_subcommand -a '(continuo completions verbs)'
complete -c continuo -n 'string match -q -- "-*" (commandline -ct)' -a '(__continuo_options)'
function __continuo_words
    set -l words (commandline -opc)
    continuo completions options -- $words[2] | while read -l -d \t name kind help
        test "$name" = "$words[-1]"; and string match -q -- 'words *' $kind
        and string split ' ' (string sub -s 7 -- $kind)
    end
end
complete -c continuo -n 'count (__continuo_words) >/dev/null' -x -a '(__continuo_words)'
