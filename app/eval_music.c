/* See eval_music.h. Pieces are taken at even distances from the sorted list of
 * those that are long enough, so that the choice needs no dice. */
#include "app/eval_music.h"

#include "app/eval_music_excerpt.h"
#include "app/say.h"

#include <stdlib.h>

/* What holds while the samples are made. */
struct studio {
    const struct music_request *request;
    struct music *music;
    struct continuation *continuation;
};

static bool is_usable(const struct corpus_piece *p)
{
    return p->piece.n_bars >= MUSIC_CONTEXT_BARS + MUSIC_LEAST_BARS &&
           p->piece.notes[0].step < p->bars[MUSIC_CONTEXT_BARS];
}

/* The usable piece number n of a corpus; NULL when there are fewer. */
static const struct corpus_piece *nth_usable(const struct corpus *c,
                                             enum corpus_split split, int group, int n)
{
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const struct corpus_piece *p = &c->pieces[split][i];
        if (p->group == group && is_usable(p) && n-- == 0)
            return p;
    }
    return NULL;
}

static int count_usable(const struct corpus *c, enum corpus_split split, int group)
{
    int n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++)
        n += c->pieces[split][i].group == group && is_usable(&c->pieces[split][i]);
    return n;
}

/* Number i of n pieces that spread over the usable ones. */
static const struct corpus_piece *
choose(const struct corpus *c, enum corpus_split split, int group, int i, int n)
{
    int64_t all = count_usable(c, split, group);
    return nth_usable(c, split, group, (int)(all * i / n));
}

static int count_wanted(const struct music_request *q, int group)
{
    int n = count_usable(q->corpus, q->split, group);
    return n < q->n_pieces ? n : q->n_pieces;
}

/* Bars to ask for, so that the last is number n_bars after the context even
 * when the context's music stops before its last bar line. */
static int bars_to_ask(const struct piece *context, int32_t n_bars)
{
    int32_t end = 0;
    for (size_t i = 0; i < context->n_notes; i++) {
        int32_t note_end = context->notes[i].step + context->notes[i].length;
        end = note_end > end ? note_end : end;
    }
    int64_t bar = piece_bar_at(context, end);
    bool is_begun = piece_bar_start(context, (int32_t)bar) < end;
    return (int)(context->n_bars + n_bars - bar - is_begun);
}

static enum midi_status collect(struct studio *s, struct piece *out,
                                const struct piece *context,
                                enum continuation_state *state)
{
    struct continued_note n;
    while ((*state = continuation_next(s->continuation, &n)) == CONTINUATION_NOTE) {
        enum midi_status st = excerpt_add(out, context, &n);
        if (st)
            return st;
    }
    piece_sort(out);
    return MIDI_OK;
}

static void count_tokens(struct studio *s)
{
    int64_t from, to, at;
    int n_tokens;
    double log_prob, masked;
    continuation_stats(s->continuation, &from, &to, &at, &n_tokens, &log_prob, &masked);
    s->music->n_tokens += n_tokens;
    s->music->masked += masked * n_tokens;
}

/* `out` holds n_bars more after `context`. */
static enum midi_status go_on(struct studio *s, struct piece *out,
                              const struct piece *context, int32_t n_bars,
                              const struct continuation_options *options,
                              enum continuation_state *state)
{
    struct continuation_options o = *options;
    struct score *score = excerpt_score(context);
    enum midi_status st = score ? excerpt_begin(out, context, n_bars) : MIDI_NO_MEMORY;
    if (!st) {
        o.bars = bars_to_ask(context, n_bars);
        o.style = (int)context->style;
        *state = continuation_begin(s->continuation, score, &o);
        if (*state == CONTINUATION_BEGUN)
            st = collect(s, out, context, state);
    }
    score_destroy(score);
    return st;
}

