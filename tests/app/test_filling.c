/* Holes filled by models of random weights: whatever holds here is held by the
 * program alone. Nothing outside, nothing over itself or over what stands, always to
 * the end, in parts where the model is small, the same on any threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/rewrite.h"
#include "midi/fill.h"
#include "tests/app/random_continuation.h"

enum { QUARTER = 480, TRACKS = 3, MAX_NOTES = 8192, HOLES = 60, C_MAJOR = 0xAB5 };

static int draw(uint64_t *state, int below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)below);
}

/* Notes of all lengths on two of three tracks, none over itself. */
static struct score *random_score(uint64_t *r, int n_notes)
{
    int64_t silent_from[TRACKS][128] = {0};
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < TRACKS; t++)
        assert_int_equal(score_add_track(s, "a track", (uint8_t)t, 0), t);
    for (int i = 0; i < n_notes; i++) {
        int track = 2 * draw(r, 2), pitch = 40 + draw(r, 40);
        int64_t start = (int64_t)i * 200 + draw(r, 100);
        struct note n = {.start = start,
                         .length = 30 + draw(r, draw(r, 4) ? 900 : 9000),
                         .pitch = (uint8_t)pitch,
                         .velocity = (uint8_t)(20 + draw(r, 100)),
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
        if (start < silent_from[track][pitch])
            continue;
        silent_from[track][pitch] = start + n.length;
        assert_int_not_equal(score_add_note(s, track, n), 0);
    }
    return s;
}

static struct continuation_options random_hole(uint64_t *r, int64_t end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    int low = draw(r, 2) ? 0 : 30 + draw(r, 50);
    o.style = STYLE_PIANO;
    o.sampling.seed = (uint64_t)draw(r, 1000);
    o.tracks = draw(r, 3) ? 0 : 1 + (uint64_t)draw(r, 7);
    o.max_polyphony = draw(r, 4) ? 0 : 1;
    o.n_takes = 1 + draw(r, 3);
    o.guidance = draw(r, 2) ? 1.0f : (float)draw(r, 5);
    o.hole = (struct continuation_hole){
        .from_tick = draw(r, (int)end + 2000),
        .pitch_lo = (uint8_t)low,
        .pitch_hi = (uint8_t)(low + draw(r, 128 - low)),
        .min_notes = draw(r, 3),
        .density = draw(r, FILL_DENSITIES + 1) - 1,
        .polyphony = draw(r, FILL_POLYPHONIES + 1) - 1,
        .length = draw(r, FILL_LENGTHS + 1) - 1,
        .height = draw(r, FILL_REGISTERS + 1) - 1,
    };
    o.hole.to_tick = o.hole.from_tick + 40 + draw(r, draw(r, 3) ? 4000 : 30000);
    return o;
}

struct result {
    struct continued_note notes[MAX_NOTES];
    size_t n;
};

static enum continuation_state run(struct fixture *f, const struct score *s,
                                   const struct continuation_options *o,
                                   struct result *r)
{
    r->n = 0;
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        state = continuation_next(f->continuation, &r->notes[r->n]);
        r->n += state == CONTINUATION_NOTE;
    }
    return state;
}

static bool overlap(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < b->start + b->length &&
           b->start < a->start + a->length;
}

static void assert_inside(const struct score *s, const struct continuation_options *o,
                          const struct continued_note *n)
{
    const struct continuation_hole *h = &o->hole;
    assert_in_range(n->track, 0, TRACKS - 1);
    if (o->tracks)
        assert_true(o->tracks >> n->track & 1);
    else
        assert_true(s->tracks[n->track].n_notes > 0);
    assert_true(n->note.start >= h->from_tick && n->note.length > 0);
    assert_true(n->note.start + n->note.length <= h->to_tick);
    assert_in_range(n->note.pitch, h->pitch_lo, h->pitch_hi);
}

static void assert_legal(const struct score *s, const struct continuation_options *o,
                         const struct result *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct continued_note *n = &r->notes[i];
        const struct track *t = &s->tracks[n->track];
        assert_inside(s, o, n);
        for (size_t k = 0; k < t->n_notes; k++)
            assert_false(overlap(&n->note, &t->notes[k]));
        for (size_t k = 0; k < i; k++)
            assert_false(r->notes[k].take == n->take && r->notes[k].track == n->track &&
                         overlap(&n->note, &r->notes[k].note));
    }
}

