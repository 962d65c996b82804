/* Stores the step at which each pitch of each track falls silent. Notes come in order,
 * so a pitch that is silent stays silent, and one number a track tells from which step
 * on it can take a note at all. Blocked notes are known beforehand; they are in a
 * sorted list, to look ahead in. */
#include "midi/tokens/occupancy.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <stdlib.h>
#include <string.h>

struct blocked_note {
    uint8_t track, pitch;
    bool is_voice; /* it is held */
    int64_t step, end;
};

void occupancy_narrow(struct occupancy *o, const struct hole *part)
{
    o->hole = hole_clip(part);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        for (int pitch = 0; pitch < N_PITCHES; pitch++)
            o->takes[t][pitch] = hole_takes_pitch(&o->hole, t, pitch);
}

static void forget_notes(struct occupancy *o)
{
    memset(o->ends, 0, sizeof o->ends);
    memset(o->open_from, 0, sizeof o->open_from);
}

void occupancy_start(struct occupancy *o, const struct hole *hole)
{
    occupancy_narrow(o, hole);
    forget_notes(o);
    o->n_blocked = 0;
}

void occupancy_fini(struct occupancy *o)
{
    free(o->blocked);
    *o = (struct occupancy){0};
}

/* Returns the index of the first blocked note of that pitch at `step` or later, or else
 * of the first one of the next pitch. */
static size_t find_blocked(const struct occupancy *o, int track, int pitch,
                           int64_t step)
{
    const struct blocked_note *b = o->blocked;
    size_t at;
    ARRAY_PASS(at, o->n_blocked,
               b[at].track != track   ? b[at].track < track
               : b[at].pitch != pitch ? b[at].pitch < pitch
                                      : b[at].step < step);
    return at;
}

/* Returns the steps from `step` to the next blocked note of that pitch, or 0 while one
 * sounds. */
static int64_t steps_free(const struct occupancy *o, int track, int pitch, int64_t step)
{
    for (size_t i = find_blocked(o, track, pitch, 0); i < o->n_blocked; i++) {
        const struct blocked_note *b = &o->blocked[i];
        if (b->track != track || b->pitch != pitch)
            break;
        if (b->step > step)
            return b->step - step;
        if (b->end > step)
            return 0;
    }
    return INT64_MAX;
}

int64_t occupancy_next_free(const struct occupancy *o, int track, int pitch,
                            int64_t step)
{
    for (size_t i = find_blocked(o, track, pitch, 0); i < o->n_blocked; i++) {
        const struct blocked_note *b = &o->blocked[i];
        if (b->track != track || b->pitch != pitch || b->step > step)
            break;
        step = larger(step, b->end);
    }
    return step;
}

/* Goes backwards from the last note that could sound. The notes that are passed begin
 * after `step`. */
int64_t occupancy_last_free(const struct occupancy *o, int track, int pitch,
                            int64_t step)
{
    for (size_t i = find_blocked(o, track, pitch, step + 1); i-- > 0;) {
        const struct blocked_note *b = &o->blocked[i];
        if (b->track != track || b->pitch != pitch)
            break;
        if (b->step <= step && b->end > step)
            step = b->step - 1;
    }
    return step;
}

int64_t occupancy_longest(const struct occupancy *o, int track, int pitch, int64_t step)
{
    const struct hole *h = &o->hole;
    if (!h->tracks[track] || !o->takes[track][pitch] || step < h->from ||
        step >= h->to || o->ends[track][pitch] > step)
        return 0;
    return smaller(steps_free(o, track, pitch, step), h->to - step);
}

int occupancy_voices_left(const struct occupancy *o, int track, int64_t step)
{
    int left = o->hole.max_polyphony[track];
    if (left <= 0 || left > N_PITCHES)
        return N_PITCHES;
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        left -= o->ends[track][pitch] > step;
    return left > 0 ? left : 0;
}

/* Returns the n-th largest of a track's ends, n from 1. From there on fewer than n
 * notes sound. Sorts the n largest so far by insertion, with one spare place. */
static int32_t nth_largest(const int32_t *ends, int n)
{
    int32_t largest[N_PITCHES + 1] = {0};
    for (int i = 0; i < N_PITCHES; i++) {
        int at = n;
        for (; at > 0 && largest[at - 1] < ends[i]; at--)
            largest[at] = largest[at - 1];
        largest[at] = ends[i];
    }
    return largest[n - 1];
}

