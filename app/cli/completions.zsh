#compdef continuo
# zsh completion for continuo; it asks the program for verbs and options
_continuo() {
    local -a verbs options parts
    local line value
    verbs=(${(f)"$(continuo completions verbs | tr ':\t' ' :')"})
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe verb verbs
        _files
        return
    fi
    for line in ${(f)"$(continuo completions options -- $words[2])"}; do
        parts=("${(@s:	:)line}")
        case $parts[2] in
        file) value=:file:_files ;;
        words*) value=":value:(${parts[2]#words })" ;;
        other) value=':value: ' ;;
        *) value= ;;
        esac
        options+=("$parts[1][$parts[3]]$value")
    done
    if [[ $words[2] != -* ]]; then
        shift words
        (( CURRENT-- ))
    fi
    _arguments $options '*:file:_files'
}
_continuo "$@"
