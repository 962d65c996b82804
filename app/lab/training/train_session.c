/* Sets a run up, and saves it. The trainer's state file holds everything but the music; this
 * file adds the best validation so far, the time spent and the speed. */
#include "app/lab/training/train_session.h"

#include "midi/base/clock.h"
#include "app/decoding/metadata.h"
#include "app/base/say.h"
#include "midi/tokens/fill.h"
#include "model/weights/grow.h"
#include "model/weights/safetensors.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_LENGTH = 512 }; /* of a run that rehearses: more steps */

/* The tokens of the music: those of the initial model, or by the options. */
static int choose_lesson(struct train_session *s, const struct model_config *config)
{
    const struct train_request *q = s->request;
    bool has_encoder = config->n_encoder_layers > 0;
    struct corpus *c = s->music.corpus;
    if (!c->is_grid && (has_encoder || q->hold))
        return say_error(
            q->data, "is not a file of four voices, which --encoder and --hold need");
    c->lesson = grid_lesson_for(has_encoder, q->hold);
    c->shares = q->shares;
    if (s->music.rehearsal)
        s->music.rehearsal->shares = q->shares;
    const struct corpus_mixture mixture = {
        .power = q->power,
        .longest = q->options.length ? q->options.length : config->context,
        .shortest = q->options.shortest,
    };
    if (train_music_mix(&s->music, mixture, q->mixture))
        return 1;
    if (c->is_grid && s->from && !metadata_grid_lesson(s->from, &c->lesson))
        return say_error(q->from, "does not describe its tokens");
    return 0;
}

static void grow(struct model_config *config, const struct corpus *c)
{
    config->vocab = corpus_vocab(c);
    config->tied = false;
    if (config->time == TIME_NONE && config->mixing == MIXING_ATTENTION)
        config->time = TIME_BUCKETS;
    if (c->is_grid)
        return;
    config->values |= config->mixing == MIXING_ATTENTION;
    if (!config->state && model_file_score_state())
        config->state = model_file_score_state()->n_rows;
}

/* The configuration: that of the initial model, or by the options. */
static int choose_config(struct train_session *s, struct model_config *config)
{
    const char *from = s->request->from;
    char path[MAX_FILE_NAME];
    *config = s->request->config;
    config->vocab = corpus_vocab(s->music.corpus);
    if (!from)
        return 0;
    if (verb_model_open(&s->from, from, path, sizeof path))
        return 1;
    *config = s->from->config;
    if (s->music.corpus->is_grid
            ? config->vocab != GRID_COUNT
            : !tokens_fit(config->vocab) || !metadata_fits_score(s->from))
        return say_error(from, "has other tokens than this music");
    if (!s->request->grow)
        return 0;
    grow(config, s->music.corpus);
    if (s->request->layers)
        config->n_layers = s->request->layers;
    return model_grows_into(&s->from->config, config)
               ? 0
               : say_error("--layers",
                           "must be at least those of a model with pre-norm");
}

static enum model_status grow_trainer(struct train_session *s,
                                      const struct model_config *config)
{
    /* Controls of holes begin near tokens that mean as much; NULL: of other music. */
    const bool has_like = s->request->grow && !s->music.corpus->is_grid;
    int32_t *like = has_like ? calloc(TOKEN_COUNT, sizeof *like) : NULL;
    for (int32_t i = 0; like && i < TOKEN_COUNT; i++)
        like[i] = fill_token_like(i);
    s->options.like = like;
    enum model_status st =
        trainer_create(&s->trainer, config, &s->options, s->from, s->pool);
    s->options.like = NULL;
    free(like);
    return st;
}

/* A short run reads no longer than this share of its time. */
static const double READING_SHARE = 0.25;

static double reading_end(const struct train_session *s)
{
    const struct train_request *q = s->request;
    return q->rehearse > 0 && q->minutes > 0
               ? s->started + READING_SHARE * q->minutes * 60.0
               : INFINITY;
}

