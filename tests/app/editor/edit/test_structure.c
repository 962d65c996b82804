/* Markers, tempos and meters, the loop and the map, by the keys that do them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"
#include "tests/app/own_folder.h"
#include "app/editor/edit/map.h"
#include "tui/panels/map_list.h"

#include <math.h>
#include <time.h>

enum { QUARTER = 480, BAR = 4 * QUARTER };

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
    keys(s, "mIntro\r4LmVerse\r2Lllm\r");
    assert_string_equal(s->message, "no marker: it wants a text");
    keys(s, "mCoda\r");
    assert_string_equal(signs_of(s), START " 0:Intro 7680:Verse 11760:Coda");
    keys(s, "gg''");
    assert_int_equal(s->cursor_tick, 11760);
    assert_string_equal(s->message, "Coda");
    keys(s, "'");
    assert_string_equal(s->message, "no marker after this");
    keys(s, "2`");
    assert_int_equal(s->cursor_tick, 0);
    keys(s, "5Gm\b\b\b\b\bRefrain\r"); /* the text that is there is gone on with */
    assert_string_equal(signs_of(s), START " 0:Intro 7680:Refrain 11760:Coda");
    keys(s, "m\r"); /* only looked at */
    assert_string_equal(s->message, "");
    keys(s, "m\b\b\b\b\b\b\b\r");
    assert_string_equal(signs_of(s), START " 0:Intro 11760:Coda");
    keys(s, "5u");
    assert_string_equal(signs_of(s), START);
    assert_false(project_modified(&s->project));
    keys(s, "'");
    assert_string_equal(s->message, "no markers yet: m sets one");
}

static void tempo_and_meter_at_the_cursor(void **state)
{
    struct session *s = *state;
    struct view v;
    keys(s, "2L2lt");
    session_view(s, &v, 0);
    assert_string_equal(v.prompt.label, "tempo or meter here (♩=120, 4/4): ");
    keys(s, "90\r");
    assert_string_equal(s->message, "tempo 90 from bar 3, beat 1.5");
    keys(s, "2lt60\r2lt3/4\r"); /* a meter begins with the bar */
    assert_string_equal(signs_of(s), START " 3840:3/4 4080:=90 4320:=60");
    keys(s, "2ht\r");
    assert_string_equal(signs_of(s), START " 3840:3/4 4080:=90");
    assert_string_equal(s->message, "tempo 90 here, as before");
    keys(s, "t\r");
    assert_string_equal(s->message, "no tempo or meter begins here");
    keys(s, "tx\r");
    assert_true(s->message_is_error);
    keys(s, "t-5\r");
    assert_true(s->message_is_error);
    keys(s, "9u");
    assert_string_equal(signs_of(s), START);
}

static void ramps(void **state)
{
    struct session *s = *state;
    keys(s, ":tempo 96-72\r");
    assert_true(s->message_is_error);
    keys(s, "2G\\:tempo 96-72\r"); /* over the loop */
    assert_string_equal(signs_of(s),
                        START " 1920:=96 2400:=90 2880:=84 3360:=78 3840:=72");
    assert_string_equal(s->message, "tempo 96 to 72, from bar 2 to bar 3");
    keys(s, "uggv3lt60-70\r"); /* a selection goes before it */
    assert_string_equal(signs_of(s), "0:4/4 0:=60 480:=70");
    assert_int_equal(s->mode, MODE_NORMAL);
    keys(s, "u");
    assert_string_equal(signs_of(s), START);
}

static void the_list_edits_in_place(void **state)
{
    struct session *s = *state;
    keys(s, "3GmVerse\rgm");
    assert_int_equal(s->mode, MODE_MAP);
    keys(s, "gm");
    assert_int_equal(s->mode, MODE_NORMAL);
    keys(s, "gm5k");
    assert_int_equal(s->cursor_tick, 0);
    keys(s, "j\r\b\b\b96\r");
    assert_string_equal(signs_of(s), "0:4/4 0:=96 3840:Verse");
    assert_int_equal(s->mode, MODE_MAP);
    keys(s, "k\r\b\b\b5/8\rj\r3/4\r"); /* a tempo is no meter */
    assert_true(s->message_is_error);
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3840:Verse");
    keys(s, "9j>>"); /* two sixteenths; the cursor follows */
    assert_int_equal(s->cursor_tick, 3840 + 240);
    assert_string_equal(s->message, "at bar 4, beat 3");
    keys(s, "<<<\rB\r");
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3720:VerseB");
    keys(s, "a132\raCoda\ra3/4\r");
    assert_string_equal(signs_of(s), "0:5/8 0:=96 3600:3/4 3720:=132 3720:Coda");
    keys(s, "2u");
    keys(s, "gg"); /* no key here */
    keys(s, "9k9jx");
    assert_string_equal(s->message, "marker removed; u puts it back");
    uint64_t version = s->project.version;
    keys(s, "9k2>"); /* a meter by bars, in one step */
    assert_int_equal(s->project.version, version + 1);
    assert_int_equal(s->parts.signs->all.list[s->parts.signs->chosen].kind, SIGN_METER);
    assert_int_equal(s->cursor_tick % 1200, 0);
    keys(s, "\33");
    assert_int_equal(s->mode, MODE_NORMAL);
    keys(s, "99u");
    assert_string_equal(signs_of(s), START);
}

