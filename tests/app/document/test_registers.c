/* Registers: by keys, over tracks, files and divisions, with the controllers of whole bars. */
#include "tests/check.h"
#include "app/document/state.h"
#include "tests/app/editor/events.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/score_of.h"

enum { BAR = 1920 };

static int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    put_note(s, 0, 0, 240, 60, 80);
    put_note(s, 0, 480, 240, 64, 90);
    s->view.cursor.pitch = 60;
    *state = s;
    return 0;
}

SCRIPT(letters_keep_what_was_copied, open_session) = {
    {"\"ay", "", "1 note copied: \"ap pastes it"},                /* the C */
    {"w\"byL\"ap", "notes 0+240 60, 1q+240 64, 1b+240 60"},       /* and the E */
    {"Lp", "notes 0+240 60, 1q+240 64, 1b+240 60, 2b+240 64@90"}, /* the last filled */
    {"L\"cp", "n 4", "register c is empty; :registers lists all"},
    {"\"a\033p", "notes 0+240 60, 1q+240 64, 1b+240 60, 2b+240 64, 3b+240 64"},
    {":registers\r", "", "\"a 1 note  \"b 1 note"}, /* Escape took the register back */
};

/* Of a register, by its character: 97 is a, 57 is 9. */
NUMBER_FACT(held, registers_get(&s->registers, (uint32_t)of)->n)
NUMBER_FACT(span, registers_get(&s->registers, (uint32_t)of)->span)

SCRIPT(capitals_add, open_session) = {
    /* the E after the C: each a grid step or two long */
    {"\"aywww\"Ay", "held97 2; span97 1q"},
    {"L\"ap", "notes 0+240 60, 1q+240 64, 1b+240 60, 1b240+240 64"},
};

SCRIPT(numbers_remember_what_was_taken, open_session) = {
    {"yxwx", "n 0"},
    {"gg\"1p", "notes 0+240 64"}, /* the latest */
    {"L\"2pL\"0p", "notes 0+240 64, 1b+240 60, 2b+240 60"},
    {"L\"\"p",
     "notes 0+240 64, 1b+240 60, 2b+240 60, 3b+240 64"}, /* x filled it last */
    {"‹pitch 40›gg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rxgg\rx",
     "held57 1"},
};

#define TWO_BARS "notes 0+240 60, 1q+240 64, 1b+240 60, 1b1q+240 64, "

SCRIPT(counts_paste_in_a_row, open_session) = {
    {"VyL3p", TWO_BARS "2b+240 60, 2b1q+240 64, 3b+240 60, 3b1q+240 64"},
    {"u", "n 2"},
    {"3\"0p", "n 8"}, /* the count may come first */
    {"u\"02pu", "n 2"},
    {"ggV2D", TWO_BARS "2b+240 60, 2b1q+240 64", "4 notes duplicated"},
};

SCRIPT(dot_goes_by_the_same_register, open_session) = {
    {"\"ayw\"byL\"apL.", "notes 0+240 60, 1q+240 64, 1b+240 60, 2b+240 60"},
    {"L\"b.", "notes 0+240 60, 1q+240 64, 1b+240 60, 2b+240 60, 3b+240 64"},
};

SCRIPT(tracks_stay_apart, open_session) = {
    {":track Second\r‹put1 240+240 48›‹track 0›gg"},
    /* onto the second, and one that was not there */
    {"gV\"my\tL\"mp", "tracks 3; notes2 1b240+240 48",
     "3 notes pasted, on 1 new track"},
    {"", "notes1 240+240 48, 1b+240 60, 1b1q+240 64"},
    {"u", "tracks 2; n 3"},
    {"gggVx", "n 0"},
    {"u", "n 3"},
};

SCRIPT(what_is_in_the_way_stays, open_session) = {
    {"Vy‹put 1b+1q 60›Lp", "",
     "1 note pasted; 1 left out: notes of the same pitch are already there"},
    {"p", "", "nothing pasted: notes of the same pitch are already there"},
    {"9999p", "n 1001..99999"},
    {"uu", "n 3"},
};

/* One that is left out is itself in nobody's way, whether it begins before what it meets or
 * after. */
