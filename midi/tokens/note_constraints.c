/* Where the next note may be: first by a plan of pitches, then by a rhythm, then by either
 * or neither. */
#include "midi/tokens/note_constraints.h"

#include "midi/base/larger.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Pitches come in a given order, track by track: a track's next note has its next pitch.
 *
 * The latest steps are a schedule that is made backwards from the hole's end: each
 * pitch comes as late as it is free, in one chord with the next pitch if possible. No
 * schedule has any pitch later, so as long as it is followed, all the rest fits. Chords
 * are a sixteenth apart if there is time, else a step, so that a line is not crammed in
 * at the end.
 *
 * The schedule is made once. A pitch that comes before its latest step leaves the rest
 * unchanged. Durations leave what the schedule needs: the same pitch, and voices.
 * Before that, going forwards with each pitch as early as possible, it is found which
 * pitches can come at all. */

enum { SIXTEENTH = STEPS_PER_QUARTER / 4 };

static void pitch_constraint_fini(struct pitch_constraint *k)
{
    free(k->pool);
    *k = (struct pitch_constraint){.deadline = INT64_MAX};
}

static enum midi_status pitch_constraint_init(struct pitch_constraint *k,
                                              const struct hole_plan *plan)
{
    size_t counts[TOKEN_MAX_TRACKS] = {0};
    pitch_constraint_fini(k);
    k->pool = calloc(plan->n_notes ? plan->n_notes : 1, sizeof *k->pool);
    if (!k->pool)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < plan->n_notes; i++)
        counts[plan->notes[i].track]++;
    struct planned_pitch *at = k->pool;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        k->lines[t].pitches = at;
        at += counts[t];
        k->lines[t].most_together = plan->most_together[t];
    }
    for (size_t i = 0; i < plan->n_notes; i++) {
        struct planned_line *line = &k->lines[plan->notes[i].track];
        line->pitches[line->n++].pitch = plan->notes[i].pitch;
    }
    return MIDI_OK;
}

static int most_together(const struct planned_line *line, int track,
                         const struct occupancy *room)
{
    int voices = room->hole.max_polyphony[track];
    return voices > 0 && voices < line->most_together ? voices : line->most_together;
}

/* Puts the pitch into the last chord, or at the first free step after it. */
static bool put_early(struct planned_line *line, int track, int pitch,
                      const struct occupancy *room)
{
    bool joins = line->n_together > 0 && pitch > line->pitch &&
                 line->n_together < most_together(line, track, room) &&
                 occupancy_longest(room, track, pitch, line->step) > 0;
    int64_t first = line->n_together > 0 ? line->step + 1 : room->hole.from;
    int64_t step = joins ? line->step : occupancy_next_free(room, track, pitch, first);
    if (occupancy_longest(room, track, pitch, step) == 0)
        return false;
    line->step = step;
    line->n_together = joins ? line->n_together + 1 : 1;
    line->pitch = pitch;
    return true;
}

/* Makes the schedule. Returns false if not all pitches fit with chords so many steps
 * apart. */
static bool schedule(struct planned_line *line, int track, const struct occupancy *room,
                     int apart)
{
    struct planned_pitch after = {.pitch = 0, .latest = room->hole.to};
    for (size_t i = line->n; i-- > 0;) {
        struct planned_pitch *p = &line->pitches[i];
        bool joins = p->pitch < after.pitch &&
                     after.n_chord < most_together(line, track, room) &&
                     occupancy_longest(room, track, p->pitch, after.latest) > 0;
        p->n_chord = (uint8_t)(joins ? after.n_chord + 1 : 1);
        p->latest =
            joins ? after.latest
                  : occupancy_last_free(room, track, p->pitch, after.latest - apart);
        if (p->latest < room->hole.from)
            return false;
        after = *p;
    }
    return true;
}

/* Returns the track's next pitch, or NULL. */
static const struct planned_pitch *next_of(const struct pitch_constraint *k, int track)
{
    const struct planned_line *line = &k->lines[track];
    return line->has_begun && line->next < line->n ? &line->pitches[line->next] : NULL;
}

static void find_deadline(struct pitch_constraint *k)
{
    k->deadline = INT64_MAX;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const struct planned_pitch *p = next_of(k, t);
        if (p && p->latest < k->deadline)
            k->deadline = p->latest;
    }
}

/* Begins the track's line in `room`, which has only blocked notes so far. Does nothing
 * if it has begun. */
static void pitch_constraint_begin(struct pitch_constraint *k, int track,
                                   const struct occupancy *room)
{
    struct planned_line *line = &k->lines[track];
    if (line->has_begun)
        return;
    size_t kept = 0; /* a pitch that does not fit is left out */
    for (size_t i = 0; i < line->n; i++)
        if (put_early(line, track, line->pitches[i].pitch, room))
            line->pitches[kept++].pitch = line->pitches[i].pitch;
    line->n = kept;
    line->n_together = 0;
    bool has_time = schedule(line, track, room, SIXTEENTH);
    bool fits = has_time || schedule(line, track, room, 1);
    assert(fits);
    (void)fits;
    line->has_begun = true;
    find_deadline(k);
}

