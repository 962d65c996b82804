/* Markers, tempos and meters, the loop and find, by the keys that do them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/edit.h"
#include "app/find_query.h"
#include "tests/app/headless.h"
#include "tui/keys.h"
#include "tui/map_list.h"

#include <math.h>
#include <string.h>

enum { QUARTER = 480, BAR = 4 * QUARTER };

static struct keymap_state keys;

static void press(struct session *s, uint32_t code)
{
    struct command c;
    if (keys_feed(&keys, s->mode, &(struct key){.code = code}, &c))
        act_run(s, &c);
}

/* ASCII; "\r" is Enter, "\33" Escape, "\b" Backspace. */
static void type(struct session *s, const char *text)
{
    for (; *text; text++)
        press(s, *text == '\r'    ? (uint32_t)K_ENTER
                 : *text == '\33' ? (uint32_t)K_ESCAPE
                 : *text == '\b'  ? (uint32_t)K_BACKSPACE
                                  : (uint32_t)*text);
}

static int open_session(void **state)
{
    keys = (struct keymap_state){0};
    *state = headless_open();
    return *state ? 0 : -1;
}

/* "tick:what ..." of all kinds but what a new score begins with. */
static const char *signs_of(const struct session *s)
{
    static char text[2048];
    struct signs all;
    char words[64];
    size_t n = 0;
    assert_int_equal(signs_collect(&all, s->project.score, ~0u), MIDI_OK);
    text[0] = '\0';
    for (size_t i = 0; i < all.n; i++) {
        const struct sign *g = &all.list[i];
        if (g->kind == SIGN_METER)
            snprintf(words, sizeof words, "%d/%d", g->numerator, g->denominator);
        else if (g->kind == SIGN_TEMPO)
            snprintf(words, sizeof words, "=%.4g", g->bpm);
        else
            sign_copy(s->project.score, g, words, sizeof words);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld:%s", n ? " " : "",
                              (long long)g->tick, words);
    }
    signs_fini(&all);
    return text;
}

#define START "0:4/4 0:=120"

static void markers(void **state)
{
    struct session *s = *state;
    type(s, "mIntro\r4LmVerse\r2Lllm\r");
    assert_string_equal(s->message, "no marker: it wants a text");
    type(s, "mCoda\r");
    assert_string_equal(signs_of(s), START " 0:Intro 7680:Verse 11760:Coda");
    type(s, "gg''");
    assert_int_equal(s->cursor_tick, 11760);
    assert_string_equal(s->message, "Coda");
    type(s, "'");
    assert_string_equal(s->message, "no marker after this");
    type(s, "2`");
    assert_int_equal(s->cursor_tick, 0);
    type(s, "5Gm\b\b\b\b\bRefrain\r"); /* the text that is there is gone on with */
    assert_string_equal(signs_of(s), START " 0:Intro 7680:Refrain 11760:Coda");
    type(s, "m\r"); /* only looked at */
    assert_string_equal(s->message, "");
    type(s, "m\b\b\b\b\b\b\b\r");
    assert_string_equal(signs_of(s), START " 0:Intro 11760:Coda");
    type(s, "5u");
    assert_string_equal(signs_of(s), START);
    assert_false(project_modified(&s->project));
    type(s, "'");
    assert_string_equal(s->message, "no markers yet: m sets one");
}

static void tempo_and_meter_at_the_cursor(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "2L2lt");
    session_view(s, &v, 0);
    assert_string_equal(v.prompt, "tempo or meter here (♩=120, 4/4): ");
    type(s, "90\r");
    assert_string_equal(s->message, "tempo 90 from bar 3, beat 1.5");
    type(s, "2lt60\r2lt3/4\r"); /* a meter begins with the bar */
    assert_string_equal(signs_of(s), START " 3840:3/4 4080:=90 4320:=60");
    type(s, "2ht\r");
    assert_string_equal(signs_of(s), START " 3840:3/4 4080:=90");
    assert_string_equal(s->message, "tempo 90 here, as before");
    type(s, "t\r");
    assert_string_equal(s->message, "no tempo or meter begins here");
    type(s, "tx\r");
    assert_true(s->message_is_error);
    type(s, "t-5\r");
    assert_true(s->message_is_error);
    type(s, "9u");
    assert_string_equal(signs_of(s), START);
}

