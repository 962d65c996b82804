/* Registers: by keys, over tracks, files and divisions, with the controllers of whole bars. */
#include "tests/check.h"
#include "app/editor/edit/paste.h"
#include "app/document/state.h"
#include "midi/edit/controllers.h"
#include "tests/app/document/copied_notes.h"
#include "tests/app/own_folder.h"

TEST_IN(letters_keep_what_was_copied, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "\"ay"); /* the C */
    assert_string_equal(s->message.text, "1 note copied: \"ap pastes it");
    keys(s, "w\"by"); /* the E */
    keys(s, "L\"ap");
    assert_int_equal(note_of(s, 0, 2)->pitch, 60);
    assert_int_equal(note_of(s, 0, 2)->start, BAR);
    keys(s, "Lp"); /* the last one filled */
    assert_int_equal(note_of(s, 0, 3)->pitch, 64);
    assert_int_equal(note_of(s, 0, 3)->velocity, 90);
    keys(s, "L\"cp");
    assert_string_equal(s->message.text,
                        "register c is empty; :registers lists what there is");
    keys(s, "\"a\033p"); /* Escape takes the register back */
    assert_int_equal(note_of(s, 0, 4)->pitch, 64);
    keys(s, ":registers\r");
    assert_string_equal(s->message.text, "\"a 1 note  \"b 1 note");
}

TEST_IN(capitals_add, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "\"aywww\"Ay"); /* the E after the C: each a grid step or two long */
    const struct clipboard *p = registers_get(&s->registers, 'a');
    assert_int_equal(p->n, 2);
    assert_int_equal(p->span, 480);
    assert_int_equal(p->notes[1].offset, 240);
    keys(s, "L\"ap");
    assert_int_equal(note_of(s, 0, 3)->start - note_of(s, 0, 2)->start, 240);
}

TEST_IN(numbers_remember_what_was_taken, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "y");
    keys(s, "x");
    keys(s, "wx");
    assert_int_equal(n_notes(s), 0);
    keys(s, "gg\"1p"); /* the latest */
    assert_int_equal(note_of(s, 0, 0)->pitch, 64);
    keys(s, "L\"2p");
    assert_int_equal(note_of(s, 0, 1)->pitch, 60);
    keys(s, "L\"0p");
    assert_int_equal(note_of(s, 0, 2)->pitch, 60);
    keys(s, "L\"\"p"); /* the x filled it last */
    assert_int_equal(note_of(s, 0, 3)->pitch, 64);
    s->cursor.pitch = 40;
    for (int i = 0; i < 12; i++)
        keys(s, "gg\rx");
    assert_int_equal(registers_get(&s->registers, '9')->n, 1);
}

TEST_IN(counts_paste_in_a_row, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "VyL3p");
    assert_int_equal(n_notes(s), 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(note_of(s, 0, (size_t)i)->start, i / 2 * BAR + i % 2 * 480);
    keys(s, "u");
    assert_int_equal(n_notes(s), 2);
    keys(s, "3\"0p"); /* the count may come first */
    assert_int_equal(n_notes(s), 8);
    keys(s, "u\"02pu");
    assert_int_equal(n_notes(s), 2);
    keys(s, "ggV2D");
    assert_int_equal(n_notes(s), 6);
    assert_int_equal(note_of(s, 0, 5)->start, 2 * BAR + 480);
    assert_string_equal(s->message.text, "4 notes duplicated");
}

TEST_IN(dot_goes_by_the_same_register, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "\"ayw\"byL\"apL.");
    assert_int_equal(note_of(s, 0, 3)->pitch, 60);
    assert_int_equal(note_of(s, 0, 3)->start, 2 * BAR);
    keys(s, "L\"b.");
    assert_int_equal(note_of(s, 0, 4)->pitch, 64);
}

TEST_IN(tracks_stay_apart, open_session, close_session)
{
    struct session *s = *state;
    act_command_line(s, "track Second");
    put_note(s, 1, 240, 240, 48, 70);
    s->track = 0;
    keys(s, "gg");
    keys(s, "gV\"my\tL\"mp"); /* onto the second, and one that was not there */
    assert_int_equal(s->project.score->n_tracks, 3);
    assert_string_equal(s->message.text, "3 notes pasted, on 1 new track");
    assert_int_equal(note_of(s, 1, 1)->pitch, 60);
    assert_int_equal(note_of(s, 2, 0)->pitch, 48);
    assert_int_equal(note_of(s, 2, 0)->start, BAR + 240);
    keys(s, "u");
    assert_int_equal(s->project.score->n_tracks, 2);
    assert_int_equal(n_notes(s), 3);
    keys(s, "gggVx");
    assert_int_equal(n_notes(s), 0);
    keys(s, "u");
    assert_int_equal(n_notes(s), 3);
}