static int create_trainer(struct train_session *s)
{
    struct model_config config;
    if (choose_config(s, &config) || choose_lesson(s, &config))
        return 1;
    s->options = s->request->options;
    if (!s->options.length)
        s->options.length = s->request->rehearse > 0 && config.context > SHORT_LENGTH
                                ? SHORT_LENGTH
                                : config.context;
    s->options.source_length = corpus_source_length(s->music.corpus, s->options.length);
    if (s->options.min_lr <= 0.0f && s->options.schedule == SCHEDULE_COSINE)
        s->options.min_lr = s->options.lr / 20.0f;
    if (s->request->minutes > 0)
        s->options.max_steps = INT64_MAX / 2;
    s->options.state = s->music.corpus->is_grid ? NULL : model_file_score_state();
    s->pool = pool_create(s->request->threads);
    if (!s->pool)
        return say_error("training",
                         "there is not enough memory, or no threads can be started");

    const bool guesses = s->request->rehearse > 0;
    if (guesses && train_music_guess_styles(&s->music, s->from))
        return say_error("training", model_strerror(MODEL_NO_MEMORY));
    enum model_status st = grow_trainer(s, &config);
    if (st == MODEL_TOO_LONG)
        return say_error("--length", "is longer than the model's context, or the batch "
                                     "is too large");
    return st ? say_error("training", model_strerror(st)) : 0;
}

static int prepare_rows(struct train_session *s)
{
    const struct train_music *m = &s->music;
    const struct baseline *b = &s->held_out.baseline;
    enum midi_status st =
        corpus_batch_init(&s->rows, m->corpus, s->options.batch, s->options.length);
    if (st)
        return say_midi_error("training", st);
    st = validation_init(&s->held_out, m, m->corpus, s->options.batch,
                         s->options.length);
    if (!st)
        st = validation_init(&s->rehearsed, m, m->rehearsal, s->options.batch,
                             s->options.length);
    if (st)
        return say_error(s->request->data, midi_strerror(st));
    if (!s->held_out.rows->n)
        train_report_line(
            &s->report,
            "nothing is held back, so progress on this music cannot be measured");
    else
        train_report_line(&s->report,
                          "validation: %d windows, %" PRId64 " notes; nats per token: "
                          "unigram %.4f, bigram %.4f",
                          s->held_out.rows->n, b->n_notes,
                          b->unigram / (double)b->n_tokens,
                          b->bigram / (double)b->n_tokens);
    return 0;
}

double train_session_seconds(const struct train_session *s)
{
    return s->seconds_before + clock_now_seconds() - s->started;
}

static int step_tokens(const struct train_session *s)
{
    return s->options.batch * s->options.length;
}

double train_session_tokens(const struct train_session *s)
{
    int64_t steps = trainer_steps(s->trainer) - s->steps_before;
    return s->tokens_before + (double)steps * step_tokens(s);
}

void train_session_set_end(struct train_session *s)
{
    const struct train_request *q = s->request;
    double share = s->options.schedule == SCHEDULE_LINEAR ? q->cooldown : 0.0;
    int64_t end = q->options.max_steps;
    if (q->minutes <= 0) {
        trainer_set_end(s->trainer, end, llround((double)end * share));
    } else if (s->step_seconds > 0) {
        double all = q->minutes * 60.0, left = all - train_session_seconds(s);
        end = trainer_steps(s->trainer);
        trainer_set_end(s->trainer,
                        left > 0 ? end + (int64_t)(left / s->step_seconds) : end,
                        llround(all * share / s->step_seconds));
    }
}

/* Our part of the state, each named: the best validation, seconds of training, tokens
 * learnt from, seconds that one took lately, and the length of a sequence. */
enum { MAX_EXTRA = 192 };
static const double LEAST_PACE = 1e-9; /* a faster one was never measured */

