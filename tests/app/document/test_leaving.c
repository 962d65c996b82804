/* Leaving a piece whose music is saved: what was set and what waits is kept beside it,
 * and no file is made for nothing. */
#include "tests/check.h"
#include "tests/app/waiting_takes.h"

static void quit(struct session *s)
{
    act_command_line(s, "q");
    assert_true(s->quit);
    s->quit = false;
}

/* The music with nothing beside it, as if by another program, just opened. */
static void open_untouched(struct session *s, const char *name)
{
    rewrite(name, score_clone(s->project.score));
    open_again(s, name);
}

TEST_WITH(leaving_untouched_music_makes_no_file, open_session)
{
    open_untouched(s, "calm.mid");
    quit(s);
    ask(s); /* throws the dice */
    run(s, CMD_REJECT_ALL);
    quit(s);
    session_open(s, in_folder("other.mid"));
    assert_false(is_there("calm.mid.continuo"));
}

TEST_WITH(leaving_keeps_what_was_set, open_session)
{
    open_untouched(s, "set.mid");
    act_command_line(s, "density 2");
    quit(s);
    session_open(s, in_folder("other.mid"));
    open_again(s, "set.mid");
    assert_true(s->steering.density == 2);
    act_command_line(s, "seed 77");
    act_command_line(s, "e nothing.mid"); /* leaves it, too */
    open_again(s, "set.mid");
    assert_true(s->steering.seed == 77);
    act_command_line(s, "seed 78");
    act_command_line(s, "q!");
    open_again(s, "set.mid");
    assert_true(s->steering.seed == 77);
}

TEST_WITH(leaving_keeps_takes_that_wait, open_session)
{
    open_untouched(s, "wait.mid");
    act_command_line(s, "takes 4");
    ask(s);
    struct before b = look(s);
    quit(s);
    open_again(s, "wait.mid");
    assert_same_takes(&b.takes, &s->takes);
    quit(s);
    run(s, CMD_REJECT_ALL);
    quit(s);
    open_again(s, "wait.mid");
    assert_false(s->has_take);
    forget(&b);
}

TEST_WITH(what_cannot_be_kept_is_said, open_session)
{
    assert_int_equal(mkdir(in_folder("no.mid.continuo"), 0700), 0);
    setenv("XDG_STATE_HOME", "/dev/null/x", 1); /* nor elsewhere */
    open_untouched(s, "no.mid");
    act_command_line(s, "density 2");
    act_command_line(s, "q");
    assert_false(s->quit);
    assert_true(s->message.is_error);
    assert_said(s, ":q! leaves without");
    act_command_line(s, "q!");
    assert_true(s->quit);
    setenv("XDG_STATE_HOME", folder, 1);
}

GROUP(make_model, remove_own_folder)
