/* See head_survey.h: the music, and where in it windows are. */
#include "app/evaluation/head_survey.h"

#include "app/evaluation/eval_music_excerpt.h"
#include "app/base/draw.h"
#include "app/base/say.h"
#include "app/decoding/model_file.h"

#include <math.h>
#include <stdlib.h>

/* Places in pieces follow one another by this share, round and round, which never repeats
 * itself. */
#define GOLDEN_RATIO 0.6180339887498949

void window_sums_add(struct window_sums *s, double nats, double tokens)
{
    s->nats += nats;
    s->tokens += tokens;
    s->nats2 += nats * nats;
    s->tokens2 += tokens * tokens;
    s->product += nats * tokens;
    s->n++;
}

double window_sums_mean(const struct window_sums *s)
{
    return s->tokens > 0 ? s->nats / s->tokens : NAN;
}

double window_sums_error(const struct window_sums *s)
{
    double mean = window_sums_mean(s);
    double off = s->nats2 - 2 * mean * s->product + mean * mean * s->tokens2;
    return s->n < 2 ? NAN : sqrt(fmax(off, 0) * s->n / (s->n - 1)) / s->tokens;
}

static int open_model(struct head_survey *s)
{
    int status =
        verb_model_open(&s->model, s->o->model, s->model_path, sizeof s->model_path);
    if (status)
        return status;
    if (s->model->config.mixing == MIXING_FOURIER)
        return say_error(s->model_path, "has no heads: a Fourier transform mixes its "
                                        "tokens in the same way in all music");
    s->pool = pool_create(s->o->threads);
    enum model_status st = s->pool
                               ? inspection_create(&s->inspection, s->model, s->pool)
                               : MODEL_NO_THREAD;
    if (!st)
        st = decoder_create(&s->decoder, s->model, s->pool);
    return st ? say_model_error(s->model_path, st, NULL) : 0;
}

static int list_heads(struct head_survey *s)
{
    const struct model_config *c = &s->model->config;
    const int sides = c->n_encoder_layers ? 2 : 1;
    s->heads = calloc((size_t)sides * (size_t)c->n_layers * (size_t)c->n_heads,
                      sizeof *s->heads);
    if (!s->heads)
        return say_model_error(s->model_path, MODEL_NO_MEMORY, NULL);
    for (int of = 0; of < sides; of++)
        for (int layer = 0; layer < c->n_layers; layer++)
            for (int head = 0; head < c->n_heads; head++)
                s->heads[s->n_heads++].head =
                    (struct attention_head){(enum attention_kind)of, layer, head};
    return 0;
}

/* Window k of `count` of a group: pieces are spread evenly, and the window ends in the
 * second half of its piece, where it is full. */
static int survey_one(struct head_survey *s, int group, int k, int count)
{
    const int n_pieces = s->corpus->groups[group].n_pieces[s->split];
    const struct corpus_piece *p = corpus_nth_piece(
        s->corpus, s->split, group, (int)((int64_t)k * n_pieces / count));
    const double share = 0.5 + 0.5 * fmod((k + 1) * GOLDEN_RATIO, 1);
    struct score *score = p ? excerpt_score(&p->piece) : NULL;
    if (!score)
        return say_midi_error(s->o->data, MIDI_NO_MEMORY);
    int64_t tick = (int64_t)(share * (double)score_end_tick(score));
    int status = head_survey_window(s, score, tick, p->piece.style, p->path);
    score_destroy(score);
    return status;
}

/* Groups take turns, so that each has equally many windows, but at most as many as its
 * pieces. */
static int survey(struct head_survey *s)
{
    int n, status = 0;
    if (corpus_group_in_turn(s->corpus, s->split, 0, &n) < 0)
        return say_error(s->o->data, "holds no music of that split");
    const int most = (s->o->windows + n - 1) / n;
    for (int i = 0; !status && i < s->o->windows; i++) {
        const int group = corpus_group_in_turn(s->corpus, s->split, i, &n);
        const int count = at_most(most, s->corpus->groups[group].n_pieces[s->split]);
        say_progress("window", i, s->o->windows);
        if (i / n < count)
            status = survey_one(s, group, i / n, count);
    }
    say_progress("window", s->o->windows, s->o->windows);
    for (int i = 0; i < s->n_heads; i++)
        head_profile_finish(&s->heads[i].profile);
    for (int of = 0; of < 2; of++)
        head_profile_finish(&s->chance[of]);
    return status;
}

int head_survey_run(const struct options *o)
{
    struct head_survey s = {.o = o};
    if (!corpus_split_parse(o->split, &s.split))
        return say_wrong("--split", "must be train, valid or test");
    struct grid_corpus *grid = NULL;
    int status = open_model(&s) || evaluated_music_open(&s.corpus, &grid, o) ||
                 list_heads(&s) || survey(&s) || head_survey_write(&s, o->output);
    if (!status)
        head_survey_print(&s);
    grid_corpus_close(grid);
    inspection_destroy(s.inspection);
    decoder_destroy(s.decoder);
    pool_destroy(s.pool);
    model_close(s.model);
    corpus_close(s.corpus);
    free(s.heads);
    return status;
}
