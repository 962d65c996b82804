/* Registers: by keys, over tracks, files and divisions, with the controllers of whole bars. */
#include "tests/check.h"
#include "midi/edit/lyrics.h"
#include "midi/score/chunk.h"
#include "midi/base/array.h"
#include "app/editor/session/edit.h"
#include "app/document/state.h"
#include "midi/edit/controllers.h"
#include "tests/app/driver.h"
#include "tests/app/script.h"
#include "tests/midi/score_equal.h"
#include "tests/midi/score_of.h"

enum { BAR = 1920 };

static int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    put_note(s, 0, 0, 240, 60, 80);
    put_note(s, 0, 480, 240, 64, 90);
    s->cursor.pitch = 60;
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
    {"p", "", "nothing pasted: notes of the same pitch are there already"},
    {"9999p", "n 1001..99999"},
    {"uu", "n 3"},
};

/* Of 96 ticks a quarter, and some that do not divide. */
TEST_WITH(files_of_other_divisions, open_session)
{
    static const int DIVISIONS[] = {96, 120, 7, 10000};
    keys(s, "V\"qy");
    for (size_t i = 0; i < sizeof DIVISIONS / sizeof DIVISIONS[0]; i++) {
        auto_score *other = score_of("%d | other:", DIVISIONS[i]);
        assert_ok(smf_save(other, in_folder("other.mid")));
        session_open(s, in_folder("other.mid"));
        s->track = 0;
        keys(s, "\"qp");
        assert_int_equal(note_of(s, 0, 0)->length, (DIVISIONS[i] + 1) / 2);
        assert_int_equal(note_of(s, 0, 1)->start, DIVISIONS[i]);
    }
}

DOES(open, session_open(s, in_folder(arguments)))

SCRIPT(they_outlive_the_file_that_is_open, open_session) = {
    {"V\"zy‹open new.mid›", "n 0"},
    {"\"zp", "n 2"},
};

static void put_control(struct session *s, int track, int number, int64_t tick,
                        int value)
{
    struct control k = {CONTROL_CHANGE, (uint8_t)number};
    struct control_point point = {tick, value};
    struct change *c = change_create("put");
    assert_ok(change_control(c, s->project.score, track, k, tick, tick + 1, &point, 1));
    assert_true(session_do(s, c));
}

/* What the track says at that tick, itself; -1: nothing. */
static int control_at(const struct session *s, int track, int number, int64_t tick)
{
    const struct track *t = &s->project.score->tracks[track];
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    struct control k = {CONTROL_CHANGE, (uint8_t)number};
    int value = -1;
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, tick);
         i < c->n_events && c->events[i].tick == tick; i++)
        if (control_value(&c->events[i], t->channel, k) >= 0)
            value = control_value(&c->events[i], t->channel, k);
    return value;
}

TEST_WITH(whole_bars_take_their_controllers_along, open_session)
{
    char why[STORE_WHY_BYTES];
    act_command_line(s, "track Second");
    put_control(s, 0, 64, 100, 127);
    put_control(s, 0, 64, 900, 0);
    put_control(s, 0, 11, 100, 55);
    put_control(s, 0, 0, 100, 3);        /* a bank is not copied */
    put_control(s, 0, 64, BAR + 50, 99); /* nor what is in the next bar, */
    put_control(s, 1, 64, 2 * BAR + 960, 70);
    put_control(s, 1, 1, 2 * BAR + 960, 71); /* where it goes the mod wheel stays */
    s->track = 0;
    keys(s, "Vy");
    s->registers.changed = true;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    s->preferences.remembers_files = true;
    session_tick(s); /* they are written now, not when it is left */
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    registers_fini(&s->registers);
    assert_true(registers_recall(&s->registers, why));
    assert_int_equal(s->registers.at[s->registers.last].n_points, 3);
    auto_score *before = score_clone(s->project.score);
    keys(s, "\t3G2p");
    for (int64_t at = 2 * BAR; at < 4 * BAR; at += BAR) {
        assert_int_equal(control_at(s, 1, 64, at + 100), 127);
        assert_int_equal(control_at(s, 1, 64, at + 900), 0);
        assert_int_equal(control_at(s, 1, 11, at + 100), 55);
        assert_int_equal(control_at(s, 1, 0, at + 100), -1);
        assert_int_equal(control_at(s, 1, 64, at + 50), -1);
    }
    assert_int_equal(control_at(s, 1, 64, 2 * BAR + 960), -1);
    assert_int_equal(control_at(s, 1, 1, 2 * BAR + 960), 71);
    assert_int_equal(control_at(s, 1, 64, 4 * BAR + 100), -1);
    keys(s, "u");
    assert_true(score_equal(before, s->project.score));
    keys(s, "1gtggvlllly2gtLp"); /* a box is of notes alone */
    assert_int_equal(control_at(s, 1, 64, BAR + 100), -1);
}

/* Syllables are kept with the register, whatever their encoding. */
TEST_WITH(lyrics_come_back_with_a_register, open_session)
{
    char why[STORE_WHY_BYTES];
    uint8_t data[16];
    struct lyrics l;
    assert_true(lyrics_init(&l, s->project.score));
    const size_t n = event_meta_write(data, META_LYRIC, "\xE9l\xE1", 3);
    struct change *c = change_create("sing");
    assert_ok(change_add_lyric(c, &l, 0, note_of(s, 0, 0)->start, data, n));
    lyrics_fini(&l);
    assert_true(session_do(s, c));
    keys(s, "Vy");
    s->registers.changed = true;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    s->preferences.remembers_files = true;
    session_tick(s);
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    registers_fini(&s->registers);
    assert_true(registers_recall(&s->registers, why));
    const struct clipboard *p = &s->registers.at[s->registers.last];
    assert_int_equal(p->notes[0].n_lyric, n);
    assert_memory_equal(p->notes[0].lyric, data, n);
    for (size_t i = 1; i < p->n; i++)
        assert_int_equal(p->notes[i].n_lyric, 0);
}

TEST_WITH(controllers_are_added_in_order, open_session)
{
    put_control(s, 0, 64, 100, 127);
    put_control(s, 0, 11, 200, 5);
    keys(s, "V\"ayV\"Ay5G\"ap");
    const struct clipboard *p = registers_get(&s->registers, 'a');
    assert_int_equal(p->n_points, 4);
    assert_true(clipboard_is_sane(p));
    assert_int_equal(control_at(s, 0, 64, 5 * BAR + 100), 127);
    assert_int_equal(control_at(s, 0, 11, 5 * BAR + 200), 5);
}

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
    paste_clipboard(s, &p, 0, 100 * BAR, 9999, "paste");
    assert_int_equal(history_state(s->project.history), before);
    assert_non_null(strstr(s->message.text, "too much"));
    free(p.points);
}

GROUP(make_own_folder, remove_own_folder)
