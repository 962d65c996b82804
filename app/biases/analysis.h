/* What each track of a piece does, counted in one pass for all rules and for guesses of style; its key;
 * and which of its bars are alike.
 * Pure functions, any thread. */
#ifndef APP_ANALYSIS_H
#define APP_ANALYSIS_H

#include "midi/score/scale_guess.h"
#include "midi/tokens/piece.h"

/* Families of General MIDI (midi/tokens/piece.h) that rules speak of. */
enum {
    FAMILY_PIANOS = 0,
    FAMILY_ORGANS = 2,
    FAMILY_GUITARS,
    FAMILY_BASSES = 4,
    FAMILY_STRINGS,
    FAMILY_BRASS = 7,
    FAMILY_REEDS,
    FAMILY_PIPES,
};

struct track_facts {
    int n, n_onsets;    /* notes, and steps where some begin */
    int low, high;      /* the lowest and the highest pitch */
    double sum;         /* of all pitches */
    bool is_line;       /* no note begins while another sounds, */
    bool is_apart;      /* or none but those that begin together */
    int32_t onset, end; /* where the newest begins, and the last ends */
    int at
        [STEPS_PER_QUARTER]; /* notes by step of the beat, counted from their bar line */
    int n_rides;             /* notes on beats with the key of a ride cymbal */
};

/* Of the notes from number `first` on, up to before `end`. */
void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end);
/* Of a track with notes. */
static inline double track_mean(const struct track_facts *t)
{
    return t->sum / t->n;
}

/* Whether more notes between the beats begin on triplets than on eighths. */
bool tracks_swing(const struct track_facts of[TOKEN_MAX_TRACKS]);

/* Returns the track of these (bit t: track t) whose notes have the highest or the lowest mean
 * pitch, of equals the first; -1: none has notes. */
int find_outer_track(const struct track_facts of[TOKEN_MAX_TRACKS], uint64_t tracks,
                     bool is_highest);

/* Returns the next note after n (NULL: the first) of these tracks (bit t: track t) that begins in
 * [from, to), steps; NULL: n was the last. */
static inline const struct grid_note *next_note(const struct piece *p,
                                                const struct grid_note *n,
                                                uint64_t tracks, int64_t from,
                                                int64_t to)
{
    for (n = n ? n + 1 : p->notes + piece_note_at(p, from);
         n < p->notes + p->n_notes && n->step < to; n++)
        if (tracks >> n->track & 1)
            return n;
    return NULL;
}

/* A track's newest note before a step: where it begins, its pitch (of several at once the highest),
 * and the pitch of the note before it. -1: there is none. */
struct track_past {
    int64_t step;
    int pitch, before;
};
struct track_past find_past(const struct piece *p, int track, int64_t step);

/* Adds for how many steps each pitch class sounds, of the notes from number `first` on, up to
 * before `end`; returns the sum. Hits have no class. And the share of such sounds that is in a
 * scale; 0: nothing sounds. */
double add_sounds(double sounds[12], const struct piece *p, size_t first, size_t end);
double share_in_scale(const double sounds[12], uint16_t scale);

/* The key of the music outside [from, to), steps, or of all music if there is none outside: by
 * how long each pitch class sounds, the nearer the more, by the bass of the first bar, and by the
 * key signature (midi/score/scale_guess.h), or where that says nothing by a bass that hardly moves.
 * Hits have no key. */
struct piece_key {
    int tonic;     /* a pitch class; -1: there is nothing to guess from */
    bool is_minor; /* it has the minor third */
    struct scale scale;
};
struct piece_key piece_key(const struct piece *p, const struct signature *signature,
                           int64_t from, int64_t to);

/* The share of each degree in the sound of major and of minor keys, from the tonic up. */
extern const double KEY_SHARES[2][12];

/* Bars of a phrase. */
enum { PHRASE_BARS = 4 };

/* Of hits: crash, China and splash cymbals. */
static inline bool is_crash(int key)
{
    return key == 49 || key == 52 || key == 55 || key == 57;
}

/* The tracks that begin notes in [from, to), steps; bit t: track t. */
uint64_t tracks_begin(const struct piece *p, int64_t from, int64_t to);

/* The order of two notes in canonical pieces but for their lengths, if they began at these steps. */
int compare_notes_at(const struct grid_note *a, int64_t a_step,
                     const struct grid_note *b, int64_t b_step);
/* How like the steps [from, to) are to those `by` later, in these tracks (bit t: track t): the notes
 * of both, and how many of them the other has, too. */
struct likeness {
    int n, n_alike;
};
struct likeness compare_passages(const struct piece *p, uint64_t tracks, int64_t from,
                                 int64_t to, int64_t by);

/* The steps of a bar. */
static inline int64_t bar_length(const struct piece *p, int64_t bar)
{
    return piece_bar_start(p, bar + 1) - piece_bar_start(p, bar);
}

/* The steps from the bar line before a step to it. *meter: 0 for the first of steps that ascend, then
 * what it was left at; without meters bars have four quarters. */
int64_t steps_into_bar(const struct piece *p, size_t *meter, int64_t step);

/* Returns the meter in force at a step. p has meters. */
static inline const struct grid_meter *meter_at(const struct piece *p, int64_t step)
{
    const struct grid_meter *m = &p->meters[p->n_meters - 1];
    while (m > p->meters && m->step > step)
        m--;
    return m;
}

/* Returns the steps of the unit of that meter. */
static inline int unit_at(const struct piece *p, int64_t step)
{
    return meter_steps(1, meter_at(p, step)->denominator);
}

#endif
