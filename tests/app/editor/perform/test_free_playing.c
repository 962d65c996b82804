/* Free playing: recorded without a click, tapped, laid on the grid, undone and kept. A
 * session without a screen or sound; the transport runs on the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/transport/live.h"
#include "tests/app/keyed.h"
#include "tests/app/own_folder.h"
#include "app/editor/perform/recorder.h"

#include <cJSON.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

static int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

static int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

static void pass_ms(struct session *s, int ms)
{
    for (double end = live_now() + ms; live_now() < end; session_tick(s))
        nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static void feed(struct session *s, int status, int data1, int data2)
{
    const uint8_t m[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    live_feed(player_live(s->player), live_now(), m);
}

static const struct taps *taps(const struct session *s)
{
    return &s->project.score->taps;
}

static void assert_said(const struct session *s, const char *text)
{
    if (!strstr(s->message, text))
        fail_msg("said \"%s\", not \"%s\"", s->message, text);
}

/* It waits for the first note, which is at the cursor, however long that takes. */
static void it_begins_with_the_first_note(void **state)
{
    struct session *s = *state;
    struct view v;
    keys(s, ":record free\rR");
    assert_said(s, "from the first note");
    pass_ms(s, 80);
    feed(s, 0xb0, 64, 127); /* the pedal, before it */
    pass_ms(s, 60);
    assert_false(player_is_playing(s->player));
    session_view(s, &v, 0);
    assert_true(v.record.is_on);
    assert_non_null(strstr(v.record.label, "REC waits for the first note"));
    double first = live_now();
    feed(s, 0x90, 60, 90);
    pass_ms(s, 120);
    assert_true(player_is_playing(s->player));
    feed(s, 0x80, 60, 64);
    double second = live_now();
    feed(s, 0x90, 64, 90);
    pass_ms(s, 60);
    feed(s, 0x80, 64, 64);
    pass_ms(s, 20);
    keys(s, "R");
    assert_said(s, "recorded 2 notes and");
    const struct note *a = note_of(s, 0, 0), *b = note_of(s, 0, 1);
    assert_int_equal(a->start, 0);
    double ticks = (second - first) * 0.96; /* at 120 */
    assert_true(fabs((double)b->start - ticks) < 2.0);
    assert_true(fabs((double)a->length - ticks) < 2.0);
    assert_int_equal(taps(s)->n, 1);
    assert_true(taps_has(taps(s), (struct tap){0, TAP_BEGIN}));
    const struct chunk *c =
        &s->project.score->chunks[s->project.score->tracks[0].chunk];
    bool has_pedal = false;
    for (size_t i = 0; i < c->n_events; i++)
        has_pedal |= c->events[i].data[0] == 0xb0 && c->events[i].data[1] == 64 &&
                     c->events[i].data[2] == 127 && c->events[i].tick == 0;
    assert_true(has_pedal);
    keys(s, "u");
    assert_int_equal(s->project.score->tracks[0].n_notes + taps(s)->n, 0);
}

static void nothing_is_left_of_waiting(void **state)
{
    struct session *s = *state;
    keys(s, ":record free\rR");
    pass_ms(s, 30);
    keys(s, "R");
    assert_said(s, "nothing was played");
    assert_false(s->parts.rec->is_on);
    assert_false(project_modified(&s->project));
}

static void lines_are_marked_and_unmarked(void **state)
{
    struct session *s = *state;
    keys(s, "llll|");
    assert_said(s, "a bar line is marked at bar 1, beat 2");
    assert_true(taps_has(taps(s), (struct tap){480, TAP_BAR}));
    keys(s, "LL|");
    assert_said(s, "2 bar lines are marked");
    keys(s, "|");
    assert_said(s, "no bar line marked at bar 3");
    assert_int_equal(taps(s)->n, 1);
    keys(s, "uuu");
    assert_int_equal(taps(s)->n, 0);
    keys(s, "||\x12"); /* and redo */
    keys(s, "|:lay none\r");
    assert_int_equal(taps(s)->n, 0);
    keys(s, "u");
    assert_int_equal(taps(s)->n, 1);
}

/* Taps while it plays are where the playhead is, less the latency. */
static void lines_are_tapped(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 0, 4 * 1920, 60, 80);
    keys(s, ":latency 100\rgg ");
    pass_ms(s, 300);
    keys(s, "|");
    int64_t at = (int64_t)player_tick(s->player);
    pass_ms(s, 100);
    keys(s, "| ");
    assert_int_equal(taps(s)->n, 2);
    assert_in_range(at - taps(s)->list[0].tick, 86, 116); /* 96 are 100 ms */
    assert_in_range(taps(s)->list[1].tick - taps(s)->list[0].tick, 70, 180);
}

static void put_taps(struct session *s, int64_t a, int64_t b, int64_t c)
{
    const int64_t ticks[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        s->cursor_tick = ticks[i];
        keys(s, "|");
    }
}

