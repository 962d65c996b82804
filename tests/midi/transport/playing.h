/* A player whose sound goes to a file, in real time, and is read back. Include cmocka.h
 * before it. */
#ifndef TESTS_MIDI_PLAYING_H
#define TESTS_MIDI_PLAYING_H

#include "midi/transport/player.h"
#include "tests/midi/listen.h"

#include <time.h>
#include <unistd.h>

enum { QUARTER = 480, BAR = 4 * QUARTER };

static char wav_path[64];

static inline const char *own_soundfont(void)
{
    const char *path = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!path)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    return path;
}

static inline void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static inline double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline uint64_t add(struct score *s, int track, int64_t start, int64_t length,
                           int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = 100,
                     .off_velocity = 64};
    uint64_t id = score_add_note(s, track, n);
    assert_true(id != 0);
    return id;
}

/* One tempo, and another from the second bar on. */
static inline void set_tempos(struct score *s, double bpm, double later_bpm)
{
    struct tempo tempos[] = {{0, 60e6 / bpm, 0}, {BAR, 60e6 / later_bpm, 0}};
    timeline_fini(&s->timeline);
    assert_int_equal(timeline_init(&s->timeline, QUARTER, tempos, 2, NULL, 0), MIDI_OK);
}

/* One organ track without notes. */
static inline struct score *make_score(double bpm)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "organ", 0, 16), 0);
    set_tempos(s, bpm, bpm);
    return s;
}

static inline struct player *start_player(const char *driver)
{
    struct player *p = player_create(&(struct player_config){
        .soundfont = own_soundfont(), .driver = driver, .file_name = wav_path});
    assert_non_null(p);
    char status[128];
    for (int i = 0; i < 300; i++) {
        if (strcmp(player_status(p, status, sizeof status), "opening sound") != 0)
            return p;
        sleep_ms(10);
    }
    fail_msg("sound is still being opened after three seconds");
    return p;
}

static inline void wait_until_stopped(const struct player *p, int ms)
{
    double until = now_ms() + ms;
    while (player_is_playing(p) && now_ms() < until)
        sleep_ms(5);
    assert_false(player_is_playing(p));
}

/* Ends the player, so that the file is complete, and reads what it played. */
static inline struct recording finish(struct player *p)
{
    struct recording r;
    player_destroy(p);
    assert_true(listen_load(&r, wav_path));
    unlink(wav_path);
    return r;
}

static inline int make_name(void **state)
{
    (void)state;
    snprintf(wav_path, sizeof wav_path, "/tmp/continuo-test-%ld.wav", (long)getpid());
    return 0;
}

static inline void assert_onsets(const struct recording *r, const double *wanted, int n)
{
    double onsets[32];
    int found = listen_onsets(r, onsets, 32);
    assert_int_equal(found, n);
    for (int i = 1; i < n; i++) {
        double off = onsets[i] - onsets[0] - (wanted[i] - wanted[0]);
        if (fabs(off) > 0.005)
            fail_msg("onset %d is %.1f ms off", i, off * 1000);
    }
}

#endif
