/* The real program at a terminal, played by a keyboard that follows a script
 * (tests/midi/ports/stand_in_portmidi.c), and heard through FluidSynth's file driver, which is
 * paced in real time: what was recorded is when the script says, all of it is there, and
 * afterwards it is silent. CONTINUO_PLAYS: how often. */
#include "tests/check.h"
#include "tests/app/editor/perform/at_keyboard.h"
#include "tests/midi/listen.h"
#include "tests/midi/spread.h"

enum {
    QUARTER = 9600, /* at 120 a minute 19.2 ticks are a millisecond */
    N_FLOOD = 4000,
    N_PHRASE = 8,
    KEY_HELD = 40,
    KEY_AFTER = 90,
};
static const double TICKS_A_MS = QUARTER / 500.0;

/* When the keys of the phrase go down, in milliseconds: no even steps. */
static double when(int i)
{
    return 200 + 137.0 * i + 3.0 * (i * i % 7);
}

/* The phrase with a pedal and pressure, and a flood; a key held while it is unplugged; one
 * after it is back. */
static void write_script(void)
{
    FILE *f = open_script();
    fprintf(f, "150 cc 64 127\n");
    for (int i = 0; i < N_PHRASE; i++)
        fprintf(f, "%g on %d %d\n%g off %d\n", when(i), 60 + i, 50 + i, when(i) + 100,
                60 + i);
    fprintf(f, "1400 cc 64 0\n1410 press 33\n1420 press 0\n1450 on %d 70\n", KEY_HELD);
    fprintf(f, "400 flood %d 2\n", N_FLOOD);
    fprintf(f, "2500 unplug\n2550 on 41 70\n2600 plug\n");
    fprintf(f, "4800 on %d 70\n4900 off %d\n", KEY_AFTER, KEY_AFTER);
    fclose(f);
}

/* -- what was recorded -- */

static const struct note *note_of(const struct score *s, int pitch)
{
    for (size_t i = 0; i < s->tracks[0].n_notes; i++)
        if (s->tracks[0].notes[i].pitch == pitch)
            return &s->tracks[0].notes[i];
    return NULL;
}

/* Times that are not as they were played, of one run. On a machine that stands still for a
 * moment the sound does too, and with it the piece: so such a run is made again, twice. */
static int n_wrong;

static void check_near(const char *what, double ticks, double ms)
{
    double off = ticks / TICKS_A_MS - ms;
    if (fabs(off) > 2 && ++n_wrong)
        print_message("%s is off by %.2f ms\n", what, off);
}

/* Times count from the first note: only the transport knows when it began. */
static void check_phrase(const struct score *s)
{
    const struct note *first = note_of(s, 60);
    assert_non_null(first);
    double worst = 0;
    for (int i = 0; i < N_PHRASE; i++) {
        const struct note *n = note_of(s, 60 + i);
        assert_non_null(n);
        double ms = when(i) - when(0), at = (double)(n->start - first->start);
        worst = fmax(worst, fabs(at / TICKS_A_MS - ms));
        check_near("a note's start", at, ms);
        check_near("a note's length", (double)n->length, 100);
        assert_int_equal(n->velocity, 50 + i);
    }
    print_message("the phrase is off by %.2f ms at the most\n", worst);
}

/* Of the pedal, pressure and bends. */
static void check_events(const struct score *s)
{
    const struct note *first = note_of(s, 60);
    const struct chunk *c = &s->chunks[s->tracks[0].chunk];
    int n_pedal = 0, n_pressure = 0;
    for (size_t i = 0; i < c->n_events; i++) {
        const struct event *e = &c->events[i];
        if (e->data[0] == 0xb0 && e->data[1] == 64) {
            double ms = n_pedal ? 1400 : 150;
            assert_int_equal(e->data[2], n_pedal ? 0 : 127);
            check_near("the pedal", (double)(e->tick - first->start), ms - when(0));
            n_pedal++;
        } else if (e->data[0] == 0xd0) {
            n_pressure++;
        }
    }
    assert_bends(s, N_FLOOD);
    assert_int_equal(n_pedal, 2);
    assert_int_equal(n_pressure, 2);
}

/* What was held ended when it was pulled out; what was played meanwhile is not there; it
 * came back. */
