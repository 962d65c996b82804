/* Notes shared by a score and its clones: what one does the others never see, whichever
 * of them goes first, and nothing is copied before it must be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/edit/edit.h"
#include "midi/score/notes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static struct score *make(void)
{
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "", 0, 0), 0);
    assert_int_equal(score_add_track(s, "", 1, 0), 1);
    for (int i = 0; i < N; i++) {
        struct note n = {.start = 120 * i, .length = 60, .pitch = 60, .velocity = 80};
        assert_true(score_add_note(s, i % 2, n) != 0);
    }
    return s;
}

static void test_clones_share_until_one_writes(void **state)
{
    (void)state;
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

static void test_an_edit_leaves_clones_alone(void **state)
{
    (void)state;
    struct score *a = make(), *b = score_clone(a), *as_it_was = make();
    struct history *h = history_create();
    struct change *c = change_create("add");
    struct note n = {.start = 30, .length = 10, .pitch = 50, .velocity = 1};
    assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    assert_int_equal(change_insert_time(c, a, 0, 960), MIDI_OK);
    assert_int_equal(history_do(h, a, c), MIDI_OK);
    assert_true(score_equal(b, as_it_was));
    assert_false(score_equal(a, as_it_was));
    struct score *after = score_clone(a);
    assert_true(history_undo(h, a, NULL));
    assert_true(score_equal(a, as_it_was));
    assert_int_equal(after->tracks[1].notes[0].start, 960 + 120);
    history_destroy(h);
    score_destroy(after);
    score_destroy(as_it_was);
    score_destroy(b);
    score_destroy(a);
}

/* The last holder writes in place: a long track is not copied for every note. */
static void test_who_is_alone_writes_in_place(void **state)
{
    (void)state;
    struct score *a = make(), *b = score_clone(a);
    score_destroy(b);
    const struct note *before = a->tracks[0].notes;
    assert_true(score_remove_note(a, 0, before[0].id));
    assert_ptr_equal(a->tracks[0].notes, before);
    score_destroy(a);
}

/* Notes that are nobody's from malloc, as tests have them, are copied. */
static void test_borrowed_notes_are_copied(void **state)
{
    (void)state;
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

/* For the thread sanitizer, too: each clone has an owner of its own. */
static void test_threads_own_their_clones(void **state)
{
    enum { THREADS = 4 };
    (void)state;
    for (int round = 0; round < 50; round++) {
        struct score *a = make();
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
        score_destroy(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clones_share_until_one_writes),
        cmocka_unit_test(test_an_edit_leaves_clones_alone),
        cmocka_unit_test(test_who_is_alone_writes_in_place),
        cmocka_unit_test(test_borrowed_notes_are_copied),
        cmocka_unit_test(test_threads_own_their_clones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
