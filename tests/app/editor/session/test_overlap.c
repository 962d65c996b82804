/* Overlaps of one pitch, counted and truncated, against looking at every pair. */
#include "tests/check.h"
#include "app/editor/session/overlap.h"
#include "tests/midi/random_piece.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 24, N_RANDOM = 3000 };

static uint64_t random_state = 1;

static int up_to(int n)
{
    return random_below(&random_state, n);
}

static int by_start(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static size_t random_notes(struct note *notes, uint64_t first_id)
{
    size_t n = (size_t)up_to(MOST);
    for (size_t i = 0; i < n; i++)
        notes[i] = (struct note){.start = up_to(64),
                                 .length = 1 + up_to(8),
                                 .pitch = (uint8_t)(60 + up_to(3))};
    qsort(notes, n, sizeof *notes, by_start);
    for (size_t i = 0; i < n; i++)
        notes[i].id = first_id + i;
    return n;
}

static bool meets(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < b->start + b->length &&
           b->start < a->start + a->length;
}

static bool any_meets(const struct note *n, const struct note *among, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (&among[i] != n && meets(n, &among[i]))
            return true;
    return false;
}

/* Nothing is counted where nothing meets. What stays may be put there: it meets neither the
 * track's nor another that stays. And nothing is left out for no reason. */
TEST(the_good_ones_can_all_stay)
{
    for (int round = 0; round < 20000; round++) {
        struct note mine[MOST], with[MOST], good[MOST];
        bool is_bad[MOST] = {false}, any = false;
        struct track t = {.notes = mine, .n_notes = random_notes(mine, 1)};
        size_t n = random_notes(with, 100), n_good = 0;
        size_t n_bad = overlap_count(&t, NULL, 0, with, n, is_bad);
        for (size_t i = 0; i < n; i++) {
            bool meets_one =
                any_meets(&with[i], mine, t.n_notes) || any_meets(&with[i], with, n);
            any = any || meets_one;
            assert_true(meets_one || !is_bad[i]);
            if (!is_bad[i])
                good[n_good++] = with[i];
        }
        assert_int_equal(n_bad > 0, any);
        for (size_t i = 0; i < n_good; i++) {
            assert_false(any_meets(&good[i], mine, t.n_notes));
            assert_false(any_meets(&good[i], good, n_good));
        }
    }
}

/* What cannot stay itself is in nobody's way. */
TEST(a_bad_note_makes_no_other_bad)
{
    struct note mine[] = {{.id = 1, .start = 5, .length = 2, .pitch = 60}};
    struct note with[] = {{.start = 0, .length = 10, .pitch = 60},
                          {.start = 8, .length = 2, .pitch = 60}};
    struct track t = {.notes = mine, .n_notes = 1};
    bool is_bad[2] = {false, false};
    overlap_count(&t, NULL, 0, with, 2, is_bad);
    assert_true(is_bad[0]);
    assert_false(is_bad[1]);
}

/* -- truncated -- */

static struct note note_of(int64_t start, int64_t length, int pitch)
{
    return (struct note){
        .start = start, .length = length, .pitch = (uint8_t)pitch, .velocity = 64};
}

static struct score *score_of(const struct note *notes, size_t n)
{
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "one", 0, 0), 0);
    for (size_t i = 0; i < n; i++)
        assert_true(score_add_note(s, 0, notes[i]) > 0);
    return s;
}

/* Those of the track for which it is said that they move. */
static struct moved *moved_of(const struct track *t, const bool *moves, size_t *n)
{
    struct moved *moved = calloc(t->n_notes + 1, sizeof *moved);
    assert_non_null(moved);
    *n = 0;
    for (size_t i = 0; i < t->n_notes && i < MOST; i++)
        if (moves[i])
            moved[(*n)++] = (struct moved){t->notes[i], t->notes[i]};
    return moved;
}

static struct score *random_score(void)
{
    struct note notes[MOST];
    for (int i = 0; i < MOST; i++)
        notes[i] = note_of(10 * up_to(40), 1 + up_to(40), 60 + up_to(3));
    return score_of(notes, MOST);
}

static void move_some(struct moved *moved, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        moved[i].after.start += up_to(31);
        moved[i].after.length += up_to(21);
    }
}

static const struct moved *find(const struct moved *moved, size_t n, uint64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (moved[i].before.id == id)
            return &moved[i];
    return NULL;
}

static void after_all(const struct track *t, const struct moved *moved, size_t n,
                      struct note *out)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct moved *m = find(moved, n, t->notes[i].id);
        out[i] = m ? m->after : t->notes[i];
    }
}

/* Where nothing overlapped, nothing does. */
static void nothing_overlaps_after_it(const struct track *t, const struct note *after)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        assert_true(after[i].length > 0);
        assert_false(any_meets(&after[i], after, t->n_notes));
    }
}

/* Thins the track out until nothing overlaps. */
static void clean(struct score *s)
{
    const struct track *t = &s->tracks[0];
    for (size_t i = t->n_notes; i-- > 0;)
        if (any_meets(&t->notes[i], t->notes, t->n_notes))
            score_remove_note(s, 0, t->notes[i].id);
}

static void starts_and_played_times_stay(const struct moved *was, size_t n_was,
                                         const struct moved *is, size_t n_is)
{
    for (size_t i = 0; i < n_is; i++) {
        const struct moved *w = find(was, n_was, is[i].before.id);
        const struct note *wanted = w ? &w->after : &is[i].before;
        assert_int_equal(is[i].after.start, wanted->start);
        assert_true(is[i].after.length <= wanted->length);
        assert_int_equal(is[i].after.length + is[i].after.raw_length,
                         wanted->length + wanted->raw_length);
        assert_true(i == 0 || is[i - 1].before.start <= is[i].before.start);
    }
}

TEST(random_moves_never_overlap)
{
    int n_met = 0, n_cut = 0;
    for (int i = 0; i < N_RANDOM; i++) {
        auto_score *s = random_score();
        clean(s);
        const struct track *t = &s->tracks[0];
        bool moves[MOST];
        for (size_t k = 0; k < MOST; k++)
            moves[k] = up_to(3) == 0;
        size_t n, n_was;
        auto_free struct moved *moved = moved_of(t, moves, &n);
        move_some(moved, n);
        struct moved was[MOST];
        memcpy(was, moved, n * sizeof *was);
        n_was = n;
        struct note meets = {0}, after[MOST];
        assert_true(overlaps_truncate(t, &moved, &n, &meets));
        starts_and_played_times_stay(was, n_was, moved, n);
        after_all(t, moved, n, after);
        if (!meets.id)
            nothing_overlaps_after_it(t, after);
        n_met += meets.id != 0;
        n_cut += n > n_was;
    }
    assert_true(n_met > 0 && n_met < N_RANDOM && n_cut > 0);
}
