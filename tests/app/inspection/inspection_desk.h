/* A desk for tests of inspections: a model of random weights, music of two voices in quarters,
 * and takes that it wrote. Include cmocka.h before it. */
#ifndef TESTS_APP_INSPECTION_DESK_H
#define TESTS_APP_INSPECTION_DESK_H

#include "app/inspection/inspection.h"
#include "app/base/draw.h"
#include "midi/tokens/token_time.h"
#include "tests/app/random_continuation.h"

#include <math.h>

enum { QUARTER_TICKS = 480, CONTEXT = 256, MOST = 512 };

static inline void put(struct score *s, int track, int64_t start, int64_t length,
                       int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = (uint8_t)(60 + pitch % 3 * 12),
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_int_not_equal(score_add_note(s, track, n), 0);
}

/* Two voices in quarters. */
static inline struct score *make_score(int n_quarters)
{
    struct score *s = score_create(QUARTER_TICKS);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "one", 0, 0), 0);
    assert_int_equal(score_add_track(s, "two", 1, 0), 1);
    for (int i = 0; i < n_quarters; i++) {
        int64_t start = (int64_t)i * QUARTER_TICKS;
        put(s, 0, start, QUARTER_TICKS, 60 + i * 7 % 12);
        put(s, 1, start, QUARTER_TICKS, 48 - i * 5 % 7);
    }
    return s;
}

struct desk {
    struct fixture f;
    struct inspection *i;
    struct score *score;
};

static inline void open_desk(struct desk *d, int n_quarters)
{
    set_up(&d->f, CONTEXT, TOKEN_COUNT, 2);
    assert_int_equal(inspection_create(&d->i, d->f.model, d->f.pool), MODEL_OK);
    d->score = make_score(n_quarters);
}

static inline void close_desk(struct desk *d)
{
    score_destroy(d->score);
    inspection_destroy(d->i);
    tear_down(&d->f);
}

static inline struct inspection_request of_note(uint64_t id)
{
    return (struct inspection_request){.note = id, .style = STYLE_CHORALE};
}

static inline uint64_t id_at(const struct score *s, int track, int index)
{
    return s->tracks[track].notes[index].id;
}

static inline int read_note(struct desk *d, int track, int index)
{
    struct inspection_request r = of_note(id_at(d->score, track, index));
    assert_int_equal(inspection_read(d->i, d->score, &r), INSPECTION_DONE);
    int note = inspection_find(d->i, r.note);
    assert_true(note >= 0);
    return note;
}

/* What a decoder of its own says of the same tokens. */
static inline void assert_surprise_is_the_models(struct desk *d)
{
    int n;
    const struct inspected_token *tokens = inspection_tokens(d->i, &n);
    struct decoder *decoder;
    float *logits = calloc((size_t)n * TOKEN_COUNT, sizeof *logits);
    int32_t ids[CONTEXT], times[CONTEXT];
    assert_non_null(logits);
    assert_int_equal(decoder_create(&decoder, d->f.model, d->f.pool), MODEL_OK);
    for (int t = 0; t < n; t++)
        ids[t] = tokens[t].token;
    token_times(ids, (size_t)n, times);
    assert_int_equal(decoder_prefill(decoder, ids, times, n, true, logits), MODEL_OK);
    for (int t = 1; t < n; t++) {
        double nats = -likelihood_log(logits + (size_t)(t - 1) * TOKEN_COUNT,
                                      TOKEN_COUNT, ids[t]);
        assert_float_equal(tokens[t].surprise, nats, 1e-4);
        assert_int_equal(tokens[t].time, times[t]);
    }
    decoder_destroy(decoder);
    free(logits);
}

static inline void assert_sums_to_one(struct desk *d, int note,
                                      struct inspected_look look)
{
    int n;
    const struct inspected_note *notes = inspection_notes(d->i, &n);
    float *weights = calloc((size_t)n, sizeof *weights), other[INSPECTED_KINDS];
    double sum = 0;
    assert_non_null(weights);
    assert_int_equal(inspection_weights(d->i, note, &look, weights, other),
                     INSPECTION_DONE);
    for (int k = 0; k < n; k++) {
        sum += (double)weights[k];
        assert_true(weights[k] >= 0);
        assert_true(weights[k] == 0 || notes[k].first_token <= notes[note].first_token);
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += (double)other[k];
    assert_float_equal(sum, 1, 1e-5);
    free(weights);
}

struct written {
    struct continued_note notes[MOST];
    size_t n;
    struct continuation_stats stats;
};

static inline struct continuation_options hole_options(uint64_t seed)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_CHORALE;
    o.sampling.seed = seed;
    o.hole.from_tick = 8 * QUARTER_TICKS;
    o.hole.to_tick = 12 * QUARTER_TICKS;
    o.hole.min_notes = 6;
    o.tracks = 1;
    return o;
}

static inline enum continuation_state
write_take(struct desk *d, const struct continuation_options *o, struct written *w)
{
    w->n = 0;
    enum continuation_state state = continuation_begin(d->f.continuation, d->score, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(w->n < MOST);
        state = continuation_next(d->f.continuation, &w->notes[w->n]);
        w->notes[w->n].note.id = 100000 + w->n;
        w->n += state == CONTINUATION_NOTE;
    }
    continuation_stats(d->f.continuation, 0, &w->stats);
    return state;
}

static inline void read_take(struct desk *d, const struct continuation_options *o,
                             const struct written *w, size_t note)
{
    struct inspected_take take = {o, STYLE_CHORALE, w->notes, w->n};
    struct inspection_request r = {.note = w->notes[note].note.id, .take = &take};
    assert_int_equal(inspection_read(d->i, d->score, &r), INSPECTION_DONE);
    int n, at = inspection_find(d->i, r.note);
    assert_true(at >= 0);
    const struct inspected_note *found = &inspection_notes(d->i, &n)[at];
    assert_true(found->is_take);
    assert_int_equal(found->tick, w->notes[note].note.start);
    assert_int_equal(found->pitch, w->notes[note].note.pitch);
    assert_int_equal(found->track, w->notes[note].track);
    assert_int_equal(found->n_tokens, w->notes[note].n_tokens);
}

#endif
