/* Applies a change to a score, or undoes it.
 *
 * Notes are merged in one pass over each track that the change touches:
 *
 *   notes after = notes before + added - removed
 *
 * This holds in any order of the edits; backwards, added and removed are swapped. All
 * tracks are merged before the first is swapped. So a change that has only notes succeeds,
 * or leaves the score as it was. Any other change alters the score step by step. If a step
 * fails, the score becomes the copy that was made before the first step.
 *
 * Tracks are in the order of their chunks, and within a chunk in the order of channels
 * when the file was read. After a chunk has moved, the tracks are sorted by chunk again,
 * and tracks of one chunk keep their order. So the same move with its indices swapped
 * undoes it. */
#include "midi/edit/apply.h"
#include "midi/edit/track_edit.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

/* -- notes -- */

struct placed_note {
    int track;
    struct note note;
};

/* A list of notes, sorted by track and then as in tracks. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* `at`: the next note to merge */
    bool is_unsorted;
};

struct note_lists {
    struct note_list added, removed;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return note_compare(&x->note, &y->note);
}

/* Lists the notes that the change adds and removes, and gives new notes their ids. */
static enum midi_status list_notes(struct note_lists *l, struct change *c,
                                   struct score *s, bool is_forwards)
{
    struct note_list *lists[] = {&l->removed, &l->added};
    for (int i = 0; i < 2; i++)
        if (!(lists[i]->notes = calloc(c->n_edits + 1, sizeof *lists[i]->notes)))
            return MIDI_NO_MEMORY;
    for (size_t i = 0; i < c->n_edits; i++) {
        struct edit *e = &c->edits[i];
        if (e->kind != EDIT_NOTE)
            continue;
        if (e->track < 0 || (size_t)e->track >= s->n_tracks)
            return MIDI_BAD_EDIT;
        if (is_forwards && e->has_after && e->after.id == 0)
            e->after.id = s->next_id;
        if (is_forwards && e->has_after && e->after.id >= s->next_id)
            s->next_id = e->after.id + 1;
        for (int side = 0; side < 2; side++) {
            struct note_list *to = lists[side == is_forwards];
            struct placed_note *next = &to->notes[to->n];
            if (side ? !e->has_after : !e->has_before)
                continue;
            *next = (struct placed_note){e->track, side ? e->after : e->before};
            to->is_unsorted |= to->n && compare_placed(next - 1, next) > 0;
            to->n++;
        }
    }
    /* Builders of changes go through a track in order, so most lists are sorted. */
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

/* Gives `to`, which has no notes, those of track `t` as the change leaves them.
 * MIDI_BAD_EDIT: a note to remove is missing, or a note to add is there already. */
static enum midi_status merge_notes(struct track *to, const struct track *t,
                                    struct note_lists *l, int track)
{
    size_t cap = t->n_notes, at = 0;
    for (size_t i = l->added.at; i < l->added.n && l->added.notes[i].track == track;
         i++)
        cap++;
    struct note *notes = notes_own(to, cap);
    if (!notes)
        return MIDI_NO_MEMORY;
    for (;;) {
        const struct note *added = list_next(&l->added, track);
        const struct note *removed = list_next(&l->removed, track);
        const struct note *old = at < t->n_notes ? &t->notes[at] : NULL;
        const bool adds = added && (!old || note_compare(added, old) < 0);
        const struct note *n = adds ? added : old;
        if (!n)
            return removed ? MIDI_BAD_EDIT : MIDI_OK;
        l->added.at += adds;
        at += !adds;
        if (removed && note_equal(removed, n)) {
            l->removed.at++;
            continue;
        }
        if (to->n_notes && note_compare(&notes[to->n_notes - 1], n) == 0)
            return MIDI_BAD_EDIT;
        notes[to->n_notes++] = *n;
    }
}

/* Edits the notes of all tracks, or none. MIDI_BAD_EDIT: the score is not what the
 * change expects. */
static enum midi_status edit_notes(struct change *c, struct score *s, bool is_forwards)
{
    struct note_lists l = {0};
    const size_t n_tracks = s->n_tracks;
    struct track *fresh = calloc(n_tracks + 1, sizeof *fresh); /* only notes are used */
    enum midi_status st = fresh ? list_notes(&l, c, s, is_forwards) : MIDI_NO_MEMORY;
    for (int t = 0; !st && t < (int)n_tracks; t++)
        if (list_next(&l.added, t) || list_next(&l.removed, t))
            st = merge_notes(&fresh[t], &s->tracks[t], &l, t);
    for (size_t t = 0; fresh && t < n_tracks; t++) {
        if (!st && fresh[t].n_sharers)
            notes_swap(&fresh[t], &s->tracks[t]);
        notes_release(&fresh[t]);
    }
    free(fresh);
    free(l.added.notes);
    free(l.removed.notes);
    return st;
}

/* -- events and taps -- */

static struct event *find_event(const struct chunk *in, const struct event *e)
{
    size_t at;
    ARRAY_PASS(at, in->n_events, event_compare(&in->events[at], e) < 0);
    for (; at < in->n_events && event_compare(&in->events[at], e) == 0; at++)
        if (event_equal(&in->events[at], e))
            return &in->events[at];
    return NULL;
}

static enum midi_status edit_event(const struct edit *e, struct score *s,
                                   bool is_forwards)
{
    if (e->track < 0 || (size_t)e->track >= s->n_chunks ||
        s->chunks[e->track].is_unknown)
        return MIDI_BAD_EDIT;
    struct chunk *c = &s->chunks[e->track];
    const struct event *before = e->has_before ? &e->event_before : NULL;
    const struct event *after = e->has_after ? &e->event_after : NULL;
    const struct event *old = is_forwards ? before : after;
    const struct event *next = is_forwards ? after : before;
    struct event *at = old ? find_event(c, old) : NULL;
    if (old && !at)
        return MIDI_BAD_EDIT;
    if (at && next && event_compare(old, next) == 0) {
        /* The event stays in its place, so that its neighbours stay in order. */
        uint8_t *data = chunk_alloc_data(c, next->n_data);
        if (!data)
            return MIDI_NO_MEMORY;
        memcpy(data, next->data, next->n_data);
        *at = *next;
        at->data = data;
        return MIDI_OK;
    }
    if (at) {
        c->n_events--;
        memmove(at, at + 1, (size_t)(c->events + c->n_events - at) * sizeof *at);
    }
    return next ? chunk_insert_event(c, next) : MIDI_OK;
}

static enum midi_status edit_tap(const struct edit *e, struct score *s,
                                 bool is_forwards)
{
    if (e->has_after == is_forwards)
        return taps_put(&s->taps, e->tap) ? MIDI_OK : MIDI_NO_MEMORY;
    taps_remove(&s->taps, e->tap);
    return MIDI_OK;
}

/* -- whole tracks and chunks -- */

static enum midi_status add_track(const struct edit *e, struct score *s)
{
    if ((size_t)e->track != s->n_tracks)
        return MIDI_BAD_EDIT;
    return score_add_track(s, e->track_info.name, e->track_info.channel,
                           e->track_info.program) < 0
               ? MIDI_NO_MEMORY
               : MIDI_OK;
}

/* Drops the score's last track and its chunk, which an edit added together. */
static enum midi_status drop_track(struct score *s)
{
    if (!s->n_tracks || s->tracks[s->n_tracks - 1].chunk != (int)s->n_chunks - 1)
        return MIDI_BAD_EDIT;
    notes_release(&s->tracks[--s->n_tracks]);
    chunk_fini(&s->chunks[--s->n_chunks]);
    return MIDI_OK;
}

static struct track *find_track(struct score *s, int track)
{
    return track >= 0 && (size_t)track < s->n_tracks ? &s->tracks[track] : NULL;
}

static bool has_info(const struct track *t, const struct track_info *info)
{
    return t->channel == info->channel && t->program == info->program &&
           !strncmp(t->name, info->name, sizeof t->name);
}

static enum midi_status set_info(const struct edit *e, struct score *s,
                                 bool is_forwards)
{
    const struct track_info *old = is_forwards ? &e->info_before : &e->info_after;
    const struct track_info *new = is_forwards ? &e->info_after : &e->info_before;
    struct track *t = find_track(s, e->track);
    if (!t || !has_info(t, old))
        return MIDI_BAD_EDIT;
    memcpy(t->name, new->name, sizeof t->name);
    t->channel = new->channel;
    t->lacks_program &= new->program == t->program;
    t->program = new->program;
    return MIDI_OK;
}

static bool may_go(const struct edit *e, struct score *s)
{
    const struct track *t = find_track(s, e->track);
    if (!t || t->n_notes || t->chunk != e->gone.chunk || !has_info(t, &e->gone.info))
        return false;
    const struct chunk *c = &s->chunks[t->chunk];
    return !e->gone.with_chunk ||
           (!c->n_events && !c->is_unknown && c->end_tick == e->gone.end_tick &&
            track_n_in_chunk(s, e->track) == 1);
}

/* Adds `by` to the chunk index of all tracks of chunk `from` and later ones. */
static void renumber_chunks(struct score *s, int from, int by)
{
    for (size_t i = 0; i < s->n_tracks; i++)
        if (s->tracks[i].chunk >= from)
            s->tracks[i].chunk += by;
}

static enum midi_status take_out(struct edit *e, struct score *s)
{
    if (!may_go(e, s))
        return MIDI_BAD_EDIT;
    struct track *t = &s->tracks[e->track];
    struct chunk *c = &s->chunks[t->chunk];
    e->gone.mute = t->mute;
    e->gone.solo = t->solo;
    e->gone.arm = t->arm;
    e->gone.hide = t->hide;
    e->gone.colour = t->colour;
    notes_release(t);
    s->n_tracks--;
    memmove(t, t + 1, (s->n_tracks - (size_t)e->track) * sizeof *t);
    if (!e->gone.with_chunk)
        return MIDI_OK;
    chunk_fini(c);
    s->n_chunks--;
    memmove(c, c + 1, (s->n_chunks - (size_t)e->gone.chunk) * sizeof *c);
    renumber_chunks(s, e->gone.chunk + 1, -1);
    return MIDI_OK;
}

/* Whether the removed track, and its chunk if that was removed too, can come back so
 * that tracks stay in the order of their chunks. */
static bool may_come(const struct edit *e, const struct score *s)
{
    int at = e->track, n = (int)s->n_tracks, chunk = e->gone.chunk;
    bool with = e->gone.with_chunk;
    if (at < 0 || at > n || chunk < 0 || chunk > (int)s->n_chunks - !with ||
        (!with && s->chunks[chunk].is_unknown))
        return false;
    return (at == 0 || s->tracks[at - 1].chunk <= chunk - with) &&
           (at == n || s->tracks[at].chunk >= chunk);
}

/* Restores an empty track. */
static enum midi_status put_back(const struct edit *e, struct score *s)
{
    if (!may_come(e, s))
        return MIDI_BAD_EDIT;
    if (!score_make_room(s, 1))
        return MIDI_NO_MEMORY;
    if (e->gone.with_chunk) {
        struct chunk *c = &s->chunks[e->gone.chunk];
        renumber_chunks(s, e->gone.chunk, 1);
        memmove(c + 1, c, (s->n_chunks - (size_t)e->gone.chunk) * sizeof *c);
        *c = (struct chunk){.type = {'M', 'T', 'r', 'k'}, .end_tick = e->gone.end_tick};
        s->n_chunks++;
    }
    struct track *t = &s->tracks[e->track];
    memmove(t + 1, t, (s->n_tracks - (size_t)e->track) * sizeof *t);
    *t = (struct track){
        .chunk = e->gone.chunk,
        .channel = e->gone.info.channel,
        .program = e->gone.info.program,
        .mute = e->gone.mute,
        .solo = e->gone.solo,
        .arm = e->gone.arm,
        .hide = e->gone.hide,
        .colour = e->gone.colour,
    };
    memcpy(t->name, e->gone.info.name, sizeof t->name);
    s->n_tracks++;
    return MIDI_OK;
}

static void sort_tracks(struct score *s)
{
    for (size_t i = 1; i < s->n_tracks; i++) {
        struct track t = s->tracks[i];
        size_t k = i;
        for (; k > 0 && s->tracks[k - 1].chunk > t.chunk; k--)
            s->tracks[k] = s->tracks[k - 1];
        s->tracks[k] = t;
    }
}

static enum midi_status move_chunk(struct score *s, int from, int to)
{
    int n = (int)s->n_chunks, step = from < to ? 1 : -1;
    if (from < 0 || from >= n || to < 0 || to >= n)
        return MIDI_BAD_EDIT;
    struct chunk moved = s->chunks[from];
    for (int i = from; i != to; i += step)
        s->chunks[i] = s->chunks[i + step];
    s->chunks[to] = moved;
    for (size_t i = 0; i < s->n_tracks; i++) {
        int *chunk = &s->tracks[i].chunk;
        if (*chunk == from)
            *chunk = to;
        else if (step > 0 ? *chunk > from && *chunk <= to
                          : *chunk >= to && *chunk < from)
            *chunk -= step;
    }
    sort_tracks(s);
    return MIDI_OK;
}

/* -- applying -- */

/* The steps, in the order of doing. Undoing takes them backwards. */
enum step {
    INSERT_TIME,
    ADD_TRACKS,
    EDIT_NOTES,
    EDIT_EVENTS,
    TAKE_TIME_OUT,
    ARRANGE,
    N_STEPS,
};

/* The step of an edit. Notes and time are not edited one by one. */
static const enum step STEP_OF[EDIT_KIND_COUNT] = {
    [EDIT_TRACK] = ADD_TRACKS,        [EDIT_NOTE] = EDIT_NOTES,
    [EDIT_EVENT] = EDIT_EVENTS,       [EDIT_TAP] = EDIT_EVENTS,
    [EDIT_TRACK_INFO] = ARRANGE,      [EDIT_TRACK_REMOVED] = ARRANGE,
    [EDIT_CHUNK_MOVE] = ARRANGE,      [EDIT_TIME] = INSERT_TIME,
    [EDIT_CHUNK_END] = TAKE_TIME_OUT,
};

static enum midi_status apply_edit(struct edit *e, struct score *s, bool is_forwards)
{
    switch (e->kind) {
    case EDIT_EVENT:
        return edit_event(e, s, is_forwards);
    case EDIT_TAP:
        return edit_tap(e, s, is_forwards);
    case EDIT_TRACK:
        return is_forwards ? add_track(e, s) : drop_track(s);
    case EDIT_TRACK_INFO:
        return set_info(e, s, is_forwards);
    case EDIT_TRACK_REMOVED:
        return is_forwards ? take_out(e, s) : put_back(e, s);
    case EDIT_CHUNK_MOVE:
        return is_forwards ? move_chunk(s, e->move.from, e->move.to)
                           : move_chunk(s, e->move.to, e->move.from);
    default:
        return MIDI_OK;
    }
}

static enum midi_status take_step(struct change *c, struct score *s, enum step step,
                                  bool is_forwards)
{
    enum midi_status st = MIDI_OK;
    if (step == EDIT_NOTES)
        return edit_notes(c, s, is_forwards);
    if (step == INSERT_TIME || step == TAKE_TIME_OUT)
        return retime(c, s, step == TAKE_TIME_OUT, is_forwards);
    for (size_t i = 0; !st && i < c->n_edits; i++) {
        struct edit *e = &c->edits[is_forwards ? i : c->n_edits - 1 - i];
        if (STEP_OF[e->kind] == step)
            st = apply_edit(e, s, is_forwards);
    }
    return st;
}

enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards)
{
    enum midi_status st = change_status(c);
    if (st)
        return st;
    if (!(c->kinds & ~(1u << EDIT_NOTE)))
        return edit_notes(c, s, is_forwards);
    struct score *before = score_clone(s);
    if (!before)
        return MIDI_NO_MEMORY;
    if (is_forwards)
        c->format_before = s->format;
    for (int n = 0; !st && n < N_STEPS; n++)
        st = take_step(c, s, (enum step)(is_forwards ? n : N_STEPS - 1 - n),
                       is_forwards);
    if (!st)
        st = score_update_timeline(s);
    if (st) {
        const struct score failed = *s;
        *s = *before;
        *before = failed;
    } else if (!is_forwards) {
        s->format = c->format_before;
    }
    score_destroy(before);
    return st;
}
