/* What an inspection promises, on models of random weights: that it reads what the model
 * read, says of every token what the model says, and changes nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/inspection.h"
#include "app/inspection_windows.h"
#include "app/likelihood.h"
#include "app/surprise.h"
#include "midi/clock.h"
#include "tests/app/random_continuation.h"

#include <math.h>

enum { QUARTER_TICKS = 480, CONTEXT = 256, MOST = 512 };

static void put(struct score *s, int track, int64_t start, int64_t length, int pitch)
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
static struct score *make_score(int n_quarters)
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

static void open_desk(struct desk *d, int n_quarters)
{
    set_up(&d->f, CONTEXT, TOKEN_COUNT, 2);
    assert_int_equal(inspection_create(&d->i, d->f.model, d->f.pool), MODEL_OK);
    d->score = make_score(n_quarters);
}

static void close_desk(struct desk *d)
{
    score_destroy(d->score);
    inspection_destroy(d->i);
    tear_down(&d->f);
}

static struct inspection_request of_note(uint64_t id)
{
    return (struct inspection_request){.note = id, .style = STYLE_CHORALE};
}

static uint64_t id_at(const struct score *s, int track, int index)
{
    return s->tracks[track].notes[index].id;
}

static int read_note(struct desk *d, int track, int index)
{
    struct inspection_request r = of_note(id_at(d->score, track, index));
    assert_int_equal(inspection_read(d->i, d->score, &r), INSPECTION_DONE);
    int note = inspection_find(d->i, r.note);
    assert_true(note >= 0);
    return note;
}

/* What a decoder of its own says of the same tokens. */
static void assert_surprise_is_the_models(struct desk *d)
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
    clock_times(ids, (size_t)n, times);
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

static void test_notes_are_those_of_the_score(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 16);
    int note = read_note(&d, 0, 5), n, n_tokens;
    const struct inspected_note *notes = inspection_notes(d.i, &n);
    const struct inspected_token *tokens = inspection_tokens(d.i, &n_tokens);
    assert_int_equal(n, 32);
    assert_int_equal(notes[note].tick, 5 * QUARTER_TICKS);
    assert_int_equal(notes[note].length, QUARTER_TICKS);
    assert_int_equal(notes[note].pitch, 60 + 5 * 7 % 12);
    assert_int_equal(notes[note].track, 0);
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int t = 0; t < notes[k].n_tokens; t++) {
            assert_int_equal(tokens[notes[k].first_token + t].note, k);
            sum += (double)tokens[notes[k].first_token + t].surprise;
        }
        assert_float_equal(sum, notes[k].surprise, 1e-3);
        assert_true(notes[k].surprise_of[INSPECTED_PITCH] > 0);
    }
    assert_surprise_is_the_models(&d);
    close_desk(&d);
}

static void test_an_edit_is_followed(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 16);
    read_note(&d, 0, 15);
    uint64_t id = id_at(d.score, 1, 9);
    assert_true(score_remove_note(d.score, 1, id));
    read_note(&d, 0, 15);
    assert_int_equal(inspection_find(d.i, id), -1);
    assert_surprise_is_the_models(&d);
    put(d.score, 1, 9 * QUARTER_TICKS, QUARTER_TICKS, 48 - 9 * 5 % 7);
    read_note(&d, 0, 15);
    assert_surprise_is_the_models(&d);
    close_desk(&d);
}

static void assert_sums_to_one(struct desk *d, int note, struct inspected_look look)
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

static void test_looks_sum_to_one(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 16);
    int note = read_note(&d, 1, 10);
    for (int layer = -1; layer < 2; layer++)
        for (int head = -1; head < 2; head++) {
            assert_sums_to_one(&d, note,
                               (struct inspected_look){.layer = layer, .head = head});
            assert_sums_to_one(&d, note,
                               (struct inspected_look){.layer = layer,
                                                       .head = head,
                                                       .many = LOOK_STRONGEST});
            assert_sums_to_one(
                &d, note,
                (struct inspected_look){.layer = layer, .head = head, .row = LOOK_OWN});
            assert_sums_to_one(&d, note,
                               (struct inspected_look){.layer = layer,
                                                       .head = head,
                                                       .parts = 1 << INSPECTED_PITCH});
        }
    close_desk(&d);
}

