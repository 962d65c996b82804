/* Applies a change to a score, or undoes it.
 *
 * First the notes, events and taps as the change leaves them are prepared beside the present
 * ones:
 *
 *   notes after = notes before + added - removed
 *
 * This holds in any order of the edits; backwards, added and removed are swapped. Preparing
 * may fail; swapping the arrays, and swapping them back, cannot. That swap is one of the
 * steps of applying. If a later step fails, the earlier ones are taken back, so the score is
 * unchanged. */
#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"
#include "midi/base/array.h"

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

/* A list of notes, sorted by track and then as in tracks. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* `at`: the next note to merge */
    bool is_unsorted;
};

/* The parts of a change that are there to be applied, in the order of doing; the timeline is
 * rebuilt after them. */
enum step {
    INSERT_TIME,
    ADD_TRACKS,
    CONTENTS,
    TAKE_TIME_OUT,
    ARRANGE,
    TIMELINE,
    N_STEPS
};

/* A step is taken if the change has edits of these kinds. The timeline depends on tempos,
 * meters, the modes of channels, and the channels of tracks. */
static const unsigned STEP_KINDS[N_STEPS] = {
    [INSERT_TIME] = 1u << EDIT_TIME,
    [ADD_TRACKS] = 1u << EDIT_TRACK,
    [CONTENTS] = 1u << EDIT_NOTE | 1u << EDIT_EVENT | 1u << EDIT_TAP,
    [TAKE_TIME_OUT] = 1u << EDIT_TIME,
    [ARRANGE] =
        1u << EDIT_TRACK_INFO | 1u << EDIT_TRACK_REMOVED | 1u << EDIT_CHUNK_MOVE,
    [TIMELINE] = 1u << EDIT_EVENT | 1u << EDIT_TIME | 1u << EDIT_CHUNK_MOVE |
                 1u << EDIT_TRACK | 1u << EDIT_TRACK_INFO | 1u << EDIT_TRACK_REMOVED,
};

struct apply {
    struct change *change;
    struct score *score; /* borrowed */
    bool is_forwards;
    /* What is prepared, once is_staged. The score's tracks and chunks have the same indices
     * whenever it is swapped. */
    bool is_staged;
    struct note_list added, removed;
    struct staged_track *tracks; /* the tracks that the change touches, each once */
    size_t n_tracks;
    struct staged_chunk *chunks;
    size_t n_chunks;
    struct taps taps; /* if the change has edits of taps */
    size_t n_hidden;  /* tracks and chunks behind the score's last, which go */
    struct chunk bin; /* event bytes of removed chunks; staged events may use them */
};

/* -- notes -- */

static int compare_placed(const void *a, const void *b)
{
    const struct placed_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return note_compare(&x->note, &y->note);
}

