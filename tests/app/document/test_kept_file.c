/* The piece and its file: other programs that change it or have it open, other names, no
 * name at all, stores that were put aside, links, and leaving without saving. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "app/editor/shell/shell.h"
#include "app/editor/keep/keep.h"

/* So many notes in that file, as another program would write it. */
WORD(rewrite)
{
    struct session *other = saved_piece("elsewhere.mid", on);
    copy_file(arguments, "elsewhere.mid");
    kept_close(other);
    unlink(in_folder("elsewhere.mid"));
    unlink(in_folder("elsewhere.mid.continuo"));
}

SCRIPT(a_changed_file_is_not_written_over, empty_session) = {
    {"‹saved2 changed.mid›‹draw 1›‹rewrite5 changed.mid›:w\r", "", "!another program"},
    {":w!\r", "no error"},
    {"‹rewrite5 changed.mid›:e!\r", "n 5"},
    {"‹sh test ! -e changed.mid.continuo.1›"}, /* all was saved */
    {":w\r", "no error"},
};

SCRIPT(a_file_that_was_not_read_whole_is_not_written_over, empty_session) = {
    {"‹saved2 more.mid›‹leave›‹sh printf 'more' >>more.mid›‹open more.mid›", "n 2",
     "!4 byte(s) after the last track"},
    {"‹draw 1›:w\r", "", "!not read completely"},
    {":wq\r", "no quit", "!not read completely"},
    {":w!\r", "no error"},
    {"‹draw 1›:w\r", "no error"}, /* it is whole now */
    {"‹sh printf 'more' >>more.mid›‹open more.mid›‹draw 1›‹file w whole.mid›",
     "no error"},
    {"‹draw 1›:w\r", "no error"},
};

SCRIPT(another_file_is_not_written_over_unasked, empty_session) = {
    {"‹draw 1›‹sh printf 'precious' >precious.mid›‹file w precious.mid›", "error"},
    {"‹file w! precious.mid›", "no error"},
    {":w\r", "no error"}, /* ours by now */
};

SCRIPT(a_touched_file_is_the_same, empty_session) = {
    {"‹saved2 touched.mid›‹draw 1›‹sh cp touched.mid copy.mid›"},
    {"‹sh cp copy.mid touched.mid›:w\r", "no error"},
};

SCRIPT(a_name_without_an_ending_gets_one, empty_session) = {
    {"‹draw 2›‹file w bare›‹sh test -e bare.mid›", "no error",
     "saved bare.mid, 2 notes"},
    {"‹draw 1›‹file w bare›", "no error", "saved bare.mid, 3 notes"},
    {"‹file w bare.midi›‹sh test -e bare.midi›", "no error"},
};

SCRIPT(a_change_is_noticed_meanwhile, empty_session) = {
    {"‹saved2 noticed.mid›"},
    {"‹rewrite4 noticed.mid›‹wait_for another program›", "error; n 2"},
    {":w!\r", "no error"},
    {"‹rewrite4 noticed.mid›‹wait_for another program›", "error"},
};

SCRIPT(what_was_not_saved_of_before_is_kept_aside, empty_session) = {
    {"‹saved2 aside.mid›‹draw 3›‹settle›‹leave›‹rewrite9 aside.mid›"},
    {"‹open aside.mid›‹sh test -e aside.mid.continuo.1›", "n 9",
     "!aside.mid.continuo.1"},
    {"‹leave›‹sh rm -f aside.mid && cp aside.mid.continuo.1 aside.mid.continuo›"},
    /* the file is gone: its journal has the only copy */
    {"‹open aside.mid›‹sh test -e aside.mid.continuo.2›"},
};

SCRIPT(an_earlier_version_is_found_in_the_history, empty_session) = {
    {"‹saved2 back.mid›‹sh cp back.mid earlier.mid›‹draw 3›:w\r"},
    {"‹leave›‹sh cp earlier.mid back.mid›‹open back.mid›", "n 5; saved_state 2",
     "~3 unsaved edits are restored"},
};

/* The old one is as it was saved, and the rest is in its tree. */
SCRIPT(another_name_takes_the_history_along, empty_session) = {
    {"‹saved2 old.mid›‹draw 2›‹file w new.mid›", "no error"},
    {"‹draw 1›‹settle›‹meanwhile old.mid n 2; states 5; clean›"},
    {"‹open new.mid›", "n 5; no clean"},
    {"99u", "n 0"},
};