static void ramps(void **state)
{
    struct session *s = *state;
    type(s, ":tempo 96-72\r");
    assert_true(s->message_is_error);
    type(s, "2G\\:tempo 96-72\r"); /* over the loop */
    assert_string_equal(signs_of(s),
                        START " 1920:=96 2400:=90 2880:=84 3360:=78 3840:=72");
    assert_string_equal(s->message, "tempo 96 to 72, from bar 2 to bar 3");
    type(s, "uggv3lt60-70\r"); /* a selection goes before it */
    assert_string_equal(signs_of(s), "0:4/4 0:=60 480:=70");
    assert_int_equal(s->mode, MODE_NORMAL);
    type(s, "u");
    assert_string_equal(signs_of(s), START);
}

static void the_list_edits_in_place(void **state)
{
    struct session *s = *state;
    type(s, "3GmVerse\rgm");
    assert_int_equal(s->mode, MODE_MAP);
    type(s, "gm");
    assert_int_equal(s->mode, MODE_NORMAL);
    type(s, "gm5k");
    assert_int_equal(s->cursor_tick, 0);
    type(s, "j\r\b\b\b96\r");
    assert_string_equal(signs_of(s), "0:4/4 0:=96 3840:Verse");
    assert_int_equal(s->mode, MODE_MAP);
    type(s, "k\r\b\b\b5/8\rj\r3/4\r"); /* a tempo is no meter */
    assert_true(s->message_is_error);
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3840:Verse");
    type(s, "9j>>"); /* two sixteenths; the cursor follows */
    assert_int_equal(s->cursor_tick, 3840 + 240);
    assert_string_equal(s->message, "at bar 4, beat 3");
    type(s, "<<<\rB\r");
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3720:VerseB");
    type(s, "a132\raCoda\ra3/4\r");
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3600:3/4 3720:=132 3720:Coda");
    type(s, "2u");
    type(s, "gg"); /* no key here */
    type(s, "9k9jx");
    assert_string_equal(s->message, "marker removed; u puts it back");
    uint64_t version = s->project.version;
    type(s, "9k2>"); /* a meter by bars, in one step */
    assert_int_equal(s->project.version, version + 1);
    assert_int_equal(s->signs.all.list[s->signs.chosen].kind, SIGN_METER);
    assert_int_equal(s->cursor_tick % 1200, 0);
    type(s, "\33");
    assert_int_equal(s->mode, MODE_NORMAL);
    type(s, "99u");
    assert_string_equal(signs_of(s), START);
}

static void a_click_chooses(void **state)
{
    struct session *s = *state;
    struct command c;
    type(s, "4GmVerse\rgggm");
    struct region r = map_list_box(&s->layout, &s->signs.all, 0).items;
    struct key key = {.code = K_PRESS, .button = 1, .column = r.column + 3};
    key.row = r.row + 2;
    assert_true(keys_feed(&keys, s->mode, &key, &c));
    act_run(s, &c);
    assert_int_equal(s->signs.chosen, 2);
    assert_int_equal(s->cursor_tick, 3 * BAR);
    key.row = r.row + 9; /* beside it */
    assert_true(keys_feed(&keys, s->mode, &key, &c));
    act_run(s, &c);
    assert_int_equal(s->signs.chosen, 2);
}

/* Undone while it is open; emptied; and the keys go on doing nothing harmful. */
static void the_list_may_be_empty(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "gm9kxxxx");
    assert_string_equal(signs_of(s), "");
    assert_string_equal(s->message, "there is nothing to remove");
    type(s, "jk<>\r\r");
    session_view(s, &v, 0);
    assert_non_null(v.map_list);
    assert_int_equal(v.map_list->n, 0);
    type(s, "9u");
    session_view(s, &v, 0);
    assert_int_equal(v.map_list->n, 2);
}