static int32_t first_open_step(const struct occupancy *o, int track)
{
    const int32_t *ends = o->ends[track];
    int32_t step = INT32_MAX;
    for (int pitch = o->hole.low[track]; pitch <= o->hole.high[track]; pitch++)
        if (o->takes[track][pitch] && ends[pitch] < step)
            step = ends[pitch];
    int voices = o->hole.max_polyphony[track];
    if (voices > 0 && voices <= N_PITCHES) {
        int32_t voice_free = nth_largest(ends, voices);
        step = voice_free > step ? voice_free : step;
    }
    return step;
}

static void sound_until(struct occupancy *o, int track, int pitch, int64_t end)
{
    int32_t *last = &o->ends[track][pitch];
    if (end > *last)
        *last = (int32_t)smaller(end, INT32_MAX);
    o->open_from[track] = first_open_step(o, track);
}

void occupancy_add(struct occupancy *o, const struct grid_note *n)
{
    sound_until(o, n->track, n->pitch, (int64_t)n->step + n->length);
}

enum midi_status occupancy_block(struct occupancy *o, int track, int pitch,
                                 int64_t step, int64_t length, bool is_voice)
{
    if (track < 0 || track >= TOKEN_MAX_TRACKS || pitch < 0 || pitch >= N_PITCHES ||
        step < 0 || step > TOKEN_MAX_STEPS || length < 1)
        return MIDI_TOO_LONG;
    if (!o->hole.tracks[track] || !o->takes[track][pitch])
        return MIDI_OK;
    if (!ARRAY_GROW(o->blocked, o->n_blocked, o->cap_blocked))
        return MIDI_NO_MEMORY;
    struct blocked_note b = {
        .track = (uint8_t)track,
        .pitch = (uint8_t)pitch,
        .is_voice = is_voice,
        .step = step,
        .end = step + smaller(length, TOKEN_MAX_STEPS),
    };
    size_t i = find_blocked(o, track, pitch, step);
    memmove(&o->blocked[i + 1], &o->blocked[i], (o->n_blocked - i) * sizeof b);
    o->blocked[i] = b;
    o->n_blocked++;
    if (is_voice)
        sound_until(o, track, pitch, b.end);
    return MIDI_OK;
}

/* For each pitch its last end is enough, since all notes began before. */
enum midi_status occupancy_go_back(struct occupancy *o, int64_t step)
{
    enum midi_status st = MIDI_OK;
    for (int track = 0; track < TOKEN_MAX_TRACKS; track++)
        for (int pitch = 0; pitch < N_PITCHES && !st; pitch++) {
            int64_t left = o->ends[track][pitch] - step;
            if (left > 0)
                st = occupancy_block(o, track, pitch, step, left, false);
        }
    forget_notes(o);
    for (size_t i = 0; i < o->n_blocked; i++)
        if (o->blocked[i].is_voice)
            sound_until(o, o->blocked[i].track, o->blocked[i].pitch, o->blocked[i].end);
    return st;
}

int occupancy_first_pitch(const struct occupancy *o, int track, int low, int64_t step)
{
    for (int pitch = (int)larger(low, o->hole.low[track]); pitch <= o->hole.high[track];
         pitch++)
        if (o->takes[track][pitch] && o->ends[track][pitch] <= step &&
            (o->n_blocked == 0 || steps_free(o, track, pitch, step) > 0))
            return pitch;
    return N_PITCHES;
}

bool occupancy_track_fits(const struct occupancy *o, int track, int low, int64_t step)
{
    const struct hole *h = &o->hole;
    if (!h->tracks[track] || step < h->from || step >= h->to ||
        step < o->open_from[track])
        return false;
    if (low <= h->low[track] && o->n_blocked == 0)
        return h->low[track] <= h->high[track]; /* open_from tells */
    return occupancy_first_pitch(o, track, low, step) < N_PITCHES;
}

int64_t occupancy_next_step(const struct occupancy *o, int64_t step)
{
    const struct hole *h = &o->hole;
    const int64_t first = larger(step, h->from);
    int64_t found = h->to;
    for (int track = 0; track < TOKEN_MAX_TRACKS && found > first; track++) {
        const int64_t open = larger(first, o->open_from[track]);
        if (!h->tracks[track] || h->low[track] > h->high[track])
            continue;
        if (o->n_blocked == 0) { /* a voice and a pitch are free there */
            found = smaller(found, open);
            continue;
        }
        for (int pitch = h->low[track]; pitch <= h->high[track] && found > open;
             pitch++) {
            if (!o->takes[track][pitch])
                continue;
            const int64_t silent = larger(open, o->ends[track][pitch]);
            found = smaller(found, occupancy_next_free(o, track, pitch, silent));
        }
    }
    return found < h->to ? found : INT64_MAX;
}
