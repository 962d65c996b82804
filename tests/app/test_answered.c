/* Playing together, end to end: the real program in a terminal, played by a keyboard that
 * follows a script and heard through FluidSynth's file driver. How long after the last key
 * has gone up the answer sounds, from the moment of the script to that at which the sample
 * is in the file; that answers on the beat are on the beat; that it is silent afterwards.
 *
 * What the keyboard plays is not heard itself (:monitor off), so that all sound is the
 * machine's. CONTINUO_TURNS: how many; CONTINUO_ANSWER_MS: what 19 of 20 may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/smf.h"
#include "tests/app/in_terminal.h"
#include "tests/midi/listen.h"

#include <sys/stat.h>

enum {
    MOST_TURNS = 1000,
    TURN_MS = 1000,  /* from phrase to phrase; at 240 a minute bars of 1/4 last 250 */
    FIRST_MS = 1200, /* before the first */
    PHRASE_MS = 240, /* from the first key down to the last up */
    LATE_MS = 150,   /* that an answer may take on a machine that does other things */
};

static int n_turns;

static int of_number(const char *name, int usual)
{
    const char *value = getenv(name);
    return value ? atoi(value) : usual;
}

/* No two phrases fall on the same part of a millisecond, or of a step. */
static double phrase_ms(int i)
{
    return FIRST_MS + (double)i * TURN_MS + 7.3 * (i * i % 11);
}

static void write_piece(void)
{
    char path[256];
    in_dir(path, "song.mid");
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "organ", 0, 16), 0);
    assert_int_equal(smf_save(s, path), MIDI_OK);
    score_destroy(s);
}

/* Three keys, each held until the next is down. */
static void write_script(void)
{
    char path[256];
    in_dir(path, "script");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("name Stand-in Piano\n", f);
    for (int i = 0; i < n_turns; i++)
        for (int k = 0; k < 3; k++) {
            int key = 60 + (5 * i + 3 * k) % 13;
            double on = phrase_ms(i) + 80 * k, off = on + (k < 2 ? 95 : PHRASE_MS - 160);
            fprintf(f, "%g on %d %d\n%g off %d\n", on, key, 60 + 8 * k, off, key);
        }
    fclose(f);
}

/* -- the clock of the file -- */

/* When, by the system's clock, the file began, had it been written sample by sample: a
 * sample is there at the latest when the file was seen to be so long. */
static double file_began_ms(double rate)
{
    char path[256];
    double began = INFINITY;
    struct stat st;
    in_dir(path, "fluidsynth.wav");
    for (int i = 0; i < 1500; i++, sleep_ms(1))
        if (!stat(path, &st) && st.st_size > 44)
            began = fmin(began, now_ms() - (double)(st.st_size - 44) / 4 / rate * 1e3);
    return began;
}

static double keyboard_began_ms(void)
{
    char path[256];
    double ms = 0;
    in_dir(path, "began");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lf", &ms), 1);
    fclose(f);
    return ms;
}

/* -- a run -- */

/* Milliseconds from the script's beginning to that of the file. */
static double play(const char *how)
{
    char line[128];
    make_dir("answered");
    write_piece();
    write_script();
    start_program(NULL);
    keys("':input stand-in' Enter");
    wait_for("the keyboard is Stand-in Piano");
    keys("':monitor off' Enter ':count-in 0' Enter ':reverb 0' Enter ':chorus 0' Enter");
    keys("':tempo 240' Enter ':meter 1/4' Enter '#' '#'");
    wait_for("metronome is off");
    snprintf(line, sizeof line, "':answer %s' Enter", how);
    keys(line);
    wait_for("listening");
    go();
    double file_ms = file_began_ms(44100), script_ms = keyboard_began_ms();
    while (now_ms() < script_ms + phrase_ms(n_turns))
        sleep_ms(20);
    keys("'&'");
    wait_for("notes of both wait");
    keys("a C-s");
    wait_for("saved song.mid");
    sleep_ms(600); /* to be silent in */
    keys(":q Enter");
    wait_for("left-with-0");
    tmux("kill-server");
    return file_ms - script_ms;
}

/* The first sound in [from, to), seconds; negative: none. */
static double onset(const struct recording *r, double from, double to, double loudest)
{
    const double step = 0.0005;
    for (double t = from; t < to; t += step)
        if (listen_energy(r, t, t + step) > loudest * 1e-3)
            return t;
    return -1;
}

static double loudest_of(const struct recording *r)
{
    double loudest = 0, end = (double)r->n / r->rate;
    for (double t = 0; t + 0.02 < end; t += 0.02)
        loudest = fmax(loudest, listen_energy(r, t, t + 0.02));
    return loudest;
}

static void load_sound(struct recording *r)
{
    char path[256];
    in_dir(path, "fluidsynth.wav");
    if (!listen_load(r, path))
        fail_msg("there is no sound in %s", path);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_silence(const struct recording *r, double loudest)
{
    double end = (double)r->n / r->rate;
    assert_true(loudest > 1e-6);
    assert_true(listen_energy(r, end - 0.2, end) < loudest * 1e-3);
}

/* Milliseconds from each last key-up to the sound. */
static int measure(const struct recording *r, double file_ms, double loudest, double *ms)
{
    int n = 0;
    for (int i = 0; i < n_turns; i++) {
        double up = (phrase_ms(i) + PHRASE_MS - file_ms) / 1e3;
        double at = onset(r, up, up + 0.6, loudest);
        if (at < 0)
            print_message("turn %d was not answered\n", i);
        else
            ms[n++] = (at - up) * 1e3;
    }
    return n;
}

static void answers_come_at_once(void **state)
{
    (void)state;
    static double ms[MOST_TURNS];
    struct recording r = {0};
    double file_ms = play("free once pause 0");
    load_sound(&r);
    double loudest = loudest_of(&r);
    int n = measure(&r, file_ms, loudest, ms);
    check_silence(&r, loudest);
    assert_true(n >= n_turns - n_turns / 20);
    qsort(ms, (size_t)n, sizeof ms[0], by_size);
    print_message("%d answers: half within %.1f ms, 19 of 20 within %.1f, all within %.1f"
                  ", the first after %.1f\n",
                  n, ms[n / 2], ms[(n - 1) * 19 / 20], ms[n - 1], ms[0]);
    assert_true(ms[(n - 1) * 19 / 20] <= of_number("CONTINUO_ANSWER_MS", LATE_MS));
    free(r.x);
    if (!getenv("CONTINUO_KEEP"))
        remove_dir();
}

int main(void)
{
    n_turns = of_number("CONTINUO_TURNS", 4);
    n_turns = n_turns < 1 ? 1 : n_turns > MOST_TURNS ? MOST_TURNS : n_turns;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_come_at_once, kill_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
