/* The sweep against the plain question, asked of every pair. */
#include "tests/check.h"
#include "app/dataset/overlap.h"

#include <stdlib.h>

enum { MOST = 24 };

static uint32_t seed = 1;

static int up_to(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
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

TEST(nothing_is_counted_where_nothing_meets)
{
    for (int round = 0; round < 20000; round++) {
        struct note mine[MOST], with[MOST];
        struct track t = {.notes = mine, .n_notes = random_notes(mine, 1)};
        size_t n = random_notes(with, 100);
        bool expected = false;
        for (size_t i = 0; i < n && !expected; i++)
            expected =
                any_meets(&with[i], mine, t.n_notes) || any_meets(&with[i], with, n);
        size_t got = overlap_count(&t, NULL, 0, with, n, NULL);
        assert_int_equal(got > 0, expected);
    }
}

/* What stays may be put there: it meets neither the track's nor another that stays. */
TEST(the_good_ones_can_all_stay)
{
    for (int round = 0; round < 20000; round++) {
        struct note mine[MOST], with[MOST], good[MOST];
        bool is_bad[MOST] = {false};
        struct track t = {.notes = mine, .n_notes = random_notes(mine, 1)};
        size_t n = random_notes(with, 100), n_good = 0;
        overlap_count(&t, NULL, 0, with, n, is_bad);
        for (size_t i = 0; i < n; i++)
            if (!is_bad[i])
                good[n_good++] = with[i];
        for (size_t i = 0; i < n_good; i++) {
            assert_false(any_meets(&good[i], mine, t.n_notes));
            assert_false(any_meets(&good[i], good, n_good));
        }
        for (size_t i = 0; i < n; i++) /* and nothing was left out for no reason */
            if (is_bad[i])
                assert_true(any_meets(&with[i], mine, t.n_notes) ||
                            any_meets(&with[i], with, n));
    }
}

TEST(notes_do_not_meet_what_they_replace)
{
    struct note mine[] = {{.id = 1, .start = 0, .length = 4, .pitch = 60},
                          {.id = 2, .start = 4, .length = 4, .pitch = 60},
                          {.id = 3, .start = 12, .length = 4, .pitch = 60}};
    struct track t = {.notes = mine, .n_notes = 3};
    struct note moved[] = {mine[0], mine[1]};
    moved[0].start = 4;
    moved[1].start = 8;
    assert_int_equal(overlap_count(&t, mine, 2, moved, 2, NULL), 0);
    moved[1].start = 9;
    assert_int_equal(overlap_count(&t, mine, 2, moved, 2, NULL), 1);
    assert_int_equal(overlap_count(&t, mine, 1, moved, 1, NULL), 1);
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
