/* The options of a run, and what they are where they are not given. Some defaults depend on other
 * options, so the words are read twice: first for these, then over the defaults. */
#include "app/lab/training/train_run.h"

#include "app/base/option_table.h"
#include "app/lab/training/train_music.h"
#include "midi/tokens/token_state.h"
#include "midi/tokens/tokens.h"

/* Of Muon, and of AdamW alone; the second of each for a model that has learnt. */
static const float REHEARSED_RATE = 7e-4f, MUON_RATE = 8e-3f, MUON_TUNING_RATE = 2e-3f,
                   ADAM_RATE = 1e-3f, ADAM_TUNING_RATE = 2e-4f;

enum preset { TINY, LITE, SMALL, BASE };
static const char *const PRESETS[] = {"tiny", "lite", "small", "base", NULL};
/* Of score tokens, and of four voices. */
static const struct sizes {
    int context, d_model, n_heads, n_layers;
} SIZES[][2] = {
    [TINY] = {{512, 128, 4, 4}, {512, 128, 4, 4}},
    [LITE] = {{2048, 256, 8, 6}, {1024, 256, 8, 4}},
    [SMALL] = {{2048, 320, 8, 8}, {1024, 256, 8, 6}},
    [BASE] = {{2048, 512, 8, 8}, {1024, 512, 8, 8}},
};
static const char *const TRUTHS[] = {"no", "yes", NULL};

#define ROW(its_kind, field)                                                           \
    .kind = &(its_kind), .set = 1, FIELD_OF(train_settings, field)
#define TEXT(field)            ROW(FIELD_ARGUMENT, field)
#define FLAG(field)            ROW(FIELD_FLAG, field)
#define COUNT(field, from, to) ROW(FIELD_WHOLE, field), .low = (from), .high = (to)
#define REAL(field, from, to)  ROW(FIELD_REAL, field), .low = (from), .high = (to)
#define CHOICE(field, list)    ROW(FIELD_WORDS, field), .words = (list)
/* Of the model's shape, which a model to start from has already. */
#define SHAPE(row)             row, .given = offsetof(struct train_settings, has_shape)

