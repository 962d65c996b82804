/* What is configured, in the workstation: how it begins, also by its command line, and what
 * is changed while it runs. */
#include "tests/check.h"
#include "tests/app/driver.h"

#include "app/cli/workstation.h"
#include "tests/app/settings/config_text.h"
#include "app/editor/shell/tutor.h"
#include "app/editor/shell/preferences.h"

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

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

TEST_WITH(a_session_is_as_it_says, open_session)
{
    char home[700];
    snprintf(home, sizeof home, "%s/greet", folder);
    setenv("XDG_STATE_HOME", home, 1);
    read_text("[edit]\nvelocity = 33\n[machine]\ndensity = 2\n[view]\nfollow = no\n"
              "[keys]\nnormal.note = F6\njunk\n");
    preferences_begin(s, &config);
    assert_null(config.keymap);
    assert_false(s->roll.follow);
    assert_true(s->steering.density == 2);
    keys(s, "‹F6›");
    assert_int_equal(s->project.score->tracks[0].notes[0].velocity, 33);
    keys(s, "\r");
    assert_int_equal(score_n_notes(s->project.score), 1);
    preferences_greet(s, &config, false);
    assert_true(s->message.is_error);
    assert_string_equal(s->message.text,
                        "continuo.conf:9: this is neither [section] nor name = value, "
                        "and no # comment");
    session_say(s, "x");
    config_init(&config);
    preferences_greet(s, &config, false); /* it was the first time before */
    assert_string_equal(s->message.text, "x");
    snprintf(home, sizeof home, "%s/greet2", folder);
    setenv("XDG_STATE_HOME", home, 1);
    preferences_greet(s, &config, false);
    assert_said(s, ":tutor");
    assert_false(s->parts.tutor->is_on);
    preferences_greet(s, &config, true);
    assert_true(s->parts.tutor->is_on);
    unsetenv("XDG_STATE_HOME");
}

TEST_WITH(settings_change_while_it_runs, open_session)
{
    act_command_line(s, "density 3");
    answered(s, "set velocity 44", "velocity is 44");
    assert_int_equal(s->new_note.velocity, 44);
    assert_true(s->steering.density == 3); /* is not forgotten for it */
    act_command_line(s, "set follow no");
    assert_false(s->roll.follow);
    act_command_line(s, "set grid 1/8t");
    assert_int_equal(s->grid.kind, GRID_TRIPLET);
    act_command_line(s, "set quantise 50% swing 60");
    assert_true(s->groove.strength == 50 && s->groove.swing == 60);
    act_command_line(s, "set theme light");
    assert_string_equal(s->preferences.theme, "light");
    act_command_line(s, "set theme auto");
    assert_string_equal(s->preferences.theme, "auto");
    refused(s, "set theme pink", "");
    act_command_line(s, "set minimap no");
    assert_int_equal(s->roll.map, MAP_HIDDEN);
    act_command_line(s, "set takes 7");
    assert_int_equal(s->steering.n_takes, 7);
    refused(s, "set takes 70", "");
    assert_int_equal(s->steering.n_takes, 7);
    refused(s, "set soundfont /x", "");
    refused(s, "set nothing 1", "");
    refused(s, "set", "");
    answered(s, "set velocity", "velocity is 44");
    act_command_line(s, "config");
    assert_true(strlen(s->message.text) > 0);
}

/* Of a piece that nothing is kept beside; another one's own values are not its. */
TEST_WITH(a_piece_begins_as_configured, open_session)
{
    char path[700];
    snprintf(path, sizeof path, "%s/new.mid", folder);
    read_text("[machine]\ndensity = 2\nseed = 77\n[edit]\ngrid = 1/8\n");
    preferences_begin(s, &config);
    assert_true(s->steering.density == 2 && s->steering.seed == 77);
    act_command_line(s, "density 4");
    act_command_line(s, "grid 1/4");
    act_command_line(s, "set guidance 1");
    session_open(s, path);
    assert_true(s->steering.density == 2 && s->steering.seed == 77);
    assert_true(s->steering.guidance == 1);
    assert_int_equal(s->grid.division, 8);
}

TEST_WITH(keys_change_while_it_runs, open_session)
{
    act_command_line(s, "map C-z undo");
    keys(s, "\r‹C-z›");
    assert_int_equal(score_n_notes(s->project.score), 0);
    act_command_line(s, "map g z normal.note");
    keys(s, "gz");
    assert_int_equal(score_n_notes(s->project.score), 1);
    act_command_line(s, "map u none");
    keys(s, "u");
    assert_int_equal(score_n_notes(s->project.score), 1);
    act_command_line(s, "map x undo"); /* which was delete's */
    keys(s, "x");
    assert_int_equal(score_n_notes(s->project.score), 0);
    refused(s, "map blah undo", "");
    refused(s, "map x plop", "");
    refused(s, "map", "");
}

GROUP(make_model, remove_own_folder)
