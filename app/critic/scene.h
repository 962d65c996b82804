/* The music that a critic judges: the notes of a take, and the bars around them, as a musician
 * reads them: bar by bar, track by track, chord by chord.
 *
 * It is made of a score and of new notes, and knows instruments and drums, but no tokens and
 * no models. Time is in quarter notes. Tracks are the score's first 64. One owner; pure
 * functions, any thread. */
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "app/decoding/continuation.h"
#include "midi/score/chord.h"

enum {
    SCENE_TRACKS = 64,
    SCENE_BARS_BEFORE = 16, /* at most so many bars before the take are read, */
    SCENE_BARS_AFTER = 8,   /* and after it */
};

/* What was asked for. */
struct critic_request {
    int64_t from_tick, to_tick;
    uint64_t tracks; /* bit i: score track i is to be written; 0: all with notes */
    uint16_t scale;  /* the scale that was set, bit 0 is C; 0: none */
    bool is_hole;    /* there may be music after it */
    bool close;      /* the piece ends with it */
};

/* What is asked by the options, of a take that came with these stats. */
struct critic_request critic_request_of(const struct continuation_options *o,
                                        const struct continuation_stats *stats);

struct scene_note {
    double start, end;
    int track, bar, pitch;
    bool is_new, is_hit;
};

struct scene_track {
    bool is_drums;
    bool is_asked; /* it was to be written */
    int program;
    int n_given, n_new; /* notes */
    size_t first, end;  /* its notes in the scene */
};

struct scene_bar {
    double start, end, beat;
    int n_beats;
    bool is_new;
};

/* What sounds in a part of a bar, and the chord that explains most of it. */
struct scene_chord {
    double start, end;
    double weights[12]; /* time by pitch class; what begins with the part counts more */
    double fit;         /* share of the weights in the chord; 0: nothing sounds */
    int root, kind;     /* pitch class, and a row of CHORD_KINDS (scene_chords.c) */
    int low, low_track; /* the lowest pitch that sounds at its start; -1: none */
    /* In force at its start, but for one that stops with the given music; no classes: none is. */
    struct chord_symbol written;
    bool is_new;
};

/* A chord that a part is heard against. */
struct scene_harmony {
    uint16_t classes; /* bit 0 is C */
    int bass;         /* a pitch class */
};

struct scene {
    struct scene_note *notes; /* by track, start and pitch */
    size_t n_notes;
    struct scene_track tracks[SCENE_TRACKS];
    int n_tracks;
    struct scene_bar *bars;
    int n_bars, first_new, end_new; /* bars [first_new, end_new) are new */
    size_t *bar_notes;              /* [n_tracks][n_bars + 1]: see scene_bar_notes */
    /* The track that sings: of the asked ones with a pitch, that whose given notes lie highest; -1:
     * none. */
    int tune;
    struct scene_chord *chords;
    int n_chords;
    double *shares; /* [n_chords][n_tracks][12]: the weights by track */
    int tonic;      /* of the key, 0..11 */
    bool is_minor;
    uint16_t scale; /* bit 0 is C; of minor with the raised sixth and seventh */
    bool is_hole, close;
};

/* The scene of `s` with n new notes. s need not be initialised; on failure nothing is kept.
 * MIDI_EMPTY: there is no note, or no time to judge. */
enum midi_status scene_init(struct scene *scene, const struct score *s,
                            const struct critic_request *r,
                            const struct continued_note *notes, size_t n);
void scene_fini(struct scene *scene); /* also when zeroed */

/* The notes of a track that begin in a bar: from *first on; returns how many. */
static inline size_t scene_bar_notes(const struct scene *c, int track, int bar,
                                     size_t *first)
{
    const size_t *at = &c->bar_notes[(size_t)track * ((size_t)c->n_bars + 1)];
    *first = at[bar];
    return at[bar + 1] - at[bar];
}

/* The share of the notes of two bars of a track that both have (Jaccard), 0..1. */
double scene_compare_bars(const struct scene *c, int track, int a, int b);
/* Adds the time that each pitch class sounds in the new bars, or in the others; returns the sum. */
double scene_add_sounds(const struct scene *c, bool is_new, double sounds[12]);

/* Chords (scene_chords.c). */
enum midi_status scene_find_chords(struct scene *c, const struct score *s);
/* The chord that explains most of the weights, preferring `low`, a pitch, as its root; -1:
 * none is preferred. Returns the share that it explains; 0: there is no weight. */
double chord_explain(const double weights[12], int low, int *root, int *kind);
bool chord_is_minor(int kind);
bool chord_is_dominant(int kind); /* a major triad, or one with a minor seventh */
/* The first n tones of a chord; bit 0 is C. */
uint16_t chord_classes(int root, int kind, int n);
/* The chord that is written; else that of all tracks but one, if they have three pitch classes, or
 * of all. */
struct scene_harmony scene_harmony_beside(const struct scene *c, int chord, int track);

#endif