static const struct field ROWS[] = {
    {"data", "PATH",
     "a folder of MIDI files, or one file; or a file of" OPTION_NEXT_LINE
     "four voices in sixteenths, like Jsb16thSeparated.json" OPTION_NEXT_LINE
     "(grid tokens)",
     TEXT(request.data)},
    {"corpora", "A,B", "only these folders of the music", TEXT(request.corpora)},
    {"from", "MODEL", "fine-tune this model", TEXT(request.from)},
    {"grow", NULL,
     "with --from: add holes, musical time, state, values and a" OPTION_NEXT_LINE
     "separate output if the model lacks them; with --layers," OPTION_NEXT_LINE
     "copies of its layers, which add nothing at first",
     FLAG(request.grow)},
    {"rehearse", "X",
     "with --from: share of each step that uses other music," OPTION_NEXT_LINE
     "so that the model does not forget it (0)",
     REAL(request.rehearse, 0.0, 0.9)},
    {"rehearsal", "FILE", "the other music (models/rehearsal.excerpts)",
     TEXT(request.rehearsal)},
    {"progress", NULL,
     "with --rehearse: print lines for a program: the share" OPTION_NEXT_LINE
     "done and the losses before and now (0 0 0 0 0)",
     FLAG(request.progress)},
    {"resume", NULL,
     "continue from OUT.state; the model, --optimiser and" OPTION_NEXT_LINE
     "--seed stay the same, other options may change",
     FLAG(request.resume)},
    {"minutes", "N", "the whole time (60)", REAL(request.minutes, 0.01, 1e6)},
    {"steps", "N", "the number of steps in all, instead of a time",
     COUNT(request.options.max_steps, 0, 1e12)},
    {"preset", "P", "tiny, lite, small (the default) or base", CHOICE(preset, PRESETS)},
    {"context", "N", "tokens in the context",
     SHAPE(COUNT(request.config.context, 16, 1 << 16))},
    {"width", "N", "numbers per token",
     SHAPE(COUNT(request.config.d_model, 1, 1 << 14))},
    {"heads", "N", "attention heads", SHAPE(COUNT(request.config.n_heads, 1, 1024))},
    {"layers", "N", "the number of layers", COUNT(request.layers, 1, 1024)},
    {"ff", "N", "width of the feed-forward (four times --width)",
     SHAPE(COUNT(request.config.d_ff, 1, 1 << 16))},
    {"activation", "A", "relu (the default) or gelu",
     SHAPE(CHOICE(request.config.activation, model_activations))},
    {"norm", "N", "pre (the default) or post",
     SHAPE(CHOICE(request.config.norm, model_norms))},
    {"position", "P",
     "none, learned or sinusoidal (none; four voices:" OPTION_NEXT_LINE "learned)",
     SHAPE(CHOICE(request.config.position, model_positions))},
    {"relative", "R", "none, shaw, music or rotary (rotary; four voices: none)",
     SHAPE(CHOICE(request.config.relative, model_relatives))},
    {"reach", "N", "number of distances for shaw and music (the context)",
     SHAPE(COUNT(request.config.max_distance, 1, 1 << 16))},
    {"time", "T", "none, buckets or rotary (buckets; four voices: none)",
     SHAPE(CHOICE(request.config.time, model_times))},
    {"state", "A",
     "yes or no: add the musical state to each token (yes" OPTION_NEXT_LINE
     "if the tokens have one)",
     SHAPE(CHOICE(request.config.state, TRUTHS))},
    {"values", "A",
     "yes or no: value embeddings in each layer" OPTION_NEXT_LINE
     "(yes; four voices: no)",
     SHAPE(CHOICE(request.config.values, TRUTHS))},
    {"tied", "A", "yes or no: use the token embedding as output head (yes)",
     SHAPE(CHOICE(request.config.tied, TRUTHS))},
    {"mixing", "M", "attention (the default) or fourier",
     SHAPE(CHOICE(request.config.mixing, model_mixings))},
    {"block", "N",
     "local attention in blocks of N, a multiple of 64;" OPTION_NEXT_LINE
     "with fourier, the tokens mixed (the context)",
     SHAPE(COUNT(request.config.block, 0, 1 << 16))},
    {"encoder", "N",
     "layers of an encoder that reads the melody; the" OPTION_NEXT_LINE
     "others accompany it (0; only for four voices)",
     SHAPE(COUNT(request.config.n_encoder_layers, 0, 1024))},
    {"holes", "X",
     "share of windows with a hole, only for a folder" OPTION_NEXT_LINE
     "of music (0.5)",
     REAL(request.shares.holes, 0.0, 1.0)},
    {"chords", "X", "share of windows with chord tokens (0.5)",
     REAL(request.shares.chords, 0.0, 1.0)},
    {"power", "X",
     "draw corpora in proportion to this power of their size:" OPTION_NEXT_LINE
     "0 equally, 1 by size (0.5)",
     REAL(request.power, 0.0, 1.0)},
    {"mixture", "FILE",
     "shares of the tokens for some corpora: on each line a" OPTION_NEXT_LINE
     "share and names, like 0.22 arranged-*",
     TEXT(request.mixture)},
    {"hold", NULL, "four voices: different tokens for struck and held notes",
     FLAG(request.hold)},
    {"start-share", "X",
     "with --from: what is measured and written is the mean of" OPTION_NEXT_LINE
     "the trained weights and, with this share, the first (0)",
     REAL(request.options.start_share, 0.0, 0.9)},
    {"batch", "N", "sequences per step (4, with --rehearse 8)",
     COUNT(request.options.batch, 1, 4096)},
    {"length", "N",
     "tokens per sequence (the context, with" OPTION_NEXT_LINE
     "--rehearse at most 512)",
     COUNT(request.options.length, 8, 1 << 16)},
    {"shortest", "N",
     "draw music in rows of N tokens, and half of it in rows," OPTION_NEXT_LINE
     "twice as long or longer, that hold sixteen of its bars;" OPTION_NEXT_LINE
     "--length divided by 2, 4 or 8 (only rows of --length)",
     COUNT(request.options.shortest, 8, 1 << 16)},
    {"optimiser", "O",
     "muon (the default) for matrices within layers, with" OPTION_NEXT_LINE
     "AdamW for the rest; or adamw for all weights",
     CHOICE(request.options.optimiser, train_optimisers)},
    {"lr", "X",
     "learning rate (8e-3, 2e-3 with --from, 7e-4 with" OPTION_NEXT_LINE
     "--rehearse; adamw: 1e-3, or 2e-4 with --from)",
     REAL(request.options.lr, 1e-9, 1.0)},
    {"adam-share", "X",
     "factor of the rate for AdamW beside Muon (1, with" OPTION_NEXT_LINE
     "--rehearse 0.3)",
     REAL(request.options.adam_share, 1e-3, 10.0)},
    {"schedule", "S",
     "linear (muon's default): the rate is constant, then falls" OPTION_NEXT_LINE
     "to 0; or cosine (adamw's default): it falls all the time",
     CHOICE(request.options.schedule, train_schedules)},
    {"cooldown", "X",
     "share of the run (all resumed runs together) at the end," OPTION_NEXT_LINE
     "in which the linear schedule falls (0.6, with" OPTION_NEXT_LINE
     "--rehearse 0.9); 0: it does not fall, so that a later" OPTION_NEXT_LINE
     "--resume can lower it",
     REAL(request.cooldown, 0.0, 1.0)},
    {"warmup", "N",
     "steps until the full learning rate (200, or" OPTION_NEXT_LINE
     "a tenth of --steps)",
     COUNT(request.options.warmup_steps, 0, 1e9)},
    {"dropout", "X",
     "share of dropped activations (0.1, with" OPTION_NEXT_LINE "--rehearse 0)",
     REAL(request.options.dropout, 0.0, 0.9)},
    {"decay", "X", "weight decay (0.05)", REAL(request.options.weight_decay, 0.0, 1.0)},
    {"seed", "S", "seed of all random numbers (1)",
     ROW(FIELD_SEED, request.options.seed)},
    {"threads", "N", "0, the default: one for each processor",
     COUNT(request.threads, 0, 1024)},
    {"licence", "TEXT", "licence of the data, for the model's provenance",
     TEXT(request.licence)},
    {"f32", NULL, "multiply in 32 bits even if 16 bits are faster", FLAG(f32)},
    {"bf16", NULL, "write 16-bit weights, at half the size", FLAG(request.bf16)},
    {"log", "FILE", "append progress to FILE", TEXT(request.log)},
    {"output", "FILE", "the output file (also -o)", TEXT(request.out)},
    {"force", NULL, "write over a file with a hard link, or open elsewhere",
     FLAG(force)},
    OPTION_HELP,
};
const struct option_table TRAIN_OPTIONS = {ROWS, sizeof ROWS / sizeof ROWS[0], NULL};