static void fill_many(int context, int n_notes, int *n_filled)
{
    static struct result r;
    struct fixture f;
    uint64_t state = (uint64_t)context;
    set_up(&f, context, TOKEN_COUNT, 1);
    for (int i = 0; i < HOLES; i++) {
        struct score *s = random_score(&state, n_notes);
        struct continuation_options o = random_hole(&state, (int64_t)n_notes * 200);
        enum continuation_state end = run(&f, s, &o, &r);
        if (end == CONTINUATION_ERROR) /* too dense around, or no place at all */
            assert_true(*continuation_error(f.continuation));
        else
            assert_int_equal(end, CONTINUATION_DONE);
        assert_legal(s, &o, &r);
        *n_filled += r.n > 0;
        score_destroy(s);
    }
    tear_down(&f);
}

static void nothing_outside_and_nothing_over_itself(void **state)
{
    (void)state;
    int n_filled = 0;
    fill_many(512, 60, &n_filled);
    assert_true(n_filled > HOLES / 2);
}

/* Far more music than the model hears, and holes it takes in parts. */
static void so_it_is_in_parts(void **state)
{
    (void)state;
    int n_filled = 0;
    fill_many(128, 300, &n_filled);
    assert_true(n_filled > HOLES / 4);
}

static struct continuation_options whole_hole(int64_t to)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.hole = CONTINUATION_HOLE_DEFAULT;
    o.hole.to_tick = to;
    return o;
}

/* Far past the music, the whole of a long piece, and bars of four whole notes: in as
 * many parts as it takes, each hearing the ones before. */
static void however_long_it_is(void **state)
{
    (void)state;
    static struct result r;
    static const struct {
        int n_notes, numerator, denominator;
        int64_t from, to;
    } CASES[] = {
        {40, 4, 4, 300 * 1920, 301 * 1920},
        {0, 4, 4, 0, 150 * 1920},
        {60, 4, 1, 0, 30 * 7680},
        {20, 64, 1, 0, 3 * (int64_t)64 * 1920},
    };
    struct fixture f;
    uint64_t random = 8;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct score *s = random_score(&random, CASES[i].n_notes);
        const struct meter meter = {.numerator = CASES[i].numerator,
                                    .denominator = CASES[i].denominator};
        timeline_fini(&s->timeline);
        assert_int_equal(timeline_init(&s->timeline, QUARTER, NULL, 0, &meter, 1),
                         MIDI_OK);
        struct continuation_options o = whole_hole(CASES[i].to);
        o.hole.from_tick = CASES[i].from;
        o.hole.min_notes = 1;
        o.tracks = 1;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_legal(s, &o, &r);
        assert_true(r.n >= 1);
        score_destroy(s);
    }
    tear_down(&f);
}

static bool same_notes(const struct result *a, const struct result *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->notes[i].note.start == b->notes[i].note.start &&
               a->notes[i].note.pitch == b->notes[i].note.pitch &&
               a->notes[i].note.length == b->notes[i].note.length;
    return same;
}

/* Guidance of 1 is none, and needs a wish; what two readers say is the same for takes
 * drawn alone and together. */
static void guidance_moves_what_is_wished(void **state)
{
    (void)state;
    static struct result plain, asked, guided, other;
    struct fixture f;
    uint64_t r = 6;
    struct score *s = random_score(&r, 40);
    struct continuation_options o = whole_hole(8000);
    set_up(&f, 512, TOKEN_COUNT, 2);
    assert_int_equal(run(&f, s, &o, &plain), CONTINUATION_DONE);
    o.guidance = 3;
    assert_int_equal(run(&f, s, &o, &other), CONTINUATION_DONE);
    assert_true(same_notes(&plain, &other)); /* nothing was wished */
    o.hole.density = 9;
    o.guidance = 0;
    assert_int_equal(run(&f, s, &o, &other), CONTINUATION_DONE);
    assert_true(same_notes(&plain, &other)); /* as if nothing had been */
    o.guidance = 1;
    assert_int_equal(run(&f, s, &o, &asked), CONTINUATION_DONE);
    o.guidance = 30;
    assert_int_equal(run(&f, s, &o, &guided), CONTINUATION_DONE);
    assert_false(same_notes(&asked, &guided));
    o.n_takes = 3;
    o.sampling.seed -= 2;
    assert_int_equal(run(&f, s, &o, &other), CONTINUATION_DONE);
    size_t n = 0;
    for (size_t i = 0; i < other.n; i++)
        if (other.notes[i].take == 2)
            other.notes[n++] = other.notes[i];
    other.n = n;
    assert_true(same_notes(&guided, &other));
    tear_down(&f);
    score_destroy(s);
}

