/* `:output` and `:clock` as they are typed, in a session with the instrument and the keyboard
 * of tests/midi/fake_portmidi.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/headless.h"

#include "app/editor/perform/outward.h"
#include "midi/transport/output.h"
#include "midi/transport/sync.h"
#include "tests/app/by_keys.h"
#include "tests/midi/fake_portmidi.h"

#include <math.h>

static void wishes_are_read(void **state)
{
    static const struct {
        const char *text, *name;
        bool only, click;
    } CASES[] = {
        {"Organ", "Organ", false, false},
        {"any", "", false, false},
        {"none ", "none", false, false},
        {"Digital Piano only", "Digital Piano", true, false},
        {"Digital Piano click  only ", "Digital Piano", true, true},
        {"only click", "", true, true},
        {"Commonly", "Commonly", false, false},
        {"any click", "", false, true},
        {"", "", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct outward_wish w;
        outward_parse(&w, CASES[i].text);
        assert_string_equal(w.name, CASES[i].name);
        assert_int_equal(w.is_only, CASES[i].only);
        assert_int_equal(w.has_clicks, CASES[i].click);
    }
}

/* -- in a session -- */

static int open_session(void **state)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = model,
                                .n_threads = 1,
                                .input = "keys",
                                .output = "none",
                                .wake_fd = -1};
    fake_reset();
    fake_plug(0, "Keys", true);
    fake_plug(1, "Organ", false);
    fake_plug(2, "Other Organ", false);
    setenv("XDG_STATE_HOME", folder, 1);
    if (!s || session_init(s, &o))
        return -1;
    session_resize(s, 80, 24);
    *state = s;
    return 0;
}

static void type_line(struct session *s, const char *line)
{
    press(s, ":");
    write_text(s, line);
    press(s, "Enter");
}

static void wait_to_hear(struct session *s, const char *text)
{
    for (int i = 0; i < 2500; i++, nap()) {
        session_tick(s);
        if (strstr(s->message, text))
            return;
    }
    fail_msg("never said: %s; but: %s", text, s->message);
}

static const char *remembered(const char *what)
{
    static char text[OUTWARD_WISH_BYTES];
    return port_remembered(what, text, sizeof text);
}

static void an_instrument_is_chosen(void **state)
{
    struct session *s = *state;
    type_line(s, "output other only");
    wait_to_hear(s, "the piece is played on Other Organ, without the synth");
    assert_string_equal(remembered("output"), "other only");
    assert_true(output_is_only(player_output(s->player)));
    type_line(s, "output click"); /* the same one */
    wait_to_hear(s, "the piece is played on Other Organ");
    assert_false(output_is_only(player_output(s->player)));
    assert_string_equal(remembered("output"), "other click");
    type_line(s, "output");
    assert_non_null(strstr(s->message, "there are: Organ, Other Organ"));
    fake_unplug(2);
    wait_to_hear(s, "the instrument Other Organ is gone");
    type_line(s, "output none");
    assert_string_equal(remembered("output"), "none");
    type_line(s, "output nothing like it");
    wait_to_hear(s, "looking for the instrument nothing like it");
}

static void names_are_completed(void **state)
{
    struct session *s = *state;
    type_line(s, "output any");
    wait_to_hear(s, "the piece is played on Organ");
    press(s, ":");
    assert_completed(s, "output Ot", "output Other Organ ");
    press(s, "C-u");
    assert_completed(s, "input K", "input Keys ");
    press(s, "Enter");
    assert_string_equal(remembered("input"), "Keys");
    press(s, ":");
    assert_completed(s, "clock f", "clock follow ");
    press(s, "Enter");
    assert_int_equal(sync_mode(player_sync(s->player)), SYNC_FOLLOW);
}

static void tick_for(struct session *s, int ms)
{
    for (double end = live_now() + ms; live_now() < end; nap())
        session_tick(s);
}

static void play(int status)
{
    PmEvent e = {Pm_Message(status, 0, 0), (PmTimestamp)(uint32_t)(uint64_t)live_now()};
    fake_play(&e, 1);
}

static const char *clock_label(struct session *s)
{
    static struct view v;
    session_view(s, &v, 0);
    return v.transport.clock;
}

static bool is_led_by(struct session *s, const char *name)
{
    return player_is_playing(s->player) && strstr(clock_label(s), name);
}

static void a_clock_is_followed(void **state)
{
    struct session *s = *state;
    press(s, "Enter"); /* a note, to be played */
    assert_null(clock_label(s));
    type_line(s, "clock send");
    assert_non_null(strstr(s->message, "there is no instrument"));
    assert_string_equal(clock_label(s), "clock: no instrument");
    type_line(s, "output any");
    wait_to_hear(s, "the piece is played on");
    assert_string_equal(clock_label(s), "sends clock");
    type_line(s, "clock sideways");
    assert_true(s->message_is_error);
    type_line(s, "clock follow");
    assert_string_equal(clock_label(s), "waits for a clock");
    play(0xfa);
    for (int i = 0; i < 500 && !is_led_by(s, " Keys"); i++, tick_for(s, 20))
        play(0xf8);
    assert_true(is_led_by(s, " Keys"));
    wait_to_hear(s, "the clock that was followed is gone");
    assert_false(player_is_playing(s->player));
    type_line(s, "clock off");
    assert_null(clock_label(s));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes_are_read),
        CASE(an_instrument_is_chosen),
        CASE(names_are_completed),
        CASE(a_clock_is_followed),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
