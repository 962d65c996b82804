/* The open document: new files, saving, modified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/document/project.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/continuo-project-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
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
    assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    assert_int_equal(project_do(p, c), MIDI_OK);
}

static void a_new_file_is_written_on_save(void **state)
{
    (void)state;
    struct project p;
    assert_int_equal(project_init(&p), MIDI_OK);
    assert_int_equal(project_open(&p, in_folder("new.mid")), MIDI_NO_FILE);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(project_base_name(&p), "new.mid");
    assert_int_not_equal(access(in_folder("new.mid"), F_OK), 0);
    add_note(&p, 0, 60);
    assert_true(project_modified(&p));
    assert_int_equal(project_save(&p, NULL), MIDI_OK);
    assert_false(project_modified(&p));
    struct project q;
    assert_int_equal(project_init(&q), MIDI_OK);
    assert_int_equal(project_open(&q, in_folder("new.mid")), MIDI_OK);
    assert_true(score_equal(p.score, q.score));
    project_fini(&p);
    project_fini(&q);
}

static void undoing_to_what_was_saved_is_not_modified(void **state)
{
    (void)state;
    struct project p;
    const char *label = NULL;
    assert_int_equal(project_init(&p), MIDI_OK);
    add_note(&p, 0, 60);
    assert_int_equal(project_save(&p, in_folder("a.mid")), MIDI_OK);
    add_note(&p, 480, 62);
    assert_true(project_modified(&p));
    assert_true(project_undo(&p, &label));
    assert_string_equal(label, "add a note");
    assert_false(project_modified(&p));
    assert_true(project_redo(&p, NULL));
    assert_true(project_modified(&p));
    project_fini(&p);
}

static void a_bad_file_leaves_the_project_alone(void **state)
{
    (void)state;
    struct project p;
    assert_int_equal(project_init(&p), MIDI_OK);
    add_note(&p, 0, 60);
    FILE *f = fopen(in_folder("bad.mid"), "wb");
    assert_non_null(f);
    fputs("this is not MIDI", f);
    fclose(f);
    assert_int_equal(project_open(&p, in_folder("bad.mid")), MIDI_NOT_MIDI);
    assert_int_equal(project_open(&p, folder), MIDI_NOT_REGULAR);
    assert_int_equal(score_n_notes(p.score), 1);
    assert_null(project_base_name(&p));
    project_fini(&p);
}

static void saving_nowhere_fails_and_says_so(void **state)
{
    (void)state;
    struct project p;
    assert_int_equal(project_init(&p), MIDI_OK);
    add_note(&p, 0, 60);
    assert_int_equal(project_save(&p, NULL), MIDI_NO_FILE);
    assert_int_equal(project_save(&p, in_folder("no/such/folder.mid")),
                     MIDI_CANNOT_WRITE);
    assert_true(project_modified(&p));
    project_fini(&p);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"new.mid", "a.mid", "bad.mid"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        unlink(in_folder(NAMES[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_is_written_on_save),
        cmocka_unit_test(undoing_to_what_was_saved_is_not_modified),
        cmocka_unit_test(a_bad_file_leaves_the_project_alone),
        cmocka_unit_test(saving_nowhere_fails_and_says_so),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