/* By the rows of one head: what b gave to a is what a was given by b. */
static void test_being_looked_at_is_looking(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 16);
    int b = read_note(&d, 0, 12), n, a = inspection_find(d.i, id_at(d.score, 1, 3));
    inspection_notes(d.i, &n);
    float *at = calloc((size_t)n, sizeof *at), *by = calloc((size_t)n, sizeof *by);
    float other[INSPECTED_KINDS];
    assert_non_null(at);
    assert_non_null(by);
    struct inspected_look look = {.layer = 1, .head = 1};
    assert_int_equal(inspection_weights(d.i, b, &look, at, other), INSPECTION_DONE);
    look.way = IS_LOOKED_AT_BY;
    assert_int_equal(inspection_weights(d.i, a, &look, by, other), INSPECTION_DONE);
    assert_true(at[a] > 0);
    assert_float_equal(at[a], by[b], 1e-6);
    struct inspected_pair pair;
    look.way = LOOKS_AT;
    assert_int_equal(inspection_pair(d.i, b, a, &look, &pair), INSPECTION_DONE);
    assert_float_equal(pair.weight, at[a], 1e-6);
    assert_true(pair.largest >= pair.weight / 4 && pair.entropy > 0);
    free(at);
    free(by);
    close_desk(&d);
}

static void test_alternatives_are_probabilities(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 8);
    int note = read_note(&d, 0, 5), n;
    struct inspected_alternative all[TOKEN_COUNT], few[5];
    double sum = 0;
    assert_int_equal(
        inspection_alternatives(d.i, note, INSPECTED_PITCH, all, TOKEN_COUNT),
        TOKEN_COUNT);
    for (int k = 0; k < TOKEN_COUNT; k++) {
        sum += (double)all[k].probability;
        assert_true(k == 0 || all[k].probability <= all[k - 1].probability);
        if (all[k].is_chosen)
            assert_float_equal(
                -log((double)all[k].probability),
                inspection_notes(d.i, &n)[note].surprise_of[INSPECTED_PITCH], 1e-4);
    }
    assert_float_equal(sum, 1, 1e-5);
    assert_int_equal(inspection_alternatives(d.i, note, INSPECTED_PITCH, few, 5), 5);
    bool has_chosen = false;
    for (int k = 0; k < 5; k++)
        has_chosen = has_chosen || few[k].is_chosen;
    assert_true(has_chosen);
    close_desk(&d);
}

/* -- takes -- */

struct written {
    struct continued_note notes[MOST];
    size_t n;
    struct continuation_stats stats;
};

static struct continuation_options hole_options(uint64_t seed)
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

static enum continuation_state
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

static void read_take(struct desk *d, const struct continuation_options *o,
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

/* Of a take that was written in one reading. */
static void assert_probabilities_are_those_of_the_take(struct desk *d,
                                                       const struct written *w)
{
    int n, first = inspection_first_drawn(d->i);
    const struct inspected_token *tokens = inspection_tokens(d->i, &n);
    double sum = 0;
    assert_int_equal(n - first, w->stats.n_tokens);
    for (int t = first; t < n; t++)
        sum -= (double)tokens[t].surprise;
    assert_float_equal(sum, w->stats.own_log_prob, 1e-3);
}

static void test_a_hole_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct desk d;
    static struct written w;
    open_desk(&d, 16);
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct continuation_options o = hole_options(seed);
        o.hole.density = seed % 2 ? 3 : FILL_ANY;
        assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
        for (size_t k = 0; k < w.n; k += 3) {
            read_take(&d, &o, &w, k);
            assert_probabilities_are_those_of_the_take(&d, &w);
        }
        if (w.n)
            assert_sums_to_one(&d, inspection_find(d.i, w.notes[0].note.id),
                               (struct inspected_look){.layer = 0, .head = 1});
    }
    close_desk(&d);
}

