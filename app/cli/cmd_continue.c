/* continuo continue: the score and K takes of its continuation. */
#include "app/cli/verbs.h"

#include "app/generation/take.h"

const struct verb VERB_CONTINUE = {
    .name = "continue",
    .summary = "write a continuation of a MIDI file",
    .run_score = takes_write,
    .arguments = "IN.mid -o OUT.mid [--bars N] [options]",
    .about =
        "Writes IN.mid to OUT.mid and continues it after its end, by four bars or\n"
        "--bars. Every event of IN.mid is kept. The same file, model, seed and\n"
        "settings give the same notes.",
    .n_files = 1,
    .rewrites = true,
    .bars = 4,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_BARS | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS | OPTION_PRECISION |
             OPTION_JSON,
    .needs = OPTION_OUTPUT,
};
