/* Tails that reach into later notes of their pitch, against looking at every pair. */
#include "tests/check.h"
#include "app/dataset/overlap.h"
#include "tests/midi/random_piece.h"

#include <stdlib.h>
#include <string.h>

enum { N_NOTES = 24, N_RANDOM = 3000 };

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
    for (size_t i = 0; i < t->n_notes && i < N_NOTES; i++)
        if (moves[i])
            moved[(*n)++] = (struct moved){t->notes[i], t->notes[i]};
    return moved;
}

TEST(a_tail_ends_where_the_next_begins)
{
    const struct note notes[] = {note_of(0, 100, 60), note_of(100, 100, 60),
                                 note_of(100, 100, 64)};
    const bool moves[N_NOTES] = {false, true, false};
    struct score *s = score_of(notes, 3);
    struct note meets = {0};
    size_t n;
    struct moved *moved = moved_of(&s->tracks[0], moves, &n);
    moved[0].after.start = 90;
    assert_true(tails_cut(&s->tracks[0], &moved, &n, &meets));
    assert_int_equal(n, 2);
    assert_int_equal(moved[0].after.length, 90);
    assert_int_equal(moved[0].after.raw_length, 10);
    assert_int_equal(moved[1].after.length, 100);
    assert_int_equal(meets.id, 0);
    free(moved);
    score_destroy(s);
}

TEST(two_cannot_begin_together)
{
    const struct note notes[] = {note_of(0, 100, 60), note_of(100, 100, 60)};
    const bool moves[N_NOTES] = {false, true};
    struct score *s = score_of(notes, 2);
    struct note meets = {0};
    size_t n;
    struct moved *moved = moved_of(&s->tracks[0], moves, &n);
    moved[0].after.start = 0;
    assert_true(tails_cut(&s->tracks[0], &moved, &n, &meets));
    assert_int_equal(n, 1);
    assert_true(meets.id > 0);
    assert_int_equal(meets.pitch, 60);
    free(moved);
    score_destroy(s);
}

static bool overlap(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < b->start + b->length &&
           b->start < a->start + a->length;
}

static struct score *random_score(uint64_t *r)
{
    struct note notes[N_NOTES];
    for (int i = 0; i < N_NOTES; i++)
        notes[i] = note_of(10 * random_below(r, 40), 1 + random_below(r, 40),
                           60 + random_below(r, 3));
    return score_of(notes, N_NOTES);
}

static void move_some(struct moved *moved, size_t n, uint64_t *r)
{
    for (size_t i = 0; i < n; i++) {
        moved[i].after.start += random_below(r, 31);
        moved[i].after.length += random_below(r, 21);
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
        for (size_t k = 0; k < i; k++)
            assert_false(overlap(&after[i], &after[k]));
    }
}

static bool is_clean(const struct track *t)
{
    for (size_t i = 0; i < t->n_notes; i++)
        for (size_t k = 0; k < i; k++)
            if (overlap(&t->notes[i], &t->notes[k]))
                return false;
    return true;
}

/* Thins the track out until nothing overlaps. */
static void clean(struct score *s)
{
    struct track *t = &s->tracks[0];
    for (size_t i = 0; i < t->n_notes; i++)
        for (size_t k = 0; k < i; k++)
            if (overlap(&t->notes[i], &t->notes[k])) {
                score_remove_note(s, 0, t->notes[i].id);
                i = 0;
                break;
            }
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
    uint64_t r = 1;
    int n_met = 0, n_cut = 0;
    for (int i = 0; i < N_RANDOM; i++) {
        struct score *s = random_score(&r);
        clean(s);
        const struct track *t = &s->tracks[0];
        assert_true(is_clean(t));
        bool moves[N_NOTES];
        for (size_t k = 0; k < N_NOTES; k++)
            moves[k] = random_below(&r, 3) == 0;
        size_t n, n_was;
        struct moved *moved = moved_of(t, moves, &n);
        move_some(moved, n, &r);
        struct moved was[N_NOTES];
        memcpy(was, moved, n * sizeof *was);
        n_was = n;
        struct note meets = {0}, after[N_NOTES];
        assert_true(tails_cut(t, &moved, &n, &meets));
        starts_and_played_times_stay(was, n_was, moved, n);
        after_all(t, moved, n, after);
        if (!meets.id)
            nothing_overlaps_after_it(t, after);
        n_met += meets.id != 0;
        n_cut += n > n_was;
        free(moved);
        score_destroy(s);
    }
    assert_true(n_met > 0 && n_met < N_RANDOM && n_cut > 0);
}
