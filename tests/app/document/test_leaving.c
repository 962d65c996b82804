/* Leaving a piece whose music is saved: what was set and what waits is kept beside it,
 * and no file is made for nothing. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/waiting_takes.h"

/* The music with nothing beside it, as if by another program, just opened. */
WORD(untouched)
{
    rewrite(arguments, score_clone(s->project.score));
    open_again(s, arguments);
}

/* Without leaving the program, and without what was not saved. */
WORD(again)
{
    s->quit = false;
    open_again(s, arguments);
}

NUMBER_FACT(seed, s->steering.seed)

SCRIPT(leaving_untouched_music_makes_no_file, open_session) = {
    {"‹untouched calm.mid›:q\r", "quit"},
    {"‹ask›X:q\r", "quit"},
    {"‹file e other.mid›‹not_there calm.mid.continuo›"},
};

SCRIPT(leaving_keeps_what_was_set, open_session) = {
    {"‹untouched set.mid›:density 2\r:q\r", "quit"},
    {"‹file e other.mid›‹again set.mid›", "density 2"},
    {":seed 77\r:e nothing.mid\r‹again set.mid›", "seed 77"}, /* leaves it, too */
    {":seed 78\r:q!\r‹again set.mid›", "seed 77"},
};

TEST_WITH(leaving_keeps_takes_that_wait, open_session)
{
    keys(s, "‹untouched wait.mid›:takes 4\r‹ask›");
    struct before b = look(s);
    play(s, ":q\r", "quit", NULL);
    keys(s, "‹again wait.mid›");
    assert_same_takes(&b.takes, &s->takes);
    play(s, ":q\r", "quit", NULL);
    s->quit = false;
    play(s, "TX:q\r", "quit", NULL);
    play(s, "‹again wait.mid›", "no take", NULL);
    forget(&b);
}

TEST_WITH(what_cannot_be_kept_is_said, open_session)
{
    assert_ok(mkdir(in_folder("no.mid.continuo"), 0700));
    setenv("XDG_STATE_HOME", "/dev/null/x", 1); /* nor elsewhere */
    play(s, "‹untouched no.mid›:density 2\r:q\r", "no quit", "!:q! leaves without");
    play(s, ":q!\r", "quit", NULL);
    setenv("XDG_STATE_HOME", folder, 1);
}

GROUP(make_model, remove_own_folder)