/* Bars of three seconds and of two come to stand on lines, as one step. */
static void it_is_laid_and_undone(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 2880, 480, 64, 80); /* at 3 s */
    put_note(s, 0, 4800 - 1920, 240, 67, 80);
    uint64_t before = history_state(s->project.history);
    put_taps(s, 0, 2880, 3840);
    assert_int_equal(taps(s)->n, 3);
    double cursor =
        timeline_seconds(&s->project.score->timeline, (double)s->cursor_tick);
    keys(s, ":lay 3/4\r");
    assert_said(s, "2 bars of 3/4 laid, 60 to 180 a minute; u takes it back");
    assert_int_equal(note_of(s, 0, 0)->start, 1440);
    assert_int_equal(taps(s)->n, 0);
    const struct timeline *t = &s->project.score->timeline;
    assert_true(fabs(timeline_seconds(t, 1440) - 3) < 1e-4);
    assert_true(fabs(timeline_seconds(t, (double)s->cursor_tick) - cursor) < 0.2);
    keys(s, "u");
    assert_int_equal(note_of(s, 0, 0)->start, 2880);
    assert_int_equal(taps(s)->n, 3);
    keys(s, "uuu");
    assert_int_equal(history_state(s->project.history), before);
}

static void what_is_in_the_way_is_said(void **state)
{
    struct session *s = *state;
    keys(s, ":lay\r");
    assert_said(s, "at least two bar lines");
    keys(s, ":lay polka\r");
    assert_said(s, ":lay wants");
    put_taps(s, 0, 1920, 3840);
    keys(s, ":track other\r");
    put_note(s, 1, 0, 480, 40, 80);
    keys(s, "\033B\tk\033");
    s->track = 0;
    keys(s, ":lay\r");
    assert_said(s, "track 2 has notes there");
    assert_true(s->message_is_error);
    keys(s, ":lay all\r");
    assert_said(s, "2 bars of 4/4 laid");
    keys(s, "u");
    s->track = 1;
    keys(s, "gg5L:tempo 90\r:lay\r");
    assert_said(s, "tempo or meter change at bar 6");
}

/* What is before free playing began stays; `from bar` says another place. */
static void it_is_laid_from_a_bar_on(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 480, 480, 60, 80);
    put_note(s, 0, 4 * 1920 + 480, 480, 62, 80);
    put_taps(s, 8160, 8160 + 1920, 8160 + 3840); /* a quarter after bar 5 */
    keys(s, ":lay from bar 5\r");
    assert_said(s, "2 bars of 4/4 laid, 120 to 120");
    assert_int_equal(note_of(s, 0, 0)->start, 480);
    assert_int_equal(note_of(s, 0, 1)->start, 4 * 1920 + 480);
    struct bar upbeat = timeline_bar(&s->project.score->timeline, 4);
    assert_int_equal(upbeat.length, 480);
}

static void they_are_guessed(void **state)
{
    struct session *s = *state;
    keys(s, ":lay guess\r");
    assert_said(s, "too little");
    for (int i = 0; i < 32; i++) {
        int64_t at = i * 400; /* beats of 144 a minute */
        put_note(s, 0, at, i % 4 ? 350 : 700, i % 4 ? 64 + i % 4 : 40, 80);
    }
    s->cursor_tick = 50;
    keys(s, "|:lay guess\r");
    assert_said(s, "8 bar lines are guessed");
    for (int i = 0; i < 8; i++)
        assert_true(taps_has(taps(s), (struct tap){1600 * i, TAP_BAR}));
    keys(s, ":lay\r");
    assert_said(s, "7 bars of 4/4 laid, 144 to 144");
    keys(s, "uu");
    assert_int_equal(taps(s)->n, 1);
}

static void they_come_back_with_the_file(void **state)
{
    struct session *s = *state;
    char path[] = "/tmp/continuo-taps-XXXXXX.mid", side[64], line[64];
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    close(fd);
    put_taps(s, 0, 1920, 3840);
    snprintf(line, sizeof line, ":w! %s\r", path);
    keys(s, line);
    keys(s, ":lay none\r");
    assert_int_equal(taps(s)->n, 0);
    assert_true(session_open(s, path));
    assert_int_equal(taps(s)->n, 3);
    assert_true(taps_has(taps(s), (struct tap){3840, TAP_BAR}));
    snprintf(side, sizeof side, "%s.continuo", path);
    unlink(side);
    unlink(path);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(it_begins_with_the_first_note), CASE(nothing_is_left_of_waiting),
        CASE(lines_are_marked_and_unmarked), CASE(lines_are_tapped),
        CASE(it_is_laid_and_undone),         CASE(what_is_in_the_way_is_said),
        CASE(it_is_laid_from_a_bar_on),      CASE(they_are_guessed),
        CASE(they_come_back_with_the_file),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