static void loops(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "3G4\\");
    assert_int_equal(s->loop.from, 2 * BAR);
    assert_int_equal(s->loop.to, 6 * BAR);
    assert_true(s->loop.on);
    assert_string_equal(s->message, "bars 3 to 6 in a loop; \\ lets it go");
    type(s, "\\");
    assert_false(s->loop.on);
    session_view(s, &v, 0);
    assert_true(v.has_loop && !v.loop_on);
    type(s, "\\");
    assert_true(s->loop.on);
    type(s, "ggv7l\\"); /* eight sixteenths */
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_int_equal(s->loop.from, 0);
    assert_int_equal(s->loop.to, 2 * QUARTER);
    session_set_loop(s, 900, 300); /* in either order */
    assert_int_equal(s->loop.from, 300);
    assert_int_equal(s->loop.to, 900);
    session_set_loop(s, 500, 500);
    session_set_loop(s, -50, INT64_MIN);
    assert_int_equal(s->loop.from, 300);
    session_set_loop(s, INT64_MIN, INT64_MAX);
    assert_int_equal(s->loop.from, 0);
    assert_true(s->loop.to < INT64_MAX);
    assert_false(project_modified(&s->project));
}

/* Bars put in before it, in it and after it; undone, in any number. */
static void a_loop_stays_on_its_music(void **state)
{
    struct session *s = *state;
    type(s, "3G2\\1G:insert 2\r");
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 6 * BAR);
    type(s, "6G:insert\r7G:insert\r9G:insert\r"); /* the last where it ends */
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 8 * BAR);
    type(s, "10G:insert\r5G:insert\r"); /* after it, and where it begins */
    assert_int_equal(s->loop.from, 5 * BAR);
    assert_int_equal(s->loop.to, 9 * BAR);
    type(s, "4u");
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 7 * BAR);
    type(s, "9u");
    assert_int_equal(s->loop.from, 2 * BAR);
    assert_int_equal(s->loop.to, 4 * BAR);
}

static void a_loop_is_kept_beside_the_piece(void **state)
{
    struct session *s = *state;
    char path[700], line[800];
    snprintf(path, sizeof path, "%s/loop.mid", folder);
    snprintf(line, sizeof line, ":w %s\r", path);
    type(s, "2G2\\");
    type(s, line);
    session_open(s, "/nonexistent/new.mid");
    assert_int_equal(s->loop.to, 0);
    session_open(s, path);
    assert_int_equal(s->loop.from, BAR);
    assert_int_equal(s->loop.to, 3 * BAR);
    assert_true(s->loop.on);
}

/* Played, it goes round. */
static void a_loop_is_played(void **state)
{
    struct session *s = *state;
    type(s, "t1000\r1\\ "); /* a bar is 240 ms */
    for (int i = 0; i < 200; i++) {
        session_tick(s);
        nap();
        assert_true(player_tick(s->player) <= BAR);
    }
    assert_true(player_is_playing(s->player));
    type(s, " ");
}

/* C4 D4 E4 ... by quarters, ever louder; every fourth twice as long; then an octave up. */
static void put_notes(struct session *s)
{
    static const int SCALE[] = {60, 62, 64, 65, 67, 69, 71, 72};
    struct change *c = change_create("notes");
    for (int i = 0; i < 16; i++) {
        struct note n = {.start = i * QUARTER,
                         .length = i % 4 == 3 ? 960 : QUARTER,
                         .pitch = (uint8_t)(SCALE[i % 8] + 12 * (i / 8)),
                         .velocity = (uint8_t)(8 * (i + 1) - 4)};
        assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    }
    assert_true(session_do(s, c));
}