/* The best validation of another length cannot be compared with this one. */
static bool read_extra(struct train_session *s, const char *extra)
{
    static const char *const NAMES[] = {"best ", " seconds ", " tokens ", " pace ",
                                        " length "};
    double pace = 0, length = 0;
    double *const numbers[] = {&s->best, &s->seconds_before, &s->tokens_before, &pace,
                               &length};
    for (int i = 0; i < 5; i++) {
        const size_t n = strlen(NAMES[i]);
        if (strncmp(extra, NAMES[i], n) != 0)
            return false;
        char *end;
        *numbers[i] = strtod(extra + n, &end);
        if (!(*numbers[i] >= 0) || end == extra + n)
            return false;
        extra = end;
    }
    if (*extra)
        return false;
    if (length != (double)s->options.length)
        s->best = INFINITY;
    s->step_seconds = pace < LEAST_PACE ? 0.0 : pace * step_tokens(s);
    s->steps_before = trainer_steps(s->trainer);
    return isfinite(s->seconds_before) && isfinite(s->tokens_before) && isfinite(pace);
}

static int resume(struct train_session *s)
{
    char extra[MAX_EXTRA];
    if (!s->request->resume)
        return 0;
    enum model_status st =
        trainer_load_state(s->trainer, s->state_path, extra, sizeof extra);
    if (st == MODEL_BAD_RESUME)
        return say_error(s->state_path,
                         "belongs to a run with another model, --optimiser or --seed; "
                         "use the same ones, or leave out --resume");
    if (st)
        return say_model_error(s->state_path, st, trainer_fault(s->trainer));
    if (!read_extra(s, extra))
        return say_error(s->state_path, model_strerror(MODEL_BAD_RESUME));
    train_report_line(&s->report, "resumed at step %" PRId64,
                      trainer_steps(s->trainer));
    return 0;
}

int train_session_save_state(struct train_session *s)
{
    char extra[MAX_EXTRA];
    snprintf(extra, MAX_EXTRA, "best %a seconds %a tokens %a pace %a length %d",
             s->best, train_session_seconds(s), train_session_tokens(s),
             s->step_seconds / step_tokens(s), s->options.length);
    enum model_status st = trainer_save_state(s->trainer, s->state_path, extra);
    return st ? say_error(s->state_path, strerror(errno)) : 0;
}

int train_session_save_model(struct train_session *s)
{
    const struct model_config *shape = trainer_config(s->trainer);
    char *config = model_config_json(shape);
    char *tokenizer = train_music_tokenizer(&s->music),
         *provenance = train_session_provenance(s);
    const struct metadata metadata[] = {
        {"config", config}, {"tokenizer", tokenizer}, {"provenance", provenance}};
    enum model_status st = MODEL_NO_MEMORY;

    if (config && tokenizer && provenance)
        st = trainer_save_model(s->trainer, s->request->out, s->request->bf16, metadata,
                                3);
    free(config);
    free(tokenizer);
    free(provenance);
    return st ? say_model_error(s->request->out, st, NULL) : 0;
}

int train_session_prepare(struct train_session *s, const struct train_request *q)
{
    size_t n = strlen(q->out), n_suffix = strlen(".safetensors");
    *s = (struct train_session){.request = q,
                                .best = INFINITY,
                                .own.hole = NAN,
                                .first_loss.own = INFINITY,
                                .started = clock_now_seconds()};
    if (n > n_suffix && !strcmp(q->out + n - n_suffix, ".safetensors"))
        n -= n_suffix;
    if (n + sizeof ".state" > sizeof s->state_path)
        return say_error(q->out, "the name is too long");
    snprintf(s->state_path, sizeof s->state_path, "%.*s.state", (int)n, q->out);

    if (!train_report_open(&s->report, q->log))
        return say_error(q->log, strerror(errno));
    const bool failed =
        train_music_open(&s->music, q->data, q->corpora, reading_end(s), &s->report) ||
        train_music_rehearse(&s->music, q->rehearsal, q->rehearse, &s->report) ||
        create_trainer(s) || prepare_rows(s) || resume(s);
    if (q->rehearse <= 0)
        s->started = clock_now_seconds();
    if (!failed)
        train_session_set_end(s);
    return failed;
}

void train_session_release(struct train_session *s)
{
    train_report_close(&s->report);
    validation_fini(&s->held_out);
    validation_fini(&s->rehearsed);
    corpus_batch_fini(&s->rows);
    trainer_destroy(s->trainer);
    pool_destroy(s->pool);
    model_close(s->from);
    train_music_close(&s->music);
}
