/* continuo completions: what a shell needs to complete verbs and options. */
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/cli/workstation.h"

#include <string.h>

/* -- bash: Programmable Completion in its manual; zsh: zshcompsys(1), _arguments; fish:
 * complete(1) -- */

/* What an option's value is, as far as a shell can help with it. */
enum value { VALUE_NONE, VALUE_FILE, VALUE_PRECISION, VALUE_OTHER };

static enum value value_of(const struct option_about *o)
{
    static const char *const FILES[] = {"FILE", "PATH", "DIR", "MODEL"};
    if (!o->argument)
        return VALUE_NONE;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++)
        if (!strcmp(o->argument, FILES[i]))
            return VALUE_FILE;
    return strcmp(o->name, "precision") ? VALUE_OTHER : VALUE_PRECISION;
}

/* The first line of a help text, without the shells' special characters. */
static void write_help(FILE *to, const char *help)
{
    for (; *help && *help != '\n'; help++)
        fputc(strchr("'[]:\\`$\"", *help) ? ' ' : *help, to);
}

/* -- bash -- */

extern const char BASH_END[]; /* app/cli/completions.bash: the part after the verbs */

/* "--model|--output) kind=file ;;", of those whose value is of that kind. */
static void bash_kind(FILE *to, const struct verb *v, enum value value,
                      const char *kind)
{
    struct option_about o;
    int n = 0;
    for (int i = 0; verb_option(v, i, &o); i++)
        if (value_of(&o) == value)
            fprintf(to, "%s--%s", n++ ? "|" : "        ", o.name);
    if (n)
        fprintf(to, ") kind=%s ;;\n", kind);
}

static void bash_case(FILE *to, const struct verb *v)
{
    fprintf(to, "    %s)\n        options='", *v->name ? v->name : "*");
    struct option_about o;
    for (int i = 0; verb_option(v, i, &o); i++)
        fprintf(to, "%s--%s", i ? " " : "", o.name);
    fputs("'\n        case $before in\n        -o) kind=file ;;\n", to);
    bash_kind(to, v, VALUE_FILE, "file");
    bash_kind(to, v, VALUE_PRECISION, "precision");
    bash_kind(to, v, VALUE_OTHER, "other");
    fputs("        esac ;;\n", to);
}

static void write_bash(FILE *to)
{
    fputs(
        "# bash completion for continuo; made by `continuo completions bash`\n"
        "_continuo() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local options kind= verbs='",
        to);
    for (int i = 0; i < n_verbs; i++)
        fprintf(to, "%s%s", i ? " " : "", VERBS[i]->name);
    fputs("'\n    case ${COMP_WORDS[1]} in\n", to);
    for (int i = 0; i < n_verbs; i++)
        bash_case(to, VERBS[i]);
    bash_case(to, &WORKSTATION);
    fputs(BASH_END, to);
}

/* -- zsh -- */

static void zsh_options(FILE *to, const struct verb *v)
{
    static const char *const ACTIONS[] = {
        [VALUE_NONE] = "",
        [VALUE_FILE] = ":file:_files",
        [VALUE_PRECISION] = ":precision:(f32 bf16 int8)",
        [VALUE_OTHER] = ":value: ",
    };
    struct option_about o;
    for (int i = 0; verb_option(v, i, &o); i++) {
        fprintf(to, " \\\n        '--%s[", o.name);
        write_help(to, o.help);
        fprintf(to, "]%s'", ACTIONS[value_of(&o)]);
    }
    fputs(" \\\n        '*:file:_files'", to);
}

static void write_zsh(FILE *to)
{
    fputs("#compdef continuo\n# made by `continuo completions zsh`\n"
          "_continuo() {\n    local -a verbs\n    verbs=(",
          to);
    for (int i = 0; i < n_verbs; i++) {
        fprintf(to, "\n        '%s:", VERBS[i]->name);
        write_help(to, VERBS[i]->summary);
        fputc('\'', to);
    }
    fputs("\n    )\n    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
          "        _describe verb verbs\n        _files\n        return\n    fi\n"
          "    case $words[2] in\n",
          to);
    for (int i = 0; i < n_verbs; i++) {
        fprintf(to, "    %s)\n        shift words; (( CURRENT-- ))\n        _arguments",
                VERBS[i]->name);
        zsh_options(to, VERBS[i]);
        fputs(" ;;\n", to);
    }
    fputs("    *)\n        _arguments", to);
    zsh_options(to, &WORKSTATION);
    fputs(" ;;\n    esac\n}\n_continuo \"$@\"\n", to);
}

/* -- fish -- */

static void fish_options(FILE *to, const struct verb *v)
{
    static const char *const VALUES[] = {
        [VALUE_NONE] = "",
        [VALUE_FILE] = " -r -F",
        [VALUE_PRECISION] = " -x -a 'f32 bf16 int8'",
        [VALUE_OTHER] = " -x",
    };
    struct option_about o;
    for (int i = 0; verb_option(v, i, &o); i++) {
        fprintf(to, "complete -c continuo -n '%s%s' -l %s%s -d '",
                *v->name ? "__fish_seen_subcommand_from " : "__fish_use_subcommand",
                v->name, o.name, VALUES[value_of(&o)]);
        write_help(to, o.help);
        fputs("'\n", to);
    }
}

static void write_fish(FILE *to)
{
    fputs("# fish completion for continuo; made by `continuo completions fish`\n", to);
    for (int i = 0; i < n_verbs; i++) {
        fprintf(to, "complete -c continuo -n __fish_use_subcommand -a %s -d '",
                VERBS[i]->name);
        write_help(to, VERBS[i]->summary);
        fputs("'\n", to);
    }
    for (int i = 0; i < n_verbs; i++)
        fish_options(to, VERBS[i]);
    fish_options(to, &WORKSTATION);
}

static int cmd_completions(struct options *o)
{
    if (!strcmp(o->file, "bash"))
        write_bash(stdout);
    else if (!strcmp(o->file, "zsh"))
        write_zsh(stdout);
    else if (!strcmp(o->file, "fish"))
        write_fish(stdout);
    else
        return say_wrong(o->file, "is not a known shell; use bash, zsh or fish");
    return 0;
}

const struct verb VERB_COMPLETIONS = {
    .name = "completions",
    .summary = "print a completion script: bash, zsh or fish",
    .run = cmd_completions,
    .arguments = "bash|zsh|fish",
    .about =
        "Prints a completion script. `make install` installs the scripts. Without it,\n"
        "put this in ~/.bashrc: source <(continuo completions bash)",
    .n_files = 1,
};