static void notes_are_found(void **state)
{
    struct session *s = *state;
    struct view v;
    put_notes(s);
    type(s, "/E\r"); /* both */
    assert_int_equal(s->cursor_tick, 2 * QUARTER);
    assert_int_equal(s->cursor_pitch, 64);
    assert_string_equal(s->message, "2 notes on this track: n next, g/ selects them");
    type(s, "n");
    assert_int_equal(s->cursor_pitch, 76);
    type(s, "n");
    assert_int_equal(s->cursor_pitch, 64);
    assert_string_equal(s->message, "round to the first");
    type(s, "N");
    assert_int_equal(s->cursor_pitch, 76);
    assert_string_equal(s->message, "round to the last");
    type(s, "9999n"); /* as often round as it takes */
    assert_int_equal(s->cursor_pitch, 64);
    type(s, "/E4\r/>100\r"); /* 108, 116, 124 */
    assert_int_equal(s->cursor_tick, 13 * QUARTER);
    session_view(s, &v, 0);
    assert_int_equal(v.n_found, 3);
    type(s, "g/");
    assert_int_equal(s->n_selected, 3);
    type(s, "\33\33");
    session_view(s, &v, 0);
    assert_int_equal(v.n_found, 0); /* out of sight, and not forgotten */
    type(s, "n");
    session_view(s, &v, 0);
    assert_int_equal(v.n_found, 3);
    type(s, "gg/len>1/4\r2n");
    assert_int_equal(s->cursor_tick, 11 * QUARTER);
    type(s, "gg/\r"); /* nothing typed: the same again */
    assert_int_equal(s->cursor_tick, 3 * QUARTER);
    type(s, "/Eb\r");
    assert_true(s->message_is_error);
    assert_int_equal(s->cursor_tick, 3 * QUARTER);
}

static void texts_and_bars_are_found(void **state)
{
    struct session *s = *state;
    type(s, "3GmThe Verse\r9GmVerse two\r:track Inverse\rgg/VERSE\r");
    assert_int_equal(s->cursor_tick, 2 * BAR);
    assert_string_equal(s->message, "found 3 times: n next");
    type(s, "n");
    assert_int_equal(s->cursor_tick, 8 * BAR);
    assert_string_equal(s->message, "marker: Verse two");
    s->track = 0;
    type(s, "n");
    assert_int_equal(s->track, 1);
    type(s, "n");
    assert_int_equal(s->cursor_tick, 2 * BAR);
    assert_string_equal(s->message, "round to the first");
    type(s, "/12.3\r");
    assert_int_equal(s->cursor_tick, 11 * BAR + 2 * QUARTER);
    type(s, "N"); /* a bar is no search to go on with */
    assert_int_equal(s->track, 1);
    type(s, "/nowhere\r");
    assert_string_equal(s->message, "nowhere is nowhere");
}

static void the_view_follows_what_is_typed(void **state)
{
    struct session *s = *state;
    put_notes(s);
    type(s, "2G");
    struct viewport port = s->port;
    type(s, "/C");
    assert_int_equal(s->cursor_tick, 7 * QUARTER);
    type(s, "4");
    assert_int_equal(s->cursor_tick, 0);
    type(s, "\b\b40");
    assert_int_equal(s->cursor_tick, 39 * BAR);
    assert_int_not_equal(s->port.left_tick, port.left_tick);
    type(s, "\33");
    assert_int_equal(s->cursor_tick, BAR);
    assert_int_equal(s->port.left_tick, port.left_tick);
    type(s, "n");
    assert_string_equal(s->message, "nothing was sought yet: / asks what");
}

