/* How long it takes from a key of a keyboard to the sound of it: the real program in a
 * terminal (tmux), a keyboard that follows a script (tests/midi/ports/stand_in_portmidi.c),
 * and a JACK server with a device of its own making, whose sound is heard with the moment of
 * each sample. CONTINUO_KEYS_HEARD: how many keys; twelve where it is not set. Skipped where
 * there is no JACK. */
#include "tests/check.h"
#include "tests/app/editor/perform/heard_through_jack.h"
#include "tests/app/terminal.h"
#include "tests/midi/spread.h"

#if HAS_JACK

enum { MOST_KEYS = 2000, APART_MS = 260 };

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
    FILE *f = open_in_dir("script", "w");
    fputs("name Stand-in Piano\n", f);
    for (int i = 0; i < n_keys(); i++)
        fprintf(f, "%g on %d 110\n%g off %d\n", when(i), 72 + i % 7, when(i) + 60,
                72 + i % 7);
    fclose(f);
}

static void prepare(void)
{
    write_script();
    start_program("--audio jack");
    keys("':instrument 17' Enter ':input stand-in' Enter");
    wait_for("the keyboard is Stand-in Piano");
}

/* Plays the script; when it began, of CLOCK_MONOTONIC. */
static double play(void)
{
    touch("go");
    sleep_ms((int)when(n_keys()) + 800);
    return keyboard_began_ms();
}

static struct jack_ear ear;

/* The first onset after that moment, until the next key: how long that is, or a failure. */
static double delay_after(const double *onsets, int n, double ms)
{
    for (int i = 0; i < n; i++) {
        double after = jack_ear_ms(&ear, onsets[i]) - ms;
        if (after > -1 && after < APART_MS / 2.0)
            return after;
    }
    fail_msg("a key was not heard");
    return 0;
}

static void find_delays(double began, struct spread *delays)
{
    static double onsets[4 * MOST_KEYS];
    int n = listen_onsets(&ear.heard, onsets, 4 * MOST_KEYS);
    for (int i = 0; i < n_keys(); i++)
        spread_add(delays, delay_after(onsets, n, began + when(i)));
}

static int leave(void **state)
{
    jack_ear_close(&ear);
    free(ear.heard.x);
    free(ear.heard_ms);
    return end_terminal(state);
}

TEST_IN(a_key_is_heard_at_once, NULL, leave)
{
    static struct spread delays;
    make_dir("monitoring");
    if (!jack_ear_open(&ear, socket_name))
        skip();
    prepare();
    assert_true(jack_ear_connect(&ear));
    double began = play();
    tmux("kill-server");
    jack_ear_close(&ear);
    find_delays(began, &delays);
    print_message("from key to sound: p50 %.1f ms, p95 %.1f, most %.1f, of %d keys\n",
                  spread_at(&delays, 0.5), spread_at(&delays, 0.95),
                  spread_at(&delays, 1), delays.n);
    assert_true(spread_at(&delays, 0.5) < 30);
}

#else

TEST(a_key_is_heard_at_once)
{
    skip();
}

#endif
