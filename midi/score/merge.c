/* Merges the notes and events of a chunk, sorted by (tick, order). */
#include "midi/score/chunk.h"
#include "midi/score/notes.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* Only edits make two things of equal tick and order. Then note-offs come first and
 * note-ons last. A note without length ends right after it begins. */
enum { RANK_END, RANK_EVENT, RANK_BEGIN };

static int compare(const void *a, const void *b)
{
    const struct merged *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->event && y->event) /* both are in one sorted array */
        return (x->event > y->event) - (x->event < y->event);
    int by_note = note_compare(x->note, y->note);
    return by_note ? by_note : x->kind - y->kind;
}

bool chunk_tracks_init(struct chunk_tracks *of, const struct score *s)
{
    of->first = calloc(s->n_chunks + s->n_tracks + 1, sizeof *of->first);
    if (!of->first)
        return false;
    of->next = of->first + s->n_chunks;
    for (size_t t = s->n_tracks; t-- > 0;) {
        size_t *first = &of->first[s->tracks[t].chunk];
        of->next[t] = *first;
        *first = t + 1;
    }
    return true;
}

void chunk_tracks_fini(struct chunk_tracks *of)
{
    free(of->first);
}

static size_t add_note(struct merged *to, const struct track *t, const struct note *n)
{
    to[0] = (struct merged){
        .tick = n->start,
        .order = n->on_order,
        .kind = MERGED_NOTE_ON,
        .rank = RANK_BEGIN,
        .channel = t->channel,
        .note = n,
    };
    if (n->flags & NOTE_HANGING)
        return 1;
    to[1] = to[0];
    to[1].kind = MERGED_NOTE_OFF;
    if (n->length > 0 || n->off_order > n->on_order) {
        to[1].tick = n->start + n->length;
        to[1].order = n->off_order;
        to[1].rank = RANK_END;
    }
    return 2;
}

enum midi_status merge_chunk(const struct score *s, const struct chunk_tracks *of,
                             int chunk, struct merged **out, size_t *n_out)
{
    const struct chunk *c = &s->chunks[chunk];
    size_t n = 0, most = c->n_events;
    for (size_t t = of->first[chunk]; t; t = of->next[t - 1])
        most += 2 * s->tracks[t - 1].n_notes;
    struct merged *all = array_resize(NULL, most + 1, sizeof *all);
    if (!all)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < c->n_events; i++)
        all[n++] = (struct merged){
            .tick = c->events[i].tick,
            .order = c->events[i].order,
            .kind = MERGED_EVENT,
            .rank = RANK_EVENT,
            .event = &c->events[i],
        };
    for (size_t t = of->first[chunk]; t; t = of->next[t - 1])
        for (size_t i = 0; i < s->tracks[t - 1].n_notes; i++)
            n += add_note(all + n, &s->tracks[t - 1], &s->tracks[t - 1].notes[i]);
    qsort(all, n, sizeof *all, compare);
    *out = all;
    *n_out = n;
    return MIDI_OK;
}
