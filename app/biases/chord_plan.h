/* The harmony of a take, decided before its notes: chords by place, from the music around and in
 * the time that is written. They come, in this order, from
 *   - symbols that are written or given;
 *   - the other tracks, where these play while a part is written;
 *   - a tune that plays alone there: it is harmonised by the half bar, in its key and its
 *     modulations;
 *   - the changes of a form that repeats: twelve bars of a blues, the four chords of a song;
 *   - the model, which writes them as chord tokens before the notes of their place.
 * A dominant that the given bars end on is resolved, and a piece that should close ends with its
 * dominant and its tonic, in what the form or the model gives. Jazz, blues and latin music have
 * sevenths; ninths and thirteenths have no chord of their own in the tokens, and are free in the
 * notes (chord_bias.c). Pure functions, any thread. */
#ifndef APP_CHORD_PLAN_H
#define APP_CHORD_PLAN_H

#include "app/biases/analysis.h"
#include "midi/tokens/piece.h"

enum chord_source {
    CHORDS_NONE,    /* drums, a tune that goes on alone, silence: there is no plan */
    CHORDS_WRITTEN, /* those of the piece */
    CHORDS_OTHERS,
    CHORDS_TUNE,
    CHORDS_FORM,
    CHORDS_MODEL,
};

struct chord_plan_request {
    int64_t from, to; /* steps: the time that is written, */
    uint64_t tracks;  /* and on which tracks, bit t: track t */
    enum style style;
    const struct signature *signature;
    bool closes; /* the piece ends at `to` */
    bool
        returns; /* a section that has not returned yet does so; of the takes half do */
};

struct chord_plan {
    enum chord_source source;
    struct grid_chord
        *chords; /* [n] owned; of the given bars, too; ascending, each unlike
                                  the one before */
    size_t n;
    /* The model writes chords there, at steps that are `unit` apart, from a bar line. */
    int64_t free_from, free_to;
    int32_t unit;
    float rate; /* share of such steps at which the given chords change */
};

/* Returns whether the style has sevenths, ninths and thirteenths. */
bool chord_plan_has_sevenths(enum style s);
/* Finds whether the last bars of p have the changes of a blues, by chords that are written or
 * guessed. */
enum midi_status chord_plan_hear_blues(bool *out, const struct piece *p);
/* Plans the chords of a score without notes: phrases of four bars over common changes, A A B A, or
 * choruses of a blues, in the key of the signature, or else C major. The last phrase closes. seed
 * chooses the changes. MIDI_NO_MEMORY: *out is empty. */
enum midi_status chord_plan_of_nothing(struct chord_plan *out, const struct piece *p,
                                       const struct chord_plan_request *q,
                                       uint64_t seed);
/* Plans the chords of a piece that has none written. *out is empty if its source is CHORDS_NONE, or
 * with MIDI_NO_MEMORY. */
enum midi_status chord_plan_make(struct chord_plan *out, const struct piece *p,
                                 const struct chord_plan_request *q);
void chord_plan_fini(struct chord_plan *plan); /* also when zeroed */

/* -- chord_tune.c -- */

/* Harmonises a tune that plays alone: a chord for each half bar, from the notes, the key around and the
 * chords before, by dynamic programming (as Simon, Morris & Basu, "MySong: Automatic Accompaniment
 * Generation for Vocal Melodies", CHI 2008). Triads and dominant sevenths; keys are found likewise, so
 * that chords modulate with the tune. The chords of the bars that [from, to) touches, steps, from the
 * pitched notes of p. Free *out. MIDI_NO_MEMORY: *out is NULL. */
enum midi_status chord_tune(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct signature *signature, int64_t from,
                            int64_t to);

/* -- chord_form.c, for chord_plan.c only: the changes of a form that repeats: those of the four
 * bars of a song, of a ground, or the twelve bars of a blues, which is known by eight of them -- */

/* The chords of [from, to), steps, as the form of the last 32 bars before has them; `heard`, which
 * ascend, are those of these bars. *is_section: nothing repeats there yet, but all of the music is
 * one section, whose chords may return. Free *out. *n is 0 if no form repeats there, or the meter
 * changes. MIDI_NO_MEMORY: *out is NULL. */
enum midi_status chord_form(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct grid_chord *heard, size_t n_heard,
                            int64_t from, int64_t to, bool *is_section);
/* Whether the last 32 bars before `from` are a blues. */
bool chord_form_is_blues(const struct piece *p, const struct grid_chord *heard,
                         size_t n_heard, int64_t from);
/* The usual chord of a bar of a blues, counted from the first chorus on. */
struct grid_chord chord_form_blues(int tonic, bool is_minor, int64_t bar);

#endif
