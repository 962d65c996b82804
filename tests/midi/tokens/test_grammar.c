/* Whatever is sampled under the mask parses, stays in its hole, and ends; and
 * the mask refuses nothing it need not. A model is stood in for by choosers
 * from fair to malicious. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/tokens/grammar.h"
#include "midi/tokens/parser.h"
#include "tests/midi/random_piece.h"

enum { N_HOLES = 6000, N_PHRASES = 2000, MAX_IDS = 1 << 16, MAX_BLOCKED = 6 };

/* One hole being filled: the sequence so far, context and sampled. */
struct run {
    struct grammar *g;
    struct hole hole;
    struct grid_note blocked[MAX_BLOCKED];
    int n_blocked;
    int32_t ids[MAX_IDS];
    size_t n, n_context;
};

enum chooser { FAIR, LOWEST, HIGHEST, NO_BARS, LONGEST, N_CHOOSERS };

static int32_t nth_allowed(const uint8_t *allowed, int n)
{
    for (int32_t id = 0; id < TOKEN_COUNT; id++)
        if (allowed[id] && n-- == 0)
            return id;
    return -1;
}

static int32_t choose(const uint8_t *allowed, int n, enum chooser how, uint64_t *r)
{
    if (how == LOWEST)
        return nth_allowed(allowed, 0);
    if (how == HIGHEST)
        return nth_allowed(allowed, n - 1);
    /* Every note, or every token, that can be had. */
    int first = how != FAIR && allowed[TOKEN_BAR] && n > 1;
    if (how == LONGEST && !allowed[TOKEN_DUR])
        return nth_allowed(allowed, first);
    return nth_allowed(allowed, first + random_below(r, n - first));
}

/* A beginning of the piece's tokens that stops between notes, and after the
 * first meter. */
static size_t context_length(const struct tokens *t, uint64_t *r)
{
    size_t n = 1 + (size_t)random_below(r, (int)t->n);
    struct parser at;
    parser_init(&at);
    for (size_t i = 0; i < t->n; i++) {
        assert_true(parser_feed(&at, t->id[i]));
        if (i + 1 >= n && parser_is_between(&at))
            return i + 1;
    }
    return t->n;
}

static int64_t where_it_stands(const int32_t *ids, size_t n)
{
    struct parser at;
    parser_init(&at);
    for (size_t i = 0; i < n; i++)
        assert_true(parser_feed(&at, ids[i]));
    return at.bar_start + (at.onset > 0 ? at.onset : 0);
}

/* Most are declared. */
static int random_track(const struct piece *p, uint64_t *r)
{
    uint64_t declared = random_below(r, 6) ? piece_declared(p) : UINT64_MAX;
    int track = random_below(r, TOKEN_MAX_TRACKS);
    while (declared && !(declared >> track & 1))
        track = (track + 1) % TOKEN_MAX_TRACKS;
    return track;
}

/* Near where the context stands, before or after; sometimes empty, or long. */
static struct hole random_hole(const struct piece *p, int64_t near, uint64_t *r)
{
    bool is_long = random_below(r, 16) == 0;
    struct hole h = {.from = near + random_below(r, 120) - 60};
    h.to = h.from + random_below(r, is_long ? 8000 : 50);
    h.pitch_lo = (uint8_t)random_below(r, 128);
    h.pitch_hi = (uint8_t)(h.pitch_lo + (is_long ? 0 : random_below(r, 5)));
    for (int n = random_below(r, 3); n >= 0; n--)
        h.tracks[random_track(p, r)] = true;
    hole_free_tracks(&h);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (random_below(r, 6) == 0)
            h.low[t] = (uint8_t)random_below(r, 128);
        if (random_below(r, 6) == 0)
            h.high[t] = (uint8_t)random_below(r, 256);
        h.max_polyphony[t] = random_below(r, 2) ? random_below(r, 5) : 0;
    }
    h.drums = piece_drums(p);
    h.scale = random_below(r, 3) ? 0 : (uint16_t)random_below(r, 0x10000);
    return h;
}

static void block_some(struct run *run, uint64_t *r)
{
    run->n_blocked = random_below(r, 2) ? random_below(r, MAX_BLOCKED + 1) : 0;
    for (int i = 0; i < run->n_blocked; i++) {
        struct grid_note *n = &run->blocked[i];
        int64_t step = run->hole.from + random_below(r, 40);
        *n = (struct grid_note){.step = step > 0 ? (int32_t)step : 0,
                                .length = 1 + random_below(r, 30),
                                .track = (uint8_t)random_below(r, 4),
                                .pitch = run->hole.pitch_lo};
        assert_int_equal(grammar_block(run->g, n->track, n->pitch, n->step, n->length),
                         MIDI_OK);
    }
}

