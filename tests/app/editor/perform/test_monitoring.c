/* How long it takes from a key of a keyboard to the sound of it: the real program in a
 * terminal, a keyboard that follows a script (tests/midi/ports/stand_in_portmidi.c), and
 * FluidSynth's file driver, which is paced in real time. CONTINUO_KEYS_HEARD: how many keys;
 * twelve where it is not set. */
#include "tests/check.h"
#include "tests/app/editor/perform/at_keyboard.h"
#include "tests/midi/listen.h"
#include "tests/midi/spread.h"

/* The file driver writes sound in blocks, so that its beginning is known to two milliseconds: keys
 * seem to be heard from 1.6 ms before they are pressed to 2 ms after. */
enum { MOST_KEYS = 2000, APART_MS = 260, MOST_MS = 15, BLUR_MS = 4 };

static int n_keys(void)
{
    int n = (int)asked_for("CONTINUO_KEYS_HEARD", 12);
    return n < MOST_KEYS ? n : MOST_KEYS;
}

/* At all places of a period of sound, in turn. */
static double when(int i)
{
    return 500 + APART_MS * i + (i * 7 % 23) * 0.9;
}

static void write_script(void)
{
    FILE *f = open_script();
    for (int i = 0; i < n_keys(); i++)
        fprintf(f, "%g on %d 110\n%g off %d\n", when(i), 72 + i % 7, when(i) + 60,
                72 + i % 7);
    fclose(f);
}

/* The first onset after that moment of the sound, until the next key: how long that is, or a
 * failure. */
static double delay_after(const double *onsets, int n, double ms)
{
    for (int i = 0; i < n; i++) {
        double after = onsets[i] * 1e3 - ms;
        if (after > -BLUR_MS && after < APART_MS / 2.0)
            return after;
    }
    fail_msg("a key was not heard");
    return 0;
}

/* The script begins so long after the sound. */
static void find_delays(double begins_ms, struct spread *delays)
{
    static double onsets[4 * MOST_KEYS];
    struct recording heard;
    assert_true(listen_load(&heard, in_folder("fluidsynth.wav")));
    int n = listen_onsets(&heard, onsets, 4 * MOST_KEYS);
    for (int i = 0; i < n_keys(); i++)
        spread_add(delays, delay_after(onsets, n, begins_ms + when(i)));
    recording_free(&heard);
}

static bool play_once(void)
{
    static struct spread delays;
    delays.n = 0;
    write_script();
    start_program("--audio file");
    type(":instrument 17\r:reverb 0\r");
    plug_keyboard();
    put_text("go", "");
    double sound_ms = sound_began_ms(44100), script_ms = keyboard_began_ms();
    term_listen_until(clock_now_ms() + when(n_keys()) - 1500 + 800);
    quit(":q!\r");
    find_delays(script_ms - sound_ms, &delays);
    print_message("from key to sound: p50 %.1f ms, p95 %.1f, most %.1f, of %d keys\n",
                  spread_at(&delays, 0.5), spread_at(&delays, 0.95),
                  spread_at(&delays, 1), delays.n);
    return spread_at(&delays, 0.5) < MOST_MS;
}

TEST(a_key_is_heard_at_once)
{
    assert_plays(play_once);
}
