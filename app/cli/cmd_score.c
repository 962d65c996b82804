/* continuo score: how surprising each note of a piece is to a model. */
#include "app/cli/verbs.h"

#include "app/inspection/attention_work.h"

static int cmd_score(struct options *o)
{
    struct attention_work w = {0};
    int status = attention_open(&w, o);
    if (!status)
        status = score_report(&w);
    attention_close(&w);
    return status;
}

const struct verb VERB_SCORE = {
    .name = "score",
    .summary = "show how surprising each note is to a model",
    .run = cmd_score,
    .arguments = "IN.mid [options]",
    .about =
        "Prints how surprising each note of IN.mid is to a model, in nats: for all of\n"
        "its tokens, given those before, and for its pitch alone. Then prints the\n"
        "mean of each track and the most surprising bars. Notes are numbered from 1,\n"
        "by start, track and pitch. --alternatives adds the pitches that the model\n"
        "finds likeliest; a star marks the one in the piece.",
    .n_files = 1,
    .takes = OPTION_MODEL | OPTION_ALTERNATIVES | OPTION_THREADS | OPTION_JSON,
};
