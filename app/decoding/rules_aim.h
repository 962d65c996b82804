/* What the rules of a take are aimed at: the part of the hole that is written, and the music around
 * it. One thread at a time. */
#ifndef APP_RULES_AIM_H
#define APP_RULES_AIM_H

#include "app/biases/rules.h"
#include "app/decoding/context.h"

/* What is written now, and how. */
struct rules_aim {
    int64_t from, to; /* steps */
    enum style style;
    float guidance;
    int track;                        /* of a band: whose turn it is */
    const struct chord_plan *harmony; /* its chords bind, or without any the music's */
};

/* Biases what the aim says towards the music around it, but for the rows that r->without leaves
 * out. */
void rules_aim(struct rules *r, const struct context *c, const struct rules_aim *a);
/* Before a further part of a hole of tracks that were missing, from this step on: what is written
 * so far is the music that their rhythms are taken from. */
void rules_aim_again(struct rules *r, const struct context *c, int64_t from);
/* Once a take is aimed at: what returns in it, by its seed; and its form, if it may have one. */
void rules_choose_form(struct rules *r, const struct context *c, uint64_t seed,
                       const struct continuation_options *o, bool may_form);

#endif
