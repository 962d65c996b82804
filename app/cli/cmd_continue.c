/* continuo continue: the score and K takes of what comes after it. */
#include "app/cli/commands.h"

#include "app/document/takes.h"
#include "app/cli/verbs.h"

static int go_on(struct options *o, struct score *s);

const struct verb VERB_CONTINUE = {
    .name = "continue",
    .summary = "write a continuation of a MIDI file",
    .run_score = go_on,
    .arguments = "IN.mid -o OUT.mid [--bars N] [options]",
    .about =
        "Writes the music of IN.mid with a continuation after its end. What IN.mid\n"
        "holds is kept event for event; four bars follow unless --bars says "
        "otherwise.\n"
        "The same file, model, seed and settings give the same notes.",
    .n_files = 1,
    .bars = 4,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_BARS | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS | OPTION_PRECISION |
             OPTION_JSON,
    .needs = OPTION_OUTPUT,
};

static int go_on(struct options *o, struct score *s)
{
    return takes_write(o, s);
}
