/* The real program in a terminal (tmux), in a folder of its own, with the keyboard and the
 * instrument of tests/midi/ports/stand_in_portmidi.c. Include cmocka.h before it. */
#ifndef TESTS_APP_TERMINAL_H
#define TESTS_APP_TERMINAL_H

#include "midi/base/clock.h"
#include "midi/score/chunk.h"
#include "midi/smf/smf.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char dir[64], socket_name[64];

static inline const char *of_environment(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        fail_msg("%s is not set: run through make test", name);
    return value;
}

static inline void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static inline void tmux(const char *format, ...)
{
    char words[2048], line[2300];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(line, sizeof line, "tmux -L %s -f /dev/null %s", socket_name, words);
    assert_int_equal(system(line), 0);
}

/* What tmux answers. */
static inline void tmux_says(char *text, size_t room, const char *words)
{
    char line[256];
    snprintf(line, sizeof line, "tmux -L %s -f /dev/null %s", socket_name, words);
    FILE *f = popen(line, "r");
    size_t n = f ? fread(text, 1, room - 1, f) : 0;
    text[n] = '\0';
    if (f)
        pclose(f);
}

static inline bool is_on_screen(const char *text)
{
    char all[16384];
    tmux_says(all, sizeof all, "capture-pane -p -t w");
    return strstr(all, text) != NULL;
}

static inline void wait_for(const char *text)
{
    for (int i = 0; i < 400; i++, sleep_ms(20))
        if (is_on_screen(text))
            return;
    tmux("capture-pane -p -t w");
    fail_msg("never saw: %s", text);
}

static inline void keys(const char *words)
{
    tmux("send-keys -t w %s", words);
}

static inline void in_dir(char path[256], const char *name)
{
    snprintf(path, 256, "%s/%s", dir, name);
}

static inline FILE *open_in_dir(const char *name, const char *mode)
{
    char path[256];
    in_dir(path, name);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    return f;
}

static inline void touch(const char *name)
{
    fclose(open_in_dir(name, "w"));
}

/* One empty organ track; save_song takes it. */
static inline struct score *make_song(int ticks_per_quarter)
{
    struct score *s = score_create(ticks_per_quarter);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "organ", 0, 16), 0);
    return s;
}

static inline void save_song(struct score *s)
{
    char path[256];
    in_dir(path, "song.mid");
    assert_int_equal(smf_save(s, path), MIDI_OK);
    score_destroy(s);
}

static inline struct score *load_song(void)
{
    char path[256];
    struct score *s = NULL;
    in_dir(path, "song.mid");
    assert_int_equal(smf_load(&s, path, NULL), MIDI_OK);
    return s;
}

static inline void make_dir(const char *name)
{
    snprintf(dir, sizeof dir, "/tmp/continuo-%s-XXXXXX", name);
    assert_non_null(mkdtemp(dir));
    /* A server of its own: the one before may still be on its way out. */
    snprintf(socket_name, sizeof socket_name, "continuo-%s-%s", name,
             dir + strlen(dir) - 6);
}

/* The program may be on its way out, too, and still write into it. */
static inline void remove_dir(void)
{
    char line[128];
    int left = 1;
    snprintf(line, sizeof line, "rm -rf %s 2>&1", dir);
    for (int i = 0; left && i < 100; i++) {
        usleep(i ? 50 * 1000 : 0);
        left = system(line);
    }
    assert_int_equal(left, 0);
}

/* Starts the program with song.mid of the folder. The keyboard plays `script` once there is a
 * file `go`, and writes the time to `go.began`; what the instrument receives is in `sent`. There
 * is no model unless the options name one. */
static inline void start_program(const char *options)
{
    char line[1500];
    snprintf(line, sizeof line,
             "HOME=%s XDG_STATE_HOME=%s XDG_CONFIG_HOME=%s LC_ALL=C.UTF-8 "
             "CONTINUO_KEYBOARD=%s/script CONTINUO_KEYBOARD_GO=%s/go "
             "CONTINUO_INSTRUMENT=%s/sent CONTINUO_SOUNDFONT=%s LD_LIBRARY_PATH=%s %s "
             "--model /none %s song.mid; echo left-with-$?; exec sleep 100",
             dir, dir, dir, dir, dir, dir, of_environment("CONTINUO_TEST_SOUNDFONT"),
             of_environment("CONTINUO_STANDIN"), of_environment("CONTINUO_BIN"),
             options);
    tmux("new-session -d -s w -x 100 -y 30 -c %s \"%s\"", dir, line);
    wait_for("NORMAL");
}

/* As often as CONTINUO_PLAYS says; what a machine that stood still for a moment has spoilt is
 * played again, twice. */
static inline void assert_plays(bool (*play_once)(void))
{
    for (int i = 0; i < asked_for("CONTINUO_PLAYS", 1); i++)
        assert_true(play_once() || play_once() || play_once());
}

/* By CLOCK_MONOTONIC; waits until it plays. */
static inline double keyboard_began_ms(void)
{
    char path[256];
    double ms = 0;
    in_dir(path, "go.began");
    for (int i = 0; i < 400 && ms == 0; i++, sleep_ms(10)) {
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%lf", &ms) != 1)
            ms = 0;
        if (f)
            fclose(f);
    }
    assert_true(ms > 0);
    return ms;
}

/* When, by CLOCK_MONOTONIC, the file driver's sound began, had it been written sample by sample:
 * a sample is there at the latest when the file was seen to be so long. Looks for 1.5 s. */
static inline double sound_began_ms(double rate)
{
    char path[256];
    double began = INFINITY;
    struct stat st;
    in_dir(path, "fluidsynth.wav");
    for (int i = 0; i < 1500; i++, sleep_ms(1))
        if (!stat(path, &st) && st.st_size > 44)
            began = fmin(began,
                         clock_now_ms() - (double)(st.st_size - 44) / 4 / rate * 1e3);
    return began;
}

/* Of a flood there is each, in turn; what follows it is our own. */
static inline void assert_bends(const struct score *s, int n)
{
    const struct chunk *c = &s->chunks[s->tracks[0].chunk];
    int n_bends = 0;
    for (size_t i = 0; i < c->n_events && n_bends < n; i++)
        if (c->events[i].data[0] == 0xE0)
            assert_int_equal(c->events[i].data[1] | c->events[i].data[2] << 7,
                             n_bends++);
    assert_int_equal(n_bends, n);
}

static inline int kill_terminal(void **state)
{
    char line[160];
    snprintf(line, sizeof line, "tmux -L %s kill-server 2>/dev/null", socket_name);
    return system(line) < 0;
}

/* Removes everything, also after a failed test. */
static inline int end_terminal(void **state)
{
    int status = kill_terminal(state);
    remove_dir();
    return status;
}

#endif
