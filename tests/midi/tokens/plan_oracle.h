/* What is possible of a plan, found by trying everything: the most slots of a chord
 * that ascending pitches fill beside earlier notes; the pitches of a track that can
 * come whatever came before. Independent of the grammar's method. */
#ifndef TESTS_MIDI_PLAN_ORACLE_H
#define TESTS_MIDI_PLAN_ORACLE_H

#include "tests/midi/hole_oracle.h"

/* The slots of a chord and the notes before it. */
struct chord {
    const struct asked *asked;
    const struct piece *before;
    const struct grid_note *slots;
    int n, voices;
    int most[N_PITCHES + 1][N_PITCHES + 1]; /* slots from i, filled from pitch p on */
};

static inline bool chord_fits(const struct chord *c, int slot, int pitch)
{
    struct grid_note n = c->slots[slot];
    n.pitch = (uint8_t)pitch;
    return fits(c->asked, c->before, &n);
}

static inline int larger_of(int a, int b)
{
    return a > b ? a : b;
}

static inline void chord_count(struct chord *c)
{
    memset(c->most, 0, sizeof c->most);
    for (int i = c->n - 1; i >= 0; i--)
        for (int p = N_PITCHES - 1; p >= 0; p--) {
            int with = chord_fits(c, i, p) ? 1 + c->most[i + 1][p + 1] : 0;
            c->most[i][p] =
                larger_of(with, larger_of(c->most[i][p + 1], c->most[i + 1][p]));
        }
}

static inline int chord_most(const struct chord *c, int slot, int low, int left)
{
    return smaller(c->most[slot][low], left);
}

/* Whether the slot can have the pitch without losing another slot. */
static inline bool chord_takes(const struct chord *c, int slot, int low, int pitch,
                               int left)
{
    return left > 0 && pitch >= low && chord_fits(c, slot, pitch) &&
           1 + chord_most(c, slot + 1, pitch + 1, left - 1) ==
               chord_most(c, slot, low, left);
}

static inline bool chord_takes_any(const struct chord *c, int slot, int low, int left)
{
    for (int pitch = low; pitch < N_PITCHES; pitch++)
        if (chord_takes(c, slot, low, pitch, left))
            return true;
    return false;
}

/* Where a track's last note can be, if every pitch so far came. */
struct line {
    const struct asked *asked;
    int track, most_together, n, pitch;
    bool can_be[FILL_MAX_STEP + 1][N_PITCHES + 1]; /* [step][notes together] */
};

static inline bool line_fits(const struct line *l, int32_t step, int pitch)
{
    const struct piece nothing = {0};
    const struct grid_note n = {
        .step = step, .length = 1, .track = (uint8_t)l->track, .pitch = (uint8_t)pitch};
    return fits(l->asked, &nothing, &n);
}

/* Goes on to where one more can be; false: nowhere, and nothing changed. Backwards,
 * so that a step is read before it is written. */
static inline bool line_goes_on(struct line *l, int pitch)
{
    const struct fill_request *q = &l->asked->fill.request;
    bool can_be[FILL_MAX_STEP + 1][2] = {{false}}; /* together with others, alone */
    bool any = false, before = l->n == 0;
    for (int32_t s = q->from; s < q->to; s++) {
        bool here = line_fits(l, s, pitch), can_join = false, stood = false;
        for (int k = 1; k <= l->most_together && l->n > 0; k++) {
            stood = stood || l->can_be[s][k];
            can_join = can_join || (k < l->most_together && l->can_be[s][k]);
        }
        can_be[s][0] = here && can_join && pitch > l->pitch;
        can_be[s][1] = here && before;
        any = any || can_be[s][0] || can_be[s][1];
        before = before || stood;
    }
    for (int32_t s = q->from; any && s < q->to; s++) {
        for (int k = l->most_together; k > 1; k--)
            l->can_be[s][k] = can_be[s][0] && l->can_be[s][k - 1];
        l->can_be[s][1] = can_be[s][1];
    }
    l->n += any;
    l->pitch = any ? pitch : l->pitch;
    return any;
}

#endif
