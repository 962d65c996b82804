/* Where the next note may be, by a plan or without one.
 *
 * The slots of a rhythm are filled in order. Slots of one onset of a track are a chord:
 * as many of them are filled as possible, with ascending pitches, and slots without a
 * pitch are skipped. A pitch must leave enough room above it for the rest of its chord.
 * So for each number n of slots still to come, the highest pitch is found from which n
 * slots can be filled, backwards from the last slot. The next slot may take any pitch
 * below that. */
#include "midi/tokens/note_constraints.h"

#include <string.h>

void constraints_start(struct note_constraints *p, const struct hole *hole)
{
    occupancy_start(&p->room, hole);
    hole_plan_fini(&p->plan);
    p->kept = HOLE_PLAN_NONE;
}

void constraints_fini(struct note_constraints *p)
{
    occupancy_fini(&p->room);
    hole_plan_fini(&p->plan);
    pitch_constraint_fini(&p->pitches);
}

enum midi_status constraints_set_plan(struct note_constraints *p,
                                      const struct hole_plan *plan)
{
    hole_plan_fini(&p->plan);
    enum midi_status st = hole_plan_part(&p->plan, plan, 0, INT64_MAX, 0);
    if (!st && plan->kind == HOLE_PLAN_PITCHES)
        st = pitch_constraint_init(&p->pitches, plan);
    return st;
}

/* Returns the next slot of the rhythm; NULL: there is none, or no rhythm. */
static const struct grid_note *next_slot(const struct note_constraints *p)
{
    bool has_slot = p->kept == HOLE_PLAN_RHYTHM && p->slot < p->plan.n_notes;
    return has_slot ? &p->plan.notes[p->slot] : NULL;
}

/* first[n] is the highest pitch with which n ascending notes in the slots can begin. It
 * is N_PITCHES for n = 0, and -1 if n is too many. */
struct above {
    int first[N_PITCHES + 1];
    int most; /* largest possible n */
};

static bool fits(const struct occupancy *room, const struct grid_note *slot, int pitch)
{
    return occupancy_longest(room, slot->track, pitch, slot->step) >= slot->length;
}

/* Adds a slot before the others: it is either the first of n slots, or left out. */
static void look_at(struct above *a, const struct grid_note *slot,
                    const struct occupancy *room)
{
    for (int n = a->most < N_PITCHES ? a->most + 1 : N_PITCHES; n > 0; n--) {
        int pitch = a->first[n - 1] - 1;
        while (pitch >= 0 && !fits(room, slot, pitch))
            pitch--;
        if (pitch > a->first[n])
            a->first[n] = pitch;
    }
    a->most += a->most < N_PITCHES && a->first[a->most + 1] >= 0;
}

/* Looks at the slots of the chord that follow the next one. */
static struct above look_above(const struct note_constraints *p)
{
    struct above a = {.first = {N_PITCHES}};
    for (int i = 1; i <= N_PITCHES; i++)
        a.first[i] = -1;
    const struct grid_note *slot = &p->plan.notes[p->slot];
    size_t n = 1;
    while (p->slot + n < p->plan.n_notes && grid_notes_are_chord(slot, &slot[n]))
        n++;
    while (--n > 0)
        look_at(&a, &slot[n], &p->room);
    return a;
}

/* Finds the pitches, from `low` on, for the next slot that leave the most slots to
 * fill. Returns false if there is none, or if more slots can be filled by leaving this
 * one out. */
static bool choose_pitches(struct note_constraints *p, int low)
{
    const struct grid_note *slot = next_slot(p);
    const struct above rest = look_above(p);
    struct above all = rest;
    look_at(&all, slot, &p->room);
    int n = all.most, voices = occupancy_voices_left(&p->room, slot->track, slot->step);
    while (n > 0 && all.first[n] < low)
        n--;
    n = n < voices ? n : voices;
    memset(p->takes, 0, sizeof p->takes);
    bool has_any = false;
    for (int pitch = low; n > 0 && pitch < rest.first[n - 1]; pitch++)
        if (fits(&p->room, slot, pitch))
            has_any = p->takes[pitch] = true;
    return has_any;
}