static int pitch_constraint_first_pitch(const struct pitch_constraint *k,
                                        const struct occupancy *room, int track,
                                        int low, int64_t step)
{
    const struct planned_line *line = &k->lines[track];
    const struct planned_pitch *p = next_of(k, track);
    if (!p || p->pitch < low || occupancy_longest(room, track, p->pitch, step) <= 0 ||
        occupancy_voices_left(room, track, step) <= 0)
        return N_PITCHES;
    /* The schedule has room for the pitches that must come together with this one. */
    const bool joins = line->n_together > 0 && line->step == step;
    if (joins && (p->pitch <= line->pitch ||
                  line->n_together >= most_together(line, track, room)))
        return N_PITCHES;
    /* Going to this track passes the earlier ones at this onset: can they wait? */
    for (int t = 0; t < track && k->deadline <= step; t++) {
        const struct planned_pitch *other = next_of(k, t);
        if (other && other->latest <= step)
            return N_PITCHES;
    }
    return p->pitch;
}

/* The slots of a rhythm are filled in order. Slots of one onset of a track are a chord:
 * as many of them are filled as possible, with ascending pitches, and slots without a
 * pitch are skipped. A pitch must leave enough room above it for the rest of its chord.
 * So for each number n of slots still to come, the highest pitch is found from which n
 * slots can be filled, backwards from the last slot. The next slot may take any pitch
 * below that. */

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

/* Finds the pitches, from `low` on, for the next slot that leave the most slots to
 * fill. Returns false if there is none, or if more slots can be filled by leaving this
 * one out. */
static bool choose_pitches(struct note_constraints *p, int low)
{
    const struct grid_note *slot = next_slot(p);
    struct above rest = {.first = {N_PITCHES}}; /* the chord's slots after this one */
    for (int i = 1; i <= N_PITCHES; i++)
        rest.first[i] = -1;
    size_t n_slots = 1;
    while (p->slot + n_slots < p->plan.n_notes &&
           grid_notes_are_chord(slot, &slot[n_slots]))
        n_slots++;
    for (size_t i = n_slots; --i > 0;)
        look_at(&rest, &slot[i], &p->room);
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

void constraints_add(struct note_constraints *p, const struct grid_note *n)
{
    const struct grid_note *slot;
    occupancy_add(&p->room, n);
    if (p->kept == HOLE_PLAN_RHYTHM) { /* passes the note's slot and those before it */
        while ((slot = next_slot(p)) &&
               (slot->step != n->step ? slot->step < n->step : slot->track < n->track))
            p->slot++;
        p->slot += slot && grid_notes_are_chord(slot, n);
        find_slot(p, n->pitch + 1);
    }
    if (p->kept == HOLE_PLAN_PITCHES) {
        struct planned_line *line = &p->pitches.lines[n->track];
        const struct planned_pitch *next = next_of(&p->pitches, n->track);
        const bool joins = line->n_together > 0 && line->step == n->step;
        line->next += next && next->pitch == n->pitch;
        line->n_together = joins ? line->n_together + 1 : 1;
        line->step = n->step;
        line->pitch = n->pitch;
        find_deadline(&p->pitches);
    }
}

int64_t constraints_next_step(const struct note_constraints *p, int64_t step)
{
    const struct occupancy *room = &p->room;
    const struct grid_note *slot = next_slot(p);
    if (p->kept == HOLE_PLAN_NONE)
        return occupancy_next_step(room, step);
    if (p->kept == HOLE_PLAN_RHYTHM)
        return slot && slot->step >= step ? slot->step : INT64_MAX;
    /* A pitch that must come by the deadline is free there, so the step found is not
     * past it. */
    int64_t found = INT64_MAX, first = larger(step, room->hole.from);
    for (int t = 0; t < TOKEN_MAX_TRACKS && first <= p->pitches.deadline; t++) {
        const struct planned_pitch *next = next_of(&p->pitches, t);
        if (!next)
            continue;
        int64_t silent = larger(room->open_from[t], room->ends[t][next->pitch]);
        found = smaller(
            found, occupancy_next_free(room, t, next->pitch, larger(first, silent)));
    }
    return found;
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
    const int64_t most = occupancy_longest(&p->room, track, pitch, step);
    if (p->kept != HOLE_PLAN_PITCHES)
        return most;
    /* Up to where the schedule needs the pitch again, or the voice. */
    const struct planned_line *line = &p->pitches.lines[track];
    for (size_t i = line->next + 1; i < line->n; i++) {
        const struct planned_pitch *next = &line->pitches[i];
        const int64_t until = next->latest - step;
        if (until >= most)
            break;
        if (until > 0 &&
            (next->pitch == pitch ||
             next->n_chord >= occupancy_voices_left(&p->room, track, next->latest)))
            return until;
    }
    return most;
}