/* The three of a sample; on failure what there is belongs to it all the same. */
static enum midi_status make_sample(struct studio *s, struct music_sample *m, int i,
                                    int n, enum continuation_state *state)
{
    const struct music_request *q = s->request;
    const struct corpus_piece *held = choose(q->corpus, q->split, m->group, i, n);
    const struct corpus_piece *read = choose(q->corpus, CORPUS_TRAIN, m->group, i, n);
    const struct piece *whole = &held->piece;
    struct continuation_options options = q->options;
    struct piece context = {0};

    int32_t most = CONTINUATION_MAX_BARS - MUSIC_CONTEXT_BARS;
    int32_t bars = options.bars < most ? options.bars : most;
    int32_t left = whole->n_bars - MUSIC_CONTEXT_BARS;
    bars = bars < left ? bars : left;
    options.sampling.seed += (uint64_t)i;
    m->is_in_voices = voices_find(whole, m->tracks);

    enum midi_status st =
        excerpt_cut(&context, whole, 0, MUSIC_CONTEXT_BARS, UINT64_MAX);
    if (!st)
        st = excerpt_cut(&m->bars[MUSIC_HELD_OUT], whole, MUSIC_CONTEXT_BARS, bars,
                         excerpt_tracks(&context));
    if (!st && read)
        st = excerpt_cut(&m->bars[MUSIC_TRAINING], &read->piece, MUSIC_CONTEXT_BARS,
                         bars, UINT64_MAX);
    if (!st)
        st = go_on(s, &m->bars[MUSIC_GENERATED], &context, bars, &options, state);
    piece_fini(&context);
    return st;
}

static void discard_sample(struct music_sample *m)
{
    for (int k = 0; k < MUSIC_KINDS; k++)
        piece_fini(&m->bars[k]);
}

/* Sample i of n of a corpus. */
static int add_sample(struct studio *s, int group, int i, int n)
{
    struct music *music = s->music;
    struct music_sample *m = &music->samples[music->n_samples];
    const char *name = s->request->corpus->groups[group].name;
    enum continuation_state state = CONTINUATION_ERROR;
    *m = (struct music_sample){.group = group};
    enum midi_status st = make_sample(s, m, i, n, &state);
    if (!st && state == CONTINUATION_DONE) {
        music->n_samples++;
        count_tokens(s);
        return 0;
    }
    discard_sample(m);
    music->is_cancelled = !st && state == CONTINUATION_CANCELLED;
    if (music->is_cancelled)
        return 0;
    return st ? say_midi_error(name, st)
              : say_error(name, continuation_error(s->continuation));
}

static int add_samples(struct studio *s, int n_all)
{
    const struct music_request *q = s->request;
    int status = 0;
    for (int g = 0; g < q->corpus->n_groups; g++) {
        int n = count_wanted(q, g);
        for (int i = 0; i < n && !status && !s->music->is_cancelled; i++) {
            if (q->progress)
                q->progress((int)s->music->n_samples, n_all);
            status = add_sample(s, g, i, n);
        }
    }
    if (q->progress)
        q->progress(n_all, n_all);
    return status;
}

int music_generate(struct music *m, const struct music_request *q)
{
    struct studio s = {.request = q, .music = m};
    int n_all = 0;
    *m = (struct music){0};
    for (int g = 0; g < q->corpus->n_groups; g++)
        n_all += count_wanted(q, g);
    m->samples = calloc((size_t)n_all + 1, sizeof *m->samples);
    enum model_status st = m->samples
                               ? continuation_create(&s.continuation, q->model, q->pool)
                               : MODEL_NO_MEMORY;
    if (st)
        return say_model_error("music", st, NULL);
    continuation_set_cancel(s.continuation, q->cancel);
    int status = add_samples(&s, n_all);
    continuation_destroy(s.continuation);
    return status;
}

void music_fini(struct music *m)
{
    for (size_t i = 0; i < m->n_samples; i++)
        discard_sample(&m->samples[i]);
    free(m->samples);
    *m = (struct music){0};
}

bool music_find_copies(struct music *m, const struct corpus *c)
{
    size_t n = m->n_samples * MUSIC_TRAINING;
    struct piece *asked = calloc(n + 1, sizeof *asked);
    for (size_t i = 0; asked && i < n; i++)
        asked[i] =
            m->samples[i / MUSIC_TRAINING].bars[i % MUSIC_TRAINING]; /* borrowed */
    struct copied *copied = asked ? copied_create(asked, n) : NULL;
    free(asked);
    if (!copied)
        return false;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        copied_read(copied, &c->pieces[CORPUS_TRAIN][i].piece, i);
    bool is_done = copied_finish(copied);
    for (size_t i = 0; is_done && i < n; i++)
        m->samples[i / MUSIC_TRAINING].copied[i % MUSIC_TRAINING] =
            copied_longest(copied, i);
    copied_destroy(copied);
    return is_done;
}