static void feed(struct run *run, int32_t id)
{
    assert_true(run->n < MAX_IDS);
    assert_int_equal(grammar_feed(run->g, id), MIDI_OK);
    run->ids[run->n++] = id;
}

static void start(struct run *run, const struct piece *p, uint64_t *r)
{
    struct tokens t;
    assert_int_equal(tokens_encode(&t, p, false), MIDI_OK);
    size_t n = context_length(&t, r);
    run->hole = random_hole(p, where_it_stands(t.id, n), r);
    grammar_start(run->g, &run->hole);
    block_some(run, r);
    run->n = 0;
    for (size_t i = 0; i < n; i++)
        feed(run, t.id[i]);
    run->n_context = n;
    tokens_fini(&t);
}

static void fill(struct run *run, enum chooser how, uint64_t *r)
{
    uint8_t allowed[TOKEN_COUNT];
    int64_t most = hole_max_tokens(&run->hole);
    while (!grammar_done(run->g)) {
        int n = grammar_allow(run->g, allowed);
        assert_true(n > 0);
        assert_true((int64_t)(run->n - run->n_context) < most);
        feed(run, choose(allowed, n, how, r));
    }
    assert_int_equal(grammar_allow(run->g, allowed), 0);
    assert_true(grammar_bar_start(run->g) >= run->hole.to);
}

static bool overlaps(const struct grid_note *a, const struct grid_note *b)
{
    return a->track == b->track && a->pitch == b->pitch &&
           a->step < b->step + b->length && b->step < a->step + a->length;
}

static bool overlaps_any(const struct grid_note *notes, size_t n,
                         const struct grid_note *other)
{
    for (size_t i = 0; i < n; i++)
        if (overlaps(&notes[i], other))
            return true;
    return false;
}

/* Notes before i of its track that sound when it begins, a pitch counted once. */
static int count_sounding(const struct piece *p, size_t i)
{
    bool sounds[N_PITCHES] = {false};
    int n = 0;
    for (size_t k = 0; k < i; k++) {
        const struct grid_note *a = &p->notes[k], *b = &p->notes[i];
        if (a->track == b->track && a->step + a->length > b->step) {
            n += !sounds[a->pitch];
            sounds[a->pitch] = true;
        }
    }
    return n;
}

static void check_pitch(const struct hole *h, const struct grid_note *n)
{
    assert_true(n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi);
    assert_true(h->scale == 0 || (h->scale >> n->pitch % 12 & 1));
}

static void check_note(const struct run *run, const struct piece *p, size_t i)
{
    const struct hole *h = &run->hole;
    const struct grid_note *n = &p->notes[i];
    assert_true(n->step >= h->from && n->step + n->length <= h->to);
    assert_true(n->pitch >= h->low[n->track] && n->pitch <= h->high[n->track]);
    if (!piece_is_hit(p, n))
        check_pitch(h, n);
    assert_true(h->tracks[n->track]);
    assert_false(overlaps_any(p->notes, i, n));
    assert_false(overlaps_any(run->blocked, (size_t)run->n_blocked, n));
    if (h->max_polyphony[n->track] > 0)
        assert_true(count_sounding(p, i) < h->max_polyphony[n->track]);
}

/* Returns how many notes were sampled. */
static size_t check(const struct run *run)
{
    struct piece whole, context;
    assert_int_equal(tokens_decode(&context, run->ids, run->n_context), MIDI_OK);
    assert_int_equal(tokens_decode(&whole, run->ids, run->n), MIDI_OK);
    assert_true(whole.n_notes >= context.n_notes);
    for (size_t i = 0; i < context.n_notes; i++)
        assert_int_equal(grid_note_compare(&whole.notes[i], &context.notes[i]), 0);
    for (size_t i = context.n_notes; i < whole.n_notes; i++)
        check_note(run, &whole, i);
    size_t n_sampled = whole.n_notes - context.n_notes;
    piece_fini(&context);
    piece_fini(&whole);
    return n_sampled;
}

static void every_hole_ends_filled_and_nothing_else(void **state)
{
    (void)state;
    uint64_t r = 5;
    struct run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->g = grammar_create();
    assert_non_null(run->g);
    size_t n_with_notes = 0;
    for (int i = 0; i < N_HOLES; i++) {
        struct piece p = random_piece(&r);
        if (p.n_bars > 0) {
            start(run, &p, &r);
            fill(run, (enum chooser)(i % N_CHOOSERS), &r);
            n_with_notes += check(run) > 0;
        }
        piece_fini(&p);
    }
    assert_in_range(n_with_notes, N_HOLES / 4, N_HOLES);
    grammar_destroy(run->g);
    free(run);
}

