/* Places the pitches of a plan in order (note_constraints.h).
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
#include "midi/tokens/note_constraints.h"

#include "midi/base/larger.h"

#include <assert.h>
#include <stdlib.h>

enum { SIXTEENTH = STEPS_PER_QUARTER / 4 };

void pitch_constraint_fini(struct pitch_constraint *k)
{
    free(k->pool);
    *k = (struct pitch_constraint){.deadline = INT64_MAX};
}

enum midi_status pitch_constraint_init(struct pitch_constraint *k,
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
static bool place_early(struct planned_line *line, int track, int pitch,
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

void pitch_constraint_begin(struct pitch_constraint *k, int track,
                            const struct occupancy *room)
{
    struct planned_line *line = &k->lines[track];
    if (line->has_begun)
        return;
    size_t kept = 0; /* a pitch that does not fit is left out */
    for (size_t i = 0; i < line->n; i++)
        if (place_early(line, track, line->pitches[i].pitch, room))
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

void pitch_constraint_pass(struct pitch_constraint *k, const struct grid_note *note)
{
    struct planned_line *line = &k->lines[note->track];
    const struct planned_pitch *p = next_of(k, note->track);
    line->next += p && p->pitch == note->pitch;
    bool joins = line->n_together > 0 && line->step == note->step;
    line->n_together = joins ? line->n_together + 1 : 1;
    line->step = note->step;
    line->pitch = note->pitch;
    find_deadline(k);
}

/* Whether the pitches of earlier tracks can come later. Going to `track` passes them at
 * this onset. */
static bool tracks_before_can_wait(const struct pitch_constraint *k, int track,
                                   int64_t step)
{
    for (int t = 0; t < track && k->deadline <= step; t++) {
        const struct planned_pitch *p = next_of(k, t);
        if (p && p->latest <= step)
            return false;
    }
    return true;
}

/* Whether the next pitch may join this onset. The schedule has room for the pitches
 * that must come together with it. */
static bool chord_has_room(const struct planned_line *line, int track,
                           const struct planned_pitch *next,
                           const struct occupancy *room, int64_t step)
{
    bool joins = line->n_together > 0 && line->step == step;
    return !joins || (next->pitch > line->pitch &&
                      line->n_together < most_together(line, track, room));
}

int pitch_constraint_first_pitch(const struct pitch_constraint *k,
                                 const struct occupancy *room, int track, int low,
                                 int64_t step)
{
    const struct planned_pitch *p = next_of(k, track);
    bool fits = p && p->pitch >= low &&
                occupancy_longest(room, track, p->pitch, step) > 0 &&
                occupancy_voices_left(room, track, step) > 0 &&
                chord_has_room(&k->lines[track], track, p, room, step) &&
                tracks_before_can_wait(k, track, step);
    return fits ? p->pitch : N_PITCHES;
}

/* A pitch that must come by the deadline is free there, so the step found is not past
 * it. */
int64_t pitch_constraint_next_step(const struct pitch_constraint *k,
                                   const struct occupancy *room, int64_t step)
{
    int64_t found = INT64_MAX, first = larger(step, room->hole.from);
    for (int t = 0; t < TOKEN_MAX_TRACKS && first <= k->deadline; t++) {
        const struct planned_pitch *p = next_of(k, t);
        if (!p)
            continue;
        int64_t silent = larger(room->open_from[t], room->ends[t][p->pitch]);
        found = smaller(found,
                        occupancy_next_free(room, t, p->pitch, larger(first, silent)));
    }
    return found;
}

/* Returns the steps up to where the schedule needs the pitch again, or the voice. */
int64_t pitch_constraint_longest(const struct pitch_constraint *k,
                                 const struct occupancy *room, int track, int pitch,
                                 int64_t step)
{
    const struct planned_line *line = &k->lines[track];
    int64_t most = occupancy_longest(room, track, pitch, step);
    for (size_t i = line->next + 1; i < line->n; i++) {
        const struct planned_pitch *p = &line->pitches[i];
        int64_t until = p->latest - step;
        if (until >= most)
            break;
        if (until > 0 && (p->pitch == pitch ||
                          p->n_chord >= occupancy_voices_left(room, track, p->latest)))
            return until;
    }
    return most;
}
