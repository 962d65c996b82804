/* continuo continue: the score and K takes of what comes after it. */
#include "app/commands.h"

#include "app/say.h"
#include "app/takes.h"

static const struct verb VERB = {
    .name = "continue",
    .arguments = "IN.mid -o OUT.mid [--bars N] [options]",
    .about =
        "Writes the music of IN.mid with a continuation after its end. What IN.mid\n"
        "holds is kept event for event; four bars follow unless --bars says "
        "otherwise.\n"
        "The same file, model, seed and settings give the same notes.",
    .n_files = 1,
    .bars = 4,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_BARS | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS | OPTION_JSON,
    .needs = OPTION_OUTPUT,
};

int cmd_continue(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    status = takes_write(&o, s);
    score_destroy(s);
    return status;
}