static void test_a_continuation_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct desk d;
    static struct written w;
    open_desk(&d, 8);
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_CHORALE;
    o.bars = 1;
    o.max_polyphony = 1;
    o.tracks = 1;
    int n_whole = 0;
    for (o.sampling.seed = 1; o.sampling.seed < 6; o.sampling.seed++) {
        assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
        for (size_t k = 0; k < w.n; k += 2)
            read_take(&d, &o, &w, k);
        if (w.n && w.stats.n_tokens < 100) {
            assert_probabilities_are_those_of_the_take(&d, &w);
            n_whole++;
        }
    }
    assert_true(n_whole > 0);
    close_desk(&d);
}

/* Longer than the model's context, so that it was read anew on the way. */
static void test_long_takes_are_read_where_they_were_written(void **state)
{
    (void)state;
    struct desk d;
    static struct written w;
    open_desk(&d, 8);
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_CHORALE;
    o.bars = 100;
    o.max_polyphony = 1;
    o.sampling.seed = 2;
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    assert_true(w.stats.n_tokens > CONTEXT);
    for (size_t k = 0; k < w.n; k += 9)
        read_take(&d, &o, &w, k);
    o = hole_options(5);
    o.hole.from_tick = 2 * QUARTER_TICKS;
    o.hole.to_tick = 200 * QUARTER_TICKS;
    o.hole.min_notes = 40;
    o.max_polyphony = 1;
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    assert_true(w.stats.n_tokens > CONTEXT);
    for (size_t k = 0; k < w.n; k += 9)
        read_take(&d, &o, &w, k);
    close_desk(&d);
}

static void assert_same_notes(const struct written *a, const struct written *b,
                              size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_memory_equal(&a->notes[k], &b->notes[k], sizeof a->notes[k]);
}

static void test_a_take_goes_on_from_another_choice(void **state)
{
    (void)state;
    struct desk d;
    static struct written w, other, again;
    int32_t *ids;
    size_t n_ids, n_tried = 0;
    open_desk(&d, 16);
    struct continuation_options o = hole_options(3), given = o;
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    assert_true(w.n > 3);
    read_take(&d, &o, &w, 2);
    int note = inspection_find(d.i, w.notes[2].note.id);
    for (int pitch = 30; pitch < 90; pitch += 20) {
        if (pitch == w.notes[2].note.pitch)
            continue;
        assert_true(inspection_given(d.i, note, INSPECTED_PITCH, TOKEN_PITCH + pitch,
                                     &ids, &n_ids));
        given.given = ids;
        given.n_given = n_ids;
        if (write_take(&d, &given, &other) == CONTINUATION_DONE) {
            n_tried++;
            assert_true(other.n > 2);
            assert_same_notes(&w, &other, 2);
            assert_int_equal(other.notes[2].note.pitch, pitch);
            assert_int_equal(other.notes[2].note.start, w.notes[2].note.start);
            assert_int_equal(write_take(&d, &given, &again), CONTINUATION_DONE);
            assert_int_equal(other.n, again.n);
            assert_same_notes(&other, &again, other.n);
        }
        free(ids);
    }
    assert_true(n_tried > 0);
    /* what is not allowed is refused, and the take is as ever afterwards */
    int32_t wrong = TOKEN_EOS;
    given.given = &wrong;
    given.n_given = 1;
    assert_int_equal(write_take(&d, &given, &other), CONTINUATION_ERROR);
    assert_int_equal(write_take(&d, &o, &other), CONTINUATION_DONE);
    assert_int_equal(other.n, w.n);
    assert_same_notes(&w, &other, w.n);
    close_desk(&d);
}