SCRIPT(what_is_left_out_is_not_in_the_way, open_session) = {
    {"‹put 10b+10q 60, 10b8q+2q 60›‹put 20b5q+2q 60, 29b3q+2q 60›‹at 10b›VLLy"},
    {"‹at 20b›p", "", "~1 note pasted; 1 left out"},
    {"‹at 30b›p", "", "~1 note pasted; 1 left out"},
};

/* Of 96 ticks a quarter, and some that do not divide. */
TEST_WITH(files_of_other_divisions, open_session)
{
    static const int DIVISIONS[] = {96, 120, 7, 10000};
    keys(s, "V\"qy");
    for (size_t i = 0; i < sizeof DIVISIONS / sizeof DIVISIONS[0]; i++) {
        save_score("other.mid", score_of("%d | other:", DIVISIONS[i]));
        session_open(s, in_folder("other.mid"));
        s->view.track = 0;
        keys(s, "\"qp");
        assert_int_equal(note_of(s, 0, 0)->length, (DIVISIONS[i] + 1) / 2);
        assert_int_equal(note_of(s, 0, 1)->start, DIVISIONS[i]);
    }
}

DOES(open, session_open(s, in_folder(arguments)))

TEST_WITH(of_several_values_at_one_place_the_last_is_copied, open_session)
{
    BYTES(TWICE, HEADER(0, 1, 96),
          TRACK(0, 0xB0, 64, 127, 0, 0xB0, 11, 5, 0, 0xB0, 64, 30, 0, 0x90, 60, 80, 9,
                0x80, 60, 0, 0, END));
    put_bytes("twice.mid", TWICE, sizeof TWICE);
    play(s, "‹open twice.mid›Vy5Gp",
         "controls 64:0=127 11:0=5 64:0=30 11:1536=5 64:1536=30", NULL);
}

SCRIPT(they_outlive_the_file_that_is_open, open_session) = {
    {"V\"zy‹open new.mid›", "n 0"},
    {"\"zp", "n 2"},
};

/* Written now, not when it is left, and read as by the next program. */
WORD(recall)
{
    char why[STORE_WHY_BYTES];
    s->registers.changed = true;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    s->preferences.remembers_files = true;
    session_tick(s);
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    registers_fini(&s->registers);
    assert_true(registers_recall(&s->registers, why));
}

/* A bank is not copied, nor what is in the next bar; where they go the mod wheel stays, and no
 * other pedal. */
SCRIPT(whole_bars_take_their_controllers_along, open_session) = {
    {":track Second\r‹set0 64 100 127 64 900 0 11 100 55 0 100 3 64 1970 99›"
     "‹set1 64 4800 70 1 4800 71›‹track 0›Vy‹recall›\t3G2p",
     "controls1 11:3940=55 64:3940=127 64:4740=0 1:4800=71 11:5860=55 64:5860=127 "
     "64:6660=0"},
    {"u", "controls1 64:4800=70 1:4800=71; n1 0"},
    {"1gtggvlllly2gtLp",
     "controls1 64:4800=70 1:4800=71"}, /* a box is of notes alone */
};

/* Whatever their encoding. */
SCRIPT(lyrics_come_back_with_a_register, open_session) = {
    {"‹sing 0›Vy‹recall›Lp", "lyrics 0:l\xE1 1920:l\xE1"},
};

SCRIPT(controllers_are_added_in_order, open_session) = {
    {"‹set 64 100 127 11 200 5›V\"ayV\"Ay5G\"ap",
     "controls 64:100=127 11:200=5 64:7780=127 11:7880=5 64:9700=127 11:9800=5"},
};

/* Controllers count as notes do: a hostile file may have many for one note. */
TEST_WITH(what_is_too_much_is_not_pasted, open_session)
{
    enum { N_POINTS = 1 << 12 };
    struct clipboard_note note = {.length = 1, .pitch = 60, .velocity = 80};
    struct clipboard p = {
        .ticks_per_quarter = 480, .span = BAR, .notes = &note, .n = 1};
    p.points = calloc(N_POINTS, sizeof *p.points);
    p.n_points = N_POINTS;
    assert_non_null(p.points);
    uint64_t before = history_state(s->project.history);
    assert_true(registers_put(&s->registers, 0, &p, false));
    act_run(s, &(struct command){.id = CMD_PASTE, .count = 9999});
    assert_int_equal(history_state(s->project.history), before);
    assert_non_null(strstr(s->view.message.text, "too much"));
    free(p.points);
}

GROUP(make_own_folder, remove_own_folder)
