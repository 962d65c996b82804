/* Edits of whole tracks and chunks.
 *
 * Tracks are in the order of their chunks, and within a chunk in the order of channels
 * when the file was read. A move of a chunk, after which its tracks are sorted by chunk
 * and stay in order otherwise, is undone by the same move with the indices swapped. */
#include "midi/edit/apply.h"
#include "midi/edit/track_edit.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

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

static enum midi_status take_out(struct edit *e, struct score *s, struct chunk *bin)
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
    chunk_give_blocks(bin, c);
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

/* Restores an empty track. The score has room for it. */
static enum midi_status put_back(const struct edit *e, struct score *s)
{
    if (!may_come(e, s))
        return MIDI_BAD_EDIT;
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

static enum midi_status move(struct score *s, int from, int to)
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

static enum midi_status arrange_one(struct edit *e, struct score *s, bool is_forwards,
                                    struct chunk *bin)
{
    switch (e->kind) {
    case EDIT_TRACK_INFO:
        return set_info(e, s, is_forwards);
    case EDIT_TRACK_REMOVED:
        return is_forwards ? take_out(e, s, bin) : put_back(e, s);
    case EDIT_CHUNK_MOVE:
        return is_forwards ? move(s, e->move.from, e->move.to)
                           : move(s, e->move.to, e->move.from);
    default:
        return MIDI_OK;
    }
}

enum midi_status arrange(struct change *c, struct score *s, bool is_forwards,
                         struct chunk *bin)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        size_t at = is_forwards ? i : c->n_edits - 1 - i;
        enum midi_status st = arrange_one(&c->edits[at], s, is_forwards, bin);
        if (!st)
            continue;
        while (i-- > 0) {
            at = is_forwards ? i : c->n_edits - 1 - i;
            arrange_one(&c->edits[at], s, !is_forwards, bin);
        }
        return st;
    }
    return MIDI_OK;
}