/* What is said to be allowed is drawn on from, and nothing else. */
static void test_choices_that_are_allowed_can_be_made(void **state)
{
    (void)state;
    struct desk d;
    static struct written w, other;
    struct inspected_alternative all[TOKEN_COUNT];
    int32_t *ids;
    size_t n_ids;
    int n_allowed = 0, n_refused = 0;
    open_desk(&d, 16);
    struct continuation_options o = hole_options(6), given = o;
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    read_take(&d, &o, &w, 4);
    int note = inspection_find(d.i, w.notes[4].note.id);
    int n = inspection_alternatives(d.i, note, INSPECTED_PITCH, all, TOKEN_COUNT);
    for (int k = 0; k < n; k += 7) {
        assert_true(
            inspection_given(d.i, note, INSPECTED_PITCH, all[k].token, &ids, &n_ids));
        given.given = ids;
        given.n_given = n_ids;
        enum continuation_state state_after = write_take(&d, &given, &other);
        assert_int_equal(state_after,
                         all[k].is_allowed ? CONTINUATION_DONE : CONTINUATION_ERROR);
        n_allowed += all[k].is_allowed;
        n_refused += !all[k].is_allowed;
        free(ids);
    }
    assert_true(n_allowed > 0 && n_refused > 0);
    close_desk(&d);
}

static void test_muted_heads_write_otherwise(void **state)
{
    (void)state;
    struct desk d;
    static struct written w, other, again;
    open_desk(&d, 16);
    struct continuation_options o = hole_options(3), muted = o;
    const struct attention_head heads[] = {{ATTENTION_PAST, 0, 1},
                                           {ATTENTION_PAST, 1, 0}};
    muted.muted = heads;
    muted.n_muted = 2;
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    assert_int_equal(write_take(&d, &muted, &other), CONTINUATION_DONE);
    assert_true(fabs(other.stats.own_log_prob - w.stats.own_log_prob) > 1e-6);
    read_take(&d, &muted, &other, 0); /* and are read so */
    assert_probabilities_are_those_of_the_take(&d, &other);
    read_note(&d, 0, 3);
    assert_surprise_is_the_models(&d);
    assert_int_equal(write_take(&d, &o, &again), CONTINUATION_DONE);
    assert_int_equal(again.n, w.n);
    assert_same_notes(&w, &again, w.n);
    assert_int_equal(write_take(&d, &muted, &again), CONTINUATION_DONE);
    assert_int_equal(again.n, other.n);
    assert_same_notes(&other, &again, other.n);
    close_desk(&d);
}

/* -- cause -- */

static double probability_without(struct desk *d, int track, int gone, int asked)
{
    struct score *less = score_clone(d->score);
    struct inspection *i;
    assert_non_null(less);
    assert_true(score_remove_note(less, track, id_at(less, track, gone)));
    assert_int_equal(inspection_create(&i, d->f.model, d->f.pool), MODEL_OK);
    struct inspection_request r = of_note(id_at(d->score, 0, asked));
    assert_int_equal(inspection_read(i, less, &r), INSPECTION_DONE);
    int n, note = inspection_find(i, r.note);
    double nats = (double)inspection_notes(i, &n)[note].surprise;
    inspection_destroy(i);
    score_destroy(less);
    return -nats;
}

