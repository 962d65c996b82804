/* `:output` and `:clock` as they are typed, in a session with the instrument and the keyboard
 * of tests/midi/fake_portmidi.h. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "tests/app/driver.h"

#include "app/editor/perform/external_output.h"
#include "midi/transport/output.h"
#include "midi/transport/sync.h"
#include "tests/midi/fake_portmidi.h"

#include <math.h>

TEST(wishes_are_read)
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
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct output_request w;
        output_request_parse(&w, CASES[i].text);
        assert_string_equal(w.name, CASES[i].name);
        assert_int_equal(w.is_only, CASES[i].only);
        assert_int_equal(w.has_clicks, CASES[i].click);
    }
}

/* -- in a session -- */

static int plugged_session(void **state)
{
    fake_reset();
    fake_plug(0, "Keys", true);
    fake_plug(1, "Organ", false);
    fake_plug(2, "Other Organ", false);
    setenv("XDG_STATE_HOME", folder, 1);
    *state = session_with(
        (struct session_options){.model = model, .input = "keys", .output = "none"});
    return *state ? 0 : -1;
}

static void wait_to_hear(struct session *s, const char *text)
{
    for (int i = 0; i < 2500; i++, nap()) {
        session_tick(s);
        if (strstr(s->message.text, text))
            return;
    }
    fail_msg("never said: %s; but: %s", text, s->message.text);
}

static const char *remembered(const char *what)
{
    static char text[OUTPUT_REQUEST_BYTES];
    return port_remembered(what, text, sizeof text);
}

TEST_WITH(an_instrument_is_chosen, plugged_session)
{
    line(s, "output other only");
    wait_to_hear(s, "the piece is played on Other Organ, without the synth");
    assert_string_equal(remembered("output"), "other only");
    assert_true(output_is_only(player_output(s->player)));
    line(s, "output click"); /* the same one */
    wait_to_hear(s, "the piece is played on Other Organ");
    assert_false(output_is_only(player_output(s->player)));
    assert_string_equal(remembered("output"), "other click");
    line(s, "output");
    assert_non_null(strstr(s->message.text, "there are: Organ, Other Organ"));
    fake_unplug(2);
    wait_to_hear(s, "the instrument Other Organ is gone");
    line(s, "output none");
    assert_string_equal(remembered("output"), "none");
    line(s, "output nothing like it");
    wait_to_hear(s, "looking for the instrument nothing like it");
}

TEST_WITH(names_are_completed, plugged_session)
{
    line(s, "output any");
    wait_to_hear(s, "the piece is played on Organ");
    keys(s, ":");
    assert_completed(s, "output Ot", "output Other Organ ");
    keys(s, "‹C-u›");
    assert_completed(s, "input K", "input Keys ");
    keys(s, "\r");
    assert_string_equal(remembered("input"), "Keys");
    keys(s, ":");
    assert_completed(s, "clock f", "clock follow ");
    keys(s, "\r");
    assert_int_equal(sync_mode(player_sync(s->player)), SYNC_FOLLOW);
}

static void play(int status)
{
    PmEvent e = {Pm_Message(status, 0, 0),
                 (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms()};
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

TEST_WITH(a_clock_is_followed, plugged_session)
{
    keys(s, "\r"); /* a note, to be played */
    assert_null(clock_label(s));
    line(s, "clock send");
    assert_non_null(strstr(s->message.text, "there is no instrument"));
    assert_string_equal(clock_label(s), "clock: no instrument");
    line(s, "output any");
    wait_to_hear(s, "the piece is played on");
    assert_string_equal(clock_label(s), "sends clock");
    line(s, "clock sideways");
    assert_true(s->message.is_error);
    line(s, "clock follow");
    assert_string_equal(clock_label(s), "waits for a clock");
    play(0xfa);
    for (int i = 0; i < 500 && !is_led_by(s, " Keys"); i++, pass_ms(s, 20))
        play(0xf8);
    assert_true(is_led_by(s, " Keys"));
    wait_to_hear(s, "the clock that was followed is gone");
    assert_false(player_is_playing(s->player));
    line(s, "clock off");
    assert_null(clock_label(s));
}

GROUP(make_model, remove_own_folder)
