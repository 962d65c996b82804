/* Whatever is sampled in a hole that is asked for stays in it and off all that is
 * around it, decodes, leaves the rest alone, and ends; and the mask refuses nothing
 * that would do the same. A model is stood in for by choosers from fair to malicious.
 * CONTINUO_HOLES says how many random holes, for a longer proof than make test's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/grammar.h"
#include "tests/midi/hole_oracle.h"

enum { N_HOLES = 10000, N_TAUGHT = 3000, MAX_IDS = 1 << 20 };

/* One hole being filled: what is asked, and the sequence so far. */
struct run {
    struct grammar *g;
    struct asked asked;
    int32_t ids[MAX_IDS];
    size_t n, n_asked;
    bool was_forced; /* the last token was the only one */
};

enum chooser { FAIR, FIRST, LAST, NO_END, BARS, LONGEST, DENSE, N_CHOOSERS };

static struct run *run_create(void)
{
    struct run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->g = grammar_create();
    assert_non_null(run->g);
    return run;
}

static void run_destroy(struct run *run)
{
    grammar_destroy(run->g);
    free(run);
}

static int32_t nth_allowed(const uint8_t *allowed, int n)
{
    for (int32_t id = 0; id < TOKEN_COUNT; id++)
        if (allowed[id] && n-- == 0)
            return id;
    return -1;
}

/* BAR is the first of all tokens that can be, FILL_END the last. */
static int32_t choose(const uint8_t *allowed, int n, enum chooser how, uint64_t *r)
{
    int last = n - 1, bar = allowed[TOKEN_BAR];
    int but_end = last - (n > 1 && allowed[TOKEN_FILL_END]);
    if (how == FIRST || (how == BARS && bar))
        return nth_allowed(allowed, 0);
    if (how == LAST || (how == LONGEST && allowed[TOKEN_DUR]))
        return nth_allowed(allowed, last);
    if (how == NO_END)
        return nth_allowed(allowed, but_end);
    if (how == DENSE && but_end >= bar)
        return nth_allowed(allowed, bar + random_below(r, but_end - bar + 1));
    return nth_allowed(allowed, random_below(r, n));
}

/* So few steps, pitches and tracks that every note of it can be had. */
static void make_small(struct fill_request *q, uint64_t *r)
{
    q->to = smaller(q->to, q->from + 1 + random_below(r, 60));
    q->pitch_hi = (uint8_t)smaller(q->pitch_hi, q->pitch_lo + random_below(r, 4));
    q->tracks &= UINT64_C(7) << random_below(r, 8);
    q->tracks |= q->tracks ? 0 : UINT64_C(9);
}

/* Most agree with what is asked; the others hold part of it, if anything. */
static struct hole random_hole(const struct fill_request *q, uint64_t *r)
{
    struct hole h = hole_from_request(q);
    if (random_below(r, 5) == 0) {
        h.from += random_below(r, 60) - 30;
        h.to += random_below(r, 60) - 30;
        h.pitch_lo = (uint8_t)random_below(r, h.pitch_lo + 2);
        h.pitch_hi = (uint8_t)random_below(r, 256);
        h.tracks[random_below(r, 4)] = random_below(r, 2);
    }
    h.max_polyphony = random_below(r, 2) ? random_below(r, 5) : 0;
    h.min_notes = random_below(r, 2) ? random_below(r, 30) : 0;
    return h;
}

/* What stays may sound for long, and into the hole. */
static void lengthen_some(struct piece *around, uint64_t *r)
{
    for (size_t i = 0; i < around->n_notes; i++)
        if (random_below(r, 4) == 0)
            around->notes[i].length = random_length(r);
    piece_sort(around);
}

static void block_some(struct run *run, uint64_t *r)
{
    run->asked.n_blocked =
        random_below(r, 3) ? 0 : (size_t)random_below(r, ASKED_MAX_BLOCKED + 1);
    for (size_t i = 0; i < run->asked.n_blocked; i++) {
        struct grid_note n = {.step =
                                  run->asked.fill.request.from + random_below(r, 40),
                              .length = 1 + random_below(r, 30),
                              .track = (uint8_t)random_below(r, 4),
                              .pitch = run->asked.fill.request.pitch_lo};
        assert_int_equal(grammar_block(run->g, n.track, n.pitch, n.step, n.length),
                         MIDI_OK);
        run->asked.blocked[i] = n;
    }
}

