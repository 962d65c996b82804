/* Merges a chunk's notes and events by (tick, order), and compares scores that way. */
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

/* Only edits make events of equal tick and order. Ends come first; a note without
 * length ends right after it begins. */
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
    if (x->event && y->event) /* both point into one sorted array */
        return (x->event > y->event) - (x->event < y->event);
    int by_note = note_compare(x->note, y->note);
    return by_note ? by_note : x->kind - y->kind;
}

static size_t count(const struct score *s, int chunk)
{
    size_t n = s->chunks[chunk].n_events;
    for (size_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].chunk == chunk)
            n += 2 * s->tracks[t].n_notes;
    return n;
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

enum midi_status merge_chunk(const struct score *s, int chunk, struct merged **out,
                             size_t *n_out)
{
    struct merged *all = reallocarray(NULL, count(s, chunk) + 1, sizeof *all);
    if (!all)
        return MIDI_NO_MEMORY;
    const struct chunk *c = &s->chunks[chunk];
    size_t n = 0;
    for (size_t i = 0; i < c->n_events; i++)
        all[n++] = (struct merged){
            .tick = c->events[i].tick,
            .order = c->events[i].order,
            .kind = MERGED_EVENT,
            .rank = RANK_EVENT,
            .event = &c->events[i],
        };
    for (size_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].chunk == chunk)
            for (size_t i = 0; i < s->tracks[t].n_notes; i++)
                n += add_note(all + n, &s->tracks[t], &s->tracks[t].notes[i]);
    qsort(all, n, sizeof *all, compare);
    *out = all;
    *n_out = n;
    return MIDI_OK;
}

static bool notes_equal(const struct note *a, const struct note *b)
{
    return a->start == b->start && a->length == b->length && a->pitch == b->pitch &&
           a->velocity == b->velocity && a->off_velocity == b->off_velocity &&
           a->flags == b->flags;
}

/* Orders may differ as long as the sequence is the same. */
static bool merged_equal(const struct merged *a, const struct merged *b)
{
    if (a->tick != b->tick || a->kind != b->kind || a->channel != b->channel)
        return false;
    if (a->kind != MERGED_EVENT)
        return notes_equal(a->note, b->note);
    return a->event->n_data == b->event->n_data &&
           memcmp(a->event->data, b->event->data, a->event->n_data) == 0;
}

static bool bytes_equal(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a) == 0);
}

static bool chunks_equal(const struct score *a, const struct score *b, int chunk)
{
    const struct chunk *x = &a->chunks[chunk], *y = &b->chunks[chunk];
    if (x->is_unknown != y->is_unknown || memcmp(x->type, y->type, 4) != 0 ||
        !bytes_equal(x->raw, x->n_raw, y->raw, y->n_raw))
        return false;

    struct merged *of_a = NULL, *of_b = NULL;
    size_t n_a = 0, n_b = 0;
    bool is_equal = !merge_chunk(a, chunk, &of_a, &n_a) &&
                    !merge_chunk(b, chunk, &of_b, &n_b) && n_a == n_b;
    for (size_t i = 0; is_equal && i < n_a; i++)
        is_equal = merged_equal(&of_a[i], &of_b[i]);
    int64_t last_a = n_a ? of_a[n_a - 1].tick : 0;
    if (is_equal && (x->end_tick > last_a || y->end_tick > last_a))
        is_equal = x->end_tick == y->end_tick;
    free(of_a);
    free(of_b);
    return is_equal;
}

bool score_equal(const struct score *a, const struct score *b)
{
    if (a->format != b->format || a->division != b->division ||
        a->n_chunks != b->n_chunks ||
        !bytes_equal(a->header_tail, a->n_header_tail, b->header_tail,
                     b->n_header_tail))
        return false;
    for (size_t i = 0; i < a->n_chunks; i++)
        if (!chunks_equal(a, b, (int)i))
            return false;
    return true;
}
