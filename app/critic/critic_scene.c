/* See critic_facts.h. */
#include "app/critic/critic_facts.h"

#include <stdlib.h>

static enum midi_status make_bars(struct scene *c, const struct score *s,
                                  int64_t from_tick, int64_t to_tick)
{
    const struct timeline *t = &s->timeline;
    const int tpq = s->ticks_per_quarter;
    int64_t passage = timeline_bar_at(t, from_tick).index;
    int64_t end = timeline_bar_at(t, to_tick - 1).index + 1;
    int64_t first = passage > SCENE_HEARD_BARS ? passage - SCENE_HEARD_BARS : 0;
    if (end - first > SCENE_HEARD_BARS + CONTINUATION_MAX_BARS + 1 ||
        step_from_tick(to_tick, tpq) > TOKEN_MAX_STEPS)
        return MIDI_TOO_LONG;
    c->n_bars = (int)(end - first);
    c->first_new_bar = (int)(passage - first);
    c->bars = calloc((size_t)c->n_bars + 1, sizeof *c->bars);
    if (!c->bars)
        return MIDI_NO_MEMORY;
    for (int i = 0; i < c->n_bars; i++)
        c->bars[i] = (int32_t)step_from_tick(timeline_bar(t, first + i).start, tpq);
    c->from = (int32_t)step_from_tick(from_tick, tpq);
    c->to = c->bars[c->n_bars] = (int32_t)step_from_tick(to_tick, tpq);
    return MIDI_OK;
}

static int n_tracks(const struct score *s)
{
    return s->n_tracks < SCENE_TRACKS ? (int)s->n_tracks : SCENE_TRACKS;
}

/* The first onset of each track after the passage. */
static void find_after(struct scene *c, const struct score *s, int64_t to_tick)
{
    const int64_t end = to_tick + timeline_bar_at(&s->timeline, to_tick).length;
    for (int t = 0; t < n_tracks(s); t++) {
        const struct track *track = &s->tracks[t];
        size_t i = score_first_note_at(s, t, to_tick);
        const int64_t first = i < track->n_notes ? track->notes[i].start : end;
        c->tracks[t].after = -1;
        for (; first < end && i < track->n_notes && track->notes[i].start == first; i++)
            if (track->notes[i].pitch > c->tracks[t].after)
                c->tracks[t].after = track->notes[i].pitch;
    }
}

/* Notes that begin in the bars read; earlier notes only count for ranges. */
static void add(struct scene *c, int track, const struct note *n, int tpq)
{
    int64_t step = step_from_tick(n->start, tpq);
    int64_t end = step_from_tick(n->start + n->length, tpq);
    struct scene_track *t = &c->tracks[track];
    if (step < c->from) {
        t->low = n->pitch < t->low ? n->pitch : t->low;
        t->high = n->pitch > t->high ? n->pitch : t->high;
    }
    if (step < c->bars[0] || step >= c->to)
        return;
    end = end > c->to ? c->to : end > step ? end : step + 1;
    c->notes[c->n_notes++] =
        (struct grid_note){.step = (int32_t)step,
                           .length = (int32_t)(end - step),
                           .track = (uint8_t)track,
                           .pitch = n->pitch,
                           .velocity = (uint8_t)velocity_level(n->velocity)};
}

/* Which notes are of the passage, and how steadily each track has played before it. */
static void count_heard(struct scene *c)
{
    int last_bar[SCENE_TRACKS], bar = 0;
    for (int t = 0; t < SCENE_TRACKS; t++)
        last_bar[t] = -1;
    while (c->first_new < c->n_notes && c->notes[c->first_new].step < c->from) {
        const struct grid_note *n = &c->notes[c->first_new++];
        while (bar + 1 < c->n_bars && c->bars[bar + 1] <= n->step)
            bar++;
        c->tracks[n->track].n_bars += last_bar[n->track] != bar;
        last_bar[n->track] = bar;
    }
}

static enum midi_status make_notes(struct scene *c, const struct score *s,
                                   const struct continued_note *notes, size_t n)
{
    size_t most = n + 1;
    for (int t = 0; t < n_tracks(s); t++)
        most += s->tracks[t].n_notes;
    c->notes = calloc(most, sizeof *c->notes);
    if (!c->notes)
        return MIDI_NO_MEMORY;
    for (int t = 0; t < n_tracks(s); t++) {
        const struct track *track = &s->tracks[t];
        c->tracks[t] = (struct scene_track){
            .is_drums = track_is_drums(track), .low = 127, .high = 0};
        for (size_t i = 0; i < track->n_notes; i++)
            add(c, t, &track->notes[i], s->ticks_per_quarter);
    }
    for (size_t i = 0; i < n; i++)
        if (notes[i].track >= 0 && notes[i].track < SCENE_TRACKS)
            add(c, notes[i].track, &notes[i].note, s->ticks_per_quarter);
    qsort(c->notes, c->n_notes, sizeof *c->notes, grid_note_compare);
    count_heard(c);
    return c->n_notes ? MIDI_OK : MIDI_EMPTY;
}

enum midi_status scene_init(struct scene *scene, const struct score *s,
                            int64_t from_tick, int64_t to_tick,
                            const struct continued_note *notes, size_t n)
{
    *scene = (struct scene){0};
    if (from_tick < 0 || to_tick <= from_tick)
        return MIDI_EMPTY;
    enum midi_status st = make_bars(scene, s, from_tick, to_tick);
    if (!st)
        st = make_notes(scene, s, notes, n);
    if (st)
        scene_fini(scene);
    else
        find_after(scene, s, to_tick);
    return st;
}

void scene_fini(struct scene *scene)
{
    free(scene->notes);
    free(scene->bars);
    *scene = (struct scene){0};
}
