/* The latest steps are a schedule, made backwards from the hole's end: every pitch as
 * late as its place is free, in one chord with the next where that may be. No other has
 * any pitch later, so as long as it can be kept all that is left fits. Chords of it are
 * a sixteenth apart if there is that much time, else a step: a line need not be
 * crammed in at the end.
 *
 * It is made once. Placing a pitch before its latest step leaves the rest of it as it
 * is; durations are held to what it needs, of the same pitch and of voices. Which pitches
 * can come at all is told before, the same way from the front: each as early as can be. */
#include "midi/tokens/kept_pitches.h"

#include <assert.h>
#include <stdlib.h>

enum { SIXTEENTH = STEPS_PER_QUARTER / 4 };

void kept_pitches_fini(struct kept_pitches *k)
{
    free(k->pool);
    *k = (struct kept_pitches){.deadline = INT64_MAX};
}

static void hand_out_pool(struct kept_pitches *k, const size_t *counts)
{
    struct kept_pitch *at = k->pool;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        k->lines[t].pitches = at;
        at += counts[t];
    }
}

enum midi_status kept_pitches_init(struct kept_pitches *k, const struct hole_plan *plan)
{
    size_t counts[TOKEN_MAX_TRACKS] = {0};
    kept_pitches_fini(k);
    k->pool = calloc(plan->n_notes ? plan->n_notes : 1, sizeof *k->pool);
    if (!k->pool)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < plan->n_notes; i++)
        counts[plan->notes[i].track]++;
    hand_out_pool(k, counts);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        k->lines[t].most_together = plan->most_together[t];
    for (size_t i = 0; i < plan->n_notes; i++) {
        struct kept_line *line = &k->lines[plan->notes[i].track];
        line->pitches[line->n++].pitch = plan->notes[i].pitch;
    }
    return MIDI_OK;
}

static int most_together(const struct kept_line *line, int track,
                         const struct occupancy *room)
{
    int voices = room->hole.max_polyphony[track];
    return voices > 0 && voices < line->most_together ? voices : line->most_together;
}

/* The pitch goes with the chord last placed, or to the first free step after it. */
static bool place_early(struct kept_line *line, int track, int pitch,
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

static void leave_out_what_does_not_fit(struct kept_line *line, int track,
                                        const struct occupancy *room)
{
    size_t kept = 0;
    for (size_t i = 0; i < line->n; i++)
        if (place_early(line, track, line->pitches[i].pitch, room))
            line->pitches[kept++].pitch = line->pitches[i].pitch;
    line->n = kept;
    line->n_together = 0;
}

/* false: with chords so many steps apart not all of it fits. */
static bool schedule(struct kept_line *line, int track, const struct occupancy *room,
                     int apart)
{
    struct kept_pitch after = {.pitch = 0, .latest = room->hole.to};
    for (size_t i = line->n; i-- > 0;) {
        struct kept_pitch *p = &line->pitches[i];
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

/* The pitch that is next on this track; NULL: none is left. */
static const struct kept_pitch *next_of(const struct kept_pitches *k, int track)
{
    const struct kept_line *line = &k->lines[track];
    return line->has_begun && line->next < line->n ? &line->pitches[line->next] : NULL;
}

static void find_deadline(struct kept_pitches *k)
{
    k->deadline = INT64_MAX;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const struct kept_pitch *p = next_of(k, t);
        if (p && p->latest < k->deadline)
            k->deadline = p->latest;
    }
}

void kept_pitches_begin(struct kept_pitches *k, int track, const struct occupancy *room)
{
    struct kept_line *line = &k->lines[track];
    if (line->has_begun)
        return;
    leave_out_what_does_not_fit(line, track, room);
    bool has_time = schedule(line, track, room, SIXTEENTH);
    bool fits = has_time || schedule(line, track, room, 1);
    assert(fits);
    (void)fits;
    line->has_begun = true;
    find_deadline(k);
}

void kept_pitches_pass(struct kept_pitches *k, const struct grid_note *note)
{
    struct kept_line *line = &k->lines[note->track];
    const struct kept_pitch *p = next_of(k, note->track);
    line->next += p && p->pitch == note->pitch;
    bool joins = line->n_together > 0 && line->step == note->step;
    line->n_together = joins ? line->n_together + 1 : 1;
    line->step = note->step;
    line->pitch = note->pitch;
    find_deadline(k);
}

/* What goes on to this track leaves the ones before it behind. */
static bool tracks_before_can_wait(const struct kept_pitches *k, int track,
                                   int64_t step)
{
    for (int t = 0; t < track && k->deadline <= step; t++) {
        const struct kept_pitch *p = next_of(k, t);
        if (p && p->latest <= step)
            return false;
    }
    return true;
}

/* For the next of the line, beside what has come at this onset. For those that must come
 * with it at the latest the schedule has seen to it. */
static bool chord_has_room(const struct kept_line *line, int track,
                           const struct kept_pitch *next, const struct occupancy *room,
                           int64_t step)
{
    bool joins = line->n_together > 0 && line->step == step;
    return !joins || (next->pitch > line->pitch &&
                      line->n_together < most_together(line, track, room));
}

bool kept_pitches_track_fits(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int low, int64_t step)
{
    const struct kept_pitch *p = next_of(k, track);
    return p && p->pitch >= low && occupancy_longest(room, track, p->pitch, step) > 0 &&
           occupancy_voices_left(room, track, step) > 0 &&
           chord_has_room(&k->lines[track], track, p, room, step) &&
           tracks_before_can_wait(k, track, step);
}

int kept_pitches_first_pitch(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int low, int64_t step)
{
    bool fits = kept_pitches_track_fits(k, room, track, low, step);
    return fits ? next_of(k, track)->pitch : N_PITCHES;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The first step from `step` on that has a voice, and the pitch, free. */
static int64_t next_free(const struct occupancy *room, int track, int pitch,
                         int64_t step)
{
    int64_t silent = larger(room->open_from[track], room->ends[track][pitch]);
    return occupancy_next_free(room, track, pitch, larger(step, silent));
}

/* One that has to come by the deadline is free there. */
int64_t kept_pitches_next_step(const struct kept_pitches *k,
                               const struct occupancy *room, int64_t step)
{
    int64_t found = INT64_MAX, first = larger(step, room->hole.from);
    for (int t = 0; t < TOKEN_MAX_TRACKS && first <= k->deadline; t++) {
        const struct kept_pitch *p = next_of(k, t);
        int64_t at = p ? next_free(room, t, p->pitch, first) : found;
        found = at < found ? at : found;
    }
    return found;
}

/* Up to where the schedule needs the pitch again, or the voice. */
int64_t kept_pitches_longest(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int pitch, int64_t step)
{
    const struct kept_line *line = &k->lines[track];
    int64_t most = occupancy_longest(room, track, pitch, step);
    for (size_t i = line->next + 1; i < line->n; i++) {
        const struct kept_pitch *p = &line->pitches[i];
        int64_t until = p->latest - step;
        if (until >= most)
            break;
        if (until > 0 && (p->pitch == pitch ||
                          p->n_chord >= occupancy_voices_left(room, track, p->latest)))
            return until;
    }
    return most;
}
