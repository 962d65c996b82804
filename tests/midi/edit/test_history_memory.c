/* The memory of undo: a session of many small changes keeps little more than their
 * contents. Sanitizers have their own allocators; with them nothing is counted. */
#include "tests/check.h"
#include "midi/edit/edit.h"
#include "tests/midi/in_use.h"
#include "tests/midi/score_of.h"

enum {
    CHANGES = 2000,
    BESIDE = 300, /* bytes: label, node of the tree, malloc's overhead */
};

static void do_one(struct history *h, struct score *s, int i)
{
    struct note n = {.start = i * 10, .length = 10, .pitch = 60, .velocity = 80};
    struct change *c = change_create("add a note");
    assert_non_null(c);
    assert_ok(change_add_note(c, 0, n));
    assert_ok(history_do(h, s, c));
}

TEST(a_small_change_is_kept_small)
{
    struct history *h = history_create();
    struct score *s = score_of("480 | one:");
    assert_non_null(h);
    for (int i = 0; i < CHANGES; i++)
        do_one(h, s, i);
    long before = memory_in_use();
    history_destroy(h);
    long bytes = (before - memory_in_use()) / CHANGES;
    score_destroy(s);
    print_message("%ld bytes a change\n", bytes);
    assert_true(bytes <= (long)sizeof(struct edit) + BESIDE);
}
