/* The real program at a terminal (tests/app/terminal.h), with a song, a keyboard that plays a
 * script and sound in a file. Include tests/check.h before it. */
#ifndef TESTS_APP_AT_KEYBOARD_H
#define TESTS_APP_AT_KEYBOARD_H

#include "midi/score/chunk.h"
#include "tests/midi/score_of.h"
#include "tests/app/terminal.h"

static inline FILE *open_script(void)
{
    FILE *f = fopen(in_folder("script"), "w");
    assert_non_null(f);
    fputs("name Stand-in Piano\n", f);
    return f;
}

/* With the song. There is no model unless the options name one. */
static inline void start_program(const char *options)
{
    term_open(100, 30);
    term_run(formatted("exec $C --model /none %s song.mid", options));
    wait_to_see("NORMAL");
}

static inline void plug_keyboard(void)
{
    type(":input stand-in\r");
    wait_to_see("the keyboard is Stand-in Piano");
}

static inline void quit(const char *line)
{
    type(line);
    assert_ends_with(0);
}

/* Each in a folder of its own. As often as CONTINUO_PLAYS says; what a machine that stood still
 * for a moment has spoilt is played again, twice. */
static inline bool play_in_folder(bool (*play_once)(void))
{
    assert_ok(make_own_folder(NULL));
    const bool is_well = play_once();
    term_close(NULL);
    remove_own_folder(NULL);
    return is_well;
}

static inline void assert_plays(bool (*once)(void))
{
    for (int i = 0; i < asked_for("CONTINUO_PLAYS", 1); i++)
        assert_true(play_in_folder(once) || play_in_folder(once) ||
                    play_in_folder(once));
}

/* By CLOCK_MONOTONIC; waits until it plays. */
static inline double keyboard_began_ms(void)
{
    size_t n;
    auto_free char *text = NULL;
    TERM_WAIT(is_there("go.began") && (text = get_bytes("go.began", &n)) && n, 4000);
    assert_non_null(text);
    return strtod(text, NULL);
}

/* When, by CLOCK_MONOTONIC, the file driver's sound began, had it been written sample by sample:
 * a sample is there at the latest when the file was seen to be so long. Looks for 1.5 s. */
static inline double sound_began_ms(double rate)
{
    double began = INFINITY;
    struct stat st;
    for (int i = 0; i < 1500; i++, sleep_ms(1), term_listen(0))
        if (!stat(in_folder("fluidsynth.wav"), &st) && st.st_size > 44)
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

#endif