static void check_unplugged(const struct score *s)
{
    const struct note *first = note_of(s, 60), *held = note_of(s, KEY_HELD);
    const struct note *after = note_of(s, KEY_AFTER);
    assert_non_null(held);
    assert_non_null(after);
    assert_null(note_of(s, 41));
    double ms = (double)held->length / TICKS_A_MS;
    /* It ends when that is noticed. */
    if ((ms < 2500 - 1450 - 2 || ms > 2500 - 1450 + 300) && ++n_wrong)
        print_message("what was held when it was pulled out lasts %.2f ms\n", ms);
    check_near("a note after it came back", (double)(after->start - first->start),
               4800 - when(0));
}

/* -- what was heard -- */

static void check_sound(void)
{
    struct recording r = {0};
    assert_true(listen_load(&r, in_folder("fluidsynth.wav")));
    double end = (double)r.n / r.rate, loudest = 0;
    for (double t = 0; t + 0.1 < end; t += 0.1)
        loudest = fmax(loudest, listen_energy(&r, t, t + 0.1));
    assert_true(loudest > 1e-6);
    assert_true(listen_energy(&r, end - 0.2, end) < loudest * 1e-3); /* its echo */
    free(r.x);
}

/* -- the run -- */

static void record(void)
{
    plug_keyboard();
    type(":count-in 0\r:latency 12\rR");
    wait_to_see("REC bar");
    double go_ms = clock_now_ms();
    put_text("go", "");
    wait_to_see("was disconnected");
    wait_to_see("the keyboard is Stand-in Piano");
    term_listen_until(go_ms + 5000);
    type(" ");
    wait_to_see("recorded 10 notes");
    type("\023"); /* Ctrl-S */
    wait_to_see("saved song.mid, 10 notes");
    term_listen_until(clock_now_ms() + 800); /* to be silent in */
    quit(":q\r");
}

static bool play_once(void)
{
    n_wrong = 0;
    save_score("song.mid", score_of("%d | organ #16:", QUARTER));
    write_script();
    start_program("--audio file");
    record();
    struct score *s = load_score("song.mid");
    check_phrase(s);
    check_events(s);
    check_unplugged(s);
    score_destroy(s);
    check_sound();
    return n_wrong == 0;
}

TEST(a_keyboard_is_recorded)
{
    assert_plays(play_once);
}

/* -- how long it takes from a key to its sound; CONTINUO_KEYS_HEARD: how many, else twelve -- */

/* The file driver writes sound in blocks, so that its beginning is known to two milliseconds: keys
 * seem to be heard from 1.6 ms before they are pressed to 2 ms after. */
enum { MOST_KEYS = 2000, APART_MS = 260, MOST_MS = 15, BLUR_MS = 4 };

static int n_keys(void)
{
    int n = (int)asked_for("CONTINUO_KEYS_HEARD", 12);
    return n < MOST_KEYS ? n : MOST_KEYS;
}

/* At all places of a period of sound, in turn. */
static double key_ms(int i)
{
    return 500 + APART_MS * i + (i * 7 % 23) * 0.9;
}

static void write_keys(void)
{
    FILE *f = open_script();
    for (int i = 0; i < n_keys(); i++)
        fprintf(f, "%g on %d 110\n%g off %d\n", key_ms(i), 72 + i % 7, key_ms(i) + 60,
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
        spread_add(delays, delay_after(onsets, n, begins_ms + key_ms(i)));
    recording_free(&heard);
}

static bool hear_once(void)
{
    static struct spread delays;
    delays.n = 0;
    write_keys();
    start_program("--audio file");
    type(":instrument 17\r:reverb 0\r");
    plug_keyboard();
    put_text("go", "");
    double sound_ms = sound_began_ms(44100), script_ms = keyboard_began_ms();
    term_listen_until(clock_now_ms() + key_ms(n_keys()) - 1500 + 800);
    quit(":q!\r");
    find_delays(script_ms - sound_ms, &delays);
    print_message("from key to sound: p50 %.1f ms, p95 %.1f, most %.1f, of %d keys\n",
                  spread_at(&delays, 0.5), spread_at(&delays, 0.95),
                  spread_at(&delays, 1), delays.n);
    return spread_at(&delays, 0.5) < MOST_MS;
}

TEST(a_key_is_heard_at_once)
{
    assert_plays(hear_once);
}
