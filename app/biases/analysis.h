/* The analysis of a piece, for rules, for the critic and for guesses of style: what each track does,
 * the key, and which bars are alike. Functions are pure and serve any thread. Times are steps. Sets of
 * tracks have bit t for track t. */
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
    int n, n_onsets;           /* notes, and steps where some begin */
    int low, high;             /* the lowest and the highest pitch */
    double sum;                /* sum of all pitches */
    bool is_line;              /* no note begins while another sounds */
    bool is_apart;             /* no note begins while one that began before sounds */
    int32_t onset, end;        /* start of the newest note, end of the last one */
    int at[STEPS_PER_QUARTER]; /* notes by their step in the beat, from the bar line */
    int n_rides;               /* notes on beats with the key of a ride cymbal */
};

/* Counts the notes of all tracks, of those from number `first` on, up to before `end`. */
void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end);
/* Returns the mean pitch of a track with notes. */
static inline double track_mean(const struct track_facts *t)
{
    return t->sum / t->n;
}

/* Returns whether more notes between the beats begin on triplets than on eighths. */
bool tracks_swing(const struct track_facts of[TOKEN_MAX_TRACKS]);

/* Returns that of these tracks whose notes have the highest or the lowest mean pitch, of equals the
 * first; -1: none has notes. */
int find_outer_track(const struct track_facts of[TOKEN_MAX_TRACKS], uint64_t tracks,
                     bool is_highest);

/* Returns the next note after n (NULL: the first) of these tracks that begins in [from, to); NULL: n
 * was the last. */
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

/* A track's newest note before a step. */
struct track_past {
    int64_t step; /* its start; -1: there is none */
    int pitch;    /* its pitch, the highest of several at once */
    int before;   /* the pitch of the note before it; -1: there is none */
};
struct track_past find_past(const struct piece *p, int track, int64_t step);

/* Adds for how many steps each pitch class sounds, of the notes from number `first` on, up to before
 * `end`, without hits. Returns the sum. */
double add_sounds(double sounds[12], const struct piece *p, size_t first, size_t end);
/* Returns the share of such sounds that lies in a scale; 0: nothing sounds. */
double share_in_scale(const double sounds[12], uint16_t scale);

/* A key. */
struct piece_key {
    int tonic;     /* a pitch class; -1: there is nothing to guess from */
    bool is_minor; /* it has the minor third */
    struct scale scale;
};
/* Guesses the key of the music outside [from, to), or of all music if there is none outside, without
 * hits. The guess is by how long each pitch class sounds, near music counting more, by the bass of the
 * first bar, and by the key signature (midi/score/scale_guess.h), or else by a bass that hardly
 * moves. */
struct piece_key piece_key(const struct piece *p, const struct signature *signature,
                           int64_t from, int64_t to);

/* The share of each degree in the sound of major and of minor keys, from the tonic up. */
extern const double KEY_SHARES[2][12];

/* The bars of a phrase. */
enum { PHRASE_BARS = 4 };

/* Returns whether the key of a hit is a crash, China or splash cymbal's. */
static inline bool is_crash(int key)
{
    return key == 49 || key == 52 || key == 55 || key == 57;
}

/* Returns the tracks that begin notes in [from, to). */
uint64_t tracks_begin(const struct piece *p, int64_t from, int64_t to);

/* Compares two notes, as if they began at these steps, in canonical order without their lengths. */
int compare_notes_at(const struct grid_note *a, int64_t a_step,
                     const struct grid_note *b, int64_t b_step);
/* How like two passages are: the notes of both, and how many of them the other has, too. */
struct likeness {
    int n, n_alike;
};
/* Compares [from, to) with the steps that are `by` later, in these tracks. */
struct likeness compare_passages(const struct piece *p, uint64_t tracks, int64_t from,
                                 int64_t to, int64_t by);

/* Returns the steps of a bar. */
static inline int64_t bar_length(const struct piece *p, int64_t bar)
{
    return piece_bar_start(p, bar + 1) - piece_bar_start(p, bar);
}

/* Returns the steps from a step's bar line to it; without meters bars have four quarters. Steps must
 * ascend from call to call; *meter is 0 at first. */
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