static bool has_max_distance(const struct model_config *c)
{
    return c->relative == RELATIVE_SHAW || c->relative == RELATIVE_MUSIC;
}

/* One plain phrase on what does not fit together; NULL: it all does. */
static const char *find_fault(const struct model_config *c)
{
    const bool is_fourier = c->mixing == MIXING_FOURIER,
               by_index = c->relative == RELATIVE_ROTARY,
               by_time = c->time == TIME_ROTARY;
    /* The turns of rotary positions are of pairs, and two kinds of them share. */
    const int of = by_index && by_time ? 4 : by_index || by_time ? 2 : 1;
    if (c->n_heads < 1 || c->d_model % c->n_heads)
        return "--width is not a multiple of --heads";
    if (is_fourier && (c->relative != RELATIVE_NONE || c->time != TIME_NONE))
        return "--mixing fourier cannot have --relative or --time";
    if (is_fourier && c->values)
        return "--mixing fourier has no --values";
    if (c->max_distance && !has_max_distance(c))
        return "--reach is only for --relative shaw and music";
    if (c->max_distance > c->context)
        return "--reach is longer than the context";
    if (!is_fourier && c->block % MODEL_LOCAL_BLOCK)
        return "--block must be a multiple of 64";
    if (c->d_model / c->n_heads % of)
        return "--width divided by --heads must be a multiple of 2 with rotary "
               "positions, of 4 with both kinds";
    return model_config_valid(c) ? NULL : "these sizes do not fit together";
}

/* By default four voices have only learned positions. Scores have rotary positions, time
 * buckets, the state and value embeddings; with Fourier mixing, positions and state. */
