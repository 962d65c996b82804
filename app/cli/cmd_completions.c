/* continuo completions: the scripts that complete words in a shell, and the lists that they ask the
 * program for. */
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/cli/workstation.h"

#include <string.h>

/* app/cli/completions.*, by Programmable Completion in bash's manual, zshcompsys(1),
 * complete(1). */
extern const char BASH_COMPLETION[], ZSH_COMPLETION[], FISH_COMPLETION[];

/* Prints the kind of an option's value, for the shell's help: "none", "file", "words f32 bf16 int8", or
 * "other". */
static void print_kind(const struct field *o)
{
    static const char *const FILES[] = {"FILE", "PATH", "DIR", "MODEL"};
    static const char ONE[] = "one of";
    char buf[FIELD_WANTS_BYTES];
    const char *wants = o->argument ? field_wants(o, NULL, buf) : "";
    bool is_file = false;
    for (size_t k = 0; o->argument && k < sizeof FILES / sizeof FILES[0]; k++)
        is_file = is_file || !strcmp(o->argument, FILES[k]);
    if (strncmp(wants, ONE, strlen(ONE)) != 0) {
        fputs(!o->argument ? "none" : is_file ? "file" : "other", stdout);
        return;
    }
    fputs("words", stdout);
    for (const char *at = wants + strlen(ONE); *at; at++)
        if (*at != ',')
            putchar(*at);
}

/* Prints each option, its kind and the first line of its help, with tabs between, and without
 * characters that are special to a shell. */
static void list_options(const struct verb *v)
{
    const struct field *o;
    for (int i = 0; (o = verb_option(v, i)); i++) {
        printf("--%s\t", o->name);
        print_kind(o);
        putchar('\t');
        for (const char *at = option_help(o); *at && *at != '\n'; at++)
            putchar(strchr("'[]:\\`$\"", *at) ? ' ' : *at);
        putchar('\n');
    }
}

static int cmd_completions(struct options *o)
{
    const char *of = o->n_arguments > 1 ? o->arguments[1] : "";
    if (!strcmp(o->file, "bash"))
        fputs(BASH_COMPLETION, stdout);
    else if (!strcmp(o->file, "zsh"))
        fputs(ZSH_COMPLETION, stdout);
    else if (!strcmp(o->file, "fish"))
        fputs(FISH_COMPLETION, stdout);
    else if (!strcmp(o->file, "options"))
        list_options(verb_find(of) ? verb_find(of) : &WORKSTATION);
    else if (!strcmp(o->file, "verbs"))
        for (int i = 0; i < n_verbs; i++)
            printf("%s\t%s\n", VERBS[i]->name, VERBS[i]->summary);
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
    .n_more = 1,
};
