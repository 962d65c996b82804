#include "app/lab/training/train_run.h"

#include "app/lab/training/train_music.h"
#include "app/base/option_table.h"

/* Of Muon, and of AdamW alone; the second of each for a model that has learnt. */
static const float REHEARSED_RATE = 7e-4f, MUON_RATE = 8e-3f, MUON_TUNING_RATE = 2e-3f,
                   ADAM_RATE = 1e-3f, ADAM_TUNING_RATE = 2e-4f;
/* A short run that rehearses keeps to its model: a low rate that falls all along, on rows of which
 * there are many (models/README.md, "rehearsal.excerpts"). */
static const float REHEARSED_ADAM_SHARE = 0.3f;
static const double REHEARSED_COOLDOWN = 0.9;
enum { UNSAID = -1, USUAL_BATCH = 4, REHEARSED_BATCH = 8 };

#define ROW(its_kind, field)                                                           \
    .kind = &(its_kind), .set = 1, FIELD_OF(train_settings, field)
#define TEXT(field)            ROW(FIELD_ARGUMENT, field)
#define FLAG(field)            ROW(FIELD_FLAG, field)
#define COUNT(field, from, to) ROW(FIELD_WHOLE, field), .low = (from), .high = (to)
#define REAL(field, from, to)  ROW(FIELD_REAL, field), .low = (from), .high = (to)
#define CHOICE(field, list)    ROW(FIELD_WORDS, field), .words = (list)

static bool read_preset(const struct field *f, void *of, const char *text)
{
    return model_shape_set_preset(field_at(f, of), text);
}

static const struct field_kind PRESET = {.read = read_preset,
                                         .wants = "one of tiny, lite, small, base"};

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
    {"preset", "P", "tiny, lite, small (the default) or base", ROW(PRESET, shape)},
    {"context", "N", "tokens in the context", COUNT(shape.context, 16, 1 << 16)},
    {"width", "N", "numbers per token", COUNT(shape.width, 1, 1 << 14)},
    {"heads", "N", "attention heads", COUNT(shape.heads, 1, 1024)},
    {"layers", "N", "the number of layers", COUNT(shape.layers, 1, 1024)},
    {"ff", "N", "width of the feed-forward (four times --width)",
     COUNT(shape.ff, 1, 1 << 16)},
    {"activation", "A", "relu (the default) or gelu",
     CHOICE(shape.activation, model_activations)},
    {"norm", "N", "pre (the default) or post", CHOICE(shape.norm, model_norms)},
    {"position", "P",
     "none, learned or sinusoidal (none; four voices:" OPTION_NEXT_LINE "learned)",
     CHOICE(shape.position, model_positions)},
    {"relative", "R", "none, shaw, music or rotary (rotary; four voices: none)",
     CHOICE(shape.relative, model_relatives)},
    {"reach", "N", "number of distances for shaw and music (the context)",
     COUNT(shape.max_distance, 1, 1 << 16)},
    {"time", "T", "none, buckets or rotary (buckets; four voices: none)",
     CHOICE(shape.time, model_times)},
    {"state", "A",
     "yes or no: add the musical state to each token (yes" OPTION_NEXT_LINE
     "if the tokens have one)",
     CHOICE(shape.state, model_shape_truths)},
    {"values", "A",
     "yes or no: value embeddings in each layer" OPTION_NEXT_LINE
     "(yes; four voices: no)",
     CHOICE(shape.values, model_shape_truths)},
    {"tied", "A", "yes or no: use the token embedding as output head (yes)",
     CHOICE(shape.tied, model_shape_truths)},
    {"mixing", "M", "attention (the default) or fourier",
     CHOICE(shape.mixing, model_mixings)},
    {"block", "N",
     "local attention in blocks of N, a multiple of 64;" OPTION_NEXT_LINE
     "with fourier, the tokens mixed (the context)",
     COUNT(shape.block, 0, 1 << 16)},
    {"encoder", "N",
     "layers of an encoder that reads the melody; the" OPTION_NEXT_LINE
     "others accompany it (0; only for four voices)",
     COUNT(shape.encoder_layers, 0, 1024)},
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
     CHOICE(optimiser, train_optimisers)},
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
     CHOICE(schedule, train_schedules)},
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