static void a_click_chooses(void **state)
{
    struct session *s = *state;
    struct command c;
    struct keymap_state none = {0};
    keys(s, "4GmVerse\rgggm");
    struct region r = map_list_box(&s->layout, &s->parts.signs->all, 0).items;
    struct key key = {.code = K_PRESS, .button = 1, .column = r.column + 3};
    key.row = r.row + 2;
    assert_true(keys_feed(&none, s->mode, &key, &c));
    act_run(s, &c);
    assert_int_equal(s->parts.signs->chosen, 2);
    assert_int_equal(s->cursor_tick, 3 * BAR);
    key.row = r.row + 9; /* beside it */
    assert_true(keys_feed(&none, s->mode, &key, &c));
    act_run(s, &c);
    assert_int_equal(s->parts.signs->chosen, 2);
}

/* Undone while it is open; emptied; and the keys go on doing nothing harmful. */
static void the_list_may_be_empty(void **state)
{
    struct session *s = *state;
    struct view v;
    keys(s, "gm9kxxxx");
    assert_string_equal(signs_of(s), "");
    assert_string_equal(s->message, "there is nothing to remove");
    keys(s, "jk<>\r\r");
    session_view(s, &v, 0);
    assert_non_null(v.map_list.signs);
    assert_int_equal(v.map_list.signs->n, 0);
    keys(s, "9u");
    session_view(s, &v, 0);
    assert_int_equal(v.map_list.signs->n, 2);
}

static void loops(void **state)
{
    struct session *s = *state;
    struct view v;
    keys(s, "3G4\\");
    assert_int_equal(s->loop.from, 2 * BAR);
    assert_int_equal(s->loop.to, 6 * BAR);
    assert_true(s->loop.on);
    assert_string_equal(s->message, "bars 3 to 6 in a loop; \\ lets it go");
    keys(s, "\\");
    assert_false(s->loop.on);
    session_view(s, &v, 0);
    assert_true(v.transport.has_loop && !v.transport.loop_on);
    keys(s, "\\");
    assert_true(s->loop.on);
    keys(s, "ggv7l\\"); /* eight sixteenths */
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
    keys(s, "3G2\\1G:insert 2\r");
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 6 * BAR);
    keys(s, "6G:insert\r7G:insert\r9G:insert\r"); /* the last where it ends */
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 8 * BAR);
    keys(s, "10G:insert\r5G:insert\r"); /* after it, and where it begins */
    assert_int_equal(s->loop.from, 5 * BAR);
    assert_int_equal(s->loop.to, 9 * BAR);
    keys(s, "4u");
    assert_int_equal(s->loop.from, 4 * BAR);
    assert_int_equal(s->loop.to, 7 * BAR);
    keys(s, "9u");
    assert_int_equal(s->loop.from, 2 * BAR);
    assert_int_equal(s->loop.to, 4 * BAR);
}

static void a_loop_is_kept_beside_the_piece(void **state)
{
    struct session *s = *state;
    const char *path = in_folder("loop.mid");
    char line[900];
    snprintf(line, sizeof line, ":w %s\r", path);
    keys(s, "2G2\\");
    keys(s, line);
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
    keys(s, "t1000\r1\\ "); /* a bar is 240 ms */
    for (int i = 0; i < 200; i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        assert_true(player_tick(s->player) <= BAR);
    }
    assert_true(player_is_playing(s->player));
    keys(s, " ");
}

static void the_map_comes_and_goes(void **state)
{
    struct session *s = *state;
    int rows = s->layout.roll.rows;
    keys(s, "zm");
    assert_int_equal(s->layout.map.rows, 1);
    assert_int_equal(s->layout.roll.rows, rows - 1);
    session_resize(s, 200, 50);
    keys(s, "zm");
    assert_int_equal(s->layout.map.rows, 0);
    session_resize(s, 80, 24);
    assert_int_equal(s->layout.roll.rows, rows);
}

int main(void)
{
#define IN_SESSION(test)                                                               \
    cmocka_unit_test_setup_teardown(test, keyed_set_up, keyed_close)
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
        IN_SESSION(the_map_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
