/* A track's volume, pan and effects by typed lines, and the metronome's key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/editor/edit/tracks.h"
#include "midi/edit/mix.h"
#include "tests/app/keyed.h"
#include "tui/panels/track_list.h"

#include <stdio.h>
#include <time.h>

static int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

/* What the track's own events say of a controller at that tick; -1: nothing. */
static int said(const struct session *s, int track, int number, int64_t tick)
{
    const struct track *t = &s->project.score->tracks[track];
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    const struct control k = {CONTROL_CHANGE, (uint8_t)number};
    int found = -1;
    for (size_t i = 0; i < c->n_events; i++)
        if (c->events[i].tick == tick &&
            control_value(&c->events[i], t->channel, k) >= 0)
            found = control_value(&c->events[i], t->channel, k);
    return found;
}

static void they_are_set_and_undone(void **state)
{
    struct session *s = *state;
    keys(s, ":volume 90\r:pan -20\r:reverb 40\r:chorus 7\r");
    assert_int_equal(said(s, 0, 7, 0), 90);
    assert_int_equal(said(s, 0, 10, 0), 44);
    assert_int_equal(said(s, 0, 91, 0), 40);
    assert_int_equal(said(s, 0, 93, 0), 7);
    assert_string_equal(s->message, "track 1: chorus 7");
    keys(s, ":pan\r");
    assert_string_equal(s->message, "track 1: pan -20");
    keys(s, "uuu");
    assert_int_equal(said(s, 0, 10, 0), -1);
    assert_int_equal(said(s, 0, 7, 0), 90);
    keys(s, ":pan\r");
    assert_string_equal(s->message, "track 1: pan 0");
}

static void wrong_values_are_refused(void **state)
{
    struct session *s = *state;
    static const char *const LINES[] = {":volume 128\r", ":volume -1\r",
                                        ":pan 64\r",     ":pan -65\r",
                                        ":reverb x\r",   ":chorus 1.5\r"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        s->message_is_error = false;
        keys(s, LINES[i]);
        assert_true(s->message_is_error);
    }
    assert_int_equal(said(s, 0, 7, 0), -1);
    assert_false(project_modified(&s->project));
}

/* What the file said before its first note gives way; what it says later stays, and is
 * told. */
static void only_the_start_changes(void **state)
{
    struct session *s = *state;
    const struct control volume = {CONTROL_CHANGE, CC_VOLUME};
    const struct control_point points[] = {{100, 33}, {480, 44}, {4000, 55}};
    put_note(s, 0, 480, 480, 60, 80);
    struct change *c = change_create("automation");
    assert_int_equal(change_control(c, s->project.score, 0, volume, 0, 5000, points, 3),
                     MIDI_OK);
    assert_true(session_do(s, c));
    keys(s, ":volume 100\r");
    assert_string_equal(s->message,
                        "track 1: volume 100; another from bar 3 on: :lane 7");
    assert_int_equal(said(s, 0, 7, 0), 100);
    assert_int_equal(said(s, 0, 7, 100), -1);
    assert_int_equal(said(s, 0, 7, 480), -1);
    assert_int_equal(said(s, 0, 7, 4000), 55);
}

static void a_dot_does_it_to_the_next_track(void **state)
{
    struct session *s = *state;
    keys(s, ":track two\r\033gt:volume 70\r");
    int first = s->track;
    keys(s, "\t.");
    assert_int_not_equal(s->track, first);
    assert_int_equal(said(s, s->track, 7, 0), 70);
}

static void the_metronome_goes_round(void **state)
{
    struct session *s = *state;
    assert_int_equal(s->clicks, CLICKS_RECORDING);
    keys(s, "#");
    assert_int_equal(s->clicks, CLICKS_ALWAYS);
    keys(s, "#");
    assert_int_equal(s->clicks, CLICKS_NEVER);
    keys(s, "#");
    assert_int_equal(s->clicks, CLICKS_RECORDING);
    keys(s, ":set metronome always\r:set count-in 2\r:set click-volume 50\r");
    assert_int_equal(s->clicks, CLICKS_ALWAYS);
    assert_int_equal(s->count_in, 2);
    assert_int_equal(s->click_volume, 50);
    keys(s, ":set count-in 3\r");
    assert_true(s->message_is_error);
}

/* Chosen while the program runs; what is no soundfont is refused, and the old one stays. */
static void another_soundfont(void **state)
{
    struct session *s = *state;
    char line[4200];
    const char *font = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!font)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    snprintf(line, sizeof line, ":soundfont %s\r", font);
    keys(s, line);
    for (int i = 0; i < 500 && player_is_loading(s->player); i++) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        session_tick(s);
    }
    assert_false(s->message_is_error);
    assert_string_equal(player_soundfont(s->player), font);
    keys(s, ":soundfont /dev/null\r");
    assert_true(s->message_is_error);
    keys(s, ":soundfont /nowhere/x.sf2\r");
    assert_true(s->message_is_error);
    assert_string_equal(player_soundfont(s->player), font);
}

