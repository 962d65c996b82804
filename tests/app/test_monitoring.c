/* How long it takes from a key of a keyboard to the sound of it: the real program in a
 * terminal (tmux), a keyboard that follows a script (tests/midi/stand_in_portmidi.c), and a
 * JACK server with a device of its own making, whose sound is heard with the moment of each
 * sample. CONTINUO_KEYS_HEARD: how many keys; twelve where it is not set. Skipped where there is no
 * JACK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/heard_through_jack.h"

enum { MOST_KEYS = 2000, APART_MS = 260 };

static char dir[64], socket_name[64];

static void tmux(const char *format, ...)
{
    char words[2048], line[2300];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(line, sizeof line, "tmux -L %s -f /dev/null %s", socket_name, words);
    assert_int_equal(system(line), 0);
}

static void wait_for(const char *text)
{
    char line[256], all[16384];
    snprintf(line, sizeof line, "tmux -L %s -f /dev/null capture-pane -p -t w",
             socket_name);
    for (int i = 0; i < 400; i++) {
        FILE *f = popen(line, "r");
        all[f ? fread(all, 1, sizeof all - 1, f) : 0] = '\0';
        if (f)
            pclose(f);
        if (strstr(all, text))
            return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    fail_msg("never saw: %s", text);
}

static int n_keys(void)
{
    const char *asked = getenv("CONTINUO_KEYS_HEARD");
    int n = asked ? atoi(asked) : 12;
    return n < MOST_KEYS ? n : MOST_KEYS;
}

/* At all places of a period of sound, in turn. */
static double when(int i)
{
    return 500 + APART_MS * i + (i * 7 % 23) * 0.9;
}

static void write_script(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/script", dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("name Stand-in Piano\n", f);
    for (int i = 0; i < n_keys(); i++)
        fprintf(f, "%g on %d 110\n%g off %d\n", when(i), 72 + i % 7, when(i) + 60,
                72 + i % 7);
    fclose(f);
}

static const char *of_environment(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        fail_msg("%s is not set: run through make test", name);
    return value;
}

static void start_program(void)
{
    snprintf(dir, sizeof dir, "/tmp/continuo-monitoring-XXXXXX");
    assert_non_null(mkdtemp(dir));
    write_script();
    tmux("new-session -d -s w -x 100 -y 30 -c %s \"HOME=%s XDG_STATE_HOME=%s "
         "XDG_CONFIG_HOME=%s LC_ALL=C.UTF-8 CONTINUO_KEYBOARD=%s/script "
         "CONTINUO_KEYBOARD_GO=%s/go "
         "CONTINUO_SOUNDFONT=%s LD_LIBRARY_PATH=%s %s "
         "--audio jack --model /none; exec sleep 100\"",
         dir, dir, dir, dir, dir, dir, of_environment("CONTINUO_TEST_SOUNDFONT"),
         of_environment("CONTINUO_STANDIN"), of_environment("CONTINUO_BIN"));
    wait_for("NORMAL");
    tmux("send-keys -t w ':instrument 17' Enter ':input stand-in' Enter");
    wait_for("the keyboard is Stand-in Piano");
}

/* Plays the script; when it began, of CLOCK_MONOTONIC. */
static double play(void)
{
    char line[160];
    double began = 0;
    snprintf(line, sizeof line, "touch %s/go", dir);
    assert_int_equal(system(line), 0);
    double ms = when(n_keys()) + 300;
    nanosleep(&(struct timespec){(time_t)(ms / 1e3), 0}, NULL);
    nanosleep(&(struct timespec){0, 999999999}, NULL);
    snprintf(line, sizeof line, "%s/go.began", dir);
    FILE *f = fopen(line, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lf", &began), 1);
    fclose(f);
    return began;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

#if HAS_JACK

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

/* In milliseconds, sorted. */
static void find_delays(double began, double delays[])
{
    static double onsets[4 * MOST_KEYS];
    int n = listen_onsets(&ear.heard, onsets, 4 * MOST_KEYS);
    for (int i = 0; i < n_keys(); i++)
        delays[i] = delay_after(onsets, n, began + when(i));
    qsort(delays, (size_t)n_keys(), sizeof *delays, by_size);
}

static void a_key_is_heard_at_once(void **state)
{
    (void)state;
    static double delays[MOST_KEYS + 8];
    char server[64];
    snprintf(server, sizeof server, "continuo-monitoring-%d", getpid());
    snprintf(socket_name, sizeof socket_name, "%s", server);
    if (!jack_ear_open(&ear, server))
        skip();
    start_program();
    assert_true(jack_ear_connect(&ear));
    double began = play();
    tmux("kill-server");
    jack_ear_close(&ear);
    find_delays(began, delays);
    int n = n_keys();
    print_message("from key to sound: p50 %.1f ms, p95 %.1f, most %.1f, of %d keys\n",
                  delays[n / 2], delays[n * 95 / 100], delays[n - 1], n);
    assert_true(delays[n / 2] < 30);
}

static void stop_hearing(void)
{
    jack_ear_close(&ear);
    free(ear.heard.x);
    free(ear.heard_ms);
}

#else

static void a_key_is_heard_at_once(void **state)
{
    (void)state;
    (void)start_program;
    (void)play;
    (void)by_size;
    skip();
}

static void stop_hearing(void)
{
}

#endif

static int leave(void **state)
{
    char line[320];
    (void)state;
    snprintf(line, sizeof line, "tmux -L %s kill-server 2>/dev/null; rm -rf '%s'",
             *socket_name ? socket_name : "none", *dir ? dir : "/tmp/continuo-none");
    stop_hearing();
    return system(line) < 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_key_is_heard_at_once, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
