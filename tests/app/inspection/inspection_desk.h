/* A desk for tests of inspections: a model of random weights, music of two voices in quarters,
 * and takes that it wrote. Include cmocka.h before it. */
#ifndef TESTS_APP_INSPECTION_DESK_H
#define TESTS_APP_INSPECTION_DESK_H

#include "app/inspection/inspection.h"
#include "app/base/draw.h"
#include "midi/tokens/token_time.h"
#include "tests/app/random_continuation.h"

enum { QUARTER_TICKS = 480, CONTEXT = 256 };

struct desk {
    struct fixture f;
    struct inspection *i;
    struct score *score;
};
static struct desk desk; /* of the test that runs */

static inline void open_desk(struct desk *d, int n_quarters)
{
    set_up(&d->f, CONTEXT, TOKEN_COUNT, 2);
    assert_ok(inspection_create(&d->i, d->f.model, d->f.pool, NULL));
    d->score = score_of("480 | one: (60q 67 62 69 64 71 66 61 68 63 70 65)*34 | "
                        "one: (48q 43 45 47 42 44 46)*58");
    for (int t = 0; t < 2; t++)
        d->score->tracks[t].n_notes = (size_t)n_quarters;
}

static inline int close_desk(void **state)
{
    (void)state;
    score_destroy(desk.score);
    inspection_destroy(desk.i);
    tear_down(&desk.f);
    desk = (struct desk){0};
    return 0;
}

#define DESK_TEST(name, n_quarters)                                                    \
    static int name##_opens(void **state)                                              \
    {                                                                                  \
        (void)state;                                                                   \
        open_desk(&desk, n_quarters);                                                  \
        return 0;                                                                      \
    }                                                                                  \
    TEST_IN(name, name##_opens, close_desk)

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
    assert_ok(inspection_read(d->i, d->score, &r));
    int note = inspection_find(d->i, r.note);
    assert_true(note >= 0);
    return note;
}

static inline struct inspected_effect muted(int note, struct inspected_mute m)
{
    struct inspected_effect e;
    assert_ok(inspection_mute(desk.i, note, &m, &e));
    return e;
}

/* Without it the note is more or less likely. */
static inline void assert_matters(int note, struct inspected_mute m)
{
    struct inspected_effect e = muted(note, m);
    assert_true(fabsf(e.after - e.before) > 1e-7f);
}

/* Of a note of the score. */
static inline struct inspected_mute mute_note(int track, int index)
{
    return (struct inspected_mute){.what = MUTE_NOTE,
                                   .note = id_at(desk.score, track, index)};
}

/* What a decoder of its own says of the same tokens. */
static inline void assert_surprise_is_the_models(struct desk *d)
{
    const int n = d->i->now.n_tokens;
    const struct inspected_token *tokens = d->i->now.tokens;
    struct decoder *decoder;
    float *logits = calloc((size_t)n * TOKEN_COUNT, sizeof *logits);
    int32_t ids[CONTEXT], times[CONTEXT];
    assert_non_null(logits);
    assert_ok(decoder_create(&decoder, d->f.model, d->f.pool));
    for (int t = 0; t < n; t++)
        ids[t] = tokens[t].token;
    token_times(ids, (size_t)n, times);
    assert_ok(decoder_prefill(decoder, ids, times, n, true, logits));
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
    const int n = d->i->now.n_notes;
    const struct inspect_note *notes = d->i->now.notes;
    float *weights = calloc((size_t)n, sizeof *weights), other[INSPECTED_KINDS];
    double sum = 0;
    /* of four voices the notes' tokens interleave */
    const bool is_ordered = d->f.model->config.vocab == TOKEN_COUNT;
    assert_non_null(weights);
    assert_ok(inspection_weights(d->i, note, &look, weights, other));
    for (int k = 0; k < n; k++) {
        sum += (double)weights[k];
        assert_true(weights[k] >= 0);
        if (is_ordered && weights[k] != 0)
            assert_true(notes[k].first_token <= notes[note].first_token);
        assert_true(weights[k] == 0 ||
                    notes[k].is_source == (look.of == ATTENTION_CROSS));
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += (double)other[k];
    assert_float_equal(sum, 1, 1e-5);
    free(weights);
}

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

/* With ids, as takes have in a session. */
static inline enum continuation_state
write_take(struct desk *d, const struct continuation_options *o, struct result *w)
{
    const enum continuation_state state = run(&d->f, d->score, o, w);
    for (size_t i = 0; i < w->n; i++)
        w->notes[i].note.id = 100000 + i;
    return state;
}

/* Of that note of a take; *o becomes its request. */
static inline struct inspection_request of_take(struct continuation_options *o,
                                                const struct result *w, size_t note)
{
    o->style = STYLE_CHORALE;
    o->given = w->tokens;
    o->n_given = w->n_tokens;
    return (struct inspection_request){
        .note = w->notes[note].note.id, .take = o, .notes = w->notes, .n_notes = w->n};
}

static inline void read_take(struct desk *d, const struct continuation_options *o,
                             const struct result *w, size_t note)
{
    struct continuation_options options = *o;
    struct inspection_request r = of_take(&options, w, note);
    assert_ok(inspection_read(d->i, d->score, &r));
    const int at = inspection_find(d->i, r.note);
    assert_true(at >= 0);
    const struct inspect_note *found = &d->i->now.notes[at];
    assert_true(found->is_take);
    assert_int_equal(found->note.start, w->notes[note].note.start);
    assert_int_equal(found->note.pitch, w->notes[note].note.pitch);
    assert_int_equal(found->track, w->notes[note].track);
    assert_int_equal(found->n_tokens, w->notes[note].n_tokens);
}

#endif