SCRIPT(leaving_without_saving_is_meant, empty_session) = {
    {"‹saved2 left.mid›‹draw 3›:q\r", "no quit"},
    {":q!\r", "quit"},
    {"‹open left.mid›", "n 2; clean; states 6"}, /* but not lost */
    {"‹draw 1›‹file e! right.mid›", "n 0"},
    {"‹open left.mid›", "n 2"},
    /* what cannot be opened leaves all as it was */
    {"‹sh printf 'this is not MIDI' >no.mid›‹draw 1›‹file e! no.mid›", "n 3"},
};

SCRIPT(music_without_a_name_comes_back, empty_session) = {
    {"‹open unnamed›", "n 0"},
    {"‹draw 3›‹settle›‹meanwhile unnamed n 0›"}, /* another program's is not its own */
    {"‹open unnamed›", "n 3",
     "3 notes; 3 unsaved edits are restored: :w NAME keeps them"},
    {"‹draw 1›‹file w named.mid›‹open unnamed›", "n 0"},
    {"‹draw 2›:q!\r‹open unnamed›",
     "n 0"}, /* what was thrown away does not come back */
    {"‹open named.mid›2u", "n 2"},
};

SCRIPT(what_is_as_saved_is_clean, empty_session) = {
    {"‹open unnamed›‹draw 1›:w\r\033:w /nonexistent/x.mid\r", "no clean",
     "!No such file"},
    {"‹file w clean.mid›", "clean"},
    {"‹draw 1›", "no clean"},
    {"u", "clean"},
    {"‹C-r›", "no clean"},
};

/* An example is opened as if it were in another place. */
WORD(open_copy)
{
    const char *to;
    const char *from = first_of(arguments, &to);
    word_leave(s, -1, "");
    session_open_copy(s, in_folder(from), in_folder(to));
}

SCRIPT(a_copy_is_journalled_where_it_will_be, empty_session) = {
    {"‹saved2 from.mid›‹open_copy from.mid to.mid›", "n 2",
     "2 notes on 1 track; C continues it, ? helps"},
    {"9L‹draw 1›‹settle›‹open_copy from.mid to.mid›", "n 3"},
    {":w\r‹open to.mid›", "n 3; clean"},
    {"u", "n 2"},
};

/* A journal that is begun late tells of the state that the music is in, too. */
TEST_WITH(what_a_second_program_saves_is_its_own, empty_session)
{
    keys(s, "‹saved2 theirs.mid›‹settle›");
    struct session *second = kept_open("theirs.mid");
    assert_int_equal(second->project.found.kind, RECOVERY_TAKEN);
    draw(second, 2);
    run_times(second, CMD_UNDO, 1);
    assert_true(act_save_as(second, in_folder("second.mid"), false));
    settle(second);
    kept_close(second);
    play(s, "‹open second.mid›", "unsaved 0; n 3", NULL);
    assert_int_equal(s->project.found.kind, RECOVERY_BACK);
    play(s, "‹C-r›", "n 4", NULL);
    play(s, "99u", "n 2", NULL);
}

/* When the first program quits, the second may write, with what it has edited. */
TEST_WITH(what_another_has_left_is_taken_over, empty_session)
{
    keys(s, "‹saved2 handed.mid›‹settle›");
    struct session *second = kept_open("handed.mid");
    assert_int_equal(second->project.found.kind, RECOVERY_TAKEN);
    draw(second, 2);
    play(second, ":w\r", NULL, "!another continuo");
    play(s, "‹leave›", NULL, NULL);
    keys(second, "‹wait_for has closed it›");
    settle(second);
    assert_true(project_is_kept(&second->project));
    play(second, ":w\r", "clean; n 4", "~saved handed.mid");
    draw(second, 1);
    settle(second);
    kept_close(second);
    play(s, "‹open handed.mid›", "n 5; unsaved 1", NULL);
    play(s, "99u", "n 2", NULL);
}

/* What was not edited here is as the other has left it. */
TEST_WITH(an_untouched_one_follows_the_other, empty_session)
{
    keys(s, "‹saved2 followed.mid›‹settle›");
    struct session *second = kept_open("followed.mid");
    keys(s, "‹draw 3›:w\r‹settle›‹leave›");
    play(second, ":w\r", "n 5; clean", NULL); /* it does not wait for the look */
    draw(second, 1);
    settle(second);
    assert_true(project_is_kept(&second->project));
    kept_close(second);
    play(s, "‹open followed.mid›", "n 6", NULL);
    play(s, "99u", "n 0", NULL); /* the whole history */
}

