/* Prepares the notes, events and taps of a score as a change leaves them.
 *
 *   notes after = notes before + added - removed
 *
 * This holds in any order of the edits. Backwards, added and removed are swapped. */
#include "midi/edit/apply.h"
#include "midi/base/array.h"

#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct placed_note {
    int track;
    struct note note;
};

struct staged_track {
    int track;
    struct track fresh; /* only its notes are used */
};

struct staged_chunk {
    int chunk;
    struct chunk fresh; /* only its events are used */
};

/* -- notes -- */

static int compare_placed(const void *a, const void *b)
{
    const struct placed_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return note_compare(&x->note, &y->note);
}

/* Builders of changes go through a track in order, so most lists are sorted already. */
static void list_sort(struct note_list *l)
{
    for (size_t i = 1; i < l->n; i++)
        if (compare_placed(&l->notes[i - 1], &l->notes[i]) > 0) {
            qsort(l->notes, l->n, sizeof *l->notes, compare_placed);
            return;
        }
}

static enum midi_status list_notes(struct stage *g, const struct change *c)
{
    g->added.notes = array_resize(NULL, c->n_edits + 1, sizeof *g->added.notes);
    g->removed.notes = array_resize(NULL, c->n_edits + 1, sizeof *g->removed.notes);
    if (!g->added.notes || !g->removed.notes)
        return MIDI_NO_MEMORY;
    struct note_list *befores = g->is_forwards ? &g->removed : &g->added;
    struct note_list *afters = g->is_forwards ? &g->added : &g->removed;
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_NOTE)
            continue;
        if (e->track < 0 || (size_t)e->track >= g->score->n_tracks)
            return MIDI_BAD_EDIT;
        if (e->has_before)
            befores->notes[befores->n++] = (struct placed_note){e->track, e->before};
        if (e->has_after)
            afters->notes[afters->n++] = (struct placed_note){e->track, e->after};
    }
    list_sort(&g->added);
    list_sort(&g->removed);
    return MIDI_OK;
}

/* Returns the list's next note if it belongs to this track, else NULL. */
static const struct note *list_next(const struct note_list *l, int track)
{
    if (l->at == l->n || l->notes[l->at].track != track)
        return NULL;
    return &l->notes[l->at].note;
}

/* Returns the next one of the track's notes and the added notes, in order, and moves
 * past it. */
static const struct note *take_next(const struct track *t, size_t *i,
                                    struct note_list *l, int track)
{
    const struct note *added = list_next(l, track);
    const struct note *old = *i < t->n_notes ? &t->notes[*i] : NULL;
    if (added && (!old || note_compare(added, old) < 0)) {
        l->at++;
        return added;
    }
    if (old)
        ++*i;
    return old;
}

/* Fills `notes`, the array of to->fresh, which is large enough. Returns false if a note
 * to remove is missing or a note to add is there already. */
static bool merge_notes(struct stage *g, struct staged_track *to, struct note *notes)
{
    const struct track *t = &g->score->tracks[to->track];
    size_t *n_notes = &to->fresh.n_notes;
    const struct note *n;
    size_t i = 0;
    while ((n = take_next(t, &i, &g->added, to->track))) {
        const struct note *removed = list_next(&g->removed, to->track);
        if (removed && note_equal(removed, n)) {
            g->removed.at++;
            continue;
        }
        if (*n_notes && note_compare(&notes[*n_notes - 1], n) == 0)
            return false;
        notes[(*n_notes)++] = *n;
    }
    return !list_next(&g->removed, to->track);
}

static enum midi_status stage_track(struct stage *g, int track)
{
    size_t cap = g->score->tracks[track].n_notes;
    const struct note_list *added = &g->added;
    for (size_t i = added->at; i < added->n && added->notes[i].track == track; i++)
        cap++;
    struct staged_track *to = &g->tracks[g->n_tracks++];
    *to = (struct staged_track){.track = track};
    struct note *notes = notes_own(&to->fresh, cap);
    if (!notes)
        return MIDI_NO_MEMORY;
    return merge_notes(g, to, notes) ? MIDI_OK : MIDI_BAD_EDIT;
}

static enum midi_status stage_notes(struct stage *g)
{
    const struct note_list *a = &g->added, *b = &g->removed;
    g->tracks = calloc(a->n + b->n + 1, sizeof *g->tracks);
    enum midi_status st = g->tracks ? MIDI_OK : MIDI_NO_MEMORY;
    while (!st && (a->at < a->n || b->at < b->n)) {
        int of_a = a->at < a->n ? a->notes[a->at].track : INT_MAX;
        int of_b = b->at < b->n ? b->notes[b->at].track : INT_MAX;
        st = stage_track(g, of_a < of_b ? of_a : of_b);
    }
    return st;
}

/* -- events -- */

