/* Holes filled by models of random weights, when something is asked of what fills them:
 * wishes, with guidance, marks of what is liked, the rhythm or the pitches or a share of
 * what was there. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/document/rewrite.h"
#include "tests/app/filled_holes.h"

enum { C_MAJOR = 0xAB5 };

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

/* Which of a chord's slots a pitch comes into is nobody's wish. */
static int compare_slots(const void *a, const void *b)
{
    const struct continued_note *x = a, *y = b;
    bool is_chord = x->track == y->track && x->note.start == y->note.start;
    if (is_chord && x->note.length != y->note.length)
        return x->note.length < y->note.length ? -1 : 1;
    return compare_places(a, b);
}

/* The hole of o in s, emptied, filled again. */
static void refill(struct fixture *f, struct score *s, struct continuation_options *o,
                   struct continued_note **old, struct result *r)
{
    bool by_slot = o->keep == HOLE_PLAN_RHYTHM;
    int (*compare)(const void *, const void *) =
        by_slot ? compare_slots : compare_places;
    *old = rewrite_list(s, o, NULL, &o->n_replaced);
    assert_non_null(*old);
    o->replaced = *old;
    rewrite_take_out(s, o, NULL);
    assert_int_equal(run(f, s, o, r), CONTINUATION_DONE);
    assert_legal(s, o, r);
    qsort(*old, o->n_replaced, sizeof **old, compare);
    qsort(r->notes, r->n, sizeof *r->notes, compare);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guidance_moves_what_is_wished),
        cmocka_unit_test(marks_lean_the_draws),
        cmocka_unit_test(a_rhythm_is_kept),
        cmocka_unit_test(pitches_are_kept),
        cmocka_unit_test(a_share_stays),
        cmocka_unit_test(wishes_hold_for_what_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