static void feed(struct run *run, int32_t id)
{
    assert_true(run->n < MAX_IDS);
    assert_int_equal(grammar_feed(run->g, id), MIDI_OK);
    run->ids[run->n++] = id;
}

/* Nothing may be sampled before the request is whole. */
static void ask(struct run *run)
{
    uint8_t allowed[TOKEN_COUNT];
    bool has_mark = false;
    struct tokens t;
    run->n = 0;
    assert_int_equal(fill_encode(&t, &run->asked.fill, false), MIDI_OK);
    for (size_t i = 0; i < t.n; i++) {
        if (has_mark && t.id[i] == TOKEN_FILL)
            assert_int_equal(grammar_allow(run->g, allowed), 0);
        feed(run, t.id[i]);
        has_mark = has_mark || t.id[i] == TOKEN_HOLE;
    }
    run->n_asked = t.n;
    tokens_fini(&t);
}

static void sample(struct run *run, enum chooser how, uint64_t *r)
{
    uint8_t allowed[TOKEN_COUNT];
    int64_t most = hole_max_tokens(&run->asked.hole);
    while (!grammar_done(run->g)) {
        int n = grammar_allow(run->g, allowed);
        assert_true(n > 0);
        assert_true((int64_t)(run->n - run->n_asked) < most);
        run->was_forced = n == 1;
        feed(run, choose(allowed, n, how, r));
    }
    assert_int_equal(grammar_allow(run->g, allowed), 0);
    assert_int_equal(run->ids[run->n - 1], TOKEN_FILL_END);
}

/* Each note as if it were the last to be put there. */
static void check_notes(const struct run *run, const struct piece *inside)
{
    int voices = run->asked.hole.max_polyphony;
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *n = &inside->notes[i];
        const struct piece before = {.notes = inside->notes, .n_notes = i};
        assert_true(fits(&run->asked, &before, n));
        if (voices > 0)
            assert_in_range(count_sounding(inside, n->track, n->step), 1, voices);
    }
}

/* Returns how many notes were sampled. */
static size_t check(const struct run *run)
{
    struct fill back;
    assert_int_equal(fill_decode(&back, run->ids, run->n), MIDI_OK);
    assert_true(pieces_equal(&back.around, &run->asked.fill.around));
    assert_true(requests_equal(&back.request, &run->asked.fill.request));
    check_notes(run, &back.inside);
    size_t n = back.inside.n_notes;
    if ((int64_t)n < run->asked.hole.min_notes) {
        assert_true(run->was_forced);
        assert_false(another_fits(&run->asked, &back.inside));
    }
    fill_fini(&back);
    return n;
}

static int count_holes(void)
{
    const char *wanted = getenv("CONTINUO_HOLES");
    long n = wanted ? strtol(wanted, NULL, 10) : 0;
    return n > 0 && n < INT32_MAX ? (int)n : N_HOLES;
}

/* Those who take all they can get have small holes, the others of any size. */
static void start(struct run *run, enum chooser how, uint64_t *r)
{
    bool takes_all = how == FIRST || how == NO_END || how == DENSE;
    run->asked.fill = random_fill(r);
    run->asked.fill.inside.n_notes = 0;
    if (takes_all || random_below(r, 2))
        make_small(&run->asked.fill.request, r);
    lengthen_some(&run->asked.fill.around, r);
    run->asked.hole = random_hole(&run->asked.fill.request, r);
    grammar_start(run->g, &run->asked.hole);
    block_some(run, r);
    ask(run);
}

static void every_hole_ends_filled_and_nothing_else(void **state)
{
    (void)state;
    struct run *run = run_create();
    int n = count_holes(), n_filled = 0, n_starved = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i; /* each hole can be had again by itself */
        enum chooser how = (enum chooser)(i % N_CHOOSERS);
        start(run, how, &r);
        sample(run, how, &r);
        size_t n_notes = check(run);
        n_filled += n_notes > 0;
        n_starved += (int64_t)n_notes < run->asked.hole.min_notes;
        fill_fini(&run->asked.fill);
    }
    assert_in_range(n_filled, n / 2, n);
    assert_in_range(n_starved, n / 20, n / 2);
    run_destroy(run);
}