/* Then a program that is being ended puts the music beside, as one without a journal. */
TEST(without_a_place_for_the_journal_it_is_said)
{
    unsetenv("XDG_STATE_HOME");
    auto_free char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    unsetenv("HOME");
    struct session *s = kept_session();
    draw(s, 1);
    session_tick(s);
    assert_true(s->view.message.is_error);
    assert_false(project_is_kept(&s->project));
    assert_true(act_save_as(s, in_folder("placed.mid"), false));
    settle(s);
    assert_true(project_is_kept(&s->project));
    setenv("XDG_STATE_HOME", folder, 1);
    if (home)
        setenv("HOME", home, 1);
    play(s, "‹open placed.mid›", "n 1", NULL);
    play(s, "u", "n 0", NULL);
    kept_close(s);
}

/* A piece of two notes, and three more that were not saved. */
WORD(unsaved)
{
    word_saved(s, 2, arguments);
    draw(s, 3);
    settle(s);
    word_leave(s, -1, "");
}

NUMBER_FACT(said, strlen(s->view.message.text))

SCRIPT(what_is_aside_can_be_opened, empty_session) = {
    {"‹unsaved a.mid›‹sh printf 'as if edited elsewhere' >>a.mid›"},
    {"‹open a.mid›", "n 2; said 1..78; says ~:e opens", "~a.mid.continuo.1"},
    /* saving does not write over the store */
    {"‹leave›‹file e a.mid.continuo.1›", "n 5; no has_name", "~:w NAME"},
    {"‹draw 1›‹settle›‹leave›‹sh test -e a.mid.continuo.1›"},
    {"‹open unnamed›", "n 6"}, /* what is done to it is kept like anything unnamed */
};

SCRIPT(a_file_that_is_gone_is_said_to_be, empty_session) = {
    {"‹unsaved gone.mid›‹sh rm -f gone.mid›"},
    {"‹open gone.mid›", "n 0", "~deleted; :e opens"},
    {"‹leave›‹file e gone.mid.continuo.1›", "n 5"},
};

SCRIPT(a_damaged_one_opens_up_to_the_damage, empty_session) = {
    {"‹unsaved bad.mid›"},
    {"‹spoil bad.mid.continuo UPDATE edit SET change = x'7f' WHERE id = 4›"},
    {"‹open bad.mid›", "n 2; error; said 1..78"},
    {"‹leave›‹file e bad.mid.continuo.1›", "n 3"},
    {"‹leave›‹unsaved odd.mid›‹spoil odd.mid.continuo UPDATE piece SET state = 99›"},
    {"‹open odd.mid›", "n 2; error"},
    {"‹leave›‹file e odd.mid.continuo.1›", "n 5"}, /* the last that there is */
};

SCRIPT(one_of_a_later_version_is_not_offered, empty_session) = {
    {"‹unsaved later.mid›‹spoil later.mid.continuo PRAGMA user_version = 99›"},
    {"‹open later.mid›", "says ~later.mid.continuo.1", "-:e opens"},
};

SCRIPT(one_with_nothing_in_it_is_refused, empty_session) = {
    {"‹sh printf 'SQLite format 3\\0whatever\\0' >none.1›‹draw 1›‹file e! none.1›",
     "error; n 1"},
};

SCRIPT(a_link_leads_to_the_same_piece, empty_session) = {
    {"‹sh mkdir -m 700 folder›‹saved2 folder/real.mid›‹sh ln -s folder/real.mid "
     "link.mid›"},
    {"‹draw 3›‹settle›‹meanwhile link.mid says ~another continuo›"},
    {"‹open link.mid›", "n 5"},
    {":w\r‹leave›‹sh test ! -e link.mid.continuo›"},
};

SCRIPT(a_folder_is_not_written_over, empty_session) = {
    {"‹draw 1›‹file w ›", "", "~is a folder"},
    {":q!\r", "quit"},
};

TEST_WITH(the_loop_stays_on_its_music, empty_session)
{
    keys(s, "‹saved4 loop.mid›‹settle›‹open loop.mid›");
    session_set_loop(s, 240, 480);
    play(s, "‹at 0›:insert 1\r‹settle›", "loop_from 1b240", NULL);
    session_autosave_flush(s); /* as when it is ended from outside */
    play(s, "‹open loop.mid›", "no clean; loop_from 1b240; loop_to 1b1q", NULL);
    act_command_line(s, "revert");
    session_tick(s);
    session_follow_loop(s);
    assert_int_equal(s->loop.from, 240);
}

GROUP(make_own_folder, remove_own_folder)
