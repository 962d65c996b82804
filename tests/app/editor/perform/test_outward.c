/* `:output` and `:clock` as they are typed, in a session with the instrument and the keyboard
 * of tests/midi/fake_portmidi.h. */
#include "tests/check.h"
#include "tests/app/kept.h"

#include "app/editor/perform/devices.h"
#include "midi/transport/sync.h"
#include "tests/midi/fake_portmidi.h"

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

static const char *remembered(const char *what)
{
    static char text[OUTPUT_REQUEST_BYTES];
    return paths_recall(what, text, sizeof text);
}

TEXT_FACT(output, remembered("output"))
TEXT_FACT(in, remembered("input"))
TEXT_FACT(clock, view_of(s)->transport.clock)
NUMBER_FACT(only, output_is_only(player_output(s->player)))
NUMBER_FACT(follows, sync_mode(player_sync(s->player)) == SYNC_FOLLOW)

DOES(unplug, fake_unplug((int)read_ticks(&arguments)))

SCRIPT(an_instrument_is_chosen, plugged_session) = {
    {":output other only\r"
     "‹wait_for the piece is played on Other Organ, without the synth›",
     "output other only; only"},
    /* the same one */
    {":output click\r‹wait_for the piece is played on Other Organ›",
     "no only; output other click"},
    {":output\r", "", "~available: Organ, Other Organ"},
    {"‹unplug 2›‹wait_for the instrument Other Organ was disconnected›"},
    {":output none \r", "output none"},
    {":output organ click  only \r", "output organ only click"},
    {":output Commonly\r‹wait_for waiting for the instrument Commonly›", "no only"},
    {":output nothing like it\r"
     "‹wait_for waiting for the instrument nothing like it›"},
};

SCRIPT(names_are_completed, plugged_session) = {
    {":output any\r‹wait_for the piece is played on Organ›:output Ot\t",
     "input output Other Organ "},
    {"‹C-u›input K\t", "input input Keys "},
    {"\r:clock f\t", "in Keys; input clock follow "},
    {"\r", "follows"},
};

static void play_clock(int status)
{
    PmEvent e = {Pm_Message(status, 0, 0),
                 (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms()};
    fake_play(&e, 1);
}

/* A start and clocks, until they lead. */
WORD(clocks)
{
    play_clock(0xfa);
    for (int i = 0; i < 500 && !(player_is_playing(s->player) &&
                                 strstr(view_of(s)->transport.clock, " Keys"));
         i++, pass_ms(s, 20))
        play_clock(0xf8);
}

SCRIPT(a_clock_is_followed, plugged_session) = {
    {"\r", "clock "}, /* a note, to be played */
    {":clock send\r", "clock clock: no instrument",
     "~no instrument to send a clock to"},
    {":output any\r‹wait_for the piece is played on›", "clock sends clock"},
    {":clock sideways\r", "error"},
    {":clock follow\r", "clock waits for a clock"},
    {"‹clocks›", "plays; clock ~ Keys"},
    {"‹wait_for the keyboard's clock stopped›", "no plays"},
    {":clock off\r", "clock "},
};

GROUP(make_model, remove_own_folder)
