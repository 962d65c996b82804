/* What is configured, in the workstation: how it begins, also by its command line, and what
 * is changed while it runs. */
#include "tests/check.h"
#include "tests/app/script.h"

#include "app/cli/workstation.h"
#include "tests/app/settings/config_text.h"
#include "app/editor/shell/shell.h"

TEST(the_command_line_wins)
{
    char *none[] = {"continuo", "x.mid", NULL};
    char *some[] = {"continuo", "--audio", "none", "--threads", "2", "--seed=9", NULL};
    struct start start;
    read_text("[sound]\ndriver = jack\n[machine]\nthreads = 7\nseed = 4\n");
    assert_int_equal(start_parse(&start, &config, 2, none), -1);
    assert_string_equal(start.session.driver, "jack");
    assert_int_equal(start.session.n_threads, 7);
    assert_true(start.session.seed == 4 && !start.session.seed_is_asked);
    assert_string_equal(start.file, "x.mid");
    optind = 0;
    assert_int_equal(start_parse(&start, &config, 6, some), -1);
    assert_string_equal(start.session.driver, "none");
    assert_int_equal(start.session.n_threads, 2);
    assert_true(start.session.seed == 9 && start.session.seed_is_asked);
}

/* The folder of what was remembered, by a name of its own. */
static void remember_in(const char *name)
{
    setenv("XDG_STATE_HOME", in_folder(name), 1);
}

NUMBER_FACT(tutor, s->parts.tutor->is_on)
NUMBER_FACT(guidance, s->steering.guidance)
NUMBER_FACT(takes_asked, s->steering.n_takes)
NUMBER_FACT(follow, s->roll.follow)
NUMBER_FACT(velocity, s->new_note.velocity)
NUMBER_FACT(triplets, s->grid.kind == GRID_TRIPLET)
NUMBER_FACT(strength, s->groove.strength)
NUMBER_FACT(swing, s->groove.swing)
NUMBER_FACT(map_hidden, s->view.piece_map == MAP_HIDDEN)
NUMBER_FACT(said, *s->view.message.text != 0)
TEXT_FACT(theme, s->preferences.theme)

TEST_WITH(a_session_is_as_it_says, model_session)
{
    remember_in("greet");
    read_text("[edit]\nvelocity = 33\n[machine]\ndensity = 2\n[view]\nfollow = no\n"
              "[keys]\nnormal.note = F6\njunk\n");
    preferences_begin(s, &config);
    assert_null(config.keymap);
    play(s, "‹F6›", "no follow; density 2; notes 0+1s 60@33", NULL);
    play(s, "\r", "n 1", NULL);
    preferences_greet(s, &config, false);
    assert_true(s->view.message.is_error);
    assert_string_equal(s->view.message.text,
                        "continuo.conf:9: this is not [section], name = value "
                        "or a # comment");
    session_say(s, "x");
    config_init(&config);
    preferences_greet(s, &config, false); /* it was the first time before */
    assert_string_equal(s->view.message.text, "x");
    remember_in("greet2");
    preferences_greet(s, &config, false);
    assert_said(s, ":tutor");
    play(s, "", "no tutor", NULL);
    preferences_greet(s, &config, true);
    play(s, "", "tutor", NULL);
    unsetenv("XDG_STATE_HOME");
}

SCRIPT(settings_change_while_it_runs, model_session) = {
    {":density 3\r:set velocity 44\r", "velocity 44; density 3", "~velocity is 44"},
    {":set follow no\r:set grid 1/8t\r", "no follow; triplets"},
    {":set quantise 50% swing 60\r", "strength 50; swing 60"},
    {":set theme light\r", "theme light"},
    {":set theme auto\r", "theme auto"},
    {":set minimap no\r:set takes 7\r", "map_hidden; takes_asked 7"},
    {"‹refused set theme pink|set takes 70|set soundfont /x|set nothing 1|set›",
     "takes_asked 7"},
    {":set velocity\r", "", "~velocity is 44"},
    {":config\r", "said"},
};

/* Of a piece that nothing is kept beside; another one's own values are not its. */
TEST_WITH(a_piece_begins_as_configured, model_session)
{
    read_text("[machine]\ndensity = 2\nseed = 77\n[edit]\ngrid = 1/8\n");
    preferences_begin(s, &config);
    play(s, "", "density 2; seed 77", NULL);
    keys(s, ":density 4\r:grid 1/4\r:set guidance 1\r");
    session_open(s, in_folder("new.mid"));
    play(s, "", "density 2; seed 77; guidance 1; division 8", NULL);
}

SCRIPT(keys_change_while_it_runs, model_session) = {
    {":map C-z undo\r\r‹C-z›", "n 0"},
    {":map g z normal.note\rgz", "n 1"},
    {":map u none\ru", "n 1"},
    {":map x undo\rx", "n 0"}, /* which was delete's */
    {"‹refused map blah undo|map x plop|map›"},
};

GROUP(make_model, remove_own_folder)