/* A random model has no taste: what it is shown as liked is what it then likes. */
static void marks_lean_the_draws(void **state)
{
    (void)state;
    static struct result first, again, like, dislike;
    struct fixture f;
    uint64_t r = 7;
    struct score *s = random_score(&r, 40);
    struct continuation_options o = whole_hole(8000);
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &first), CONTINUATION_DONE);
    struct continuation_mark mark = {first.notes, first.n, 0};
    o.marks = &mark;
    o.n_marks = 1;
    o.sampling.seed = 99;
    assert_int_equal(run(&f, s, &o, &again), CONTINUATION_DONE);
    mark.how_much = 1;
    assert_int_equal(run(&f, s, &o, &like), CONTINUATION_DONE);
    mark.how_much = -1;
    assert_int_equal(run(&f, s, &o, &dislike), CONTINUATION_DONE);
    assert_false(same_notes(&again, &like));
    assert_false(same_notes(&again, &dislike));
    o.marks = NULL;
    o.n_marks = 0;
    assert_int_equal(run(&f, s, &o, &like), CONTINUATION_DONE);
    assert_true(same_notes(&again, &like)); /* neither liked nor disliked */
    tear_down(&f);
    score_destroy(s);
}

/* Notes on the grid, none over itself, of two tracks. */
static struct score *grid_score(int n_notes)
{
    uint64_t r = 3;
    struct score *s = score_create(QUARTER);
    for (int t = 0; t < 2; t++)
        assert_int_equal(score_add_track(s, "a track", (uint8_t)t, 0), t);
    for (int i = 0; i < n_notes; i++) {
        struct note n = {.start = (int64_t)(i / 2) * 240,
                         .length = 120 * (1 + draw(&r, 2)),
                         .pitch = (uint8_t)(50 + 7 * (i % 2) + draw(&r, 6)),
                         .velocity = 80,
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
        assert_int_not_equal(score_add_note(s, draw(&r, 2), n), 0);
    }
    return s;
}

static int compare_places(const void *a, const void *b)
{
    const struct continued_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->note.start != y->note.start)
        return x->note.start < y->note.start ? -1 : 1;
    return x->note.pitch - y->note.pitch;
}

/* The hole of o in s, emptied, filled again. */
static void refill(struct fixture *f, struct score *s, struct continuation_options *o,
                   struct continued_note **old, struct result *r)
{
    *old = rewrite_list(s, o, NULL, &o->n_replaced);
    assert_non_null(*old);
    o->replaced = *old;
    rewrite_take_out(s, o, NULL);
    assert_int_equal(run(f, s, o, r), CONTINUATION_DONE);
    assert_legal(s, o, r);
    qsort(*old, o->n_replaced, sizeof **old, compare_places);
    qsort(r->notes, r->n, sizeof *r->notes, compare_places);
}

/* Refills a hole with what o keeps of it, in one part and in many. In each, the notes are
 * as many as there were, each as `check` has it, which says whether it is new at all. */
static void keep(const struct continuation_options *o,
                 bool (*check)(const struct note *old, const struct note *new))
{
    static struct result r;
    for (int context = 128; context <= 1024; context *= 8) {
        struct fixture f;
        struct continued_note *old;
        struct continuation_options own = *o;
        struct score *s = grid_score(160);
        int n_new = 0;
        set_up(&f, context, TOKEN_COUNT, 1);
        refill(&f, s, &own, &old, &r);
        assert_int_equal(r.n, own.n_replaced);
        for (size_t i = 0; i < r.n; i++) {
            assert_int_equal(r.notes[i].track, old[i].track);
            n_new += check(&old[i].note, &r.notes[i].note);
        }
        assert_true(n_new > 80);
        free(old);
        tear_down(&f);
        score_destroy(s);
    }
}

static bool has_its_place(const struct note *old, const struct note *new)
{
    assert_int_equal(new->start, old->start);
    assert_int_equal(new->length, old->length);
    assert_true(C_MAJOR >> new->pitch % 12 & 1);
    return new->pitch != old->pitch;
}

static bool has_its_pitch(const struct note *old, const struct note *new)
{
    assert_int_equal(new->pitch, old->pitch);
    return new->start != old->start || new->length != old->length;
}

/* Pitches are free enough for every slot. */
static void a_rhythm_is_kept(void **state)
{
    (void)state;
    struct continuation_options o = whole_hole(80 * 240);
    o.hole.from_tick = 3 * 240;
    o.keep = HOLE_PLAN_RHYTHM;
    o.scale = C_MAJOR;
    keep(&o, has_its_place);
}

static void pitches_are_kept(void **state)
{
    (void)state;
    struct continuation_options o = whole_hole(80 * 240);
    o.tracks = 3;
    o.keep = HOLE_PLAN_PITCHES;
    keep(&o, has_its_pitch);
}