/* Goes to the next slot that can be filled. `low` applies to the slots that begin with
 * the last one. */
static void find_slot(struct note_constraints *p, int low)
{
    for (const struct grid_note *slot; (slot = next_slot(p)); p->slot++) {
        if (p->slot == 0 || !grid_notes_are_chord(slot - 1, slot))
            low = 0;
        if (choose_pitches(p, low))
            return;
    }
}

void constraints_narrow(struct note_constraints *p, const struct hole *part)
{
    occupancy_narrow(&p->room, part);
    for (size_t i = 0; i < p->plan.n_notes; i++) /* a hit takes one step */
        if (part->drums >> p->plan.notes[i].track & 1)
            p->plan.notes[i].length = HIT_STEPS;
    p->kept = p->plan.kind;
    p->slot = 0;
    find_slot(p, 0);
    for (int t = 0; t < TOKEN_MAX_TRACKS && p->kept == HOLE_PLAN_PITCHES; t++)
        if (p->room.hole.tracks[t])
            pitch_constraint_begin(&p->pitches, t, &p->room);
}

/* Passes the slot of the note, and those before it. */
static void pass_slot(struct note_constraints *p, const struct grid_note *note)
{
    const struct grid_note *slot;
    while ((slot = next_slot(p)) &&
           (slot->step != note->step ? slot->step < note->step
                                     : slot->track < note->track))
        p->slot++;
    p->slot += slot && grid_notes_are_chord(slot, note);
    find_slot(p, note->pitch + 1);
}

void constraints_add(struct note_constraints *p, const struct grid_note *n)
{
    occupancy_add(&p->room, n);
    if (p->kept == HOLE_PLAN_RHYTHM)
        pass_slot(p, n);
    if (p->kept == HOLE_PLAN_PITCHES)
        pitch_constraint_pass(&p->pitches, n);
}

int64_t constraints_next_step(const struct note_constraints *p, int64_t step)
{
    if (p->kept == HOLE_PLAN_NONE)
        return occupancy_next_step(&p->room, step);
    if (p->kept == HOLE_PLAN_PITCHES)
        return pitch_constraint_next_step(&p->pitches, &p->room, step);
    const struct grid_note *slot = next_slot(p);
    return slot && slot->step >= step ? slot->step : INT64_MAX;
}

bool constraints_track_fits(const struct note_constraints *p, int track, int low,
                            int64_t step)
{
    if (p->kept == HOLE_PLAN_NONE)
        return occupancy_track_fits(&p->room, track, low, step);
    return constraints_first_pitch(p, track, low, step) < N_PITCHES;
}

int constraints_first_pitch(const struct note_constraints *p, int track, int low,
                            int64_t step)
{
    if (p->kept == HOLE_PLAN_NONE)
        return occupancy_first_pitch(&p->room, track, low, step);
    if (p->kept == HOLE_PLAN_PITCHES)
        return pitch_constraint_first_pitch(&p->pitches, &p->room, track, low, step);
    const struct grid_note *slot = next_slot(p);
    if (!slot || slot->track != track || slot->step != step)
        return N_PITCHES;
    while (low < N_PITCHES && !p->takes[low])
        low++;
    return low;
}

int64_t constraints_shortest(const struct note_constraints *p)
{
    const struct grid_note *slot = next_slot(p);
    return slot ? slot->length : 1;
}

int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step)
{
    const struct grid_note *slot = next_slot(p);
    if (slot)
        return slot->length;
    if (p->kept == HOLE_PLAN_PITCHES)
        return pitch_constraint_longest(&p->pitches, &p->room, track, pitch, step);
    return occupancy_longest(&p->room, track, pitch, step);
}
