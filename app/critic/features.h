/* A take in some figures that a musician would name: its harmony, its bass, its rhythm, its
 * lines, its form, its end. A figure is the same for every key and speed. Most compare the take
 * with the bars that were given, so that nothing is a fault that the piece does itself. The
 * critic (app/critic/critic.h) weighs them. Pure functions, any thread. */
#ifndef APP_FEATURES_H
#define APP_FEATURES_H

#include "app/critic/scene.h"

/* Rows of the table of features.c, which has their names and their words. */
enum feature {
    /* harmony (features_harmony.c) */
    FEATURE_CHORDS_OF_KEY,    /* share of chords of which no tone leaves the scale */
    FEATURE_BASS_ON_ROOT,     /* share of chords with their root in the bass */
    FEATURE_FOREIGN_NOTES,    /* share of time outside the chord of the other tracks */
    FEATURE_SEMITONES,        /* share of chords with a semitone, beyond the given */
    FEATURE_ROUGH,            /* mean roughness of intervals, beyond the given */
    FEATURE_PITCHES_AS_GIVEN, /* share of time of pitch classes that both have */
    FEATURE_OUTSIDE_KEY,      /* share of notes */
    FEATURE_RESOLVES,         /* 1 or -1: the dominant before the take; 0: none */
    FEATURE_LAST_CHORD,       /* 1: tonic or dominant; else 0 */
    FEATURE_CLOSE,            /* 0..1, if a close was asked for */
    /* rhythm (features_rhythm.c) */
    FEATURE_SILENT_PART, /* share of silent bars of the part that has most */
    FEATURE_SILENCE,     /* mean share of silent bars, beyond the given */
    FEATURE_SPARSER, /* mean logarithm of given notes a bar by new ones, if more; of a
                             track without given notes those of the others */
    FEATURE_BUSIER,  /* the same, if less */
    FEATURE_TUNE_SPARSER,     /* FEATURE_SPARSER of the tune alone */
    FEATURE_RHYTHM_AS_GIVEN,  /* share of onsets, by position, that both have */
    FEATURE_TUNE_RHYTHM,      /* the tune: share of steps from onset to onset */
    FEATURE_LENGTHS_AS_GIVEN, /* share of note lengths that both have */
    FEATURE_GROOVE,           /* drums: likeness to the likest given bar */
    FEATURE_BACKBEAT_LOST,    /* share of snares on 2 and 4 that are missing, */
    FEATURE_KICK_LOST,        /* of kicks on 1, */
    FEATURE_HATS_LOST,        /* and of beats with a cymbal */
    /* lines (features_lines.c) */
    FEATURE_OUT_OF_RANGE, /* share of notes */
    FEATURE_REPEATED,     /* the tune: share of repeated notes, beyond the given, */
    FEATURE_SEESAW,       /* of notes that return to the one before the last, */
    FEATURE_LEAPS,        /* of leaps beyond a sixth; */
    FEATURE_REGISTER,     /* octaves from its given mean pitch to the new one */
    FEATURE_FEW_PITCHES,  /* entropy of its pitches, nats less than given */
    FEATURE_PHRASES,      /* share of fourth bars with a long note or a rest */
    FEATURE_PARALLELS,    /* share of moves of two voices, beyond the given */
    FEATURE_CROSSED,      /* share of onsets of two voices, beyond the given */
    FEATURE_DOUBLED,      /* share of notes that another track has, beyond the given */
    /* form (features_form.c) */
    FEATURE_LOOPS,    /* the tune: likeness to earlier new bars, beyond the habit */
    FEATURE_SAME_BAR, /* the longest run of like tune bars, beyond the given */
    FEATURE_COPIES,   /* likeness to given bars, beyond the habit */
    N_FEATURES,
};

/* The value of a feature of what was not asked, halfway between praise and blame. */
#define NOT_ASKED 0.5

/* Praise holds from praise_at on, blame from blame_at on, in the feature's good and bad
 * direction. */
extern const struct feature_row {
    const char *name;   /* in critic.json and in tables: never changes */
    bool is_merit;      /* more of it is better; else less is */
    const char *praise; /* what a musician would say of a take; NULL: nothing */
    double praise_at;
    const char *blame;
    double blame_at;
} FEATURES[N_FEATURES];

int feature_find(const char *name); /* -1: there is none */
/* What a musician would say of a take for that feature, in praise or in blame; NULL:
 * nothing. */
const char *feature_word(int feature, bool praises);
bool feature_tells(int feature, double x, bool praises); /* whether that is so */

/* All of them, finite. false: out of memory. */
bool features_measure(const struct scene *c, double out[N_FEATURES]);

/* Parts of it. */
void features_harmony(const struct scene *c, double out[N_FEATURES]);
void features_rhythm(const struct scene *c, double out[N_FEATURES]);
bool features_lines(const struct scene *c, double out[N_FEATURES]);
void features_form(const struct scene *c, double out[N_FEATURES]);

/* x beyond a limit: by how much, or 0. */
static inline double beyond(double x, double limit)
{
    return x > limit ? x - limit : 0;
}

/* A mean of what was added. */
struct mean {
    double sum, weight;
};
static inline void mean_add(struct mean *m, double x, double weight)
{
    m->sum += x * weight;
    m->weight += weight;
}
static inline double mean_of(const struct mean *m, double of_nothing)
{
    return m->weight > 0 ? m->sum / m->weight : of_nothing;
}

#endif