static void test_muting_is_reading_without(void **state)
{
    (void)state;
    struct desk d;
    struct inspected_effect e;
    open_desk(&d, 16);
    int note = read_note(&d, 0, 12), n;
    const struct inspected_note *notes = inspection_notes(d.i, &n);
    for (int gone = 2; gone < 12; gone += 4) {
        struct inspected_mute m = {
            .what = MUTE_NOTE, .note = inspection_find(d.i, id_at(d.score, 1, gone))};
        assert_int_equal(inspection_mute(d.i, note, &m, &e), INSPECTION_DONE);
        assert_float_equal(e.before, -notes[note].surprise, 1e-4);
        assert_float_equal(e.after, probability_without(&d, 1, gone, 12), 1e-3);
        assert_true(fabsf(e.after - e.before) > 1e-6f);
    }
    struct inspected_mute later = {.what = MUTE_NOTE,
                                   .note = inspection_find(d.i, id_at(d.score, 1, 15))};
    assert_int_equal(inspection_mute(d.i, note, &later, &e), INSPECTION_DONE);
    assert_float_equal(e.before, e.after, 1e-4);
    struct inspected_mute head = {.what = MUTE_HEAD, .head = {ATTENTION_PAST, 1, 1}};
    assert_int_equal(inspection_mute(d.i, note, &head, &e), INSPECTION_DONE);
    assert_true(fabsf(e.after - e.before) > 1e-6f);
    struct inspected_mute track = {.what = MUTE_TRACK, .track = 1};
    assert_int_equal(inspection_mute(d.i, note, &track, &e), INSPECTION_DONE);
    assert_true(fabsf(e.after - e.before) > 1e-6f);
    struct inspected_mute bar = {
        .what = MUTE_SPAN, .from = 4 * QUARTER_TICKS, .to = 8 * QUARTER_TICKS};
    assert_int_equal(inspection_mute(d.i, note, &bar, &e), INSPECTION_DONE);
    assert_true(fabsf(e.after - e.before) > 1e-6f);
    assert_surprise_is_the_models(&d); /* what was read stands */
    close_desk(&d);
}

static void test_a_note_of_a_take_is_asked_for_its_cause(void **state)
{
    (void)state;
    struct desk d;
    static struct written w;
    struct inspected_effect e;
    open_desk(&d, 16);
    struct continuation_options o = hole_options(4);
    assert_int_equal(write_take(&d, &o, &w), CONTINUATION_DONE);
    assert_true(w.n > 2);
    read_take(&d, &o, &w, w.n - 1);
    int note = inspection_find(d.i, w.notes[w.n - 1].note.id);
    /* a note of the score after the hole, which stands before it in the sequence */
    struct inspected_mute m = {.what = MUTE_NOTE,
                               .note = inspection_find(d.i, id_at(d.score, 1, 13))};
    assert_true(m.note >= 0);
    assert_int_equal(inspection_mute(d.i, note, &m, &e), INSPECTION_DONE);
    assert_true(fabsf(e.after - e.before) > 1e-6f);
    m.note = inspection_find(d.i, w.notes[0].note.id);
    assert_int_equal(inspection_mute(d.i, note, &m, &e), INSPECTION_DONE);
    assert_true(fabsf(e.after - e.before) > 1e-6f);
    close_desk(&d);
}

/* -- long pieces -- */

static void test_windows_have_every_note_once(void **state)
{
    (void)state;
    struct desk d;
    open_desk(&d, 400);
    struct inspection_request r = of_note(0);
    size_t n_notes = 0;
    int n, own, n_windows = 1;
    for (int k = 0; k < n_windows; k++) {
        assert_int_equal(inspection_read_window(d.i, d.score, &r, k, &own),
                         INSPECTION_DONE);
        n_windows = inspection_n_windows(d.i);
        inspection_notes(d.i, &n);
        n_notes += (size_t)(n - own);
        assert_true(k == 0 || own > n / 2);
    }
    assert_int_equal(n_notes, 800);
    assert_true(n_windows > 5);
    int note = read_note(&d, 0, 300);
    assert_true(note > 30); /* most of the context is before it */
    close_desk(&d);
}

static int32_t first_bar_of_window(const struct score *s, int64_t tick)
{
    struct inspection_windows w;
    assert_int_equal(inspection_windows_init(&w, s, CONTEXT), MIDI_OK);
    int32_t first = w.list[inspection_windows_at(&w, tick)].first_bar;
    inspection_windows_fini(&w);
    return first;
}

