/* The rules that a take is held to: each biases the logits of the next token by what the piece
 * does. They are rows of one table (rules.c), applied in its order; app/biases has what each does.
 * A rule can be left out by its name, to measure what it is worth (models/README.md).
 *
 * Plain data of one take; one thread at a time. */
#ifndef APP_RULES_H
#define APP_RULES_H

#include "app/biases/activity_bias.h"
#include "app/biases/breath_bias.h"
#include "app/biases/chord_plan.h"
#include "app/biases/control_bias.h"
#include "app/biases/drift_bias.h"
#include "app/biases/due_bias.h"
#include "app/biases/form.h"
#include "app/biases/groove_bias.h"
#include "app/biases/key_bias.h"
#include "app/biases/parallel_bias.h"
#include "app/biases/turn_bias.h"
#include "app/biases/voice_leading.h"
#include "app/biases/chord_bias.h"
#include "app/decoding/context.h"
#include "app/decoding/taste.h"

/* What is written now, and how. */
struct rules_aim {
    int64_t from, to; /* steps */
    uint32_t without; /* bits of rules_bits() */
    enum style style;
    float guidance;
    int track; /* of a band: whose turn it is */
    const struct chord_plan
        *harmony; /* its chords, if it has any, bind; else the music's */
};

struct rules {
    uint32_t without; /* rows that are not applied */
    bool is_band;
    int64_t begin;       /* step of all that is written, */
    int64_t from;        /* as in the aim, */
    int track;           /* and of a band's */
    enum band_role role; /* track; */
    uint64_t tracks;     /* those that are written, */
    uint64_t missing;    /* and of them those of a hole that had no notes anywhere */
    int tune;            /* the line that lies highest; -1: there is none */
    int highest; /* that, or else what lies highest, as a piano's line over its chords */
    bool begins;              /* a band a score without notes */
    bool walks;               /* the bass, if it is new, */
    bool walks_on;            /* or is given */
    uint32_t grid;            /* bit k: notes begin k steps after a beat */
    bool has_figure;          /* the one that accompanies alone, if it is new */
    struct new_groove groove; /* the drums, if they are new */
    enum chord_source source; /* of the chords, */
    float rate;               /* and how often they change */
    float clash;              /* nats of a clash_bias */
    struct taste *taste;      /* or NULL; borrowed */
    struct control_bias controls;
    struct cadence cadence;
    struct key_bias key_bias;
    struct activity_bias activity;
    struct drift_bias drift;
    struct voice_leading voice_leading;
    struct chord_bias chords; /* the music's, or an answer's own plan */
    struct due_bias due;
    struct turn_bias turn;
    struct breath_bias breath;
    struct parallel_bias parallel;
    struct form form;      /* of a long take */
    float kept[N_PITCHES]; /* logits of pitches before chords are heeded */
};

/* -- names -- */

/* The bits of the rows with this name; 0: no rule has it. */
uint32_t rules_bits(const char *name, size_t n);
/* "plan, control, ..."; buf is returned. */
char *rules_list(char *buf, size_t n_buf);

/* -- a take -- */

/* Biases what the aim says towards the music around it. */
void rules_aim(struct rules *r, const struct context *c, const struct rules_aim *a);
/* Before a further part of a hole of tracks that were missing, from this step on: what is written
 * so far is the music that their rhythms are taken from. */
void rules_aim_again(struct rules *r, const struct context *c, int64_t from);
/* Once a take is aimed at: what returns in it, by its seed; and its form, if it may have one. */
void rules_choose_form(struct rules *r, const struct context *c, uint64_t seed,
                       const struct continuation_options *o, bool may_form);
/* A note of the take, or of a motif that returns in it. */
void rules_hear(struct rules *r, const struct grid_note *n);
/* Adds to the logits of the place. is_varying: a motif is varied, whose wishes are its own. */
void rules_apply(struct rules *r, const struct place *at, bool is_varying);

#endif
