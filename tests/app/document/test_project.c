/* The open document: new files, saving, modified. */
#include "tests/check.h"
#include "app/document/project.h"
#include "tests/app/own_folder.h"
#include "tests/midi/score_equal.h"

#include <errno.h>

static int begin(void **state)
{
    *state = calloc(1, sizeof(struct project));
    return *state ? (int)project_init(*state) : -1;
}

static int end(void **state)
{
    project_fini(*state);
    free(*state);
    return 0;
}

static void add_note(struct project *p, int64_t start, int pitch)
{
    struct change *c = change_create("add a note");
    assert_non_null(c);
    struct note n = {.start = start,
                     .length = 240,
                     .pitch = (uint8_t)pitch,
                     .velocity = 80,
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_ok(change_add_note(c, 0, n));
    assert_ok(project_do(p, c));
}

TEST_IN(a_new_file_is_written_on_save, begin, end)
{
    struct project *p = *state;
    assert_int_equal(project_open(p, in_folder("new.mid")), MIDI_NO_FILE);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(project_base_name(p), "new.mid");
    assert_int_not_equal(access(in_folder("new.mid"), F_OK), 0);
    add_note(p, 0, 60);
    assert_true(project_modified(p));
    assert_ok(project_save(p, NULL));
    assert_false(project_modified(p));
    struct project q;
    assert_ok(project_init(&q));
    assert_ok(project_open(&q, in_folder("new.mid")));
    assert_true(score_equal(p->score, q.score));
    project_fini(&q);
}

TEST_IN(undoing_to_what_was_saved_is_not_modified, begin, end)
{
    struct project *p = *state;
    const char *label = NULL;
    add_note(p, 0, 60);
    assert_ok(project_save(p, in_folder("a.mid")));
    add_note(p, 480, 62);
    assert_true(project_modified(p));
    assert_true(project_undo(p, &label));
    assert_string_equal(label, "add a note");
    assert_false(project_modified(p));
    assert_int_equal(project_forward(p, 1, NULL), 1);
    assert_true(project_modified(p));
}

TEST_IN(a_bad_file_leaves_the_project_alone, begin, end)
{
    struct project *p = *state;
    add_note(p, 0, 60);
    put_text("bad.mid", "this is not MIDI");
    assert_int_equal(project_open(p, in_folder("bad.mid")), MIDI_NOT_MIDI);
    assert_int_equal(project_open(p, folder), MIDI_NOT_REGULAR);
    assert_int_equal(score_n_notes(p->score), 1);
    assert_null(project_base_name(p));
}

TEST_IN(saving_nowhere_fails_and_says_so, begin, end)
{
    struct project *p = *state;
    add_note(p, 0, 60);
    assert_int_equal(project_save(p, NULL), MIDI_NO_FILE);
    assert_int_equal(project_save(p, in_folder("no/such/folder.mid")),
                     MIDI_CANNOT_WRITE);
    assert_true(project_modified(p));
}

GROUP(make_own_folder, remove_own_folder)
