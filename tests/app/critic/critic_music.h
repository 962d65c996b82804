/* Eight bars of our own for the critic: a tune in C over a bass, and takes of four bars that
 * go on from them. Include tests/check.h before it. */
#ifndef TESTS_APP_CRITIC_MUSIC_H
#define TESTS_APP_CRITIC_MUSIC_H

#include "app/critic/critic.h"
#include "tests/midi/score_of.h"

enum { TPQ = 480, BAR_TICKS = 4 * TPQ, HEARD = 8, TAKE_BARS = 4, MOST_NOTES = 512 };
enum { TUNE, BASS, DRUMS };

#define TUNE_BARS                                                                      \
    "(G4e F4 G4 A4 C5 A4 G4 E4 D4 E4 F4 G4 A4 G4 F4 D4 "                               \
    "A4 G4 A4 C5 E5 C5 A4 G4 G4 F4 E4 D4 C4 E4 D4 C4)"
#define BASS_BARS "(C2h C2 G2 G2 A2 A2 C2 C2)"
#define BEAT      "(36e r 38 r)" /* of two beats */

struct made_take {
    struct continued_note notes[MOST_NOTES];
    size_t n;
};

static inline void add(struct made_take *t, int track, int64_t start, int64_t length,
                       int pitch)
{
    t->notes[t->n++] = (struct continued_note){
        .track = track, .note = music_note(start, length, pitch, 80)};
}

/* The notes of a score, which is freed; those of the third track are hits. */
static inline struct made_take take_of(struct score *s)
{
    struct made_take t = {.n = 0};
    for (size_t k = 0; k < s->n_tracks; k++)
        for (size_t i = 0; i < s->tracks[k].n_notes; i++)
            t.notes[t.n++] = (struct continued_note){
                .track = (int)k, .note = s->tracks[k].notes[i], .is_hit = k == DRUMS};
    score_destroy(s);
    return t;
}

/* What goes on as the piece does, and ends on its tonic; with drums or without. */
static inline struct made_take good_take(void)
{
    return take_of(score_of("480 | tune: =8w " TUNE_BARS " | bass: =8w " BASS_BARS));
}

static inline struct made_take good_band(void)
{
    return take_of(score_of("480 | tune: =8w " TUNE_BARS " | bass: =8w " BASS_BARS
                            " | drums: =8w " BEAT "*8"));
}

static inline struct score *heard_score(const char *drums)
{
    return score_of("480 | tune: " TUNE_BARS "*2 | bass #32: " BASS_BARS
                    "*2 | drums ch9: %s",
                    drums);
}

/* The tune and the bass; the same with drums. */
static struct score *tune_score, *band_score;

static inline int make_scores(void **state)
{
    tune_score = heard_score("");
    band_score = heard_score(BEAT "*16");
    return 0;
}

static inline int destroy_scores(void **state)
{
    score_destroy(tune_score);
    score_destroy(band_score);
    return 0;
}

static inline void clear_track(struct score *s, int track)
{
    while (s->tracks[track].n_notes)
        score_remove_note(s, track, s->tracks[track].notes[0].id);
}

/* The take as it was drawn. */
static inline struct take drawn(struct made_take *t)
{
    return (struct take){.notes = t->notes,
                         .n_notes = t->n,
                         .stats = {.from_tick = HEARD * BAR_TICKS,
                                   .to_tick = (HEARD + TAKE_BARS) * BAR_TICKS,
                                   .is_done = true}};
}

#endif