TEST_IN(what_is_in_the_way_stays, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "Vy");
    put_note(s, 0, BAR, 480, 60, 80);
    keys(s, "Lp");
    assert_string_equal(s->message.text,
                        "1 note pasted; 1 left out: notes of the same pitch are there");
    keys(s, "p");
    assert_string_equal(s->message.text,
                        "nothing pasted: notes of the same pitch are there already");
    keys(s, "9999p");
    assert_true(n_notes(s) > 1000);
    keys(s, "uu");
    assert_int_equal(n_notes(s), 3);
}

/* Of 96 ticks a quarter, and some that do not divide. */
TEST_IN(files_of_other_divisions, open_session, close_session)
{
    struct session *s = *state;
    static const int DIVISIONS[] = {96, 120, 7, 10000};
    keys(s, "V\"qy");
    for (size_t i = 0; i < sizeof DIVISIONS / sizeof DIVISIONS[0]; i++) {
        struct score *other = score_create(DIVISIONS[i]);
        assert_int_equal(score_add_track(other, "other", 0, 0), 0);
        assert_int_equal(smf_save(other, in_folder("other.mid")), MIDI_OK);
        score_destroy(other);
        session_open(s, in_folder("other.mid"));
        s->track = 0;
        keys(s, "\"qp");
        assert_int_equal(note_of(s, 0, 0)->length, (DIVISIONS[i] + 1) / 2);
        assert_int_equal(note_of(s, 0, 1)->start, DIVISIONS[i]);
    }
}

TEST_IN(they_outlive_the_file_that_is_open, open_session, close_session)
{
    struct session *s = *state;
    keys(s, "V\"zy");
    session_open(s, in_folder("new.mid"));
    assert_int_equal(n_notes(s), 0);
    keys(s, "\"zp");
    assert_int_equal(n_notes(s), 2);
}

static void put_control(struct session *s, int track, int number, int64_t tick,
                        int value)
{
    struct control k = {CONTROL_CHANGE, (uint8_t)number};
    struct control_point point = {tick, value};
    struct change *c = change_create("put");
    assert_int_equal(
        change_control(c, s->project.score, track, k, tick, tick + 1, &point, 1),
        MIDI_OK);
    assert_true(session_do(s, c));
}

/* What the track says at that tick, itself; -1: nothing. */
static int control_at(const struct session *s, int track, int number, int64_t tick)
{
    const struct track *t = &s->project.score->tracks[track];
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    struct control k = {CONTROL_CHANGE, (uint8_t)number};
    int value = -1;
    for (size_t i = control_first_event(c, tick);
         i < c->n_events && c->events[i].tick == tick; i++)
        if (control_value(&c->events[i], t->channel, k) >= 0)
            value = control_value(&c->events[i], t->channel, k);
    return value;
}

TEST_IN(whole_bars_take_their_controllers_along, open_session, close_session)
{
    struct session *s = *state;
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
    struct score *before = score_clone(s->project.score);
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
    score_destroy(before);
    keys(s, "1gtggvlllly2gtLp"); /* a box is of notes alone */
    assert_int_equal(control_at(s, 1, 64, BAR + 100), -1);
}

TEST_IN(controllers_are_added_in_order, open_session, close_session)
{
    struct session *s = *state;
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
TEST_IN(what_is_too_much_is_not_pasted, open_session, close_session)
{
    enum { N_POINTS = 1 << 12 };
    struct session *s = *state;
    struct clipboard_note note = {.length = 1, .pitch = 60, .velocity = 80};
    struct clipboard p = {
        .ticks_per_quarter = 480, .span = BAR, .notes = &note, .n = 1};
    p.points = calloc(N_POINTS, sizeof *p.points);
    p.n_points = N_POINTS;
    assert_non_null(p.points);
    uint64_t before = history_state(s->project.history);
    paste_clipboard(s, &p, 0, 100 * BAR, 9999, "paste");
    assert_int_equal(history_state(s->project.history), before);
    assert_non_null(strstr(s->message.text, "too often"));
    free(p.points);
}

GROUP(make_own_folder, remove_own_folder)