/* The same ones for the same seed, about as many as are to. */
static void a_share_stays(void **state)
{
    (void)state;
    size_t n, again;
    struct score *s = grid_score(400);
    struct continuation_options o = whole_hole(200 * 240);
    o.stays = 0.7f;
    for (int seed = 0; seed < 9; seed++) {
        o.stays_seed = (uint64_t)seed;
        free(rewrite_list(s, &o, NULL, &n));
        free(rewrite_list(s, &o, NULL, &again));
        assert_in_range(n, 80, 160);
        assert_int_equal(n, again);
    }
    struct score *rest = score_clone(s);
    rewrite_take_out(rest, &o, NULL);
    assert_int_equal(score_n_notes(rest) + n, score_n_notes(s));
    score_destroy(rest);
    score_destroy(s);
}

/* The music goes on after its end, as it does without wishes. */
static void wishes_hold_for_what_follows(void **state)
{
    (void)state;
    static struct result plain, r;
    struct fixture f;
    uint64_t random = 9;
    struct score *s = random_score(&random, 40);
    struct continuation_options o = CONTINUATION_DEFAULT;
    struct continuation_stats before, after;
    o.style = STYLE_PIANO;
    o.bars = 20;
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &plain), CONTINUATION_DONE);
    continuation_stats(f.continuation, 0, &before);
    o.hole.length = 3;
    o.hole.min_notes = 2;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    continuation_stats(f.continuation, 0, &after);
    assert_true(before.from_tick == after.from_tick && before.to_tick == after.to_tick);
    o.hole.from_tick = after.from_tick;
    o.hole.to_tick = after.to_tick;
    assert_legal(s, &o, &r);
    assert_true(r.n >= 2);
    tear_down(&f);
    score_destroy(s);
}

static void threads_and_history_do_not_matter(void **state)
{
    (void)state;
    static struct result a, b;
    struct fixture one, three;
    uint64_t r = 5;
    struct score *s = random_score(&r, 40), *other = random_score(&r, 40);
    struct continuation_options o = whole_hole(8000);
    set_up(&one, 256, TOKEN_COUNT, 1);
    set_up(&three, 256, TOKEN_COUNT, 3);
    assert_int_equal(run(&one, s, &o, &a), CONTINUATION_DONE);
    run(&three, other, &o, &b);
    assert_int_equal(run(&three, s, &o, &b), CONTINUATION_DONE);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_int_equal(a.notes[i].note.start, b.notes[i].note.start);
        assert_int_equal(a.notes[i].note.pitch, b.notes[i].note.pitch);
        assert_int_equal(a.notes[i].note.length, b.notes[i].note.length);
    }
    assert_true(a.n > 0);
    tear_down(&one);
    tear_down(&three);
    score_destroy(s);
    score_destroy(other);
}

/* A track without notes, when it is named: harmonising begins so. */
static void an_empty_track_can_be_filled(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    uint64_t random = 6;
    struct score *s = random_score(&random, 40);
    struct continuation_options o = whole_hole(8000);
    o.tracks = 1u << 1;
    o.hole.min_notes = 5;
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_true(r.n >= 5);
    for (size_t i = 0; i < r.n; i++)
        assert_int_equal(r.notes[i].track, 1);
    tear_down(&f);
    score_destroy(s);
}

static void what_cannot_be_is_said(void **state)
{
    (void)state;
    static struct result r;
    struct fixture plain, f;
    uint64_t random = 7;
    struct score *s = random_score(&random, 10);
    struct continuation_options o = whole_hole(960);
    set_up(&plain, 256, TOKEN_COUNT_PLAIN, 1);
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&plain, s, &o, &r), CONTINUATION_ERROR);
    assert_string_equal(continuation_error(plain.continuation),
                        "this model has not learnt to fill holes");
    o.hole.from_tick = 950; /* less than a step */
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    assert_string_equal(continuation_error(f.continuation),
                        "there is no room for a note in that hole");
    o = whole_hole((int64_t)1 << 60);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    tear_down(&plain);
    tear_down(&f);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_outside_and_nothing_over_itself),
        cmocka_unit_test(so_it_is_in_parts),
        cmocka_unit_test(however_long_it_is),
        cmocka_unit_test(guidance_moves_what_is_wished),
        cmocka_unit_test(marks_lean_the_draws),
        cmocka_unit_test(a_rhythm_is_kept),
        cmocka_unit_test(pitches_are_kept),
        cmocka_unit_test(a_share_stays),
        cmocka_unit_test(wishes_hold_for_what_follows),
        cmocka_unit_test(threads_and_history_do_not_matter),
        cmocka_unit_test(an_empty_track_can_be_filled),
        cmocka_unit_test(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
