/* Stores that were put aside open like music, whole or damaged; and a piece is one piece
 * by the names of its links, too. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "app/editor/keep/keep.h"

/* A piece of two notes, and three more that were not saved. */
WORD(unsaved)
{
    word_saved(s, 2, arguments);
    draw(s, 3);
    settle(s);
    word_leave(s, -1, "");
}

NUMBER_FACT(said, strlen(s->message.text))

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
};

SCRIPT(one_of_a_later_version_is_not_offered, empty_session) = {
    {"‹unsaved later.mid›‹spoil later.mid.continuo PRAGMA user_version = 99›"},
    {"‹open later.mid›", "says ~later.mid.continuo.1", "-:e opens"},
};

TEST_WITH(one_with_nothing_in_it_is_refused, empty_session)
{
    put_bytes("none.1", (const uint8_t *)"SQLite format 3\0whatever", 25);
    draw(s, 1);
    assert_false(session_open(s, in_folder("none.1")));
    check_facts(s, "error; n 1");
    act_command_line(s, "q!");
}

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
