/* continuo attention: where a model looked, as a picture or in figures; and a survey of
 * what its heads look at in much music. */
#include "app/cli/verbs.h"

#include "app/inspection/attention_work.h"
#include "app/evaluation/head_survey.h"
#include "app/base/paths.h"
#include "app/base/say.h"

static int draw(struct attention_work *w, const char *path)
{
    if (w->o->note || w->o->bar)
        return attention_draw_wash(w, path);
    bool is_one = w->o->head || w->is_fixed || w->part != PART_WEIGHT;
    return (is_one ? attention_draw_matrix : attention_draw_heads)(w, path);
}

static int look(const struct options *o)
{
    struct attention_work w = {0};
    if (!o->file)
        return say_wrong("attention",
                         "a MIDI file is missing; see continuo attention --help");
    if (o->data)
        return say_wrong("--data", "is only for --survey");
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
                ? draw(&w, o->output)
                : attention_write(&w, o->output, file_ends_with(o->output, ".csv"));
    attention_close(&w);
    return status;
}

static int cmd_attention(struct options *o)
{
    if (!o->survey)
        return look(o);
    if (o->file)
        return say_wrong(
            o->file, "cannot be used with --survey, which reads the music of --data");
    if (!o->data)
        return say_wrong("--survey", "needs music: name it with --data");
    return head_survey_run(o);
}

const struct verb VERB_ATTENTION = {
    .name = "attention",
    .summary = "show a model's attention: pictures, tables, a survey",
    .run = cmd_attention,
    .arguments =
        "IN.mid -o MAP.png|.csv|.json [options]\n"
        "       continuo attention --survey --data PATH -o FILE.json [options]",
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
        "from content, and how much from distance by index or in time.\n"
        "\n"
        "`attention --survey --data PATH -o FILE.json` measures what each head\n"
        "attends to in the music of PATH and what muting it costs, names the head if\n"
        "it can, and prints a table. As MODEL.heads.json beside a model, the file\n"
        "names its heads.",
    .n_files = 0,
    .n_more = 1,
    .takes =
        OPTION_OUTPUT | OPTION_MODEL | OPTION_ATTENTION | OPTION_DATA | OPTION_THREADS,
    .needs = OPTION_OUTPUT,
};