/* Leaves out what overlaps an earlier note of its pitch, and meter changes. */
static void make_phrase(struct piece *p)
{
    p->n_meters = 1;
    p->n_bars = (int32_t)piece_bar_at(p, TOKEN_MAX_STEPS / 2);
    size_t kept = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!overlaps_any(p->notes, kept, &p->notes[i]))
            p->notes[kept++] = p->notes[i];
    }
    p->n_notes = kept;
    p->n_chords = 0; /* none is sampled */
    int32_t last = kept ? p->notes[kept - 1].step : 0;
    p->n_bars = (int32_t)piece_bar_at(p, last) + 1;
}

/* The closest hole that holds all of a piece's notes. */
static struct hole hole_around(const struct piece *p)
{
    struct hole h = {.from = INT32_MAX, .to = 0, .pitch_lo = 127, .pitch_hi = 0};
    hole_free_tracks(&h);
    memset(h.low, 127, sizeof h.low);
    memset(h.high, 0, sizeof h.high);
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        h.from = n->step < h.from ? n->step : h.from;
        h.to = n->step + n->length > h.to ? n->step + n->length : h.to;
        h.pitch_lo = n->pitch < h.pitch_lo ? n->pitch : h.pitch_lo;
        h.pitch_hi = n->pitch > h.pitch_hi ? n->pitch : h.pitch_hi;
        h.scale |= (uint16_t)(1 << n->pitch % 12);
        h.tracks[n->track] = true;
        uint8_t *low = &h.low[n->track], *high = &h.high[n->track];
        *low = n->pitch < *low ? n->pitch : *low;
        *high = n->pitch > *high ? n->pitch : *high;
        int n_voices = count_sounding(p, i) + 1, *most = &h.max_polyphony[n->track];
        *most = n_voices > *most ? n_voices : *most;
    }
    return h;
}

static void phrases_that_fit_are_allowed(void **state)
{
    (void)state;
    uint64_t r = 6;
    struct grammar *g = grammar_create();
    assert_non_null(g);
    for (int i = 0; i < N_PHRASES; i++) {
        struct piece p = random_piece(&r);
        if (p.n_notes > 0) {
            make_phrase(&p);
            struct hole h = hole_around(&p);
            struct tokens t;
            assert_int_equal(tokens_encode(&t, &p, false), MIDI_OK);
            grammar_start(g, &h);
            bool has_meter = false;
            for (size_t k = 0; k < t.n; k++) {
                uint8_t allowed[TOKEN_COUNT];
                grammar_allow(g, allowed);
                assert_true(!has_meter || allowed[t.id[k]]);
                has_meter = has_meter || token_kind(t.id[k]) == TOKEN_DEN;
                assert_int_equal(grammar_feed(g, t.id[k]), MIDI_OK);
            }
            tokens_fini(&t);
        }
        piece_fini(&p);
    }
    grammar_destroy(g);
}

#define FEED(g, ...)                                                                   \
    feed_all(g, (const int32_t[]){__VA_ARGS__},                                        \
             sizeof(const int32_t[]){__VA_ARGS__} / sizeof(int32_t))

static void feed_all(struct grammar *g, const int32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(grammar_feed(g, ids[i]), MIDI_OK);
}

static int count(const uint8_t *allowed, int32_t first, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += allowed[first + i];
    return sum;
}

/* One voice in bar 2 of 4/4, from its second beat, pitches 60 to 62. */
static void small_hole_by_hand(void **state)
{
    (void)state;
    struct hole h = {.from = 120,
                     .to = 160,
                     .pitch_lo = 60,
                     .pitch_hi = 62,
                     .tracks = {true},
                     .high = {127},
                     .max_polyphony = {1}};
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    assert_int_equal(grammar_allow(g, allowed), 1);
    assert_true(allowed[TOKEN_BAR]);

    FEED(g, TOKEN_BAR);
    assert_int_equal(grammar_allow(g, allowed), 1 + 40);
    assert_int_equal(count(allowed, TOKEN_POS + 24, 40), 40);
    FEED(g, TOKEN_POS + 62);
    assert_int_equal(grammar_allow(g, allowed), 1);
    FEED(g, TOKEN_TRACK);
    assert_int_equal(grammar_allow(g, allowed), TOKEN_VELOCITIES);
    FEED(g, TOKEN_VEL + 9);
    assert_int_equal(grammar_allow(g, allowed), 3);
    FEED(g, TOKEN_PITCH + 61);
    assert_int_equal(grammar_allow(g, allowed), 2);
    assert_int_equal(grammar_feed(g, TOKEN_BAR), MIDI_BAD_TOKEN);
    FEED(g, TOKEN_DUR + 1);

    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.step, 158);
    assert_int_equal(note.length, 2);
    assert_int_equal(grammar_step(g), 158);
    assert_int_equal(grammar_bar_start(g), 96);
    assert_int_equal(grammar_allow(g, allowed), 1); /* the one voice is taken */
    FEED(g, TOKEN_BAR);
    assert_true(grammar_done(g));
    assert_false(grammar_note(g, &note));
    grammar_destroy(g);
}

