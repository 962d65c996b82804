/*   notes after = notes before + added - removed
 *
 * holds in any order of the edits; backwards swaps added and removed. */
#include "midi/edit/apply.h"
#include "midi/base/array.h"

#include "midi/score/chunk.h"
#include "midi/score/notes.h"

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

static void list_add(struct note_list *l, int track, const struct note *n)
{
    l->notes[l->n++] = (struct placed_note){track, *n};
}

/* Mostly sorted already: builders of changes go through a track in order. */
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
    g->added.notes = reallocarray(NULL, c->n_edits + 1, sizeof *g->added.notes);
    g->removed.notes = reallocarray(NULL, c->n_edits + 1, sizeof *g->removed.notes);
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
            list_add(befores, e->track, &e->before);
        if (e->has_after)
            list_add(afters, e->track, &e->after);
    }
    list_sort(&g->added);
    list_sort(&g->removed);
    return MIDI_OK;
}

/* Returns the list's next note if it is of this track; else NULL. */
static const struct note *list_next(const struct note_list *l, int track)
{
    if (l->at == l->n || l->notes[l->at].track != track)
        return NULL;
    return &l->notes[l->at].note;
}

static size_t count_of_track(const struct note_list *l, int track)
{
    size_t n = 0;
    while (l->at + n < l->n && l->notes[l->at + n].track == track)
        n++;
    return n;
}

/* Returns the next of the track's notes and the added ones, in order. */
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

/* Fills `notes`, the array of to->fresh, which is large enough. false: a note to
 * remove is missing, or a note to add is there. */
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
    size_t cap = g->score->tracks[track].n_notes + count_of_track(&g->added, track);
    struct staged_track *to = &g->tracks[g->n_tracks++];
    *to = (struct staged_track){.track = track};
    struct note *notes = notes_own(&to->fresh, cap);
    if (!notes)
        return MIDI_NO_MEMORY;
    return merge_notes(g, to, notes) ? MIDI_OK : MIDI_BAD_EDIT;
}

/* Returns the next track in either list; -1: none. */
static int next_track(const struct note_list *a, const struct note_list *b)
{
    int of_a = a->at < a->n ? a->notes[a->at].track : -1;
    int of_b = b->at < b->n ? b->notes[b->at].track : -1;
    if (of_a < 0 || of_b < 0)
        return of_a < 0 ? of_b : of_a;
    return of_a < of_b ? of_a : of_b;
}

static enum midi_status stage_notes(struct stage *g)
{
    size_t most = g->added.n + g->removed.n;
    g->tracks = calloc(most + 1, sizeof *g->tracks);
    enum midi_status st = g->tracks ? MIDI_OK : MIDI_NO_MEMORY;
    int track;
    while (!st && (track = next_track(&g->added, &g->removed)) >= 0)
        st = stage_track(g, track);
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
    struct event *events = reallocarray(NULL, c->n_events + 1, sizeof *events);
    if (!events)
        return MIDI_NO_MEMORY;
    if (c->n_events)
        memcpy(events, c->events, c->n_events * sizeof *events);
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

/* Lends the future chunk the present one's blocks. Blocks it gets stay with the chunk even
 * if the change fails, which wastes a few bytes. */
static enum midi_status insert_event(struct chunk *c, struct chunk *to,
                                     const struct event *e)
{
    to->blocks = c->blocks;
    enum midi_status st = chunk_insert_event(to, e);
    c->blocks = to->blocks;
    to->blocks = NULL;
    return st;
}

/* In place, so that the order of its neighbours stays. */
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
    const struct event *old = g->is_forwards ? &e->event_before : &e->event_after;
    const struct event *new = g->is_forwards ? &e->event_after : &e->event_before;
    bool has_old = g->is_forwards ? e->has_before : e->has_after;
    bool has_new = g->is_forwards ? e->has_after : e->has_before;

    struct event *at = has_old ? find_event(to, old) : NULL;
    if (has_old && !at)
        return MIDI_BAD_EDIT;
    if (at && has_new && event_compare(old, new) == 0)
        return replace_event(c, at, new);
    if (at) {
        size_t after = to->n_events - (size_t)(at - to->events) - 1;
        memmove(at, at + 1, after * sizeof *at);
        to->n_events--;
    }
    return has_new ? insert_event(c, to, new) : MIDI_OK;
}

static enum midi_status stage_events(struct stage *g, const struct change *c)
{
    g->chunks = calloc(c->n_edits + 1, sizeof *g->chunks);
    enum midi_status st = g->chunks ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < c->n_edits; i++) {
        const struct edit *e = &c->edits[g->is_forwards ? i : c->n_edits - 1 - i];
        if (e->kind == EDIT_EVENT)
            st = stage_event(g, e);
    }
    return st;
}

/* -- taps -- */

static enum midi_status stage_taps(struct stage *g, const struct change *c)
{
    bool ok = taps_copy(&g->taps, &g->score->taps);
    for (size_t i = 0; ok && i < c->n_edits; i++) {
        const struct edit *e = &c->edits[g->is_forwards ? i : c->n_edits - 1 - i];
        if (e->kind == EDIT_TAP && e->has_after == g->is_forwards)
            ok = taps_put(&g->taps, e->tap);
        else if (e->kind == EDIT_TAP)
            taps_remove(&g->taps, e->tap);
    }
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

/* -- all -- */

enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards)
{
    *g = (struct stage){.score = s, .is_forwards = is_forwards};
    enum midi_status st = list_notes(g, c);
    if (!st)
        st = stage_notes(g);
    if (!st)
        st = stage_events(g, c);
    if (!st)
        st = stage_taps(g, c);
    return st;
}

void stage_swap(struct stage *g)
{
    for (size_t i = 0; i < g->n_tracks; i++)
        notes_swap(&g->tracks[i].fresh, &g->score->tracks[g->tracks[i].track]);
    for (size_t i = 0; i < g->n_chunks; i++) {
        struct chunk *fresh = &g->chunks[i].fresh, was = *fresh;
        struct chunk *c = &g->score->chunks[g->chunks[i].chunk];
        fresh->events = c->events;
        fresh->n_events = c->n_events;
        fresh->cap_events = c->cap_events;
        c->events = was.events;
        c->n_events = was.n_events;
        c->cap_events = was.cap_events;
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
