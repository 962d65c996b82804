/* What can be counted in some bars of a scene: pitch classes, lines, chords, rhythm, tracks.
 * The features compare the facts of a passage with those of the bars before it.
 *
 * Shares are 0..1; 0 where there is nothing. Drums count for rhythm and loudness only. Pure
 * functions, any thread. */
#ifndef APP_CRITIC_FACTS_H
#define APP_CRITIC_FACTS_H

#include "app/decoding/continuation.h"

/* A passage as the critic sees it: the last bars before it, and the bars it fills with a
 * take in them, on the grid of 24 steps a quarter.
 *
 * It is made of a score and of new notes; it knows instruments and drums, not tokens or
 * models. Steps count from the start of the score; tracks are the score's first 64. Plain
 * data, one owner. */

enum { SCENE_HEARD_BARS = 16, SCENE_TRACKS = 64 };

/* Of all that the score has before the passage. */
struct scene_track {
    bool is_drums;
    int n_bars; /* in how many of the bars before it has notes */
    int low, high;
    int after; /* the highest of the next notes within a bar; -1: none */
};

struct scene {
    struct grid_note
        *notes; /* canonical order; the notes before, then those of the passage */
    size_t n_notes, first_new;
    int32_t *bars; /* [n_bars + 1] first step of each; the last is the end */
    int n_bars, first_new_bar;
    int32_t from, to; /* the passage */
    struct scene_track tracks[SCENE_TRACKS];
};

/* The passage [from_tick, to_tick) of `s` with those n notes added. s need not be
 * initialised; on failure nothing is kept. MIDI_EMPTY: there is no note in it or before it,
 * or no time in it; MIDI_TOO_LONG: it ends past what the grid can hold. */
enum midi_status scene_init(struct scene *scene, const struct score *s,
                            int64_t from_tick, int64_t to_tick,
                            const struct continued_note *notes, size_t n);
void scene_fini(struct scene *scene); /* also when zeroed */

enum { FACT_POSITIONS = 8, FACT_LENGTHS = 8 };

struct span {
    size_t first, end; /* notes of the scene */
    int32_t from, to;  /* steps */
};

/* How a line goes from note to note: shares of its intervals. */
struct line_facts {
    int n; /* intervals */
    double repeats, steps, leaps, wide, turns;
};

struct track_facts {
    int n, low, high;    /* notes and their range */
    int n_pitches;       /* different ones */
    double mean, voices; /* pitch; notes sounding where one begins */
};

struct facts {
    int n_notes, n_pitched, n_onsets;
    double pitch_time[12], pitch_count[12]; /* shares of pitch classes */
    double entropy;                         /* of pitch_count, nats */
    double scale;                           /* share of the best fitting scale */

    struct line_facts lines, melody, bass; /* all tracks; the highest; the lowest */
    int melody_track, bass_track;          /* -1: none */

    double voices, voices_spread;       /* sounding at an onset */
    double harsh, clashes, close, full; /* shares of chords: see critic_chords.c */
    double parallels;                   /* of the moves of two tracks */
    double positions[FACT_POSITIONS];   /* of onsets, in the beat */
    double lengths[FACT_LENGTHS];       /* of notes, octaves from a step */
    double on_beat, off_grid;           /* shares of notes */
    double length_mean, length_spread;  /* octaves */
    double notes_a_beat, onsets_a_beat, silence;
    double loudness, loudness_spread; /* levels of velocity */

    struct track_facts tracks[SCENE_TRACKS];
};

void facts_find(struct facts *f, const struct scene *c, const struct span *s);

/* Parts of it; f is zeroed before the first, tracks come first. */
void facts_pitches(struct facts *f, const struct scene *c, const struct span *s);
void facts_lines(struct facts *f, const struct scene *c, const struct span *s);
void facts_chords(struct facts *f, const struct scene *c, const struct span *s);
void facts_rhythm(struct facts *f, const struct scene *c, const struct span *s);

/* The tonic, 0..11, and whether it is of a minor key: the profile of Krumhansl and Kessler
 * (1982) that goes best with shares of pitch classes. */
int key_tonic(const double shares[12], bool *is_minor);

#endif