/* Two tracks of a band, of which one is drums, whatever the hole says of it, and one more
 * that is not declared. Each has its own range; that of drums is theirs. */
static void drums_are_hit(void **state)
{
    (void)state;
    struct hole h = {.to = 96,
                     .pitch_lo = 60,
                     .pitch_hi = 72,
                     .scale = 1,
                     .tracks = {true, true, true},
                     .low = {65, 36},
                     .high = {127, 127},
                     .max_polyphony = {1}};
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY + 4);
    FEED(g, TOKEN_TRACK + 1, TOKEN_FAMILY + FAMILY_DRUMS);
    FEED(g, TOKEN_BAR, TOKEN_NUM + 3, TOKEN_DEN + 2, TOKEN_POS + 24, TOKEN_CHORD + 7);
    assert_int_equal(grammar_allow(g, allowed), 1 + 71 + 2);
    FEED(g, TOKEN_TRACK, TOKEN_VEL);
    assert_int_equal(grammar_allow(g, allowed), 1);
    assert_true(allowed[TOKEN_PITCH + 72]);
    FEED(g, TOKEN_PITCH + 72, TOKEN_DUR + 71, TOKEN_TRACK + 1, TOKEN_VEL + 30);
    assert_int_equal(grammar_allow(g, allowed), HIT_COUNT - 1);
    assert_int_equal(count(allowed, TOKEN_HIT + 1, HIT_COUNT - 1), HIT_COUNT - 1);
    FEED(g, TOKEN_HIT + 10);
    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.pitch, 45);
    assert_int_equal(note.length, HIT_STEPS);
    assert_int_equal(grammar_allow(g, allowed),
                     1 + 71 + TOKEN_VELOCITIES - 1 + HIT_COUNT - 11);
    assert_int_equal(count(allowed, TOKEN_HIT, 11), 0); /* one of a key, rising */
    FEED(g, TOKEN_POS + 25);
    assert_int_equal(grammar_allow(g, allowed), TOKEN_VELOCITIES - 1 + HIT_COUNT - 1);
    FEED(g, TOKEN_HIT + 10, TOKEN_BAR);
    assert_true(grammar_done(g));
    grammar_destroy(g);
}

static void blocked_notes_are_kept_off(void **state)
{
    (void)state;
    struct hole h = {
        .to = 96, .pitch_lo = 60, .pitch_hi = 60, .tracks = {true}, .high = {127}};
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    assert_int_equal(grammar_block(g, 0, 60, 30, 10), MIDI_OK);
    assert_int_equal(grammar_block(g, 0, 61, 0, 96), MIDI_OK);
    assert_int_equal(grammar_block(g, 0, 60, 20, 4), MIDI_OK);
    assert_int_equal(grammar_block(g, TOKEN_MAX_TRACKS, 60, 0, 1), MIDI_TOO_LONG);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    assert_int_equal(grammar_allow(g, allowed), 1 + 96 - 14);
    assert_int_equal(count(allowed, TOKEN_POS + 20, 4), 0);
    assert_int_equal(count(allowed, TOKEN_POS + 30, 10), 0);
    FEED(g, TOKEN_POS + 24, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 6);
    grammar_destroy(g);
}

/* Holes at and past the limits of a sequence, or with nothing in them. */
static void extreme_holes_still_end(void **state)
{
    (void)state;
    const struct hole holes[] = {
        {.from = INT64_MIN,
         .to = INT64_MAX,
         .pitch_hi = 255,
         .tracks = {true},
         .high = {127}},
        {.from = INT64_MAX,
         .to = INT64_MIN,
         .pitch_hi = 127,
         .tracks = {true},
         .high = {127}},
        {.from = 0,
         .to = 1000,
         .pitch_lo = 9,
         .pitch_hi = 8,
         .tracks = {true},
         .high = {127}},
        {.from = 0, .to = 1000, .pitch_hi = 127},
    };
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        int64_t most = hole_max_tokens(&holes[i]);
        assert_true(most >= 0);
        grammar_start(g, &holes[i]);
        FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR,
             TOKEN_NUM + 63, TOKEN_DEN);
        for (; !grammar_done(g); most--) {
            assert_true(most > 0);
            assert_true(grammar_allow(g, allowed) > 0 && allowed[TOKEN_BAR]);
            FEED(g, TOKEN_BAR);
        }
    }
    grammar_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hole_ends_filled_and_nothing_else),
        cmocka_unit_test(phrases_that_fit_are_allowed),
        cmocka_unit_test(small_hole_by_hand),
        cmocka_unit_test(drums_are_hit),
        cmocka_unit_test(blocked_notes_are_kept_off),
        cmocka_unit_test(extreme_holes_still_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