static struct model_config usual_shape(const struct train_settings *said, bool is_score)
{
    const struct sizes *z = &SIZES[said->preset][is_score ? 0 : 1];
    const bool turns = is_score && said->request.config.mixing == MIXING_ATTENTION;
    return (struct model_config){
        .vocab = TOKEN_COUNT,
        .context = z->context,
        .d_model = z->d_model,
        .n_heads = z->n_heads,
        .n_layers = z->n_layers,
        .position = turns ? POSITION_NONE : POSITION_LEARNED,
        .relative = turns ? RELATIVE_ROTARY : RELATIVE_NONE,
        .time = turns ? TIME_BUCKETS : TIME_NONE,
        .state = true, /* a truth, until the options are read */
        .values = turns,
        .tied = true,
    };
}

/* A short run that rehearses keeps to its model: a low rate that falls all along, on rows of
 * which there are many (models/README.md, "rehearsal.excerpts"). */
static struct train_settings usual_settings(const struct train_settings *said,
                                            bool is_score)
{
    const struct train_request *q = &said->request;
    const int64_t steps = q->options.max_steps;
    const bool rehearses = q->rehearse > 0,
               is_muon = q->options.optimiser == OPTIMISER_MUON;
    return (struct train_settings){
        .preset = SMALL,
        .request =
            {
                .minutes = steps ? 0 : 60,
                .cooldown = rehearses ? 0.9 : 0.6,
                .bf16 = rehearses,
                .shares = {.holes = 0.5, .chords = 0.5},
                .power = 0.5,
                .config = usual_shape(said, is_score),
                .options =
                    {
                        .batch = rehearses ? 8 : 4,
                        /* a short run should not be over before it is warm */
                        .warmup_steps = rehearses                   ? 10
                                        : steps > 0 && steps < 2000 ? steps / 10 + 1
                                                                    : 200,
                        .optimiser = OPTIMISER_MUON,
                        .schedule = is_muon ? SCHEDULE_LINEAR : SCHEDULE_COSINE,
                        .lr = !is_muon    ? q->from ? ADAM_TUNING_RATE : ADAM_RATE
                              : rehearses ? REHEARSED_RATE
                              : q->from   ? MUON_TUNING_RATE
                                          : MUON_RATE,
                        .momentum = 0.95f,
                        .adam_share = rehearses ? 0.3f : 1.0f,
                        .beta1 = 0.9f,
                        .beta2 = 0.95f,
                        .eps = 1e-8f,
                        .weight_decay = 0.05f,
                        .clip = 1.0f,
                        .dropout = rehearses ? 0.0f : 0.1f,
                        .seed = 1,
                    },
            },
    };
}

/* A reach, or a block, that is needed and not given is the whole context. */
static void complete_shape(struct model_config *c, int n_layers, bool is_score)
{
    c->n_layers = n_layers ? n_layers : c->n_layers;
    c->d_ff = c->d_ff ? c->d_ff : 4 * c->d_model;
    c->state = is_score && c->state ? TOKEN_STATE_ROWS : 0;
    if (has_max_distance(c) && c->max_distance == 0)
        c->max_distance = c->context;
    if (c->mixing == MIXING_FOURIER && c->block == 0)
        c->block = c->context;
}

static int check(const struct train_settings *s, const struct verb *verb)
{
    const struct train_request *q = &s->request;
    if (!q->data || !q->out)
        return option_wrong(
            verb, NULL, !q->data ? "--data is missing" : "-o, the output, is missing");
    if (q->rehearse > 0 && (!q->from || q->resume))
        return option_wrong(verb, "--rehearse", "goes with --from, not with --resume");
    if (q->options.start_share > 0 && !q->from)
        return option_wrong(verb, "--start-share", "goes with --from");
    if (q->from && (s->has_shape || (q->layers && !q->grow)))
        return option_wrong(verb, "--from", "uses the shape of its model");
    const char *fault = find_fault(&q->config);
    return fault ? option_wrong(verb, NULL, fault) : -1;
}

int train_options_parse(struct train_settings *s, const struct verb *verb, int argc,
                        char **argv)
{
    bool is_score = true;
    int status = -1;
    *s = (struct train_settings){.preset = SMALL};
    for (int reading = 0; status < 0 && reading < 2; reading++) {
        const char *file;
        is_score = !s->request.data || !train_music_is_grid(s->request.data);
        *s = usual_settings(s, is_score);
        status = option_table_parse(&TRAIN_OPTIONS, verb, s, &file, argc, argv);
    }
    s->request.options.bf16 = !s->f32;
    complete_shape(&s->request.config, s->request.layers, is_score);
    return status < 0 ? check(s, verb) : status;
}