static enum midi_status stage_chunk(struct stage *g, int chunk,
                                    struct staged_chunk **out)
{
    if (chunk < 0 || (size_t)chunk >= g->score->n_chunks ||
        g->score->chunks[chunk].is_unknown)
        return MIDI_BAD_EDIT;
    for (size_t i = 0; i < g->n_chunks; i++)
        if (g->chunks[i].chunk == chunk) {
            *out = &g->chunks[i];
            return MIDI_OK;
        }
    const struct chunk *c = &g->score->chunks[chunk];
    struct event *events = array_copy(c->events, c->n_events, sizeof *events);
    if (!events)
        return MIDI_NO_MEMORY;
    *out = &g->chunks[g->n_chunks++];
    **out = (struct staged_chunk){
        chunk,
        {.events = events, .n_events = c->n_events, .cap_events = c->n_events + 1}};
    return MIDI_OK;
}

static struct event *find_event(const struct chunk *to, const struct event *e)
{
    size_t at;
    ARRAY_PASS(at, to->n_events, event_compare(&to->events[at], e) < 0);
    for (; at < to->n_events && event_compare(&to->events[at], e) == 0; at++)
        if (event_equal(&to->events[at], e))
            return &to->events[at];
    return NULL;
}

/* Replaces an event in its place, so that its neighbours stay in order. */
static enum midi_status replace_event(struct chunk *c, struct event *at,
                                      const struct event *e)
{
    uint8_t *data = chunk_alloc_data(c, e->n_data);
    if (!data)
        return MIDI_NO_MEMORY;
    memcpy(data, e->data, e->n_data);
    *at = *e;
    at->data = data;
    return MIDI_OK;
}

static enum midi_status stage_event(struct stage *g, const struct edit *e)
{
    struct staged_chunk *staged;
    enum midi_status st = stage_chunk(g, e->track, &staged);
    if (st)
        return st;
    struct chunk *to = &staged->fresh;
    struct chunk *c = &g->score->chunks[e->track];
    const struct event *before = e->has_before ? &e->event_before : NULL;
    const struct event *after = e->has_after ? &e->event_after : NULL;
    const struct event *old = g->is_forwards ? before : after;
    const struct event *next = g->is_forwards ? after : before;

    struct event *at = old ? find_event(to, old) : NULL;
    if (old && !at)
        return MIDI_BAD_EDIT;
    if (at && next && event_compare(old, next) == 0)
        return replace_event(c, at, next);
    if (at) {
        to->n_events--;
        memmove(at, at + 1, (size_t)(to->events + to->n_events - at) * sizeof *at);
    }
    if (!next)
        return MIDI_OK;
    /* The staged chunk borrows the blocks of the present one. A block that it adds
     * stays with the chunk even if the change fails, which wastes a few bytes. */
    to->blocks = c->blocks;
    st = chunk_insert_event(to, next);
    c->blocks = to->blocks;
    to->blocks = NULL;
    return st;
}

static enum midi_status stage_events_and_taps(struct stage *g, const struct change *c)
{
    g->chunks = calloc(c->n_edits + 1, sizeof *g->chunks);
    bool ok = g->chunks && taps_copy(&g->taps, &g->score->taps);
    enum midi_status st = ok ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < c->n_edits; i++) {
        const struct edit *e = &c->edits[g->is_forwards ? i : c->n_edits - 1 - i];
        if (e->kind == EDIT_EVENT)
            st = stage_event(g, e);
        else if (e->kind == EDIT_TAP && e->has_after != g->is_forwards)
            taps_remove(&g->taps, e->tap);
        else if (e->kind == EDIT_TAP && !taps_put(&g->taps, e->tap))
            st = MIDI_NO_MEMORY;
    }
    return st;
}

/* -- all -- */

enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards)
{
    *g = (struct stage){.score = s, .is_forwards = is_forwards};
    enum midi_status st = list_notes(g, c);
    if (!st)
        st = stage_notes(g);
    return st ? st : stage_events_and_taps(g, c);
}

void stage_swap(struct stage *g)
{
    for (size_t i = 0; i < g->n_tracks; i++)
        notes_swap(&g->tracks[i].fresh, &g->score->tracks[g->tracks[i].track]);
    for (size_t i = 0; i < g->n_chunks; i++) {
        struct chunk *fresh = &g->chunks[i].fresh, staged = *fresh;
        struct chunk *c = &g->score->chunks[g->chunks[i].chunk];
        *fresh = (struct chunk){
            .events = c->events, .n_events = c->n_events, .cap_events = c->cap_events};
        c->events = staged.events;
        c->n_events = staged.n_events;
        c->cap_events = staged.cap_events;
    }
    const struct taps taps = g->taps;
    g->taps = g->score->taps;
    g->score->taps = taps;
}

void stage_fini(struct stage *g)
{
    for (size_t i = 0; i < g->n_tracks; i++)
        notes_release(&g->tracks[i].fresh);
    for (size_t i = 0; i < g->n_chunks; i++)
        free(g->chunks[i].fresh.events);
    free(g->tracks);
    free(g->chunks);
    free(g->added.notes);
    free(g->removed.notes);
    taps_fini(&g->taps);
}
