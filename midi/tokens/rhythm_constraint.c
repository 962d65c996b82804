/* A pitch must leave enough room above it for the rest of its chord. For each number
 * of slots still to come, the highest pitch from which so many can be filled is
 * found backwards from the last slot; a pitch below that is good for the next slot. */
#include "midi/tokens/note_constraints.h"

#include <string.h>

/* first[n]: the highest pitch that n ascending notes in the slots can begin with;
 * N_PITCHES: no note; -1: n is too many. */
struct above {
    int first[N_PITCHES + 1];
    int most; /* the largest possible n */
};

static bool fits(const struct occupancy *room, const struct grid_note *slot, int pitch)
{
    return occupancy_longest(room, slot->track, pitch, slot->step) >= slot->length;
}

static int highest_below(const struct occupancy *room, const struct grid_note *slot,
                         int pitch)
{
    while (--pitch >= 0 && !fits(room, slot, pitch))
        ;
    return pitch;
}

/* Adds a slot before the others: it is the first of n, or left out. */
static void look_at(struct above *a, const struct grid_note *slot,
                    const struct occupancy *room)
{
    for (int n = a->most < N_PITCHES ? a->most + 1 : N_PITCHES; n > 0; n--) {
        int pitch = highest_below(room, slot, a->first[n - 1]);
        if (pitch > a->first[n])
            a->first[n] = pitch;
    }
    a->most += a->most < N_PITCHES && a->first[a->most + 1] >= 0;
}

static struct above look_above(const struct grid_note *slots, size_t n,
                               const struct occupancy *room)
{
    struct above a = {.first = {N_PITCHES}};
    for (int i = 1; i <= N_PITCHES; i++)
        a.first[i] = -1;
    while (n-- > 0)
        look_at(&a, &slots[n], room);
    return a;
}

/* The number of slots that can be filled from this pitch on. */
static int count_from(const struct above *a, int low)
{
    int n = a->most;
    while (n > 0 && a->first[n] < low)
        n--;
    return n;
}

/* The number of slots after `i` in its chord. */
static size_t count_rest(const struct rhythm_constraint *r, size_t i)
{
    size_t n = 0;
    while (i + 1 + n < r->n_slots &&
           grid_notes_are_chord(&r->slots[i], &r->slots[i + 1 + n]))
        n++;
    return n;
}

/* Finds the pitches from `low` for slot i that leave the most slots to fill. false:
 * none, or leaving out this slot fills more. */
static bool choose_pitches(struct rhythm_constraint *r, size_t i, int low,
                           const struct occupancy *room)
{
    const struct grid_note *slot = &r->slots[i];
    int voices = occupancy_voices_left(room, slot->track, slot->step);
    const struct above rest = look_above(slot + 1, count_rest(r, i), room);
    struct above all = rest;
    look_at(&all, slot, room);
    int n = count_from(&all, low);
    n = n < voices ? n : voices;
    memset(r->takes, 0, sizeof r->takes);
    bool has_any = false;
    for (int pitch = low; n > 0 && pitch < rest.first[n - 1]; pitch++)
        if (fits(room, slot, pitch))
            has_any = r->takes[pitch] = true;
    return has_any;
}

/* Goes to the next slot that can be filled; `low` applies to those begun with the
 * last one. */
static void find_next(struct rhythm_constraint *r, int low,
                      const struct occupancy *room)
{
    for (; r->next < r->n_slots; r->next++) {
        const struct grid_note *slot = &r->slots[r->next];
        if (r->next == 0 || !grid_notes_are_chord(slot - 1, slot))
            low = 0;
        if (choose_pitches(r, r->next, low, room))
            return;
    }
}

void rhythm_constraint_begin(struct rhythm_constraint *r, const struct grid_note *slots,
                             size_t n, const struct occupancy *room)
{
    *r = (struct rhythm_constraint){.slots = slots, .n_slots = n};
    find_next(r, 0, room);
}

static bool is_before(const struct grid_note *a, const struct grid_note *b)
{
    return a->step != b->step ? a->step < b->step : a->track < b->track;
}

void rhythm_constraint_pass(struct rhythm_constraint *r, const struct grid_note *note,
                            const struct occupancy *room)
{
    while (r->next < r->n_slots && is_before(&r->slots[r->next], note))
        r->next++;
    r->next += r->next < r->n_slots && grid_notes_are_chord(&r->slots[r->next], note);
    find_next(r, note->pitch + 1, room);
}

const struct grid_note *rhythm_constraint_slot(const struct rhythm_constraint *r)
{
    return r->next < r->n_slots ? &r->slots[r->next] : NULL;
}