/* An edit far before moves the windows, but not what is being looked at. */
static void test_a_window_stands_while_it_serves(void **state)
{
    (void)state;
    struct desk d;
    int64_t from, to, from_after, tick = 300 * QUARTER_TICKS;
    open_desk(&d, 400);
    while (d.score->tracks[1].n_notes) /* so that windows are several bars apart */
        assert_true(score_remove_note(d.score, 1, id_at(d.score, 1, 0)));
    int note = read_note(&d, 0, 300);
    inspection_span(d.i, &from, &to);
    int32_t first = first_bar_of_window(d.score, tick);
    for (int k = 0; k < 100 && first_bar_of_window(d.score, tick) == first; k++)
        put(d.score, 1, (80 + k % 7) * QUARTER_TICKS + 10 * k, 60, 30 + k % 20);
    assert_int_not_equal(first_bar_of_window(d.score, tick), first);
    assert_int_equal(read_note(&d, 0, 300), note);
    inspection_span(d.i, &from_after, &to);
    assert_int_equal(from, from_after);
    assert_surprise_is_the_models(&d);
    inspection_forget(d.i);
    read_note(&d, 0, 300);
    inspection_span(d.i, &from_after, &to);
    assert_int_not_equal(from, from_after);
    close_desk(&d);
}

/* A piece that has become short is read whole, from wherever it was looked at. */
static void test_what_has_become_short_is_read_whole(void **state)
{
    (void)state;
    struct desk d;
    int n;
    open_desk(&d, 100);
    read_note(&d, 0, 99);
    assert_true(inspection_n_windows(d.i) > 1);
    while (d.score->tracks[1].n_notes)
        assert_true(score_remove_note(d.score, 1, id_at(d.score, 1, 0)));
    for (int k = 0; k < 60; k++) /* of those in the middle */
        assert_true(score_remove_note(d.score, 0, id_at(d.score, 0, 30)));
    read_note(&d, 0, 39);
    assert_int_equal(inspection_n_windows(d.i), 1);
    inspection_notes(d.i, &n);
    assert_int_equal(n, 40);
    close_desk(&d);
}

static void test_the_worst_bar(void **state)
{
    (void)state;
    struct desk d;
    struct bar bar;
    float mean;
    open_desk(&d, 4);
    const struct note_surprise notes[] = {
        {1, 0, 0, 2.0f},    {2, 0, 480, 2.0f},  {3, 1, 1920, 1.0f},
        {4, 1, 2400, 4.0f}, {5, 0, 3840, 9.0f}, /* alone in its bar */
    };
    const struct timeline *t = &d.score->timeline;
    assert_true(surprise_worst_bar(t, notes, 5, 0, &bar, &mean));
    assert_int_equal(bar.index, 1);
    assert_float_equal(mean, 2.5, 1e-6);
    assert_true(surprise_worst_bar(t, notes, 5, 1, &bar, &mean));
    assert_int_equal(bar.index, 0);
    assert_false(surprise_worst_bar(t, notes, 0, 0, &bar, &mean));
    assert_ptr_equal(surprise_find(notes, 5, 4), &notes[3]);
    assert_null(surprise_find(notes, 5, 6));
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_are_those_of_the_score),
        cmocka_unit_test(test_an_edit_is_followed),
        cmocka_unit_test(test_looks_sum_to_one),
        cmocka_unit_test(test_being_looked_at_is_looking),
        cmocka_unit_test(test_alternatives_are_probabilities),
        cmocka_unit_test(test_a_hole_is_read_as_it_was_written),
        cmocka_unit_test(test_a_continuation_is_read_as_it_was_written),
        cmocka_unit_test(test_long_takes_are_read_where_they_were_written),
        cmocka_unit_test(test_a_take_goes_on_from_another_choice),
        cmocka_unit_test(test_choices_that_are_allowed_can_be_made),
        cmocka_unit_test(test_muted_heads_write_otherwise),
        cmocka_unit_test(test_muting_is_reading_without),
        cmocka_unit_test(test_a_note_of_a_take_is_asked_for_its_cause),
        cmocka_unit_test(test_windows_have_every_note_once),
        cmocka_unit_test(test_a_window_stands_while_it_serves),
        cmocka_unit_test(test_what_has_become_short_is_read_whole),
        cmocka_unit_test(test_the_worst_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