/* Lists the notes that the change adds and removes, and gives new notes their ids. */
static enum midi_status list_notes(struct apply *g)
{
    struct change *c = g->change;
    struct note_list *lists[] = {&g->removed, &g->added};
    for (int i = 0; i < 2; i++)
        if (!(lists[i]->notes = calloc(c->n_edits + 1, sizeof *lists[i]->notes)))
            return MIDI_NO_MEMORY;
    for (size_t i = 0; i < c->n_edits; i++) {
        struct edit *e = &c->edits[i];
        if (e->kind != EDIT_NOTE)
            continue;
        if (e->track < 0 || (size_t)e->track >= g->score->n_tracks)
            return MIDI_BAD_EDIT;
        if (g->is_forwards && e->has_after && e->after.id == 0)
            e->after.id = g->score->next_id;
        if (g->is_forwards && e->has_after && e->after.id >= g->score->next_id)
            g->score->next_id = e->after.id + 1;
        for (int side = 0; side < 2; side++) {
            struct note_list *l = lists[side == g->is_forwards];
            struct placed_note *next = &l->notes[l->n];
            if (side ? !e->has_after : !e->has_before)
                continue;
            *next = (struct placed_note){e->track, side ? e->after : e->before};
            l->is_unsorted |= l->n && compare_placed(next - 1, next) > 0;
            l->n++;
        }
    }
    /* Builders of changes go through a track in order, so most lists are sorted already. */
    for (int i = 0; i < 2; i++)
        if (lists[i]->is_unsorted)
            qsort(lists[i]->notes, lists[i]->n, sizeof *lists[i]->notes,
                  compare_placed);
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
static bool merge_notes(struct apply *g, struct staged_track *to, struct note *notes)
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

static enum midi_status stage_track(struct apply *g, int track)
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

static enum midi_status stage_notes(struct apply *g)
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

static enum midi_status stage_chunk(struct apply *g, int chunk,
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

static enum midi_status stage_event(struct apply *g, const struct edit *e)
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

static enum midi_status stage_events_and_taps(struct apply *g)
{
    const struct change *c = g->change;
    const bool has_taps = c->kinds >> EDIT_TAP & 1;
    g->chunks = calloc(c->n_edits + 1, sizeof *g->chunks);
    bool ok = g->chunks && (!has_taps || taps_copy(&g->taps, &g->score->taps));
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

/* -- applying -- */

/* Swaps the notes, events and taps as the change leaves them with the present ones. The first
 * call prepares them, in one pass over each track and chunk that the change touches; the
 * second swaps them back. MIDI_BAD_EDIT: the score is not what the change expects. */
static enum midi_status swap_contents(struct apply *g)
{
    enum midi_status st = MIDI_OK;
    if (!g->is_staged && !(st = list_notes(g)) && !(st = stage_notes(g)))
        st = stage_events_and_taps(g);
    g->is_staged = true;
    if (st)
        return st;
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
    if (g->change->kinds >> EDIT_TAP & 1) {
        const struct taps taps = g->taps;
        g->taps = g->score->taps;
        g->score->taps = taps;
    }
    return MIDI_OK;
}

/* Hides the last n tracks and their chunks, which were added together. */
static void hide_tracks(struct apply *a, size_t n)
{
    a->score->n_tracks -= n;
    a->score->n_chunks -= n;
    a->n_hidden = n;
}

/* Adds the tracks of the change; or shows them again if they are hidden. */
static enum midi_status add_tracks(struct apply *a)
{
    struct score *s = a->score;
    size_t n = 0;
    if (a->n_hidden) {
        s->n_tracks += a->n_hidden;
        s->n_chunks += a->n_hidden;
        a->n_hidden = 0;
        return MIDI_OK;
    }
    for (size_t i = 0; i < a->change->n_edits; i++) {
        const struct edit *e = &a->change->edits[i];
        if (e->kind != EDIT_TRACK)
            continue;
        const bool is_next = (size_t)e->track == s->n_tracks;
        if (!is_next || score_add_track(s, e->track_info.name, e->track_info.channel,
                                        e->track_info.program) < 0) {
            hide_tracks(a, n);
            return is_next ? MIDI_NO_MEMORY : MIDI_BAD_EDIT;
        }
        n++;
    }
    return MIDI_OK;
}

/* Does a step, or undoes it. Either changes nothing if it fails, and never fails right after
 * the other. */
static enum midi_status take_step(struct apply *a, enum step step, bool is_forwards)
{
    switch (step) {
    case INSERT_TIME:
    case TAKE_TIME_OUT:
        return retime(a->change, a->score, step == TAKE_TIME_OUT, is_forwards);
    case ADD_TRACKS:
        if (is_forwards)
            return add_tracks(a);
        hide_tracks(a, change_count(a->change, EDIT_TRACK));
        return MIDI_OK;
    case CONTENTS:
        return swap_contents(a);
    case ARRANGE:
        return arrange(a->change, a->score, is_forwards, &a->bin);
    default:
        return score_update_timeline(a->score);
    }
}

enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards)
{
    struct apply a = {.change = c, .score = s, .is_forwards = is_forwards};
    enum midi_status st = change_status(c);
    if (st)
        return st;
    if (!is_forwards && c->kinds >> EDIT_TRACK_REMOVED & 1 &&
        !score_make_room(s, change_count(c, EDIT_TRACK_REMOVED)))
        return MIDI_NO_MEMORY;
    if (is_forwards)
        c->format_before = s->format;
    /* If a step fails, those before it are undone. */
    for (int n = 0, by = 1; n >= 0 && n < N_STEPS; n += by) {
        const enum step step =
            (enum step)(is_forwards || n == TIMELINE ? n : TIMELINE - 1 - n);
        const bool undoes = by < 0;
        const enum midi_status failed = c->kinds & STEP_KINDS[step]
                                            ? take_step(&a, step, is_forwards != undoes)
                                            : MIDI_OK;
        if (failed && !undoes) {
            st = failed;
            by = -1;
        }
    }
    if (is_forwards == (st != MIDI_OK)) /* the score is as before the change */
        s->format = c->format_before;
    for (; a.n_hidden > 0; a.n_hidden--) {
        notes_release(&s->tracks[s->n_tracks + a.n_hidden - 1]);
        chunk_fini(&s->chunks[s->n_chunks + a.n_hidden - 1]);
    }
    /* Restored events use these bytes. Any chunk may own them. */
    if (st && is_forwards && a.bin.blocks)
        chunk_give_blocks(&s->chunks[0], &a.bin);
    if (a.bin.blocks)
        chunk_fini(&a.bin);
    for (size_t i = 0; i < a.n_tracks; i++)
        notes_release(&a.tracks[i].fresh);
    for (size_t i = 0; i < a.n_chunks; i++)
        free(a.chunks[i].fresh.events);
    free(a.tracks);
    free(a.chunks);
    free(a.added.notes);
    free(a.removed.notes);
    free(a.taps.list);
    return st;
}
