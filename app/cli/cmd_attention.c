/* continuo attention: where a model looked, as a picture or in figures; and a survey of
 * what its heads look at in much music. */
#include "app/cli/commands.h"

#include "app/inspection/attention_draw.h"
#include "app/inspection/attention_table.h"
#include "app/evaluation/head_survey.h"
#include "app/base/say.h"

#include <string.h>
#include <strings.h>

static int cmd_attention(struct options *o);

const struct verb VERB_ATTENTION = {
    .name = "attention",
    .summary = "where a model looked: pictures, tables, a survey",
    .run = cmd_attention,
    .arguments =
        "IN.mid -o MAP.png|.csv|.json [options]\n"
        "       continuo attention --survey --data PATH -o FILE.json [options]",
    .about =
        "Draws or tells where a model looked when it read IN.mid. As OUT ends:\n"
        ".png  a matrix of tokens for --layer and --head (all: their mean), all heads\n"
        "      small where no head is named, or the roll tinted for --note or --bar\n"
        ".csv  a line for each note and what it looked at, notes and other tokens\n"
        ".json the same; the weights of each note sum to one\n"
        "With --tokens the last two are of single tokens, whose rows sum to one, "
        "too.\n\n"
        "A note looked at something with the rows that chose its tokens. The music is\n"
        "read from its beginning, or up to what is named, as much as the model holds.\n"
        "Any model can be looked at; four-voice ones (chorales/shaw, accompany) want\n"
        "four-voice music. --part tells what of a score before the softmax is owed to\n"
        "content, and what to distance by index and in time.\n\n"
        "`attention --survey --data PATH -o FILE.json` sums up over the music of PATH\n"
        "what each head looks at, names it if it can, and measures what muting it "
        "costs;\n"
        "it prints a table. As MODEL.heads.json beside a model the file gives its "
        "heads\n"
        "their names.",
    .n_files = 0,
    .n_more = 1,
    .takes =
        OPTION_OUTPUT | OPTION_MODEL | OPTION_ATTENTION | OPTION_DATA | OPTION_THREADS,
    .needs = OPTION_OUTPUT,
};

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcasecmp(path + n - k, ending) == 0;
}

static int draw(struct attention_work *w, const char *path)
{
    if (w->o->note || w->o->bar)
        return attention_draw_wash(w, path);
    bool is_one = w->o->head || w->is_fixed || w->part != PART_WEIGHT;
    return (is_one ? attention_draw_matrix : attention_draw_heads)(w, path);
}

static int write_out(struct attention_work *w, const char *path)
{
    if (ends_with(path, ".png"))
        return draw(w, path);
    return ends_with(path, ".csv") ? attention_write_csv(w, path)
                                   : attention_write_json(w, path);
}

static int wrong(const char *subject, const char *what)
{
    say_error(subject, what);
    return 2;
}

static int look(const struct options *o)
{
    struct attention_work w = {0};
    if (!o->file)
        return wrong("attention",
                     "a MIDI file is missing; see continuo attention --help");
    if (o->data)
        return wrong("--data", "is music for --survey");
    if (!ends_with(o->output, ".png") && !ends_with(o->output, ".csv") &&
        !ends_with(o->output, ".json"))
        return wrong(o->output, "ends in none of .png, .csv, .json");
    if (o->by_token && (o->by || ends_with(o->output, ".png")))
        return wrong("--tokens", "is of what looks, in .csv and .json alone");
    int status = attention_open(&w, o);
    if (!status)
        status = attention_read(&w);
    if (!status)
        status = write_out(&w, o->output);
    attention_close(&w);
    return status;
}

static int survey(const struct options *o)
{
    if (o->file)
        return wrong(o->file, "is not for --survey, which reads the music of --data");
    if (!o->data)
        return wrong("--survey", "wants music: --data says where it is");
    return head_survey_run(o);
}

static int cmd_attention(struct options *o)
{
    return o->survey ? survey(o) : look(o);
}
