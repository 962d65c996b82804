/* What undoing costs in memory: a session of many small changes keeps each with little more
 * than what it says. With a sanitizer, which has an allocator of its own, nothing is
 * counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/edit/edit.h"
#include "tests/midi/in_use.h"

#include <stdio.h>

enum {
    CHANGES = 2000,
    BESIDE =
        300, /* bytes: the label, a place in the tree, what malloc adds to each block */
};

static void do_one(struct history *h, struct score *s, int i)
{
    struct note n = {.start = i * 10, .length = 10, .pitch = 60, .velocity = 80};
    struct change *c = change_create("add a note");
    assert_non_null(c);
    assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    assert_int_equal(history_do(h, s, c), MIDI_OK);
}

static void a_small_change_is_kept_small(void **state)
{
    (void)state;
    struct history *h = history_create();
    struct score *s = score_create(480);
    assert_true(h && s);
    assert_int_equal(score_add_track(s, "one", 0, 0), 0);
    for (int i = 0; i < CHANGES; i++)
        do_one(h, s, i);
    long before = memory_in_use();
    history_destroy(h);
    long bytes = (before - memory_in_use()) / CHANGES;
    score_destroy(s);
    print_message("%ld bytes a change\n", bytes);
    assert_true(bytes <= (long)sizeof(struct edit) + BESIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_small_change_is_kept_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