/* Leaves out what would not fit with what comes before it. */
static void keep_what_fits(struct run *run)
{
    struct piece *inside = &run->asked.fill.inside;
    size_t n = inside->n_notes;
    inside->n_notes = 0;
    for (size_t i = 0; i < n; i++)
        if (fits(&run->asked, inside, &inside->notes[i]))
            inside->notes[inside->n_notes++] = inside->notes[i];
    run->asked.hole.min_notes = (int)inside->n_notes;
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *a = &inside->notes[i];
        int voices = count_sounding(inside, a->track, a->step);
        if (voices > run->asked.hole.max_polyphony)
            run->asked.hole.max_polyphony = voices;
    }
}

/* Any notes that fit, in the closest hole, which ends when they are there. */
static void notes_that_fit_are_allowed(void **state)
{
    (void)state;
    struct run *run = run_create();
    uint8_t allowed[TOKEN_COUNT];
    for (int i = 0; i < N_TAUGHT; i++) {
        uint64_t r = (uint64_t)i;
        struct tokens t;
        run->asked.fill = random_fill(&r);
        random_inside(&run->asked.fill, &r);
        run->asked.hole = hole_from_request(&run->asked.fill.request);
        keep_what_fits(run);
        grammar_start(run->g, &run->asked.hole);
        ask(run);
        assert_int_equal(fill_encode(&t, &run->asked.fill, true), MIDI_OK);
        for (size_t k = run->n_asked; k < t.n; k++) {
            assert_true(grammar_allow(run->g, allowed) > 0);
            assert_true(allowed[t.id[k]]);
            assert_int_equal(allowed[TOKEN_FILL_END], k + 1 == t.n);
            assert_int_equal(grammar_feed(run->g, t.id[k]), MIDI_OK);
        }
        assert_true(grammar_done(run->g));
        tokens_fini(&t);
        fill_fini(&run->asked.fill);
    }
    run_destroy(run);
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

/* Bars of 4/4: a note sounds from 36 to 60, one is to come from 80 to 90, and one of
 * another pitch from 72. Asked: 48 to 144, pitch 60, two notes at least. */
static void a_hole_by_hand(void **state)
{
    (void)state;
    const struct hole h = {.from = 48,
                           .to = 144,
                           .pitch_lo = 60,
                           .pitch_hi = 60,
                           .tracks = {true, true},
                           .min_notes = 2};
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_BAR, TOKEN_NUM + 3, TOKEN_DEN + 2);
    FEED(g, TOKEN_POS + 36, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60, TOKEN_DUR + 23);
    FEED(g, TOKEN_POS + 48, TOKEN_HOLE, TOKEN_POS + 72, TOKEN_PITCH + 61, TOKEN_DUR);
    FEED(g, TOKEN_POS + 80, TOKEN_PITCH + 60, TOKEN_DUR + 9, TOKEN_BAR);
    FEED(g, TOKEN_POS + 48, TOKEN_RESUME, TOKEN_FILL, TOKEN_POS + 48);
    FEED(g, TOKEN_POSX, TOKEN_POS + 48, TOKEN_PITCH + 60, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 0);
    FEED(g, TOKEN_TRACK);
    assert_int_equal(grammar_allow(g, allowed), 1 + 20 + 6);
    assert_true(allowed[TOKEN_BAR]);
    assert_int_equal(count(allowed, TOKEN_POS + 60, 20), 20);
    assert_int_equal(count(allowed, TOKEN_POS + 90, 6), 6);

    FEED(g, TOKEN_POS + 74, TOKEN_TRACK, TOKEN_VEL + 9, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 6);
    assert_int_equal(count(allowed, TOKEN_DUR, 6), 6);
    FEED(g, TOKEN_DUR + 5);
    assert_int_equal(grammar_allow(g, allowed), 1 + 6);
    assert_false(grammar_done(g));
    FEED(g, TOKEN_BAR);
    assert_int_equal(grammar_allow(g, allowed), 48);
    FEED(g, TOKEN_POS + 46, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 2);
    FEED(g, TOKEN_DUR);
    assert_int_equal(grammar_allow(g, allowed), 2); /* enough, and one more step */
    assert_true(allowed[TOKEN_POS + 47] && allowed[TOKEN_FILL_END]);
    FEED(g, TOKEN_FILL_END);
    assert_true(grammar_done(g));
    assert_int_equal(grammar_allow(g, allowed), 0);
    grammar_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hole_ends_filled_and_nothing_else),
        cmocka_unit_test(notes_that_fit_are_allowed),
        cmocka_unit_test(a_hole_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
