# fish completion for continuo; it asks the program for verbs and options
function __continuo_options
    set -l words (commandline -opc)
    continuo completions options -- $words[2] | while read -l -d \t name kind help
        printf '%s\t%s\n' $name $help
    end
end
complete -c continuo -n __fish_use_subcommand -a '(continuo completions verbs)'
complete -c continuo -n 'string match -q -- "-*" (commandline -ct)' -a '(__continuo_options)'
complete -c continuo -n '__fish_prev_arg_in --precision' -x -a 'f32 bf16 int8'