static void press(struct session *s, uint32_t code, int column, int row)
{
    struct keymap_state state = {0};
    struct command c;
    const struct key key = {.code = code, .column = column, .row = row, .button = 1};
    if (keys_feed(&state, s->mode, &key, &c))
        act_run(s, &c);
}

/* In the list of tracks: arrows choose a column, + and - turn it, 0 puts it back. */
static void they_are_turned_in_the_list(void **state)
{
    struct session *s = *state;
    struct view v;
    session_resize(s, 200, 50);
    keys(s, "B+");
    assert_int_equal(said(s, 0, 7, 0), 104);
    keys(s, "10+20-");
    assert_int_equal(said(s, 0, 7, 0), 94);
    press(s, K_RIGHT, 0, 0);
    assert_string_equal(s->message, "track 1: pan 0");
    session_view(s, &v, 0);
    assert_int_equal(v.tracks.knob, MIX_PAN);
    keys(s, "-");
    assert_int_equal(said(s, 0, 10, 0), 60);
    keys(s, "127-");
    assert_string_equal(s->message, "track 1: pan -64");
    keys(s, "-");
    assert_string_equal(s->message, "pan goes from -64 to 63");
    keys(s, "0");
    assert_int_equal(said(s, 0, 10, 0), 64);
    press(s, K_LEFT, 0, 0);
    press(s, K_LEFT, 0, 0);
    assert_string_equal(s->message, "track 1: chorus 0");
    keys(s, "u");
    assert_int_equal(said(s, 0, 10, 0), 0);
    keys(s, "u"); /* steps that follow each other are one */
    assert_int_equal(said(s, 0, 10, 0), -1);
    assert_int_equal(said(s, 0, 7, 0), 94);
    keys(s, "u");
    assert_int_equal(said(s, 0, 7, 0), -1);
}

/* A narrow list has no effects: the arrows pass them over. */
static void what_is_not_seen_is_not_turned(void **state)
{
    struct session *s = *state;
    session_resize(s, 200, 50);
    keys(s, "B");
    press(s, K_LEFT, 0, 0);
    assert_int_equal(mix_chosen(s), MIX_CHORUS);
    session_resize(s, 80, 24);
    assert_int_equal(mix_chosen(s), MIX_VOLUME);
    press(s, K_LEFT, 0, 0);
    assert_int_equal(mix_chosen(s), MIX_PAN);
    session_resize(s, 40, 12);
    press(s, K_LEFT, 0, 0);
    assert_non_null(strstr(s->message, "too narrow"));
}

static void they_are_turned_by_the_mouse(void **state)
{
    struct session *s = *state;
    session_resize(s, 200, 50);
    keys(s, ":track two\rB");
    struct track_list list = track_list_for(&s->layout, 2, 0);
    int column = list.knobs + 7, row = list.box.items.row;
    press(s, K_PRESS, column, row);
    assert_int_equal(s->track, 0);
    assert_int_equal(mix_chosen(s), MIX_PAN);
    press(s, K_WHEEL_UP, list.knobs + 1, row + 1);
    assert_int_equal(s->track, 1);
    assert_int_equal(said(s, 1, 7, 0), 104);
    press(s, K_WHEEL_DOWN, list.knobs + 1, row + 1);
    assert_int_equal(said(s, 1, 7, 0), 100);
    press(s, K_WHEEL_UP, list.knobs + 1, row); /* another track's: another step */
    keys(s, "u");
    assert_int_equal(said(s, 0, 7, 0), -1);
    assert_int_equal(said(s, 1, 7, 0), 100);
    keys(s, "u");
    assert_int_equal(said(s, 1, 7, 0), -1);
    press(s, K_WHEEL_DOWN, list.name, row);
    assert_int_equal(said(s, 0, 7, 0), -1);
}

int main(void)
{
#define KEYED(test) cmocka_unit_test_setup_teardown(test, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        KEYED(they_are_set_and_undone),
        KEYED(wrong_values_are_refused),
        KEYED(they_are_turned_in_the_list),
        KEYED(what_is_not_seen_is_not_turned),
        KEYED(they_are_turned_by_the_mouse),
        KEYED(only_the_start_changes),
        KEYED(a_dot_does_it_to_the_next_track),
        KEYED(the_metronome_goes_round),
        KEYED(another_soundfont),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
