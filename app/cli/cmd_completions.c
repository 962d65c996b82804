/* continuo completions: what a shell needs to complete verbs and options. */
#include "app/cli/commands.h"

#include "app/cli/completions.h"
#include "app/generation/options.h"
#include "app/base/say.h"

static int cmd_completions(int argc, char **argv);

const struct verb VERB_COMPLETIONS = {
    .name = "completions",
    .summary = "print a completion script: bash, zsh or fish",
    .run = cmd_completions,
    .arguments = "bash|zsh|fish",
    .about =
        "Prints a completion script. `make install` puts them where the shells look;\n"
        "without it, in ~/.bashrc: source <(continuo completions bash)",
    .n_files = 1,
};

static int cmd_completions(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB_COMPLETIONS, argc, argv);
    if (status >= 0)
        return status;
    if (completions_write(stdout, o.file))
        return 0;
    say_error(o.file, "no completions for that shell; there are bash, zsh and fish");
    return 2;
}
