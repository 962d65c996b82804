/* Eight bars of our own for the critic: a tune in C over a bass, and takes of four bars that
 * go on from them. Include cmocka.h before it. */
#ifndef TESTS_APP_CRITIC_MUSIC_H
#define TESTS_APP_CRITIC_MUSIC_H

#include "app/critic/critic.h"
#include "tests/app/auto.h"

enum { TPQ = 480, BAR_TICKS = 4 * TPQ, HEARD = 8, TAKE_BARS = 4, MOST_NOTES = 512 };
enum { TUNE, BASS, DRUMS };

/* Degrees of C major from C4, eight to a bar, and the bass's roots. */
static const int TUNES[4][8] = {{4, 3, 4, 5, 7, 5, 4, 2},
                                {1, 2, 3, 4, 5, 4, 3, 1},
                                {5, 4, 5, 7, 9, 7, 5, 4},
                                {4, 3, 2, 1, 0, 2, 1, 0}};
static const int ROOTS[4] = {0, 4, 5, 0};

static inline int in_c(int degree)
{
    static const int SCALE[7] = {0, 2, 4, 5, 7, 9, 11};
    return 60 + 12 * (degree / 7) + SCALE[degree % 7];
}

static inline struct note a_note(int64_t start, int64_t length, int pitch)
{
    return (struct note){.start = start,
                         .length = length,
                         .pitch = (uint8_t)pitch,
                         .velocity = 80,
                         .on_order = ORDER_LAST};
}

struct made_take {
    struct continued_note notes[MOST_NOTES];
    size_t n;
};

static inline void add(struct made_take *t, int track, int64_t start, int64_t length,
                       int pitch)
{
    t->notes[t->n++] =
        (struct continued_note){.track = track, .note = a_note(start, length, pitch)};
}

/* A bar of the tune from `at` on, so many semitones up. */
static inline void add_bar(struct made_take *t, int64_t at, int which, int up)
{
    for (int i = 0; i < 8; i++)
        add(t, TUNE, at + i * TPQ / 2, TPQ / 2, in_c(TUNES[which][i]) + up);
    for (int i = 0; i < 2; i++)
        add(t, BASS, at + i * TPQ * 2, TPQ * 2, in_c(ROOTS[which]) - 24 + up);
}

/* Hits on every beat, the third one loud. */
static inline void add_beat(struct made_take *t, int64_t at, int pitch)
{
    for (int i = 0; i < 4; i++) {
        add(t, DRUMS, at + i * TPQ, TPQ / 4, i % 2 ? pitch + 2 : pitch);
        t->notes[t->n - 1].is_hit = true;
    }
}

/* What goes on as the piece does, and ends on its tonic. */
static inline struct made_take good_take(void)
{
    struct made_take t = {.n = 0};
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_bar(&t, (HEARD + bar) * BAR_TICKS, bar, 0);
    return t;
}

static inline struct score *heard_score(bool with_drums)
{
    struct made_take t = {.n = 0};
    struct score *s = score_create(TPQ);
    assert_non_null(s);
    score_add_track(s, "tune", 0, 0);
    score_add_track(s, "bass", 1, 32);
    score_add_track(s, "drums", 9, 0);
    for (int bar = 0; bar < HEARD; bar++) {
        add_bar(&t, bar * BAR_TICKS, bar % 4, 0);
        if (with_drums)
            add_beat(&t, bar * BAR_TICKS, 36);
    }
    for (size_t i = 0; i < t.n; i++)
        assert_true(score_add_note(s, t.notes[i].track, t.notes[i].note));
    return s;
}

static inline struct made_take with_beat(struct made_take t, int pitch)
{
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_beat(&t, (HEARD + bar) * BAR_TICKS, pitch);
    return t;
}

/* The tune and the bass; the same with drums. */
static struct score *tune_score, *band_score;

static inline int make_scores(void **state)
{
    (void)state;
    tune_score = heard_score(false);
    band_score = heard_score(true);
    return 0;
}

static inline int destroy_scores(void **state)
{
    (void)state;
    score_destroy(tune_score);
    score_destroy(band_score);
    return 0;
}

/* The request of the takes. */
static inline struct critic_request asked(bool close)
{
    return (struct critic_request){.from_tick = HEARD * BAR_TICKS,
                                   .to_tick = (HEARD + TAKE_BARS) * BAR_TICKS,
                                   .close = close};
}

/* A feature of a take. */
static inline double measured(int feature, const struct score *s,
                              const struct critic_request *r, const struct made_take *t)
{
    struct scene scene;
    double features[N_FEATURES];
    assert_ok(scene_init(&scene, s, r, t->notes, t->n));
    assert_true(features_measure(&scene, features));
    scene_fini(&scene);
    return features[feature];
}

static inline double feature_of(int feature, const struct score *s,
                                const struct made_take *t)
{
    const struct critic_request r = asked(false);
    return measured(feature, s, &r, t);
}

static inline struct critic_verdict
verdict(const struct critic *c, const struct score *s, const struct made_take *t)
{
    const struct critic_request r = asked(false);
    struct critic_verdict v;
    critic_judge(c, s, &r, t->notes, t->n, &v);
    return v;
}

#endif
