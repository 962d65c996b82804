/* What a head looks at: how far back in beats, at which intervals, and what share of
 * its attention goes to keys with a plain relation to the note that is being chosen
 * (the row before a token chooses it, app/inspection/inspection.h). Rows that choose no
 * note do not count. Keys of no note count, so that the shares of all keys sum to one.
 *
 * Chance is the share of a head that attends evenly to all it sees. The distance of a
 * share from chance is their relative entropy (Kullback & Leibler 1951) as a choice of
 * two, in bits a row. A head is named by the relation furthest above chance, of those
 * with HEAD_LEAST_SHARE and HEAD_LEAST_BITS; else it is "broad" if its entropy is
 * HEAD_BROAD of the most there could be, else "mixed".
 *
 * Plain data; pure functions, any thread; results do not depend on threads. */
#ifndef APP_HEAD_PROFILE_H
#define APP_HEAD_PROFILE_H

#include "app/inspection/inspection.h"

/* Of a key to the note that looks; a key may have several. */
enum head_relation {
    HEAD_LAST_TOKEN,    /* the token that was read last: the row's own */
    HEAD_TOKEN_BEFORE,  /* and the one before it */
    HEAD_OWN_NOTE,      /* earlier tokens of the note */
    HEAD_PREVIOUS_NOTE, /* the note written just before */
    HEAD_CHORD,         /* another note of the same onset */
    HEAD_SAME_VOICE,    /* another note of the same track, */
    HEAD_VOICE_BEFORE,  /* or of its last onset before */
    HEAD_SAME_PITCH,    /* another note of the same pitch, */
    HEAD_OCTAVE,        /* or whole octaves off, */
    HEAD_BASS,          /* or the lowest of its onset, which others share */
    HEAD_PREVIOUS_BAR,  /* a bar back, to within a sixteenth */
    HEAD_SAME_PLACE,    /* at the same place of an earlier bar, to within a sixteenth */
    HEAD_RECURRENCE,    /* written just after the same pitch (Olsson et al. 2022) */
    HEAD_BAR_LINES,     /* bar lines and meters */
    HEAD_BEGINNING,     /* BOS and the style */
    N_HEAD_RELATIONS,
};
extern const struct head_relation_about {
    const char *name, *meaning; /* "same voice", "other notes of its track" */
} head_relations[N_HEAD_RELATIONS];

/* What a head of that name looks at; "": it is none of ours. */
const char *head_name_meaning(const char *name);

#define HEAD_LEAST_SHARE 0.25
#define HEAD_LEAST_BITS  0.05
#define HEAD_BROAD       0.75

enum {
    HEAD_BEATS = 34, /* halves of a quarter back: 0 to 32, and beyond */
    HEAD_INTERVALS =
        51, /* key's pitch less the note's: beyond -24, -24 to 24, beyond */
};

/* Sums over rows; zero-initialise, or read as shares after head_profile_finish. */
struct head_profile {
    double n_rows;
    double relation[N_HEAD_RELATIONS];
    double beats[HEAD_BEATS], intervals[HEAD_INTERVALS]; /* of keys of notes */
    double same_track; /* of keys of notes, the note's own among them */
    double parts[INSPECTED_PARTS];
    double entropy;  /* bits */
    double evenness; /* of the most there could be, 0 to 1 */
};

/* Data of a note for a profile, besides that of the inspection. */
struct head_note {
    int64_t tick, bar_tick, bar_ticks; /* of the bar it begins in */
    int64_t before;                    /* the onset before it on its track; -1: none */
    int track, pitch, pitch_before;    /* of the note written before it; -1: none */
    bool is_bass; /* the lowest of two or more that begin together */
};
/* Of all that is inspected of a score with this timeline; malloc'd, NULL: no memory. */
struct head_note *head_notes(const struct inspection *i, const struct timeline *t);

/* Keys as the row that chooses a token sees them, for any head: made once a row and
 * used for all. */
struct head_keys {
    uint16_t *set;     /* [n] bits of enum head_relation */
    uint8_t *beat;     /* [n] HEAD_BEATS: of no note */
    uint8_t *interval; /* [n] HEAD_INTERVALS: of no note */
    uint8_t *part;     /* [n] enum inspected_part */
    bool *same_track;  /* [n] */
    int first, end;    /* the keys that the row sees */
};
bool head_keys_init(struct head_keys *k, int n); /* false: no memory */
void head_keys_fini(struct head_keys *k);        /* also when zeroed */
/* The row that chooses a token of a note; keys [first, end) of these tokens, and which
 * of them is the row's own, -1 of a source. */
struct head_row {
    int note, own, first, end;
};
void head_keys_fill(struct head_keys *k, const struct head_note *notes,
                    const struct head_row *row, const struct inspected_token *keys,
                    int ticks_per_quarter);

/* Adds one row: weights [n], whose sum over [first, end) is one. */
void head_profile_add(struct head_profile *p, const struct head_keys *k,
                      const float *weights);
/* Adds the row of a head that spreads itself evenly. */
void head_profile_add_even(struct head_profile *p, const struct head_keys *k);
/* Sums to means over the rows. */
void head_profile_finish(struct head_profile *p);

/* Of finished ones. bits: how far the relation's share is from chance; 0 where it is
 * not above it. */
double head_profile_bits(const struct head_profile *p,
                         const struct head_profile *chance, enum head_relation r);
/* The relation that names it, or -1: see head_profile_name. */
int head_profile_relation(const struct head_profile *p,
                          const struct head_profile *chance);
const char *head_profile_name(const struct head_profile *p,
                              const struct head_profile *chance);

/* Names of a model's heads, by what a survey of music found that they attend to
 * (app/evaluation/head_survey.h). It writes MODEL.heads.json beside the model's file:
 *
 *   {"model": {"hash": "16 hex digits", "layers": 4, "heads": 8, ...},
 *    "heads": [{"layer": 1, "head": 1, "name": "previous note", ...}, ...], ...}
 *
 * Such a file belongs to the model whose weights have that hash, wherever it lies.
 * Plain data of one owner; the functions read files, so not on the ui thread. */

enum { HEAD_NAME_BYTES = 48 };

struct head_names {
    uint64_t hash; /* model_hash */
    int n_layers, n_heads;
    char (*names)[HEAD_NAME_BYTES]; /* [n_layers * n_heads], safe to show; or NULL */
};

/* Those of the model with this hash, from the folders of models that come with the
 * program (app/base/paths.h). false: nobody has surveyed it, and *out is empty. */
bool head_names_find(struct head_names *out, uint64_t hash);
/* Those of one file. false: it is none, or a malformed one, and *out is empty. */
bool head_names_read(struct head_names *out, const char *path);
void head_names_fini(struct head_names *n); /* also when empty */

/* "previous note", counted from 0; "" where there is none. Any thread. */
const char *head_names_of(const struct head_names *n, int layer, int head);

#endif
