/* Notes shared by a score and its clones: none sees another's changes, whichever is
 * destroyed first, and nothing is copied before it must be. */
#include "tests/check.h"
#include "midi/score/notes.h"
#include "tests/midi/score_of.h"

#include <pthread.h>

enum { N = 40 };

static struct score *make(void)
{
    return score_of("480 | : (C4:60 r:180)*%d | : =120 (C4:60 r:180)*%d", N / 2, N / 2);
}

TEST(test_clones_share_until_one_writes)
{
    struct score *a = make(), *b = score_clone(a);
    assert_ptr_equal(a->tracks[0].notes, b->tracks[0].notes);
    assert_true(score_remove_note(b, 0, b->tracks[0].notes[3].id));
    assert_ptr_not_equal(a->tracks[0].notes, b->tracks[0].notes);
    assert_ptr_equal(a->tracks[1].notes, b->tracks[1].notes);
    assert_int_equal(a->tracks[0].n_notes, N / 2);
    assert_int_equal(b->tracks[0].n_notes, N / 2 - 1);
    score_destroy(a);
    assert_int_equal(b->tracks[1].notes[0].start, 120);
    assert_int_equal(b->tracks[0].notes[3].start, 4 * 240);
    score_destroy(b);
}

/* The last owner writes in place: a long track is not copied for every note. */
TEST(test_who_is_alone_writes_in_place)
{
    struct score *a = make(), *b = score_clone(a);
    score_destroy(b);
    const struct note *before = a->tracks[0].notes;
    assert_true(score_remove_note(a, 0, before[0].id));
    assert_ptr_equal(a->tracks[0].notes, before);
    score_destroy(a);
}

/* Notes that were not malloc'd, as in tests, are copied. */
TEST(test_borrowed_notes_are_copied)
{
    const struct note mine[2] = {{.start = 1, .pitch = 2}, {.start = 3, .pitch = 4}};
    struct track t = {.notes = mine, .n_notes = 2}, other = {0};
    assert_true(notes_share(&other, &t));
    assert_ptr_not_equal(other.notes, mine);
    assert_memory_equal(other.notes, mine, sizeof mine);
    struct note *own = notes_own(&t, 5);
    assert_non_null(own);
    own[1].pitch = 9;
    assert_int_equal(mine[1].pitch, 4);
    assert_int_equal(other.notes[1].pitch, 4);
    notes_release(&t);
    notes_release(&other);
}

static void *write_and_destroy(void *score)
{
    struct score *s = score;
    struct note n = {.start = 7, .length = 1, .pitch = 3, .velocity = 3};
    for (int i = 0; i < 20; i++) {
        n.id = 0;
        n.start = i;
        if (!score_add_note(s, i % 2, n))
            return NULL;
    }
    score_destroy(s);
    return score;
}

/* For the thread sanitizer, too: each clone has one owner. */
TEST(test_threads_own_their_clones)
{
    enum { THREADS = 4 };
    for (int round = 0; round < 50; round++) {
        auto_score *a = make();
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(
                pthread_create(&threads[i], NULL, write_and_destroy, score_clone(a)),
                0);
        struct note n = {.start = 5, .length = 1, .pitch = 1, .velocity = 1};
        assert_true(score_add_note(a, 0, n) != 0);
        for (int i = 0; i < THREADS; i++) {
            void *done = NULL;
            pthread_join(threads[i], &done);
            assert_non_null(done);
        }
        assert_int_equal(a->tracks[0].n_notes, N / 2 + 1);
    }
}