static void what_is_typed_decides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum find_kind kind;
    } CASES[] = {
        {"", FIND_NOTHING},       {"12", FIND_BAR},        {"12.3", FIND_BAR},
        {"0", FIND_TEXT},         {"12.", FIND_TEXT},      {"999999999999", FIND_TEXT},
        {"C4", FIND_PITCH},       {"c", FIND_PITCH},       {"F#", FIND_PITCH},
        {"Bb-1", FIND_PITCH},     {"b", FIND_PITCH},       {"Cb-1", FIND_TEXT},
        {"G#9", FIND_TEXT},       {"C11", FIND_TEXT},      {"Cantus", FIND_TEXT},
        {">100", FIND_VELOCITY},  {"<=5", FIND_VELOCITY},  {"=64", FIND_VELOCITY},
        {">", FIND_TEXT},         {">200", FIND_TEXT},     {"=>5", FIND_TEXT},
        {"len>1/2", FIND_LENGTH}, {"LEN=1", FIND_LENGTH},  {"len>1/0", FIND_TEXT},
        {"len", FIND_TEXT},       {"len>1/2x", FIND_TEXT}, {"la", FIND_TEXT},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct find_query q = find_parse(CASES[i].text);
        if (q.kind != CASES[i].kind)
            fail_msg("\"%s\" is %d", CASES[i].text, q.kind);
        assert_string_equal(q.text, CASES[i].text);
    }
    struct find_query q = find_parse("Cb");
    assert_int_equal(q.pitch, 11);
    assert_true(q.any_octave);
    assert_int_equal(find_parse("B#3").pitch, 60);
    q = find_parse("na\xC3\xAFve");
    assert_true(find_fits_text(&q, "x NA\xC3\xAFVE", 8));
    assert_false(find_fits_text(&q, "na", 2));
}

static void the_map_comes_and_goes(void **state)
{
    struct session *s = *state;
    int rows = s->layout.roll.rows;
    type(s, "zm");
    assert_int_equal(s->layout.map.rows, 1);
    assert_int_equal(s->layout.roll.rows, rows - 1);
    session_resize(s, 200, 50);
    type(s, "zm");
    assert_int_equal(s->layout.map.rows, 0);
    session_resize(s, 80, 24);
    assert_int_equal(s->layout.roll.rows, rows);
}

/* Also of more notes than were ever chosen before, and with others chosen before. */
static void what_is_found_is_selected(void **state)
{
    enum { N = 200 };
    struct session *s = *state;
    struct change *c = change_create("a row");
    for (int i = 0; i < N; i++)
        assert_int_equal(
            change_add_note(c, 0, edit_new_note(i * QUARTER, QUARTER, 60 + i % 2, 80)),
            MIDI_OK);
    assert_true(session_do(s, c));
    type(s, "/C#4\r");
    select_one(s, s->project.score->tracks[0].notes[0].id);
    type(s, "g/");
    assert_int_equal(s->n_selected, N / 2);
    assert_int_equal(s->n_selected_tracks, 1);
    assert_ptr_not_equal(s->selected, s->selected_before.ids);
    assert_int_equal(s->selected_before.n, 1);
    type(s, "gv");
    assert_int_equal(s->n_selected, 1);
    type(s, "gv");
    assert_int_equal(s->n_selected, N / 2);
}

int main(void)
{
#define IN_SESSION(test)                                                               \
    cmocka_unit_test_setup_teardown(test, open_session, close_session)
    const struct CMUnitTest tests[] = {
        IN_SESSION(markers),
        IN_SESSION(tempo_and_meter_at_the_cursor),
        IN_SESSION(ramps),
        IN_SESSION(the_list_edits_in_place),
        IN_SESSION(a_click_chooses),
        IN_SESSION(the_list_may_be_empty),
        IN_SESSION(loops),
        IN_SESSION(a_loop_stays_on_its_music),
        IN_SESSION(a_loop_is_kept_beside_the_piece),
        IN_SESSION(a_loop_is_played),
        IN_SESSION(notes_are_found),
        IN_SESSION(texts_and_bars_are_found),
        IN_SESSION(what_is_found_is_selected),
        IN_SESSION(the_view_follows_what_is_typed),
        cmocka_unit_test(what_is_typed_decides),
        IN_SESSION(the_map_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