static float default_rate(const struct train_request *q)
{
    if (q->options.optimiser == OPTIMISER_MUON)
        return q->rehearse > 0 ? REHEARSED_RATE
               : q->from       ? MUON_TUNING_RATE
                               : MUON_RATE;
    return q->from ? ADAM_TUNING_RATE : ADAM_RATE;
}

/* Defaults depend on whether the run rehearses. */
static void set_unsaid(struct train_request *q)
{
    struct train_options *o = &q->options;
    const bool rehearses = q->rehearse > 0;
    if (!o->batch)
        o->batch = rehearses ? REHEARSED_BATCH : USUAL_BATCH;
    if (o->adam_share <= 0.0f)
        o->adam_share = rehearses ? REHEARSED_ADAM_SHARE : 1.0f;
    if (o->dropout < 0.0f)
        o->dropout = rehearses ? 0.0f : 0.1f;
    if (q->cooldown < 0.0)
        q->cooldown = rehearses ? REHEARSED_COOLDOWN : 0.6;
    if (o->lr <= 0.0f)
        o->lr = default_rate(q);
    q->bf16 |= rehearses;
}

static void set_defaults(struct train_settings *s)
{
    struct train_request *q = &s->request;
    struct train_options *o = &q->options;
    o->optimiser = (enum optimiser)s->optimiser;
    if (s->schedule == UNSAID)
        s->schedule =
            o->optimiser == OPTIMISER_MUON ? SCHEDULE_LINEAR : SCHEDULE_COSINE;
    o->schedule = (enum rate_schedule)s->schedule;
    o->bf16 = !s->f32;
    set_unsaid(q);
    if (o->max_steps == 0 && q->minutes <= 0)
        q->minutes = 60;
    if (o->warmup_steps < 0) /* a short run should not be over before it is warm */
        o->warmup_steps = q->rehearse > 0 ? 10
                          : o->max_steps > 0 && o->max_steps < 2000
                              ? o->max_steps / 10 + 1
                              : 200;
}

static int check(struct train_settings *s, const struct verb *verb)
{
    struct train_request *q = &s->request;
    if (!q->data || !q->out)
        return option_wrong(
            verb, NULL, !q->data ? "--data is missing" : "-o, the output, is missing");
    if (q->rehearse > 0 && (!q->from || q->resume))
        return option_wrong(verb, "--rehearse", "goes with --from, not with --resume");
    if (q->from && q->grow && s->shape.layers != SHAPE_UNSAID) {
        q->layers = s->shape.layers;
        s->shape.layers = SHAPE_UNSAID;
    }
    if (q->options.start_share > 0 && !q->from)
        return option_wrong(verb, "--start-share", "goes with --from");
    if (q->from && !model_shape_is_plain(&s->shape))
        return option_wrong(verb, "--from", "uses the shape of its model");
    const bool is_grid = train_music_is_grid(q->data);
    q->config = model_shape_config(&s->shape, is_grid ? SHAPE_GRID : SHAPE_SCORE);
    const char *fault = model_shape_fault(&q->config);
    return fault ? option_wrong(verb, NULL, fault) : -1;
}

int train_options_parse(struct train_settings *s, const struct verb *verb, int argc,
                        char **argv)
{
    *s = (struct train_settings){
        .request.options = {.warmup_steps = UNSAID,
                            .beta1 = 0.9f,
                            .beta2 = 0.95f,
                            .eps = 1e-8f,
                            .weight_decay = 0.05f,
                            .clip = 1.0f,
                            .momentum = 0.95f,
                            .dropout = UNSAID,
                            .seed = 1},
        .shape = model_shape_default(),
        .request.shares = {.holes = 0.5, .chords = 0.5},
        .request.power = 0.5,
        .request.cooldown = UNSAID,
        .optimiser = OPTIMISER_MUON,
        .schedule = UNSAID,
    };
    const char *file;
    int status = option_table_parse(&TRAIN_OPTIONS, verb, s, &file, argc, argv);
    if (status < 0)
        status = check(s, verb);
    if (status < 0)
        set_defaults(s);
    return status;
}
