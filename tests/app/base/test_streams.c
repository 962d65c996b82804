/* Output that cannot be written is said, and a descriptor that was closed for the program
 * is not given to a file of ours. */
#include "tests/check.h"

#include "tests/app/program_home.h"

/* The exit status of a line of the shell, in which $C is the program and $X the example; what it
 * says on standard error is in `said`. */
static int run(const char *line)
{
    return run_shell(
        formatted("C=$CONTINUO_BIN X=$CONTINUO_HOME/models/example.mid; %s", line));
}

TEST(a_full_disk_is_said)
{
    static const char *const VERBS[] = {"info $X",     "info $X --json", "models",
                                        "--help",      "--man",          "--version",
                                        "score --help"};
    for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++) {
        assert_int_equal(run(formatted("$C %s 2>&1 >/dev/full", VERBS[i])), 1);
        assert_string_equal(said,
                            "continuo: the output could not be written completely: "
                            "No space left on device\n");
    }
}

TEST(a_closed_output_is_said)
{
    assert_int_equal(run("$C info $X 2>&1 >&-"), 1);
    assert_non_null(strstr(said, "the output could not be written completely"));
    assert_int_equal(run("$C info /none 2>&- >&-"), 1);
}

/* The music would be written with the messages of reading it in front. */
TEST(messages_do_not_get_into_the_music)
{
    assert_int_equal(
        run("{ cat $X; echo more; } >odd.mid; $C copy odd.mid -o a.mid 2>&1"), 0);
    assert_int_equal(run("$C copy odd.mid -o b.mid <&- >&- 2>&-"), 0);
    assert_int_equal(run("cmp a.mid b.mid 2>&1"), 0);
}

GROUP(make_own_folder, remove_own_folder)
