/* What the verbs write over with -o: a file that the editor would ask about only with
 * --force, their own input only as the same kind of file. Runs the real program. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/program_home.h"
#include "app/document/overwrite.h"

static int at_home(void **state)
{
    home_of_program = getenv("CONTINUO_HOME");
    return make_own_folder(state);
}

/* Nothing there changes, and the message has that text. */
static void assert_refused(const char *line, const char *name, const char *says)
{
    size_t n, n_after;
    auto_free uint8_t *before = get_bytes(name, &n);
    int status = run_program(line);
    if (status != 1 || !strstr(said, says))
        fail_msg("%s: exit %d, %s", line, status, said);
    auto_free uint8_t *after = get_bytes(name, &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(before, after, n);
}

/* Music of two notes, with its store. */
static void save_music(struct session *s, const char *name)
{
    keys(s, formatted("‹saved2 %s›‹leave›", name));
}

TEST_WITH(a_store_with_unsaved_edits_is_not_undercut, empty_session)
{
    save_music(s, "in.mid");
    assert_done("copy in.mid -o saved.mid");
    keys(s, "‹saved2 saved.mid›‹leave›");
    assert_done("copy in.mid -o saved.mid"); /* all of it is saved */
    keys(s, "‹open saved.mid›‹draw 3›‹settle›‹leave›");
    assert_refused("copy in.mid -o saved.mid", "saved.mid", "unsaved edits");
    assert_refused("copy saved.mid -o saved.mid", "saved.mid", "unsaved edits");
    assert_ok(symlink("saved.mid", in_folder("link.mid")));
    assert_refused("copy in.mid -o link.mid", "saved.mid", "unsaved edits");
    assert_refused("render in.mid -o saved.mid --format wav", "saved.mid",
                   "unsaved edits");
    keys(s, "‹open saved.mid›uuu‹settle›‹leave›"); /* back at what was saved */
    assert_done("copy in.mid -o saved.mid");
    keys(s, "‹open saved.mid›‹draw 1›‹settle›‹leave›");
    assert_done("copy in.mid -o saved.mid --force");
}

/* Each of several files. */
TEST_WITH(so_is_that_of_a_take, empty_session)
{
    save_music(s, "in.mid");
    save_music(s, "out-2.mid");
    keys(s, "‹open out-2.mid›‹draw 1›‹settle›‹leave›");
    assert_refused("continue in.mid -o out.mid --takes 3 --model /none", "out-2.mid",
                   "out-2.mid: is not written: its store has unsaved edits");
}

TEST_WITH(an_open_piece_is_not_undercut, empty_session)
{
    save_music(s, "in.mid");
    save_music(s, "open.mid");
    keys(s, "‹open open.mid›"); /* and nothing done to it */
    assert_refused("copy in.mid -o open.mid", "open.mid", "has it open");
    keys(s, "‹draw 1›‹settle›");
    assert_refused("copy in.mid -o open.mid", "open.mid", "has it open");
    keys(s, "‹leave›");
}

/* A check leaves no store behind, and one that says nothing is no reason. */
TEST_WITH(other_stores_are_no_reason, empty_session)
{
    save_music(s, "in.mid");
    assert_done("copy in.mid -o plain.mid");
    assert_done("copy in.mid -o plain.mid");
    assert_int_not_equal(access(in_folder("plain.mid.continuo"), F_OK), 0);
    put_text("plain.mid.continuo", "no store");
    assert_done("copy in.mid -o plain.mid");
    assert_int_equal(access(in_folder("plain.mid.continuo"), F_OK), 0);
    assert_null(overwrite_refusal(in_folder("nowhere.mid")));
    assert_null(overwrite_refusal("/dev/null"));
}

/* Edits that are in the state folder, since the folder takes no store. */
TEST_WITH(edits_in_the_state_folder_count, empty_session)
{
    save_music(s, "in.mid");
    assert_done("copy in.mid -o kept.mid");
    assert_ok(mkdir(in_folder("kept.mid.continuo"), 0700)); /* a store cannot be here */
    keys(s, "‹open kept.mid›‹draw 1›‹settle›‹leave›");
    assert_refused("copy in.mid -o kept.mid", "kept.mid", "unsaved edits");
    assert_done("copy in.mid -o kept.mid --force");
}

TEST_WITH(a_hard_link_is_not_separated, empty_session)
{
    struct stat st;
    save_music(s, "in.mid");
    assert_done("copy in.mid -o one.mid");
    assert_ok(link(in_folder("one.mid"), in_folder("two.mid")));
    assert_refused("copy in.mid -o two.mid", "two.mid", "hard link");
    assert_refused("copy one.mid -o two.mid", "two.mid", "hard link");
    assert_ok(stat(in_folder("one.mid"), &st));
    assert_int_equal(st.st_nlink, 2);
    assert_done("copy in.mid -o two.mid --force");
    assert_ok(stat(in_folder("one.mid"), &st));
    assert_int_equal(st.st_nlink, 1);
}

TEST_WITH(a_damaged_input_stays, empty_session)
{
    struct stat st;
    save_music(s, "in.mid");
    assert_done("copy in.mid -o cut.mid");
    assert_ok(stat(in_folder("cut.mid"), &st));
    assert_ok(truncate(in_folder("cut.mid"), st.st_size - 6));
    assert_ok(symlink("cut.mid", in_folder("cut-link.mid")));
    assert_refused("copy cut.mid -o cut.mid", "cut.mid", "not read completely");
    assert_refused("copy cut-link.mid -o cut.mid", "cut.mid", "not read completely");
    assert_refused("copy cut.mid -o ./cut-link.mid", "cut.mid", "not read completely");
    assert_done("copy cut.mid -o elsewhere.mid");
    assert_done("copy cut.mid -o cut.mid --force");
    assert_done("copy cut.mid -o cut.mid"); /* it is whole now */
}

TEST_WITH(an_input_is_not_written_over_in_another_format, empty_session)
{
    static const char *const LINES[] = {
        "render in.mid -o in.mid --format wav",
        "render in.mid -o in-link.mid --format wav --force",
        "tokens --data in.mid -o in.mid",
        "tokens --data in.mid -o ./in.mid --force",
        "quantise in.mid -o in.mid",
        "quantise other.mid -o in.mid --mean-with in.mid",
        "train --data in.mid -o in.mid --steps 1",
        "train --data in.mid -o in.mid --steps 1 --force",
        "continue other.mid -o in.mid --model in.mid",
        "inpaint other.mid -o in.mid --from 1 --to 2 --more-like in.mid",
    };
    save_music(s, "in.mid");
    assert_done("copy in.mid -o other.mid");
    assert_ok(symlink("in.mid", in_folder("in-link.mid")));
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_refused(LINES[i], "in.mid", "is an input");
    assert_done("copy in.mid -o in.mid"); /* the same kind of file */
    assert_done("copy in.mid -o in.json");
    assert_refused("tokens --data in.json -o in.npy", "in.json", "is an input");
}

GROUP(at_home, remove_own_folder)
