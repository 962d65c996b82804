/* Writes a score as a MIDI file: the events and notes of each chunk merged, deltas in
 * the fewest bytes, and every status byte written out. */
#include "midi/smf/smf.h"

#include "midi/score/chunk.h"
#include "midi/base/bytes.h"
#include "midi/base/file.h"
#include "midi/score/notes.h"
#include "midi/base/array.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* -- a chunk's notes and events in one sequence -- */

enum merged_kind { MERGED_EVENT, MERGED_NOTE_ON, MERGED_NOTE_OFF };

/* One event, note-on or note-off. It borrows from the score and is valid until the
 * score changes. */
struct merged {
    int64_t tick;
    uint32_t order;
    uint8_t kind, rank, channel;
    const struct event *event; /* MERGED_EVENT */
    const struct note *note;   /* the others */
};

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

/* -- writing -- */

/* A failure sticks, in the status or in `out`. So both are checked once, at the end. */
struct writer {
    struct bytes_out out;
    size_t n_tracks; /* that are written; they are in the order of their chunks */
    enum midi_status status;
};

static void put_u16(struct writer *w, unsigned v)
{
    bytes_put(&w->out, (uint8_t[]){(uint8_t)(v >> 8), (uint8_t)v}, 2);
}

static void put_u32(struct writer *w, size_t v)
{
    if (v > UINT32_MAX)
        w->status = MIDI_TOO_LONG;
    put_u16(w, (unsigned)(v >> 16));
    put_u16(w, (unsigned)v);
}

/* A wait that is too long for one delta is bridged with empty text events. */
static void put_delta(struct writer *w, int64_t ticks)
{
    uint8_t vlq[VLQ_MAX_BYTES];
    while (ticks > VLQ_MAX && !w->out.failed) {
        bytes_put(&w->out, vlq, vlq_write(vlq, VLQ_MAX));
        bytes_put(&w->out, (uint8_t[]){0xFF, 0x01, 0x00}, 3);
        ticks -= VLQ_MAX;
    }
    bytes_put(&w->out, vlq, vlq_write(vlq, (uint32_t)ticks));
}

static void put_merged(struct writer *w, const struct merged *m)
{
    const struct note *n = m->note;
    if (m->kind == MERGED_EVENT) {
        bytes_put(&w->out, m->event->data, m->event->n_data);
        return;
    }
    uint8_t message[3] = {(uint8_t)(0x90 | m->channel), n->pitch, n->velocity};
    if (m->kind == MERGED_NOTE_OFF) {
        bool is_on = n->flags & NOTE_END_BY_ON;
        message[0] = (uint8_t)((is_on ? 0x90 : 0x80) | m->channel);
        message[2] = is_on ? 0 : n->off_velocity;
    }
    bytes_put(&w->out, message, sizeof message);
}

/* Writes the events and the notes of a chunk in one sequence. */
static void put_events(struct writer *w, const struct score *s, int chunk)
{
    const struct chunk *c = &s->chunks[chunk];
    const size_t first = w->n_tracks;
    size_t n = 0, most = c->n_events;
    for (; w->n_tracks < s->n_tracks && s->tracks[w->n_tracks].chunk == chunk;
         w->n_tracks++)
        most += 2 * s->tracks[w->n_tracks].n_notes;
    struct merged *all = array_resize(NULL, most + 1, sizeof *all);
    if (!all) {
        w->status = MIDI_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < c->n_events; i++)
        all[n++] = (struct merged){
            .tick = c->events[i].tick,
            .order = c->events[i].order,
            .kind = MERGED_EVENT,
            .rank = RANK_EVENT,
            .event = &c->events[i],
        };
    for (size_t t = first; t < w->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            n += add_note(all + n, &s->tracks[t], &s->tracks[t].notes[i]);
    qsort(all, n, sizeof *all, compare);
    int64_t tick = 0;
    for (size_t i = 0; i < n; i++) {
        put_delta(w, all[i].tick - tick);
        put_merged(w, &all[i]);
        tick = all[i].tick;
    }
    free(all);
    put_delta(w, c->end_tick > tick ? c->end_tick - tick : 0);
    bytes_put(&w->out, (uint8_t[]){0xFF, META_END_OF_TRACK, 0}, 3);
}

static void put_chunk(struct writer *w, const struct score *s, int chunk)
{
    const struct chunk *c = &s->chunks[chunk];
    bytes_put(&w->out, c->type, sizeof c->type);
    if (c->is_unknown) {
        put_u32(w, c->n_raw);
        bytes_put(&w->out, c->raw, c->n_raw);
        return;
    }
    size_t at = w->out.n;
    put_u32(w, 0);
    put_events(w, s, chunk);
    if (w->status)
        return;
    size_t end = w->out.n;
    w->out.n = at;
    put_u32(w, end - at - 4);
    w->out.n = end;
}

enum midi_status smf_write(const struct score *s, uint8_t **bytes, size_t *n_bytes)
{
    struct writer w = {0};
    size_t n_tracks = 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        n_tracks += !s->chunks[i].is_unknown;
    bytes_put(&w.out, "MThd", 4);
    put_u32(&w, 6 + s->n_header_tail);
    put_u16(&w, (unsigned)s->format);
    put_u16(&w, n_tracks < UINT16_MAX ? (unsigned)n_tracks : UINT16_MAX);
    put_u16(&w, s->division);
    bytes_put(&w.out, s->header_tail, s->n_header_tail);
    for (size_t i = 0; i < s->n_chunks && !w.status; i++)
        put_chunk(&w, s, (int)i);
    if (w.out.failed && !w.status)
        w.status = MIDI_NO_MEMORY;
    assert(w.status || w.n_tracks == s->n_tracks);
    if (w.status) {
        free(w.out.bytes);
        return w.status;
    }
    *bytes = w.out.bytes;
    *n_bytes = w.out.n;
    return MIDI_OK;
}

enum midi_status smf_save(const struct score *s, const char *path)
{
    uint8_t *bytes;
    size_t n;
    enum midi_status st = smf_write(s, &bytes, &n);
    if (st)
        return st;
    st = file_write(path, NULL, bytes, n);
    int reason = errno;
    free(bytes);
    errno = reason;
    return st;
}
