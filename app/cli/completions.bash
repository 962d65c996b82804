    esac
    COMPREPLY=()
    if [ "$kind" = precision ]; then
        COMPREPLY=($(compgen -W 'f32 bf16 int8' -- "$word"))
    elif [ "$kind" = other ]; then
        return
    elif [ -z "$kind" ] && [ "${word:0:1}" = - ]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        [ "$COMP_CWORD" = 1 ] && COMPREPLY=($(compgen -W "$verbs" -- "$word"))
        local IFS=$'\n'
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _continuo continuo
