/* continuo attention: where a model looked, as a picture or in figures. models/heads.py surveys
 * what its heads look at in much music. */
#include "app/cli/verbs.h"

#include "app/inspection/attention_work.h"
#include "app/base/paths.h"
#include "app/base/say.h"

static int cmd_attention(struct options *o)
{
    struct attention_work w = {0};
    if (!file_ends_with(o->output, ".png") && !file_ends_with(o->output, ".csv") &&
        !file_ends_with(o->output, ".json"))
        return say_wrong(o->output, "must end in .png, .csv or .json");
    if (o->by_token && (o->by || file_ends_with(o->output, ".png")))
        return say_wrong("--tokens", "is only for .csv and .json, without --by");
    int status = attention_open(&w, o);
    if (!status)
        status = attention_read(&w);
    if (!status)
        status =
            file_ends_with(o->output, ".png")
                ? attention_draw(&w, o->output)
                : attention_write(&w, o->output, file_ends_with(o->output, ".csv"));
    attention_close(&w);
    return status;
}

const struct verb VERB_ATTENTION = {
    .name = "attention",
    .summary = "show a model's attention: pictures, tables",
    .run = cmd_attention,
    .arguments = "IN.mid -o MAP.png|.csv|.json [options]",
    .about =
        "Shows what a model attended to when it read IN.mid. The ending of OUT "
        "chooses\n"
        "the form:\n"
        ".png  a matrix of tokens for --layer and --head (all: their mean); small\n"
        "      ones of all heads if none is named; the roll for --note or --bar\n"
        ".csv  a line for each note and each note or other token it attended to\n"
        ".json the same; the weights of each note sum to one\n"
        "With --tokens .csv and .json have single tokens, and each row sums to one.\n"
        "\n"
        "The rows of a note are those that chose its tokens. The music is read from\n"
        "its beginning, or up to the named note or bar, as far as the context of the\n"
        "model reaches. Models of four voices (chorales/shaw, accompany) need\n"
        "four-voice music. --part shows how much of a score before the softmax comes\n"
        "from content, and how much from distance by index or in time.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_ATTENTION | OPTION_THREADS,
    .needs = OPTION_OUTPUT,
};
