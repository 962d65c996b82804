# bash completion for continuo; it asks the program for verbs and options
_continuo() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} IFS=$'\n' options kind
    options=$(continuo completions options -- "${COMP_WORDS[1]}" 2>/dev/null)
    [ "$before" = -o ] && before=--output
    kind=$(awk -F '\t' -v name="$before" '$1 == name { print $2 }' <<<"$options")
    COMPREPLY=()
    if [ "${kind%% *}" = words ]; then
        kind=${kind#words }
        COMPREPLY=($(compgen -W "${kind// /$IFS}" -- "$word"))
    elif [ "$kind" = other ]; then
        return
    elif [ "$kind" != file ] && [ "${word:0:1}" = - ]; then
        COMPREPLY=($(compgen -W "$(cut -f 1 <<<"$options")" -- "$word"))
    else
        [ "$COMP_CWORD" = 1 ] && COMPREPLY=($(compgen -W "$(continuo completions verbs | cut -f 1)" -- "$word"))
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _continuo continuo
